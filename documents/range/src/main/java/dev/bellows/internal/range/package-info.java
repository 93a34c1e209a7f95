/**
 * The mathematics of the Range thesis as pure functions: how many bits a numeric range sets in a
 * filter, and at which rate numbers outside the range are accepted.
 *
 * <p>Read {@link dev.bellows.internal.range.RangeRates} first: one formula for the four schemes of
 * the thesis, with <i>divide</i> (neighboring numbers that share a key) and <i>shift</i> (positions
 * in which neighbors differ) as parameters. {@link dev.bellows.internal.range.HashOffset} lists the
 * positions that a shift defines. Filters and the search for the best parameters are in {@code
 * dev.bellows.range}.
 */
@NullMarked
package dev.bellows.internal.range;

import org.jspecify.annotations.NullMarked;
