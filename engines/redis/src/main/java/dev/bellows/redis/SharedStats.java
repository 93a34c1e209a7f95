package dev.bellows.redis;

import dev.bellows.FilterStats;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.math.HashFloor;
import dev.bellows.io.FilterKind;
import dev.bellows.redis.Wire.Command;
import dev.bellows.scalable.ScalableBloomFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The number of ones of every level, counted on the server, and the rates that follow from them:
 * for layout CLASSIC the rate of these particular bits, for layout BLOCKED the average rate of this
 * many keys.
 */
final class SharedStats {
  /** The maximum number of stripes that are counted in one round trip. */
  private static final int MOST_STRIPES = 32;

  private final SharedState state;

  /** The number of ones of each level, oldest first. */
  private final long[] ones;

  /** The number of keys of each level of a growing filter. */
  private final long[] counted;

  private SharedStats(SharedState state, long[] ones, long[] counted) {
    this.state = state;
    this.ones = ones;
    this.counted = counted;
  }

  /** Returns the state that was counted. */
  SharedState state() {
    return state;
  }

  static SharedStats count(StateAccess access, Transfers transfers) {
    StateAccess.Attempts attempts = access.attempts("the count of its bits");
    SharedState state = attempts.refresh();
    long[] ones = ones(access, state);
    while (ones == null) {
      state = attempts.refresh();
      ones = ones(access, state);
    }
    return new SharedStats(state, ones, state.isGrowing() ? transfers.keys(state) : new long[0]);
  }

  private static long @Nullable [] ones(StateAccess access, SharedState state) {
    long[] ones = new long[state.live().size()];
    for (int level = 0; level < ones.length; level++) {
      Part part = state.live().get(level);
      for (int from = 0; from < part.stripes(); from += MOST_STRIPES) {
        List<Command> commands = new ArrayList<>();
        for (int i = from; i < Math.min(part.stripes(), from + MOST_STRIPES); i++) {
          commands.add(Command.of("BITCOUNT", part.key(access.name, i)));
          commands.add(Command.of("STRLEN", part.key(access.name, i)));
        }
        commands.add(access.versionQuestion());
        List<@Nullable Object> replies = access.wire.ask(commands);
        if (!StateAccess.isVersion(replies.remove(replies.size() - 1), state)) {
          return null;
        }
        for (int i = 0; i < replies.size(); i += 2) {
          if (!Long.valueOf(part.length(from + i / 2)).equals(replies.get(i + 1))) {
            throw SharedFilterException.lost(access.name);
          }
          ones[level] += replies.get(i) instanceof Long count ? count : 0;
        }
      }
    }
    return ones;
  }

  private double keysOf(int level) {
    long bits = state.live().get(level).bits();
    return state.layout().keysFromOnes(bits, Math.min(ones[level], bits - 1));
  }

  /** Returns the number of keys: estimated from the ones, or counted by a growing filter. */
  double keys() {
    double sum = 0;
    for (int level = 0; level < ones.length; level++) {
      sum += state.isGrowing() ? counted[level] : keysOf(level);
    }
    return sum;
  }

  /** Returns the rate: an absent key passes if it passes any level. */
  double fpp() {
    double refused = 0;
    for (int level = 0; level < ones.length; level++) {
      refused += Math.log1p(-fpp(level, 1));
    }
    return -Math.expm1(refused);
  }

  private double fpp(int level, long factor) {
    long bits = state.live().get(level).bits();
    return HashFloor.with(state.layout().fppFromOnes(bits, ones[level], factor), keysOf(level));
  }

  /** Returns the expected rate after folding a filter with one level. */
  double fppFoldedBy(long factor) {
    return fpp(0, factor);
  }

  /** Returns the expected rate of a filter with one level after more keys were put. */
  double fppWith(double more) {
    long bits = state.live().get(0).bits();
    return state.layout().fpp(bits, Math.round(keysOf(0) + more));
  }

  private long stripes() {
    return state.live().stream().mapToLong(Part::stripes).sum();
  }

  String describeStripes() {
    return Prose.format(
        "%s, %s%n",
        stripes() == 1 ? "1 string" : Prose.count(stripes()) + " strings",
        Prose.bytes(state.serverBytes()));
  }

  FilterStats toFilterStats(FilterKind kind) {
    FilterStats stats =
        new FilterStats(
            kind,
            state.layout(),
            state.bits(),
            state.shape().hashes(),
            state.shape().scheme(),
            Arrays.stream(ones).sum(),
            keys(),
            fpp());
    return state.isGrowing()
        ? stats.growing(null, new FilterStats.Parts("levels", state.live().size()))
        : stats;
  }

  boolean isEmpty() {
    return Arrays.stream(ones).allMatch(count -> count == 0);
  }

  SharedBloomFilter.Storage toStorage(FilterKind kind) {
    List<ScalableBloomFilter.Level> levels = new ArrayList<>();
    for (int i = state.live().size() - 1; state.isGrowing() && i >= 0; i--) {
      Part part = state.live().get(i);
      levels.add(
          new ScalableBloomFilter.Level(
              part.index(), part.bits(), part.capacity(), counted[i], fpp(i, 1)));
    }
    return new SharedBloomFilter.Storage(
        toFilterStats(kind),
        state.fileBytes(),
        stripes(),
        state.serverBytes(),
        state.isFolding(),
        levels);
  }
}
