package dev.bellows;

import dev.bellows.internal.BitLayout;
import dev.bellows.internal.Words;
import dev.bellows.plan.BloomRates;
import dev.bellows.plan.IdPartition;
import dev.bellows.plan.Layout;
import dev.bellows.plan.PartitionPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** One tree of a view: leaves with their filters, from left to right, and the way to them. */
final class ViewTree {
  private final PartitionPlan plan;
  private final List<Leaf> leaves;
  private final LeafDirectory<Leaf> directory;

  /** A filter, of any size up to a unit's. */
  static final class Part {
    final long bits;
    final BitLayout positions;
    final long[] words;

    Part(long bits, BitLayout positions, long[] words) {
      this.bits = bits;
      this.positions = positions;
      this.words = words;
    }

    double fpp(int hashes) {
      return BloomRates.fppFromOnes(bits, Words.ones(words), hashes);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Part part && bits == part.bits && Arrays.equals(words, part.words);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(words);
    }
  }

  /** A node with the filters that must all have a key: one, or several after an intersection. */
  record Leaf(LeafContent.Node node, long keys, List<Part> parts) {
    boolean test(long hash) {
      for (int i = 0; i < parts.size(); i++) {
        Part part = parts.get(i);
        if (!part.positions.test(part.words, hash)) {
          return false;
        }
      }
      return true;
    }

    /** The part that passes most is what a key of the other sides alone meets (errata D9). */
    double fpp(int hashes) {
      return parts.stream().mapToDouble(part -> part.fpp(hashes)).max().orElse(0);
    }
  }

  private ViewTree(PartitionPlan plan, List<Leaf> leaves) {
    this.plan = plan;
    this.leaves = List.copyOf(leaves);
    this.directory = new LeafDirectory<>(plan.depth());
    for (Leaf leaf : leaves) {
      directory.set(leaf.node, leaf);
    }
  }

  static ViewTree of(PartitionPlan plan, List<PartitionLeaf> leaves) {
    List<Leaf> populated = new ArrayList<>();
    for (PartitionLeaf leaf : leaves) {
      if (leaf.size != null) {
        populated.add(
            new Leaf(
                leaf.node,
                leaf.content.keys(),
                List.of(new Part(leaf.size.bits(), leaf.size.positions(), leaf.words.clone()))));
      }
    }
    return new ViewTree(plan, populated);
  }

  List<Leaf> leaves() {
    return leaves;
  }

  boolean test(long unit, long hash) {
    Leaf leaf = directory.find(unit);
    return leaf != null && leaf.test(hash);
  }

  long keys() {
    return leaves.stream().mapToLong(Leaf::keys).sum();
  }

  private Stream<Part> parts() {
    return leaves.stream().flatMap(leaf -> leaf.parts.stream());
  }

  long bits() {
    return parts().mapToLong(part -> part.bits).sum();
  }

  long ones() {
    return parts().mapToLong(part -> Words.ones(part.words)).sum();
  }

  double worstFpp() {
    return leaves.stream().mapToDouble(leaf -> leaf.fpp(plan.hashes())).max().orElse(0);
  }

  double averageFpp() {
    double accepted = 0;
    for (Leaf leaf : leaves) {
      accepted += (unsigned(leaf.node.ids().size()) - leaf.keys) * leaf.fpp(plan.hashes());
    }
    double absent = unsigned(plan.universe()) - keys();
    return absent <= 0 ? 0 : Math.max(0, accepted / absent);
  }

  private static double unsigned(long number) {
    return number < 0 ? 0x1p63 : number;
  }

  /** Wherever leaves of both trees meet, the smaller of the two nodes with the filters of both. */
  ViewTree intersection(ViewTree other) {
    List<Leaf> both = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < leaves.size() && j < other.leaves.size()) {
      Leaf mine = leaves.get(i);
      Leaf theirs = other.leaves.get(j);
      long myEnd = mine.node.lastUnit();
      long theirEnd = theirs.node.lastUnit();
      if (mine.node.firstUnit() <= theirEnd && theirs.node.firstUnit() <= myEnd) {
        Set<Part> parts = new LinkedHashSet<>(mine.parts);
        parts.addAll(theirs.parts);
        both.add(
            new Leaf(
                mine.node.level() >= theirs.node.level() ? mine.node : theirs.node,
                Math.min(mine.keys, theirs.keys),
                List.copyOf(parts)));
      }
      i += myEnd <= theirEnd ? 1 : 0;
      j += theirEnd <= myEnd ? 1 : 0;
    }
    return new ViewTree(plan, both);
  }

  int wordCount() {
    return parts().mapToInt(part -> part.words.length).reduce(0, Math::addExact);
  }

  /** The words of all filters, one after the other. */
  long[] words() {
    long[] all = new long[wordCount()];
    int at = 0;
    for (Part part : parts().toList()) {
      System.arraycopy(part.words, 0, all, at, part.words.length);
      at += part.words.length;
    }
    return all;
  }

  /** For every leaf its level, the units skipped before it, its keys and its filters' sizes. */
  byte[] table() {
    PackedLongs.Writer out = new PackedLongs.Writer();
    out.put(leaves.size());
    long next = 0;
    for (Leaf leaf : leaves) {
      out.put(leaf.node.level());
      out.put(leaf.node.firstUnit() - next);
      out.put(leaf.keys);
      out.put(leaf.parts.size());
      leaf.parts.forEach(part -> out.put(part.bits));
      next = leaf.node.lastUnit() + 1;
    }
    return out.toBytes();
  }

  /** The table of a tree whose words are still to come. */
  record Shape(PartitionPlan plan, List<Leaf> leaves, long wordCount) {
    static Shape of(byte[] table, PartitionPlan plan, long unitBits) {
      PackedLongs.Reader in = new PackedLongs.Reader(table);
      IdPartition partition = plan.partition();
      int count = in.count();
      List<Leaf> leaves = new ArrayList<>();
      Map<Long, BitLayout> layouts = new HashMap<>();
      long next = 0;
      long words = 0;
      for (int i = 0; i < count; i++) {
        int level = (int) in.next(plan.depth());
        long unit = next + in.next(partition.leaves() - next - 1);
        LeafContent.Node node =
            new LeafContent.Node(partition, level, unit >>> (plan.depth() - level));
        long keys = in.next(Long.MAX_VALUE);
        Part[] parts = new Part[in.count()];
        if (node.firstUnit() != unit || parts.length == 0) {
          throw new IllegalArgumentException(
              "no leaf of level %d with a filter begins at unit %d".formatted(level, unit));
        }
        for (int p = 0; p < parts.length; p++) {
          long bits = in.next(unitBits);
          BitLayout positions =
              layouts.computeIfAbsent(bits, b -> BitLayout.of(Layout.CLASSIC, b, plan.hashes()));
          parts[p] = new Part(bits, positions, new long[0]);
          words += positions.wordCount();
        }
        leaves.add(new Leaf(node, keys, List.of(parts)));
        next = node.lastUnit() + 1;
      }
      in.end();
      if (words > Integer.MAX_VALUE - 8) {
        throw new IllegalArgumentException("its leaves have " + words + " words, more than fit");
      }
      return new Shape(plan, leaves, words);
    }

    ViewTree tree(long[] words) {
      List<Leaf> filled = new ArrayList<>();
      int at = 0;
      for (Leaf leaf : leaves) {
        List<Part> parts = new ArrayList<>();
        for (Part part : leaf.parts) {
          int to = at + part.positions.wordCount();
          long[] own = Arrays.copyOfRange(words, at, to);
          part.positions.requireClearTail(own);
          parts.add(new Part(part.bits, part.positions, own));
          at = to;
        }
        filled.add(new Leaf(leaf.node, leaf.keys, List.copyOf(parts)));
      }
      return new ViewTree(plan, filled);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ViewTree tree && plan.equals(tree.plan) && leaves.equals(tree.leaves);
  }

  @Override
  public int hashCode() {
    return leaves.hashCode();
  }
}
