/** The items of the Partition paper (002): the dynamic partition Bloom filter. */
@org.jspecify.annotations.NullMarked
package dev.bellows.papers.partition;
