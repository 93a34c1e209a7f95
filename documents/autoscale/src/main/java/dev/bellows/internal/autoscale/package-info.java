/**
 * The mathematics of the Autoscaling paper as pure functions: how counters fill, and the rates of
 * queries that compare them with thresholds.
 *
 * <p>Read {@link dev.bellows.internal.autoscale.ThresholdRates} first: it has the model and its
 * letters. {@link dev.bellows.internal.autoscale.CounterLoad} extends it to keys whose positions
 * coincide, {@link dev.bellows.internal.autoscale.BlockedEvidence} to layout BLOCKED. {@link
 * dev.bellows.internal.autoscale.ObservedRates} computes the rates of one filter from its counters
 * instead of its load. {@link dev.bellows.internal.autoscale.DistinctRates} is the plain filter to
 * compare with. The search for the best thresholds is {@code autoscale.ThresholdPlan}.
 */
@NullMarked
package dev.bellows.internal.autoscale;

import org.jspecify.annotations.NullMarked;
