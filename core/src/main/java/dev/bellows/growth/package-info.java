/**
 * Filters that grow with their keys: the number of keys need not be known in advance, and the false
 * positive rate is bounded.
 *
 * <ul>
 *   <li>{@link dev.bellows.growth.FingerprintFilter} stores prefixes of hashes. Filters of any
 *       sizes can be merged, keys can be removed, and prefixes can be cut to save memory at a
 *       higher rate. Start here.
 *   <li>{@link dev.bellows.growth.ScalableBloomFilter} is a list of Bloom filters of doubling size;
 *       up to the expected number of keys, it is a single Bloom filter.
 * </ul>
 *
 * <p>{@link dev.bellows.growth.FingerprintPlan} and {@link dev.bellows.growth.ScalablePlan} predict
 * rates and memory use. Filters for ids are in {@code dev.bellows.partition}.
 */
@NullMarked
package dev.bellows.growth;

import org.jspecify.annotations.NullMarked;
