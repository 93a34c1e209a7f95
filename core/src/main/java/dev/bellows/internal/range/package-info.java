/** The mathematics of the Range thesis: the rates of divided, overlapping and dyadic attributes. */
@NullMarked
package dev.bellows.internal.range;

import org.jspecify.annotations.NullMarked;
