/**
 * Where the bits of a key are: the positions of a layout in a store, and the shape (layout, bits
 * and hash scheme) that two filters must share to be merged.
 */
@NullMarked
package dev.bellows.internal.layout;

import org.jspecify.annotations.NullMarked;
