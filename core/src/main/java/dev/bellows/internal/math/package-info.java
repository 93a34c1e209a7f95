/**
 * Mathematics that several kinds of filters use, as pure functions without state or I/O.
 *
 * <ul>
 *   <li><b>False positive rates.</b> {@link dev.bellows.internal.math.BloomRates} (layout CLASSIC,
 *       start here) and {@link dev.bellows.internal.math.BlockRates} (layout BLOCKED) have the
 *       rates and their inverses: size, keys and hashes. {@link
 *       dev.bellows.internal.math.JointRates} and {@link dev.bellows.internal.math.BlockJointRates}
 *       are the rates of several foldings that are queried together. {@link
 *       dev.bellows.internal.math.HashFloor} is the rate that 64-bit hashes add to all of them.
 *   <li><b>Distributions.</b> {@link dev.bellows.internal.math.Binomial} and {@link
 *       dev.bellows.internal.math.BinomialInterval}, with full relative precision in both tails.
 *   <li><b>Sizes.</b> {@link dev.bellows.internal.math.Divisors} and {@link
 *       dev.bellows.internal.math.Ladder} are the sizes that a filter folds to; {@link
 *       dev.bellows.internal.math.SmoothNumbers} and {@link
 *       dev.bellows.internal.math.CompositeNumbers} find capacities with many divisors. {@link
 *       dev.bellows.internal.math.RibbonSize} is the size of frozen filters.
 * </ul>
 *
 * <p>All sums have positive terms only, and differences near 0 or 1 go through {@code expm1} and
 * {@code log1p}: a rate of 1e-12 keeps its digits. Formulas of a single document are in the package
 * of that document ({@code internal.partition}, {@code internal.range}, {@code
 * internal.autoscale}).
 */
@NullMarked
package dev.bellows.internal.math;

import org.jspecify.annotations.NullMarked;
