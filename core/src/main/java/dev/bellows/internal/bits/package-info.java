/**
 * Words of bits and of packed counters, on the heap, in a mapped file or in a file that is being
 * written. Nothing here knows what a key or a layout is.
 */
@NullMarked
package dev.bellows.internal.bits;

import org.jspecify.annotations.NullMarked;
