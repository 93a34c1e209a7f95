package dev.bellows.papers.partition;

import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.PackedLongs;
import dev.bellows.io.ReadOptions;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The actual tree of a filter: the leaves are read from the bytes of its view, and the other nodes
 * follow from them.
 */
final class StoredTree {
  private StoredTree() {}

  /** The tree of a filter, empty leaves included. */
  static TreeShape of(DynamicPartitionBloomFilter filter) {
    int depth = filter.plan().depth();
    SortedMap<Long, TreeShape.Node> stored = leaves(new PackedLongs.Reader(table(filter)), depth);
    Set<TreeShape.Node> leaves = Set.copyOf(stored.values());
    return TreeShape.of(depth, stored, node -> node.keys() == 0 || leaves.contains(node));
  }

  private static byte[] table(DynamicPartitionBloomFilter filter) {
    try {
      ByteArrayInputStream bytes = new ByteArrayInputStream(filter.view().toBytes());
      return FilterReader.open(bytes, ReadOptions.UNLIMITED).bytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The leaves of the one tree of a view, in the words of FORMAT.md, by their first units. */
  private static SortedMap<Long, TreeShape.Node> leaves(PackedLongs.Reader table, int depth) {
    if (table.count() != 1) {
      throw new IllegalArgumentException("the view of one filter has one tree");
    }
    SortedMap<Long, TreeShape.Node> leaves = new TreeMap<>();
    long next = 0;
    for (int left = table.count(); left > 0; left--) {
      int level = (int) table.next(depth);
      long unit = next + table.next(Long.MAX_VALUE);
      long keys = table.next(Long.MAX_VALUE);
      for (int filters = table.count(); filters > 0; filters--) {
        table.next(Long.MAX_VALUE);
      }
      leaves.put(unit, new TreeShape.Node(level, unit >>> (depth - level), keys));
      next = unit + (1L << (depth - level));
    }
    table.end();
    return leaves;
  }
}
