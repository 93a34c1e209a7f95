package dev.bellows.partition;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.PackedLongs;
import dev.bellows.internal.files.ShapeCodec;
import dev.bellows.internal.layout.Shape;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.partition.IdPartition;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;

/** The bytes of partition filters and of their views, as specified in spec/FORMAT.md. */
final class PartitionFormat {
  /** The number of parameters in addition to the shape: mode, universe, depth, fpp. */
  static final int OWN_PARAMETERS = 4;

  /** The maximum number of positions, which suffices for a rate of 2^-256. */
  private static final int MAX_HASHES = 256;

  private static final long MAX_UNIT_BITS = 1L << 30;

  /**
   * The memory that a tree may take in addition to a multiple of the bytes from which it is read.
   */
  private static final long MODEST_BYTES = 1L << 26;

  private static final long MODEST_FACTOR = 256;
  private static final long LEAF_BYTES = 256;

  private PartitionFormat() {}

  /** Returns the plan, or throws if its unit filters exceed the limits of this class. */
  static PartitionPlan checked(PartitionPlan plan) {
    requireHashes(plan.hashes());
    requireUnitBits(
        plan.universe(), plan.unitKeys(), Math.max(plan.unitBits(), plan.allocatedUnitBits()));
    return plan;
  }

  private static void requireHashes(int hashes) {
    if (hashes > MAX_HASHES) {
      throw new IllegalArgumentException(
          ("a partition filter has at most %d hashes, not %d: use fewer, or an fpp of "
                  + "at least 1e-77")
              .formatted(MAX_HASHES, hashes));
    }
  }

  private static void requireUnitBits(long universe, long unitKeys, long bits) {
    if (bits > MAX_UNIT_BITS) {
      throw new IllegalArgumentException(
          "units of %d keys need %d bits, more than the maximum of %d: use depth %d or more"
              .formatted(unitKeys, bits, MAX_UNIT_BITS, IdPartition.depthFor(universe, 1 << 20)));
    }
  }

  /**
   * Returns the plan of a file. The number of bits that a unit needs follows from a formula and is
   * checked first, because it bounds the time of the search for the size to allocate.
   */
  private static PartitionPlan plan(long universe, int depth, double fpp, int hashes) {
    Checks.probability(fpp, "fpp");
    requireHashes(hashes);
    long unitKeys = IdPartition.of(universe, depth).unitKeys();
    // a unit of 2^63 keys overflows to a negative number, which the plan rejects
    if (unitKeys > 0) {
      requireUnitBits(universe, unitKeys, BloomRates.bitsFor(unitKeys, hashes, fpp));
    }
    return checked(PartitionPlan.of(universe, depth, fpp, hashes));
  }

  /** Reads the settings with which all partition files start. */
  static PartitionSettings settings(FilterReader reader, int sections) throws IOException {
    Shape shape = reader.classicShape(OWN_PARAMETERS, sections);
    int at = ShapeCodec.PARAMETERS;
    Mode mode = Mode.ofId((int) reader.parameter(at, "mode", 0, 1));
    long universe = reader.parameter(at + 1, "universe", Long.MIN_VALUE, Long.MAX_VALUE);
    int depth = (int) reader.parameter(at + 2, "depth", 0, IdPartition.MAX_DEPTH);
    double fpp = Double.longBitsToDouble(reader.parameter(at + 3, "fpp", 1, Long.MAX_VALUE));
    PartitionPlan computed =
        reader.checked(at + 1, () -> plan(universe, depth, fpp, shape.hashes()));
    // mode PUBLISHED uses Eq. 1 itself; otherwise the writer chose a divisible size at or above it
    long highest = mode == Mode.PUBLISHED ? computed.unitBits() : MAX_UNIT_BITS;
    long bits = reader.parameter(1, "bits of a unit", computed.unitBits(), highest);
    // the first put allocates a filter of this size
    reader.requireWithinLimit(1, bits / Byte.SIZE);
    PartitionPlan plan =
        mode == Mode.PUBLISHED
            ? computed
            : new PartitionPlan(
                universe,
                depth,
                fpp,
                shape.hashes(),
                computed.unitKeys(),
                computed.unitBits(),
                bits);
    return new PartitionSettings(plan, mode, shape.scheme());
  }

  /** Encodes the data from which the leaves were built: ids or unit filters. */
  static byte[] body(Mode mode, List<CompressedTree.Leaf> leaves) {
    return mode == Mode.PUBLISHED ? units(leaves) : ids(ExactIds.idsOf(leaves));
  }

  /** Decodes the tree from a {@link #body}. */
  static CompressedTree tree(PartitionSettings settings, byte[] body, LongConsumer limit) {
    CompressedTree tree = new CompressedTree(settings);
    PartitionPlan plan = settings.plan();
    tree.fill(
        settings.mode() == Mode.PUBLISHED
            ? units(body, plan, tree.sizes().unit(), limit)
            : new ExactIds(
                settings.idScheme(),
                plan.unitKeys(),
                tree.root(),
                ids(body, plan, tree.sizes(), limit)));
    return tree;
  }

  /** Encodes ascending ids as the gaps between them. */
  private static byte[] ids(long[] ids) {
    PackedLongs.Writer out = new PackedLongs.Writer();
    out.put(ids.length);
    long next = 0;
    for (long id : ids) {
      out.put(id - next);
      next = id + 1;
    }
    return out.toBytes();
  }

  private static long[] ids(
      byte[] bytes, PartitionPlan plan, CompressedTree.LeafSizes sizes, LongConsumer limit) {
    PackedLongs.Reader in = new PackedLongs.Reader(bytes);
    long[] ids = new long[in.count()];
    IdPartition partition = IdPartition.of(plan.universe(), plan.depth());
    long[] units = new long[ids.length];
    long[] keys = new long[ids.length];
    int populated = 0;
    long next = 0;
    for (int i = 0; i < ids.length; i++) {
      ids[i] = next + in.next(plan.universe() - next - 1);
      long unit = partition.leafIndex(ids[i]);
      populated += populated == 0 || units[populated - 1] != unit ? 1 : 0;
      units[populated - 1] = unit;
      keys[populated - 1]++;
      next = ids[i] + 1;
    }
    in.end();
    long[] populatedUnits = Arrays.copyOf(units, populated);
    new TreeSize(plan, sizes::bytesFor, populatedUnits, keys, new long[populated])
        .requireModest(bytes.length, limit);
    return ids;
  }

  /**
   * Encodes the populated units in order, each with its index, its counts and its one bits, as a
   * list of positions or as an array of bits.
   */
  private static byte[] units(List<CompressedTree.Leaf> leaves) {
    PackedLongs.Writer out = new PackedLongs.Writer();
    List<UnitFilters.UnitFilter> filters =
        leaves.stream().flatMap(leaf -> ((UnitFilters) leaf.content).filters().stream()).toList();
    out.put(filters.size());
    long next = 0;
    for (UnitFilters.UnitFilter filter : filters) {
      out.put(filter.unit() - next);
      next = filter.unit() + 1;
      out.put(filter.keys());
      out.put(filter.excess());
      if (filter.isSparse()) {
        int[] positions = filter.positions();
        out.put(positions.length);
        int nextPosition = 0;
        for (int position : positions) {
          out.put(position - nextPosition);
          nextPosition = position + 1;
        }
      } else {
        out.put(0);
        out.putWords(filter.bits());
      }
    }
    return out.toBytes();
  }

  private static UnitFilters units(
      byte[] bytes, PartitionPlan plan, CompressedTree.LeafSizes.Size size, LongConsumer limit) {
    PackedLongs.Reader in = new PackedLongs.Reader(bytes);
    IdPartition partition = IdPartition.of(plan.universe(), plan.depth());
    long[] units = new long[in.count()];
    long[] keys = new long[units.length];
    long[] excesses = new long[units.length];
    UnitFilters.UnitFilter[] filters = new UnitFilters.UnitFilter[units.length];
    long next = 0;
    for (int i = 0; i < units.length; i++) {
      units[i] = next + in.next(partition.leaves() - next - 1);
      next = units[i] + 1;
      keys[i] = in.next(partition.leafRange(units[i]).size());
      excesses[i] = in.next(partition.leafRange(units[i]).size() - keys[i]);
      long ownKeys = keys[i] + excesses[i];
      long ones = in.next(size.bits());
      filters[i] =
          ones == 0
              ? UnitFilters.UnitFilter.of(size, units[i], in.bits(size.bits()), keys[i], ownKeys)
              : UnitFilters.UnitFilter.ofPositions(
                  size, units[i], positions(in, (int) ones, size.bits()), keys[i], ownKeys);
      if (keys[i] == 0 || filters[i].isEmpty() || filters[i].isSparse() == (ones == 0)) {
        throw new IllegalArgumentException(
            "unit " + units[i] + " is not stored in the smaller of its two forms");
      }
    }
    in.end();
    new TreeSize(plan, count -> size.bits() / 8, units, keys, excesses)
        .requireModest(bytes.length, limit);
    return new UnitFilters(partition, size, List.of(filters));
  }

  private static int[] positions(PackedLongs.Reader in, int count, long bits) {
    in.require(count);
    int[] positions = new int[count];
    int next = 0;
    for (int i = 0; i < count; i++) {
      positions[i] = (int) (next + in.next(bits - next - 1));
      next = positions[i] + 1;
    }
    return positions;
  }

  /** The memory of a tree, computed from its populated units, their keys and their excesses. */
  private static final class TreeSize {
    private final PartitionPlan plan;
    private final LongUnaryOperator filterBytes;
    private final long[] units;
    private final long[] sums;
    private final long[] excess;

    TreeSize(
        PartitionPlan plan,
        LongUnaryOperator filterBytes,
        long[] units,
        long[] keys,
        long[] excess) {
      this.plan = plan;
      this.filterBytes = filterBytes;
      this.units = units;
      this.sums = new long[units.length + 1];
      this.excess = excess;
      for (int i = 0; i < units.length; i++) {
        sums[i + 1] = Math.addExact(sums[i], keys[i]);
      }
    }

    /** Throws if the tree would need far more memory than the bytes that were read. */
    void requireModest(long bytes, LongConsumer limit) {
      limit.accept(bytes(0, 0, 0, units.length, MODEST_BYTES + MODEST_FACTOR * bytes));
    }

    /**
     * Returns the {@linkplain LeafContent#load load} of a leaf with a slice of the populated units.
     */
    private long load(int from, int to) {
      return sums[to] - sums[from] + Arrays.stream(excess, from, to).max().orElse(0);
    }

    /**
     * Returns the memory of the leaves below a node, which is identified by its level, its first
     * unit and its slice of the populated units. Throws if it exceeds the limit.
     */
    private long bytes(int level, long first, int from, int to, long limit) {
      long load = load(from, to);
      if (load <= plan.unitKeys()) {
        return LEAF_BYTES + (load == 0 ? 0 : filterBytes.applyAsLong(load));
      }
      long middle = first + (1L << (plan.depth() - level - 1));
      int found = Arrays.binarySearch(units, from, to, middle);
      int split = found < 0 ? -found - 1 : found;
      long left = bytes(level + 1, first, from, split, limit);
      long both = left + bytes(level + 1, middle, split, to, limit - left);
      if (both > limit) {
        throw new IllegalArgumentException(
            "the tree would take at least %d bytes, far more than the input".formatted(both));
      }
      return both;
    }
  }
}
