package dev.bellows;

import dev.bellows.internal.BitLayout;
import dev.bellows.internal.Words;
import dev.bellows.plan.Divisors;
import dev.bellows.plan.ScalablePlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Filters of doubling size, asked newest first; the newest takes the keys that none of them has.
 * Only the writer changes it, and readers always see a whole array of levels.
 */
final class LevelSeries {
  private final ScalablePlan plan;
  private volatile Row row;

  /** The levels, newest first, and what queries want of them in arrays. */
  private static final class Row {
    final Level[] levels;
    final BitLayout[] layouts;
    final long[][] stores;

    Row(Level[] levels) {
      this.levels = levels;
      layouts = new BitLayout[levels.length];
      stores = new long[levels.length][];
      for (int i = 0; i < levels.length; i++) {
        layouts[i] = levels[i].positions;
        stores[i] = levels[i].words;
      }
    }
  }

  /** A filter, the number of the plan's level it is and how many keys it may and does hold. */
  static final class Level {
    final int index;
    final BitLayout positions;
    final long bits;
    final long[] words;
    final long capacity;
    long keys;

    Level(int index, FilterShape shape, long[] words, long capacity, long keys) {
      this.index = index;
      this.positions = shape.positions();
      this.bits = shape.bits();
      this.words = words;
      this.capacity = capacity;
      this.keys = keys;
    }

    private Level(Level like, long[] words, long keys) {
      this.index = like.index;
      this.positions = like.positions;
      this.bits = like.bits;
      this.words = words;
      this.capacity = like.capacity;
      this.keys = keys;
    }

    ScalableLevel now() {
      return new ScalableLevel(index, bits, capacity, keys, positions.fpp(words));
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Level level
          && index == level.index
          && bits == level.bits
          && capacity == level.capacity
          && keys == level.keys
          && Arrays.equals(words, level.words);
    }

    @Override
    public int hashCode() {
      return Objects.hash(index, keys, Arrays.hashCode(words));
    }
  }

  LevelSeries(ScalablePlan plan) {
    this(plan, List.of(level(plan, 0)));
  }

  LevelSeries(ScalablePlan plan, List<Level> newestFirst) {
    this.plan = plan;
    this.row = new Row(newestFirst.toArray(new Level[0]));
  }

  static FilterShape shape(ScalablePlan plan, long bits) {
    return new FilterShape(plan.layout(), bits, plan.hashes(), HashScheme.DEFAULT);
  }

  private static Level level(ScalablePlan plan, int index) {
    FilterShape shape = shape(plan, plan.levelBits(index));
    return new Level(index, shape, shape.positions().newStore(), plan.levelKeys(index), 0);
  }

  List<Level> levels() {
    return Arrays.asList(row.levels);
  }

  boolean test(long hash) {
    Row levels = row;
    return levels.layouts[0].testAny(levels.layouts, levels.stores, hash);
  }

  /** Puts a hash that no level has into the newest level, or into a new one if that is full. */
  boolean put(long hash) {
    if (test(hash)) {
      return false;
    }
    Level newest = row.levels[0];
    if (newest.keys >= newest.capacity) {
      newest = grow();
    }
    newest.positions.set(newest.words, hash);
    newest.keys++;
    return true;
  }

  private Level grow() {
    Level[] old = row.levels;
    Level[] grown = new Level[old.length + 1];
    System.arraycopy(old, 0, grown, 1, old.length);
    grown[0] = level(plan, old[0].index + 1);
    row = new Row(grown);
    return grown[0];
  }

  long keys() {
    long sum = 0;
    for (Level level : row.levels) {
      sum += level.keys;
    }
    return sum;
  }

  /** An outsider passes if any level lets it pass. */
  double expectedFpp() {
    double refused = 0;
    for (Level level : row.levels) {
      refused += Math.log1p(-level.positions.fpp(level.words));
    }
    return -Math.expm1(refused);
  }

  /** What the rate stays below, whatever comes: the shares of these levels and of all to come. */
  double promisedFpp() {
    double sum = plan.fppFrom(row.levels[0].index + 1);
    for (Level level : row.levels) {
      sum += plan.levelFpp(level.index);
    }
    return Math.min(1, sum);
  }

  LevelSeries copy() {
    return new LevelSeries(
        plan, levels().stream().map(l -> new Level(l, l.words.clone(), l.keys)).toList());
  }

  /** The levels of both; two of one size become one where their keys fit into it together. */
  LevelSeries union(LevelSeries other) {
    List<Level> all = new ArrayList<>(levels());
    all.addAll(other.levels());
    all.sort(Comparator.comparingInt((Level l) -> -l.index).thenComparingLong(l -> l.keys));
    List<Level> merged = new ArrayList<>();
    for (Level level : all) {
      Level room = roomFor(level, merged);
      if (room == null) {
        merged.add(new Level(level, level.words.clone(), level.keys));
      } else {
        Words.or(room.words, level.words);
        room.keys += level.keys;
      }
    }
    merged.sort(Comparator.comparingInt((Level l) -> -l.index).thenComparingLong(l -> l.keys));
    return new LevelSeries(plan, merged);
  }

  private static @Nullable Level roomFor(Level level, List<Level> among) {
    for (Level candidate : among) {
      if (candidate.index == level.index
          && candidate.bits == level.bits
          && candidate.keys + level.keys <= candidate.capacity) {
        return candidate;
      }
    }
    return null;
  }

  /** Clears the bits that no key of the other can have set, whichever of its levels it is in. */
  LevelSeries prunedBy(LevelSeries other) {
    LevelSeries pruned = copy();
    for (Level level : pruned.row.levels) {
      long[] mask = new long[level.words.length];
      for (Level theirs : other.row.levels) {
        Words.or(mask, stretched(theirs, level));
      }
      Words.and(level.words, mask);
    }
    return pruned;
  }

  /**
   * The level's bits at another size: folded, or repeated, since a key whose position is p in the
   * larger array has {@code p mod bits} in the smaller one. Sizes that do not divide each other
   * meet at their greatest common divisor.
   */
  private long[] stretched(Level level, Level like) {
    long common = Divisors.gcd(level.bits, like.bits);
    long[] folded = level.positions.fold(level.words, level.bits / common);
    if (common == like.bits) {
      return folded;
    }
    return shape(plan, common).positions().repeat(folded, like.bits / common);
  }

  /** Every level folded as far as its share of the rate allows, judged by its real fill. */
  LevelSeries compact() {
    List<Level> compacted = new ArrayList<>();
    for (Level level : row.levels) {
      compacted.add(compact(level));
    }
    return new LevelSeries(plan, compacted);
  }

  private Level compact(Level level) {
    FilterShape shape = shape(plan, level.bits);
    double share = plan.levelFpp(level.index);
    for (FoldSize size : shape.ladder(level.positions.fppAfterFolding(level.words))) {
      if (size.expectedFpp() <= 2 * share && size.factor() > 1) {
        FilterShape folded = shape.foldedBy(size.factor());
        long[] words = level.positions.fold(level.words, size.factor());
        long capacity = plan.keysAt(size.bits(), level.index);
        if (folded.positions().fpp(words) <= share && capacity >= level.keys) {
          return new Level(level.index, folded, words, capacity, level.keys);
        }
      }
    }
    return new Level(level, level.words.clone(), level.keys);
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
