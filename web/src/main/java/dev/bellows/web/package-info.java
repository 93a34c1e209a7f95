/** The planner page: what it asks and what it is answered, on the JVM and in a browser. */
@NullMarked
package dev.bellows.web;

import org.jspecify.annotations.NullMarked;
