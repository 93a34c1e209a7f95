/**
 * A filter for sets of ids whose false positive rate stays bounded at every set size, with exact
 * unions and intersections (the Partition paper).
 *
 * <p>A binary tree divides the ids {@code [0, universe)} into 2^depth equal <b>units</b>. A <b>unit
 * filter</b> is a Bloom filter that is large enough for all ids of one unit. A node of the tree is
 * a <b>leaf</b> if its keys fit into one unit filter while those of its parent do not, so a sparse
 * part of the universe needs one filter and a dense one needs many:
 *
 * <pre>
 *   level 0                 o                        o  inner node: more keys than a unit filter holds
 *                       /       \
 *   level 1           o           [ 12 ]             [ ]  leaf: its number of keys, and its filter
 *                   /   \
 *   level 2     [ 990 ]   o
 *                       /   \
 *   level 3         [ 610 ] [ 700 ]                  unitKeys = 1024
 * </pre>
 *
 * <p>A query tests the one leaf to which its id belongs. A leaf that receives too many keys is
 * split, and siblings that have become small enough are joined, so no query ever exceeds the rate
 * of a full unit filter.
 *
 * <pre>{@code
 * DynamicPartitionBloomFilter filter = DynamicPartitionBloomFilter.create(1L << 32, 22, 0.01);
 * filter.putId(4711);
 * filter.mightContainId(4711);          // true
 * PartitionView view = filter.view();   // the tree alone: small, immutable, to be sent
 * }</pre>
 *
 * <p>Start with {@link dev.bellows.partition.DynamicPartitionBloomFilter} and its two modes, then
 * read {@link dev.bellows.partition.PartitionView}, which other processes query and merge. {@link
 * dev.bellows.partition.PartitionPlan} computes sizes and bounds. Inside, {@code CompressedTree}
 * holds the leaves of a filter, {@code ViewTree} those of a view; a {@code LeafContent} is the data
 * from which a leaf is built: the ids ({@code ExactIds}) or unit filters ({@code UnitFilters}).
 *
 * <p>These filters are for ids. They also accept other keys, through their hashes, but for a
 * growing set of such keys the filters in {@link dev.bellows.growth} are smaller and faster.
 */
@NullMarked
package dev.bellows.partition;

import org.jspecify.annotations.NullMarked;
