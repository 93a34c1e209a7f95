/**
 * Counting filters that stay useful when they hold far more keys than they were built for, at the
 * price of false negatives (the Autoscaling paper).
 *
 * <p>A plain filter of fixed size accepts everything once its bits are full. These filters count
 * instead: every key increments the counters at its k positions. A position <b>hits</b> if its
 * counter exceeds the threshold <b>theta</b>, and a key is accepted if at least <b>decision</b> of
 * its positions hit:
 *
 * <pre>
 *   counters       3  0  5  1  4  2  6  0  ...     theta = 2
 *   positions      ^     ^     ^  ^                of a key with k = 4
 *   hits           1     1     1  0                evidence 3 &gt;= decision 3: accepted
 * </pre>
 *
 * <p>The thresholds rise with the number of keys, so a query does not test whether a counter is
 * empty but whether it is higher than usual. <b>A "no" may therefore be wrong too</b>, at a rate
 * that the filter states: the true positive rate (TPR) is the fraction of stored keys that are
 * accepted, the false positive rate (FPR) that of absent keys. With theta 0 and decision = k the
 * filter is a plain one and misses no key.
 *
 * <pre>{@code
 * AutoscalingBloomFilter filter = AutoscalingBloomFilter.create(10_000, 100);
 * filter.put("alice");
 * filter.accepts("alice");                    // not mightContain: "no" may be wrong
 * filter.rates();                             // TPR and FPR at the current thresholds
 * BinarizedFilter small = filter.binarize();  // one bit per counter, to be sent
 * }</pre>
 *
 * <p>Start with {@link dev.bellows.autoscale.AutoscalingBloomFilter}. {@link
 * dev.bellows.autoscale.GradedMembership} is the interface of everything that weighs evidence.
 * {@link dev.bellows.autoscale.ThresholdPlan} finds the thresholds that are best by a {@link
 * dev.bellows.autoscale.Criterion}. {@link dev.bellows.autoscale.CountingReading} reads an existing
 * counting filter in the same way. {@link dev.bellows.autoscale.LikelihoodPlan} describes a reading
 * that uses whole counts and makes far fewer errors, but needs the counters. {@link
 * dev.bellows.autoscale.BinarizedFilter} is the result to send.
 *
 * <p>If the size or the number of hashes can still be chosen, a plain filter is usually better;
 * {@code explain()} compares the two. Formulas are in {@code internal.autoscale}.
 */
@NullMarked
package dev.bellows.autoscale;

import org.jspecify.annotations.NullMarked;
