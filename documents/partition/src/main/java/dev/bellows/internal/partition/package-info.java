/**
 * The mathematics of the Partition paper as pure functions: how the ids are divided, which shape
 * the compressed tree has, and the sizes of its leaves.
 *
 * <p>Read {@link dev.bellows.internal.partition.IdPartition} first: it assigns ids to the nodes of
 * the complete tree. {@link dev.bellows.internal.partition.EvenTree} is the compressed tree of
 * evenly spread ids, which a plan can compute without having keys. {@link
 * dev.bellows.internal.partition.LeafLadder} lists the sizes that a leaf's filter can have; their
 * rates are in {@link dev.bellows.internal.math.BloomRates}. The filters themselves are in {@code
 * dev.bellows.partition}.
 */
@NullMarked
package dev.bellows.internal.partition;

import org.jspecify.annotations.NullMarked;
