package dev.bellows;

import dev.bellows.io.FilterHeader;
import dev.bellows.io.FilterKind;
import dev.bellows.io.FilterReader;
import dev.bellows.io.FilterWriter;
import dev.bellows.io.ReadLimits;
import dev.bellows.plan.IdPartition;
import dev.bellows.plan.Layout;
import dev.bellows.plan.PartitionPlan;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tree of a {@link DynamicPartitionBloomFilter} and nothing else, immutable and safe from any
 * thread: small, made to be shipped and asked.
 *
 * <p>Views merge without the ids, and without mixing filters: an intersection asks the filters of
 * both sides where their leaves meet, a union asks one tree after the other. OR-ing two filters
 * that are both as full as their rate allows would pass hundreds of times more. {@link
 * #expectedFpp} says what the result keeps.
 */
public final class PartitionView implements Filter {
  private final PartitionPlan plan;
  private final PartitionMode mode;
  private final HashScheme scheme;
  private final IdPartition partition;
  private final List<ViewTree> trees;

  private PartitionView(
      PartitionPlan plan, PartitionMode mode, HashScheme scheme, List<ViewTree> trees) {
    this.plan = plan;
    this.mode = mode;
    this.scheme = scheme;
    this.partition = plan.partition();
    this.trees = List.copyOf(trees);
  }

  static PartitionView of(
      PartitionPlan plan, PartitionMode mode, HashScheme scheme, List<PartitionLeaf> leaves) {
    return new PartitionView(plan, mode, scheme, List.of(ViewTree.of(plan, leaves)));
  }

  /** Sizes and bounds of the filter it comes from. */
  public PartitionPlan plan() {
    return plan;
  }

  /** How ids, and keys of other types, become hashes. */
  public HashScheme hashScheme() {
    return scheme;
  }

  /** Whether the id may be in the set; an id outside the universe is not. */
  public boolean mightContain(long id) {
    if (id < 0 || Long.compareUnsigned(id, plan.universe()) >= 0) {
      return false;
    }
    long unit = partition.leafIndex(id);
    long hash = scheme.hash(id);
    for (int i = 0; i < trees.size(); i++) {
      if (trees.get(i).test(unit, hash)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the id of a key of any type may be in the set. */
  public <T> boolean mightContain(T key, KeyHasher<? super T> hasher) {
    return mightContain(partition.idOfHash(hasher.hash(key, scheme)));
  }

  /** The leaves with a filter, over all trees. */
  public long leaves() {
    return trees.stream().mapToLong(tree -> tree.leaves().size()).sum();
  }

  /** The number of keys, or of a union or intersection a bound on it. */
  public long keys() {
    return trees.stream().mapToLong(ViewTree::keys).sum();
  }

  /**
   * The rate that no query exceeds, from the real fill: that of the fullest leaf; in a union the
   * sum over its trees. An id of one side of an intersection alone counts as an outsider here.
   */
  public double expectedFpp() {
    return Math.min(1, trees.stream().mapToDouble(ViewTree::worstFpp).sum());
  }

  /** The mean rate over all ids that are not in it, from the real fill (errata D11). */
  public double averageFpp() {
    return Math.min(1, trees.stream().mapToDouble(ViewTree::averageFpp).sum());
  }

  /** Why the other view cannot be merged with this one; empty if it can. */
  public Optional<String> incompatibility(PartitionView other) {
    return DynamicPartitionBloomFilter.incompatibility(
        List.of(scheme, mode, plan), List.of(other.scheme, other.mode, other.plan));
  }

  /** A view that holds every id of both; its rate is at most the sum of theirs. */
  public PartitionView union(PartitionView other) {
    requireCompatible(other);
    List<ViewTree> all = new ArrayList<>(trees);
    for (ViewTree tree : other.trees) {
      if (!all.contains(tree)) {
        all.add(tree);
      }
    }
    all.removeIf(tree -> tree.leaves().isEmpty() && all.size() > 1);
    return new PartitionView(plan, mode, scheme, all);
  }

  /**
   * A view that holds every id that is in both. An id of one side alone passes at the other side's
   * rate (errata D9).
   */
  public PartitionView intersection(PartitionView other) {
    requireCompatible(other);
    List<ViewTree> pairs = new ArrayList<>();
    for (ViewTree mine : trees) {
      for (ViewTree theirs : other.trees) {
        ViewTree both = mine.intersection(theirs);
        if (pairs.isEmpty() || !both.leaves().isEmpty()) {
          pairs.add(both);
        }
      }
    }
    pairs.removeIf(tree -> tree.leaves().isEmpty() && pairs.size() > 1);
    return new PartitionView(plan, mode, scheme, pairs);
  }

  private void requireCompatible(PartitionView other) {
    incompatibility(other)
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException("views cannot be merged: " + reason);
            });
  }

  @Override
  public FilterStats stats() {
    return stats(FilterKind.PARTITION_VIEW, keys(), header(tables()).fileBytes());
  }

  /** The tree's numbers, for itself or for the filter it stands in. */
  FilterStats stats(FilterKind kind, long keys, long bytes) {
    long bits = trees.stream().mapToLong(ViewTree::bits).sum();
    long ones = trees.stream().mapToLong(ViewTree::ones).sum();
    return new FilterStats(
        kind,
        Layout.CLASSIC,
        bits,
        plan.hashes(),
        scheme,
        ones,
        bits == 0 ? 0 : (double) ones / bits,
        keys,
        expectedFpp(),
        bytes);
  }

  @Override
  public String explain() {
    return GrowthExplanation.of(this);
  }

  private List<byte[]> tables() {
    return trees.stream().map(ViewTree::table).toList();
  }

  private FilterHeader header(List<byte[]> tables) {
    List<Long> sections = new ArrayList<>();
    for (int i = 0; i < trees.size(); i++) {
      sections.add((long) tables.get(i).length);
      sections.add(8L * trees.get(i).wordCount());
    }
    return PartitionCodec.header(
        FilterKind.PARTITION_VIEW, plan, mode, scheme, List.of((long) trees.size()), sections);
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    List<byte[]> tables = tables();
    FilterWriter writer = FilterWriter.begin(out, header(tables));
    for (int i = 0; i < trees.size(); i++) {
      writer.bytes(tables.get(i));
      long[] words = trees.get(i).words();
      writer.words(words);
    }
    writer.end();
  }

  /** Reads a view, to the end of the stream. */
  public static PartitionView readFrom(InputStream in, ReadLimits limits) throws IOException {
    return read(FilterReader.open(in, limits).expect(FilterKind.PARTITION_VIEW), null);
  }

  /** Reads a view from the bytes of {@link #toBytes}. */
  public static PartitionView fromBytes(byte[] bytes) throws IOException {
    return readFrom(new ByteArrayInputStream(bytes), ReadLimits.NONE);
  }

  static PartitionView read(FilterReader reader, @Nullable HashScheme given) throws IOException {
    int sections = reader.header().sectionBytes().size();
    PartitionCodec.Parameters read = PartitionCodec.parameters(reader, given, 1, sections);
    int place = FilterShape.PARAMETERS + PartitionCodec.OWN_PARAMETERS;
    long count = reader.parameter(place, "trees", 1, Math.max(1, sections / 2));
    reader.expect(place + 1, (int) (2 * count));
    List<ViewTree> trees = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] table = reader.bytes();
      ViewTree.Shape shape =
          reader.checked(
              1, () -> ViewTree.Shape.of(table, read.plan(), read.mode().unitBits(read.plan())));
      long[] words = reader.words(shape.wordCount());
      trees.add(reader.checked(1, () -> shape.tree(words)));
    }
    reader.end();
    return new PartitionView(read.plan(), read.mode(), read.scheme(), trees);
  }

  /** Whether the other has the same plan and hashing, and the same filters in its leaves. */
  @Override
  public boolean equals(Object other) {
    return other instanceof PartitionView view
        && incompatibility(view).isEmpty()
        && trees.equals(view.trees);
  }

  @Override
  public int hashCode() {
    return Objects.hash(plan, trees);
  }

  @Override
  public String toString() {
    return "PartitionView[%s, %d leaves, %d keys]".formatted(plan, leaves(), keys());
  }
}
