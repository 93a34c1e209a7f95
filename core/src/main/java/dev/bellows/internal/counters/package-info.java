/**
 * Stores of packed counters at the positions of a layout. {@link
 * dev.bellows.internal.counters.CounterStore} adds, removes and folds them without losing a key.
 */
@NullMarked
package dev.bellows.internal.counters;

import org.jspecify.annotations.NullMarked;
