/**
 * Filters that grow with their keys: the number of keys need not be known in advance, and the false
 * positive rate is bounded.
 *
 * <p>{@link dev.bellows.growth.FingerprintFilter} stores prefixes of hashes, as filters of the
 * InfiniFilter family do. Filters of any sizes can be merged, keys can be removed, and prefixes can
 * be cut to save memory at a higher rate. {@link dev.bellows.growth.FingerprintPlan} predicts rates
 * and memory use. Filters for ids are in {@code bellows-partition}, levels of bits, as servers have
 * them, in {@code bellows-scalable}.
 */
@NullMarked
package dev.bellows.growth;

import org.jspecify.annotations.NullMarked;
