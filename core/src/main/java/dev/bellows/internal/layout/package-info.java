/**
 * The mapping of keys to bits: the positions of a layout in a store, and the shape of a filter
 * (layout, bits and hash scheme), which determines whether two filters can be merged.
 */
@NullMarked
package dev.bellows.internal.layout;

import org.jspecify.annotations.NullMarked;
