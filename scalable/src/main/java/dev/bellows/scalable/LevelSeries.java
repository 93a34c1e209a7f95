package dev.bellows.scalable;

import dev.bellows.BloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.Merging;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.math.Divisors;
import dev.bellows.plan.BloomPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.LongToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A series of Bloom filters of doubling size, which are queried newest first; keys that none of
 * them contains are put into the newest one. Only one thread at a time may change a series;
 * concurrent queries see a complete array of levels. Only the newest level ever changes, so copies
 * share the others.
 */
final class LevelSeries {
  /** The maximum index of a level, which no filter reaches unless its file is corrupt. */
  static final int MAX_INDEX = 1 << 12;

  private static final Comparator<Level> NEWEST_FIRST =
      Comparator.comparingInt((Level l) -> -l.index).thenComparingLong(l -> l.keys);

  private final ScalablePlan plan;
  private volatile Row row;

  /** The levels, newest first, together with arrays of those of their fields that queries need. */
  private static final class Row {
    final Level[] levels;
    final Positions[] positions;
    final HeapBits[] stores;

    Row(Level[] levels) {
      this.levels = levels;
      positions = new Positions[levels.length];
      stores = new HeapBits[levels.length];
      for (int i = 0; i < levels.length; i++) {
        positions[i] = levels[i].positions;
        stores[i] = levels[i].store;
      }
    }
  }

  /**
   * A Bloom filter with its index in the plan, its maximum number of keys and its current number of
   * keys.
   */
  static final class Level {
    final int index;
    final Positions positions;
    final long bits;
    final HeapBits store;
    final long capacity;
    long keys;

    Level(int index, Positions positions, HeapBits store, long capacity, long keys) {
      this.index = index;
      this.positions = positions;
      this.bits = positions.bits();
      this.store = store;
      this.capacity = capacity;
      this.keys = keys;
    }

    private Level with(HeapBits other) {
      return new Level(index, positions, other, capacity, keys);
    }

    private Level copy() {
      return with(store.copy());
    }

    /** Creates a level from bits that were stored separately. */
    static Level of(
        ScalablePlan plan, HashScheme scheme, ScalableBloomFilter.Level level, BloomFilter filter) {
      Checks.positive(level.capacity(), "capacity of a level");
      Checks.inRange(0, level.capacity(), level.keys(), "keys of a level");
      Checks.inRange(level.bits(), level.bits(), filter.bits(), "bits of a level");
      Merging.requireCompatible(empty(plan, level.bits(), scheme).incompatibility(filter));
      Positions positions = positions(plan, level.bits());
      HeapBits store = positions.newStore();
      copyWords(level.bits(), filter::copyWords, store::orAll);
      return new Level(level.index(), positions, store, level.capacity(), level.keys());
    }

    /** Returns a copy of the bits as a separate filter. */
    BloomFilter filter(ScalablePlan plan, HashScheme scheme) {
      BloomFilter filter = empty(plan, bits, scheme);
      copyWords(bits, store::copy, filter::orWords);
      return filter;
    }

    private static BloomFilter empty(ScalablePlan plan, long bits, HashScheme scheme) {
      return BloomFilter.builder()
          .shape(new BloomPlan(plan.layout(), bits, 0))
          .hashScheme(scheme)
          .build();
    }

    private static void copyWords(long bits, Words from, Words into) {
      long[] words = new long[(int) Math.min(BitStore.words(bits), 1 << 16)];
      for (long at = 0; at < BitStore.words(bits); at += words.length) {
        int count = (int) Math.min(words.length, BitStore.words(bits) - at);
        from.move(at, words, count);
        into.move(at, words, count);
      }
    }

    /** Reads or writes words starting at an index. */
    private interface Words {
      void move(long from, long[] words, int count);
    }

    ScalableBloomFilter.Level now() {
      return new ScalableBloomFilter.Level(index, bits, capacity, keys, positions.fpp(store));
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Level level
          && index == level.index
          && bits == level.bits
          && capacity == level.capacity
          && keys == level.keys
          && store.equals(level.store);
    }

    @Override
    public int hashCode() {
      return Objects.hash(index, keys, store);
    }
  }

  LevelSeries(ScalablePlan plan) {
    this(plan, List.of(level(plan, 0)));
  }

  LevelSeries(ScalablePlan plan, List<Level> newestFirst) {
    this.plan = plan;
    this.row = new Row(newestFirst.toArray(new Level[0]));
  }

  static Positions positions(ScalablePlan plan, long bits) {
    return Positions.of(plan.layout(), bits);
  }

  private static Level level(ScalablePlan plan, int index) {
    Positions positions = positions(plan, plan.levelBits(index));
    return new Level(index, positions, positions.newStore(), plan.levelKeys(index), 0);
  }

  List<Level> levels() {
    return Arrays.asList(row.levels);
  }

  boolean test(long hash) {
    Row levels = row;
    return levels.positions[0].testAny(levels.positions, levels.stores, hash);
  }

  /**
   * Puts a hash into the newest level, or into a new one if the newest is full, unless some level
   * already contains it.
   */
  boolean put(long hash) {
    if (test(hash)) {
      return false;
    }
    Level newest = row.levels[0];
    if (newest.keys >= newest.capacity) {
      newest = grow();
    }
    newest.positions.load(newest.store, hash);
    newest.keys++;
    return true;
  }

  /** Adds the level after the newest one. */
  private Level grow() {
    Level[] old = row.levels;
    int index = Math.min(old[0].index + 1, MAX_INDEX);
    long held = Arrays.stream(old).mapToLong(level -> level.bits).sum();
    long bits = plan.levelBits(index, held);
    Positions positions = positions(plan, bits);
    long capacity = Math.max(1, plan.keysAt(bits, index));
    Level[] grown = new Level[old.length + 1];
    System.arraycopy(old, 0, grown, 1, old.length);
    grown[0] = new Level(index, positions, positions.newStore(), capacity, 0);
    row = new Row(grown);
    return grown[0];
  }

  long keys() {
    return levels().stream().mapToLong(level -> level.keys).sum();
  }

  /** Returns the joint rate of all levels: an absent key passes if any level accepts it. */
  double expectedFpp() {
    double refused = 0;
    for (Level level : row.levels) {
      refused += Math.log1p(-level.positions.fpp(level.store));
    }
    return -Math.expm1(refused);
  }

  /**
   * Returns an upper bound on the rate for any number of keys: the sum of the shares of the current
   * levels and of all later ones.
   */
  double promisedFpp() {
    double sum = plan.fppFrom(row.levels[0].index + 1);
    for (Level level : row.levels) {
      sum += plan.levelFpp(level.index);
    }
    return Math.min(1, sum);
  }

  void clear() {
    row = new Row(new Level[] {level(plan, 0)});
  }

  /** Returns a copy of the levels that later puts do not affect. */
  LevelSeries copy() {
    Level[] levels = row.levels.clone();
    levels[0] = levels[0].copy();
    return new LevelSeries(plan, List.of(levels));
  }

  /**
   * Returns the levels of both series; two levels of the same index and size are combined if one
   * can hold the keys of both.
   */
  LevelSeries union(LevelSeries other) {
    List<Level> all = new ArrayList<>(levels());
    all.addAll(other.levels());
    all.sort(NEWEST_FIRST);
    List<Level> merged = new ArrayList<>();
    for (Level level : all) {
      Level room = roomFor(level, merged);
      if (room == null) {
        merged.add(level.copy());
      } else {
        room.store.loadAll(level.store);
        room.keys += level.keys;
      }
    }
    merged.sort(NEWEST_FIRST);
    return new LevelSeries(plan, merged);
  }

  private static @Nullable Level roomFor(Level level, List<Level> among) {
    return among.stream()
        .filter(other -> other.index == level.index && other.bits == level.bits)
        .filter(other -> other.keys + level.keys <= other.capacity)
        .findFirst()
        .orElse(null);
  }

  /**
   * Returns the levels without the bits that no key in any level of the other series can have set.
   */
  LevelSeries prunedBy(LevelSeries other) {
    List<Level> pruned = new ArrayList<>();
    for (Level level : row.levels) {
      HeapBits mask = level.positions.newStore();
      for (Level theirs : other.row.levels) {
        mask.loadAll(stretched(theirs, level));
      }
      pruned.add(level.with(level.store.intersection(mask)));
    }
    return new LevelSeries(plan, pruned);
  }

  /**
   * Returns the level's bits at the size of another level. They are folded to the greatest common
   * divisor of the two sizes and then repeated, because a key with position p in a larger array has
   * position {@code p mod bits} in a smaller one.
   */
  private static HeapBits stretched(Level level, Level like) {
    long common = Divisors.gcd(level.bits, like.bits);
    HeapBits folded = level.store.fold(level.bits / common);
    return common == like.bits ? folded : folded.repeat(like.bits / common);
  }

  /** Returns every level folded as far as its share of the rate allows, given its actual fill. */
  LevelSeries compact() {
    return new LevelSeries(plan, levels().stream().map(this::compact).toList());
  }

  private Level compact(Level level) {
    double share = plan.levelFpp(level.index);
    LongToDoubleFunction expected = level.positions.fppAfterFolding(level.store);
    for (long factor : level.positions.ladder().factors().filter(f -> f > 1).toArray()) {
      long capacity = Math.max(1, plan.keysAt(level.bits / factor, level.index));
      if (expected.applyAsDouble(factor) <= 2 * share && capacity >= level.keys) {
        Positions folded = positions(plan, level.bits / factor);
        HeapBits store = level.store.fold(factor);
        if (folded.fpp(store) <= share) {
          return new Level(level.index, folded, store, capacity, level.keys);
        }
      }
    }
    return level.copy();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LevelSeries series
        && plan.equals(series.plan)
        && levels().equals(series.levels());
  }

  @Override
  public int hashCode() {
    return Objects.hash(plan, levels());
  }
}
