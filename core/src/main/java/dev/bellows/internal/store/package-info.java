/** Bits and counters in memory, and where in them the keys of a layout are. */
@NullMarked
package dev.bellows.internal.store;

import org.jspecify.annotations.NullMarked;
