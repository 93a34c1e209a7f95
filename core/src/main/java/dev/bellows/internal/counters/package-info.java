/** Packed counters at the positions of a layout: additions and removals that lose no key. */
@NullMarked
package dev.bellows.internal.counters;

import org.jspecify.annotations.NullMarked;
