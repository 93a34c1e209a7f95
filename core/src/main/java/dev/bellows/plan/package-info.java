/** The planners: sizes, rates and ladders as pure functions, without state or I/O. */
@NullMarked
package dev.bellows.plan;

import org.jspecify.annotations.NullMarked;
