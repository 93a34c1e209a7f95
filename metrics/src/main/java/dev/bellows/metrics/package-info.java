/** The numbers of a filter for those who watch it in production. */
@NullMarked
package dev.bellows.metrics;

import org.jspecify.annotations.NullMarked;
