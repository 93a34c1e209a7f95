package dev.bellows.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bellows.internal.math.Ladder;
import dev.bellows.redis.SharedState.Change;
import dev.bellows.redis.Wire.Command;
import dev.bellows.scalable.ScalablePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Folds and merges parts on the server. Once the stripes of the folded part exist, the folding is
 * announced: from then on every put updates both the unfolded part and the folded one, so no put is
 * lost while ranges are copied. Then the state is switched, and the unfolded part is dead.
 *
 * <p>By the fold law (Folding paper, Eq. 3), byte b of a folding to B bytes is the OR of the bytes
 * {@code b + l * B}. Stripes of the same length are ORed as a whole; otherwise ranges of them are
 * copied first.
 */
final class Folding {
  /** The maximum number of times that a folding is restarted after another client has ended it. */
  private static final int MOST_ATTEMPTS = 20;

  /** The maximum number of bytes that one script reads and writes. */
  private static final long MOST_BYTES = 4L << 20;

  private static final int MOST_RANGES = 256;

  /** The maximum number of scripts in one round trip. */
  private static final int MOST_SCRIPTS = 4;

  private final StateAccess access;

  Folding(StateAccess access) {
    this.access = access;
  }

  /** Returns the factors by which every level folds to whole bytes, ascending. */
  static long[] factors(SharedState state) {
    Part first = state.live().get(0);
    Ladder ladder = new Ladder(first.bits(), state.layout().cellBits());
    return ladder
        .factors()
        .filter(factor -> state.live().stream().allMatch(part -> folds(state, part, factor)))
        .sorted()
        .toArray();
  }

  private static boolean folds(SharedState state, Part part, long factor) {
    return factor == 1
        || (new Ladder(part.bits(), state.layout().cellBits()).hasFactor(factor)
            && part.bits() / factor % 8 == 0);
  }

  private static void requireFactor(SharedState state, long factor) {
    long[] possible = factors(state);
    if (LongStream.of(possible).noneMatch(one -> one == factor)) {
      List<String> near = new ArrayList<>();
      for (long one : possible) {
        if (one > 1 && near.size() < 24) {
          near.add(Long.toString(one));
        }
      }
      throw new IllegalArgumentException(
          ("cannot fold %d bits by %d on the server, which needs whole cells and whole bytes "
                  + "(possible: %s)")
              .formatted(
                  state.live().get(0).bits(),
                  factor,
                  near.isEmpty()
                      ? "no factor; fold a download instead"
                      : String.join(", ", near) + (possible.length > 25 ? ", ..." : "")));
    }
  }

  /** Folds every level and returns the new state. */
  SharedState foldBy(long factor, KeyCounts counts) {
    SharedState state = access.refresh();
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      state = access.settle();
      requireFactor(state, factor);
      if (factor == 1) {
        return state;
      }
      if (state.isFolding()) {
        throw SharedFilterException.refused(
            "another client is folding filter '%s': wait until it has finished"
                .formatted(access.name));
      }
      SharedState prepared = prepare(state, factor, counts);
      if (prepared != null) {
        SharedState folded = carryOut(prepared, counts);
        if (folded != null) {
          return access.sweep(folded);
        }
      }
      state = access.refresh();
    }
    throw SharedFilterException.refused(
        ("changes by other clients ended the folding of filter '%s' %d times: " + "try again later")
            .formatted(access.name, MOST_ATTEMPTS));
  }

  private @Nullable SharedState prepare(SharedState state, long factor, KeyCounts counts) {
    List<Part> folded = new ArrayList<>();
    List<byte[]> stripes = new ArrayList<>();
    long number = state.nextNumber();
    for (int level = 0; level < state.live().size(); level++) {
      Part part = state.live().get(level);
      long capacity = capacity(state, level, factor, counts);
      Part one = part.folded(factor, number++, capacity, state.layout());
      folded.add(one);
      stripes.addAll(one.keys(access.name));
    }
    SharedState to = state.with(state.live(), Change.PREPARE, folded, List.of());
    return access.switchTo(state.version(), to, lease(), false, stripes) ? to : null;
  }

  private static long capacity(SharedState state, int level, long factor, KeyCounts counts) {
    ScalablePlan plan = state.plan();
    if (plan == null) {
      return 0;
    }
    Part part = state.live().get(level);
    long capacity = Math.max(1, plan.keysAt(part.bits() / factor, part.index()));
    requireRoom(part.index(), counts.of(level), capacity);
    return capacity;
  }

  /**
   * Throws if a level has more keys than its folding may hold. This is checked after the
   * announcement, from when on no put exceeds that capacity.
   */
  private static void requireRoom(SharedState state, KeyCounts counts) {
    for (int level = 0; state.isGrowing() && level < state.next().size(); level++) {
      Part folded = state.next().get(level);
      requireRoom(folded.index(), counts.of(level), folded.capacity());
    }
  }

  private static void requireRoom(int index, long keys, long capacity) {
    if (keys > capacity) {
      throw new IllegalArgumentException(
          ("cannot fold that far: level %d has %d keys, but when folded it keeps its rate "
                  + "only up to %d")
              .formatted(index, keys, capacity));
    }
  }

  /** Returns the number of keys of a level of a growing filter, by its index in the list. */
  @FunctionalInterface
  interface KeyCounts {
    long of(int level);
  }

  private @Nullable SharedState carryOut(SharedState prepared, KeyCounts counts) {
    try {
      for (Part target : prepared.next()) {
        if (!access.make(prepared, target, true)) {
          return null;
        }
      }
      SharedState state = prepared.with(prepared.live(), Change.FOLD, prepared.next(), List.of());
      if (!access.switchTo(prepared.version(), state, lease(), false, List.of())) {
        return null;
      }
      requireRoom(state, counts);
      for (int i = 0; i < state.next().size(); i++) {
        Part source = state.live().get(i);
        Part target = state.next().get(i);
        if (!or(state, source, access.stateKey(), state.version(), target, true)) {
          return null;
        }
      }
      SharedState to = state.with(state.next(), Change.NONE, List.of(), state.live());
      return access.switchTo(state.version(), to, "0", false, List.of()) ? to : null;
    } catch (SharedFilterException | IllegalArgumentException e) {
      try {
        SharedState now = access.refresh();
        if (now.next().equals(prepared.next())) {
          access.sweep(access.abandonFolding(now, false));
        }
      } catch (SharedFilterException unreachable) {
        e.addSuppressed(unreachable); // the next client that opens the filter will end the folding
      }
      throw e;
    }
  }

  private static String lease() {
    return new String(StateAccess.leaseMillis(), US_ASCII);
  }

  /** ORs a part into one that is at most as large. Returns false if a state has changed. */
  boolean or(
      SharedState state,
      Part source,
      byte[] sourceState,
      String sourceVersion,
      Part target,
      boolean leased) {
    String sourceName = nameOf(sourceState);
    List<Command> round = new ArrayList<>();
    for (int stripe = 0; stripe < target.stripes(); stripe++) {
      List<Range> ranges = Range.into(source, target, stripe);
      int step =
          (int) Math.max(1, Math.min(MOST_RANGES, MOST_BYTES / (2L * target.length(stripe))));
      for (int from = 0; from < ranges.size(); from += step) {
        List<Range> some = ranges.subList(from, Math.min(ranges.size(), from + step));
        round.add(
            command(
                state,
                source,
                sourceName,
                sourceState,
                sourceVersion,
                target,
                stripe,
                some,
                leased));
        boolean last = stripe == target.stripes() - 1 && from + step >= ranges.size();
        if (round.size() == MOST_SCRIPTS || last) {
          if (!StateAccess.allDone(access.wire.change("the change", round))) {
            return false;
          }
          round.clear();
        }
      }
    }
    return true;
  }

  private static String nameOf(byte[] stateKey) {
    String key = new String(stateKey, UTF_8);
    return key.substring(1, key.length() - 1);
  }

  private Command command(
      SharedState state,
      Part source,
      String sourceName,
      byte[] sourceState,
      String sourceVersion,
      Part target,
      int stripe,
      List<Range> ranges,
      boolean leased) {
    List<byte[]> keys =
        new ArrayList<>(
            List.of(
                access.stateKey(),
                access.leaseKey(),
                Wire.bytes(Keys.copy(access.name)),
                sourceState,
                target.key(access.name, stripe)));
    List<byte[]> arguments =
        new ArrayList<>(
            List.of(
                Wire.bytes(state.version()),
                Wire.bytes(sourceVersion),
                leased ? StateAccess.leaseMillis() : new byte[0],
                StateAccess.expiry(state),
                Wire.decimal(target.length(stripe))));
    for (Range range : ranges) {
      keys.add(source.key(sourceName, range.stripe()));
      arguments.add(Wire.decimal(source.length(range.stripe())));
      arguments.add(Wire.decimal(range.from()));
      arguments.add(Wire.decimal(range.to() - 1L));
      arguments.add(Wire.decimal(range.at()));
    }
    return Command.run(Script.OR, keys, arguments);
  }
}
