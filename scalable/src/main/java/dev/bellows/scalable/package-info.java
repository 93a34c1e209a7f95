/**
 * Scalable Bloom filters: lists of Bloom filters of doubling size, which grow with their keys. They
 * are superseded by {@link dev.bellows.growth.FingerprintFilter}, which merges, shrinks and removes
 * keys. Their levels are plain bits, so servers that offer only bits, e.g. Redis, can hold them.
 *
 * <p>{@link dev.bellows.scalable.ScalableBloomFilter} is the filter, {@link
 * dev.bellows.scalable.ScalablePlan} predicts its rates and sizes, and {@link
 * dev.bellows.scalable.LevelSeries} computes the sizes of its levels.
 */
@NullMarked
package dev.bellows.scalable;

import org.jspecify.annotations.NullMarked;
