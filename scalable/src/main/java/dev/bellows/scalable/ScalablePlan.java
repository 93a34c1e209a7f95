package dev.bellows.scalable;

import dev.bellows.Layout;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.Divisors;
import java.util.ArrayList;
import java.util.List;

/**
 * The levels of a filter that grows to any number of keys: every level has twice as many bits as
 * the one before it, all have the same number of hashes, and their rates add up to at most {@code
 * fpp}, regardless of the number of levels.
 *
 * <p>An absent key passes if any level accepts it, so the sum of the levels' rates bounds the rate
 * of the filter. The levels up to a horizon get equal shares of the rate, because each of them is
 * the largest level, which takes most of the memory, over an equal interval of key counts on a
 * logarithmic scale. The rest is reserved for the levels beyond the horizon, each of which gets
 * half the share of the one before it.
 *
 * @param layout the layout of every level, which maps keys to bits
 * @param initialKeys the number of keys for which the first level is planned
 * @param fpp the rate that the filter never exceeds
 * @param horizonKeys the number of keys up to which levels have equal shares of the rate
 * @param initialBits the size of the first level
 */
public record ScalablePlan(
    Layout layout, long initialKeys, double fpp, long horizonKeys, long initialBits) {
  /** The default number of keys up to which levels have equal shares: 1e9. */
  public static final long DEFAULT_HORIZON = 1_000_000_000;

  /** The largest size of a level: 8 GiB. */
  public static final long MAX_LEVEL_BITS = 1L << 36;

  /**
   * The factor by which the first level may exceed the need of its keys, so that it has many
   * divisors.
   */
  private static final double INITIAL_SLACK = 1.1;

  private static final long MOST_GROWTH = 8;
  private static final long MOST_BITS_PER_KEY = 1 << 20;

  /** Validates the parameters. */
  public ScalablePlan {
    Checks.positive(initialKeys, "initialKeys");
    Checks.probability(fpp, "fpp");
    Checks.positive(horizonKeys, "horizonKeys");
    Checks.inRange(1, MAX_LEVEL_BITS, initialBits, "initialBits");
  }

  /** Returns the plan for a first level of about this many keys. */
  public static ScalablePlan of(
      long initialKeys, double fpp, long horizonKeys, Layout.Family family) {
    Checks.positive(initialKeys, "initialKeys");
    Checks.probability(fpp, "fpp");
    Checks.positive(horizonKeys, "horizonKeys");
    double share = fpp / (equalShares(initialKeys, horizonKeys) + 1);
    Layout layout = family.forFpp(share);
    int unit = layout.unitBits();
    long low = (layout.bitsFor(initialKeys, share) - 1) / unit + 1;
    long high = (long) (low * INITIAL_SLACK);
    return new ScalablePlan(
        layout,
        initialKeys,
        fpp,
        horizonKeys,
        unit * Divisors.mostDivisible(low, Math.max(low, high)));
  }

  /** Returns the number of bits that a key sets in its level. */
  public int hashes() {
    return layout.hashes();
  }

  /** Returns the number of levels with equal shares. */
  public int equalShares() {
    return equalShares(initialKeys, horizonKeys);
  }

  /** Returns the smallest number of doubling levels that together reach the horizon. */
  private static int equalShares(long initialKeys, long horizonKeys) {
    int levels = 1;
    while (initialKeys * (Math.scalb(1.0, levels) - 1) < horizonKeys) {
      levels++;
    }
    return levels;
  }

  /** Returns the rate of a full level; over all levels these rates add up to {@code fpp}. */
  public double levelFpp(int level) {
    Checks.notNegative(level, "level");
    int equal = equalShares();
    return Math.scalb(fpp / (equal + 1), -Math.max(0, level + 1 - equal));
  }

  /** Returns the sum of the rates of this level and of all later ones. */
  public double fppFrom(int level) {
    int equal = equalShares();
    double share = fpp / (equal + 1);
    return level >= equal ? 2 * levelFpp(level) : (equal - level + 1) * share;
  }

  /** Returns the size of a level: twice that of the previous one, up to {@link #MAX_LEVEL_BITS}. */
  public long levelBits(int level) {
    int doublings = Long.SIZE - 1 - Long.numberOfLeadingZeros(MAX_LEVEL_BITS / initialBits);
    return initialBits << Math.min(Checks.notNegative(level, "level"), doublings);
  }

  /**
   * Returns the size of a level that follows levels of {@code heldBits} in total. It is at most
   * eight times that number, because after foldings the newest level may be far smaller than its
   * index implies, and a file may contain any index.
   */
  public long levelBits(int level, long heldBits) {
    long bits = levelBits(level);
    int unit = layout.unitBits();
    while (bits > MOST_GROWTH * heldBits && bits % (2L * unit) == 0) {
      bits /= 2;
    }
    return bits;
  }

  /** Returns the maximum number of keys that a level may hold at its rate. */
  public long levelKeys(int level) {
    return Math.max(1, keysAt(levelBits(level), level));
  }

  /**
   * A level of the plan, with the sums over it and all levels before it.
   *
   * @param bits its size
   * @param keys the maximum number of keys it holds
   * @param fpp its rate when it is full
   * @param bitsSoFar the total number of bits of all levels up to this one
   * @param keysSoFar the maximum number of keys that they hold together
   * @param fppSoFar the sum of their rates, which a filter with these levels does not exceed
   */
  public record PlannedLevel(
      long bits, long keys, double fpp, double bitsSoFar, double keysSoFar, double fppSoFar) {}

  /**
   * Returns the levels of a filter with this many keys, at least one. Far beyond the horizon, a
   * level holds few keys at its small share of the rate, so the list ends after {@code most} levels
   * even if they do not suffice.
   */
  public List<PlannedLevel> levelsFor(long totalKeys, int most) {
    Checks.notNegative(totalKeys, "totalKeys");
    Checks.positive(most, "most");
    List<PlannedLevel> levels = new ArrayList<>();
    PlannedLevel last = new PlannedLevel(0, 0, 0, 0, 0, 0);
    do {
      int level = levels.size();
      long bits = levelBits(level);
      long keys = levelKeys(level);
      double share = levelFpp(level);
      last =
          new PlannedLevel(
              bits,
              keys,
              share,
              last.bitsSoFar + bits,
              last.keysSoFar + keys,
              last.fppSoFar + share);
      levels.add(last);
    } while (last.keysSoFar < totalKeys && levels.size() < most);
    return levels;
  }

  /**
   * Returns the maximum number of keys at which a level of this many bits keeps its rate, but at
   * least one for every 128 KiB. Only levels many doublings beyond the horizon would hold fewer, at
   * rates far below that of hash collisions; without this bound, every put could create a new
   * level.
   */
  public long keysAt(long bits, int level) {
    double share = levelFpp(level);
    long keys = share < Double.MIN_NORMAL ? 0 : layout.guaranteedKeys(bits, share);
    return Math.max(keys, bits / MOST_BITS_PER_KEY);
  }
}
