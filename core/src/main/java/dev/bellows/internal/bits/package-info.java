/**
 * Words of bits and of packed counters, on the heap, in a mapped file or in a file that is being
 * written. This package does not depend on keys or layouts.
 */
@NullMarked
package dev.bellows.internal.bits;

import org.jspecify.annotations.NullMarked;
