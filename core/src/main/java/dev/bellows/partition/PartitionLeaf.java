package dev.bellows.partition;

import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.math.BloomRates;
import org.jspecify.annotations.Nullable;

/** A leaf of the compressed tree: a node, its content and its filter. */
final class PartitionLeaf {
  final LeafContent.Node node;
  final LeafContent content;
  final HeapBits store;

  /**
   * Null for an empty leaf, which has no filter and answers no (errata <a
   * href="{@docRoot}/doc-files/errata.html#D6">D6</a>).
   */
  final LeafSizes.@Nullable Size size;

  private long ones;

  PartitionLeaf(
      LeafContent.Node node,
      LeafContent content,
      LeafSizes.@Nullable Size size,
      HeapBits store,
      long ones) {
    this.node = node;
    this.content = content;
    this.size = size;
    this.store = store;
    this.ones = ones;
  }

  boolean test(long hash) {
    return size != null && size.positions().test(store, hash);
  }

  /** Sets the bits of a key that was added to the content; false if the filter must be rebuilt. */
  boolean set(long hash) {
    if (size == null || content.load() > size.maxKeys()) {
      return false;
    }
    ones += size.set(store, hash);
    return ones <= size.maxOnes();
  }

  long bits() {
    return size == null ? 0 : size.bits();
  }

  long ones() {
    return ones;
  }

  /** The rate of this filter itself. */
  double fpp() {
    return size == null ? 0 : BloomRates.fppFromOnes(size.bits(), ones, size.hashes());
  }
}
