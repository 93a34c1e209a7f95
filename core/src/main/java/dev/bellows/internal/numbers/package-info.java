/** Divisors, smooth and composite numbers, ladders, the tree of ids. */
@NullMarked
package dev.bellows.internal.numbers;

import org.jspecify.annotations.NullMarked;
