/**
 * Filters that grow with their keys: no size is needed in advance, and the rate is bounded.
 *
 * <ul>
 *   <li>{@link dev.bellows.growth.FingerprintFilter} stores prefixes of hashes. It merges at any
 *       sizes, can remove keys, and can be cut to a higher rate. Start here.
 *   <li>{@link dev.bellows.growth.ScalableBloomFilter} is a list of Bloom filters of doubling size,
 *       and a single one up to the number of keys you expect.
 * </ul>
 *
 * <p>{@link dev.bellows.growth.FingerprintPlan} and {@link dev.bellows.growth.ScalablePlan} predict
 * rates and memory. Filters for ids are in {@code dev.bellows.partition}.
 */
@NullMarked
package dev.bellows.growth;

import org.jspecify.annotations.NullMarked;
