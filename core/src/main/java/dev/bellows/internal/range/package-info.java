/**
 * The mathematics of the Range thesis: the rates of divided, overlapping and dyadic attributes, as
 * pure functions.
 */
@NullMarked
package dev.bellows.internal.range;

import org.jspecify.annotations.NullMarked;
