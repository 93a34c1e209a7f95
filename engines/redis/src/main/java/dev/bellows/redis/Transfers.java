package dev.bellows.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bellows.BloomFilter;
import dev.bellows.Filter;
import dev.bellows.internal.layout.Merging;
import dev.bellows.plan.BloomPlan;
import dev.bellows.redis.Wire.Command;
import dev.bellows.scalable.ScalableBloomFilter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Transfers whole filters: from the server to the heap, from the heap to the server, and between
 * filters of the server.
 */
final class Transfers {
  /** The maximum number of bytes in one round trip, unless a single stripe has more. */
  private static final long MOST_BYTES = 8L << 20;

  /**
   * The maximum number of times that a transfer is started because the state changed during the
   * transfer.
   */
  private static final int MOST_ATTEMPTS = 20;

  private final StateAccess access;

  Transfers(StateAccess access) {
    this.access = access;
  }

  /**
   * Receives the bytes of a stripe as words; {@code first} is the index of the first word in its
   * part.
   */
  @FunctionalInterface
  private interface Words {
    void take(long from, long[] words, int count);
  }

  private SharedFilterException unsettled(String what) {
    return SharedFilterException.refused(
        "the state of filter '%s' changed %d times during %s: try again later"
            .formatted(access.name, MOST_ATTEMPTS, what));
  }

  Filter download() {
    SharedState state = access.state();
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      Filter local = state.isGrowing() ? growing(state) : plain(state);
      if (local != null) {
        return local;
      }
      state = access.refresh();
    }
    throw unsettled("the download");
  }

  private @Nullable BloomFilter plain(SharedState state) {
    return filter(state, state.newest());
  }

  /** Downloads the bits of a part. Returns null if the state has changed. */
  private @Nullable BloomFilter filter(SharedState state, Part part) {
    BloomFilter local = empty(state, part.bits());
    return read(state, part, local::orWords) ? local : null;
  }

  private static BloomFilter empty(SharedState state, long bits) {
    return BloomFilter.builder()
        .shape(plan(state, bits))
        .hashScheme(state.shape().scheme())
        .build();
  }

  static BloomPlan plan(SharedState state, long bits) {
    return new BloomPlan(state.layout(), bits, 0);
  }

  private @Nullable ScalableBloomFilter growing(SharedState state) {
    long[] keys = keys(state);
    List<ScalableBloomFilter.Level> levels = new ArrayList<>();
    List<BloomFilter> filters = new ArrayList<>();
    for (int i = state.live().size() - 1; i >= 0; i--) {
      Part part = state.live().get(i);
      BloomFilter filter = filter(state, part);
      if (filter == null) {
        return null;
      }
      long held = Math.min(part.capacity(), keys[i]);
      filters.add(filter);
      levels.add(
          new ScalableBloomFilter.Level(
              part.index(), part.bits(), part.capacity(), held, filter.expectedFpp()));
    }
    return ScalableBloomFilter.ofLevels(
        Objects.requireNonNull(state.plan()), state.shape().scheme(), levels, filters);
  }

  /** Returns the number of keys of each level of a growing filter, oldest first. */
  long[] keys(SharedState state) {
    List<byte[]> words = new ArrayList<>(List.of(access.stateKey()));
    for (int level = 0; level < state.live().size(); level++) {
      words.add(Wire.bytes(SharedState.keysField(state.live(), level)));
    }
    Object reply =
        access.wire.ask(List.of(Command.of("HMGET", words.toArray(new byte[0][])))).get(0);
    List<?> counts = (List<?>) Objects.requireNonNull(reply);
    long[] keys = new long[counts.size()];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = counts.get(i) instanceof byte[] digits ? number(digits) : 0;
    }
    return keys;
  }

  private long number(byte[] digits) {
    try {
      return Math.max(0, Long.parseLong(new String(digits, UTF_8)));
    } catch (NumberFormatException e) {
      throw SharedFilterException.refused(
          "a number of keys in the state of filter '%s' is damaged".formatted(access.name));
    }
  }

  /** Reads all stripes of a part. Returns false if the state has changed. */
  private boolean read(SharedState state, Part part, Words into) {
    for (int stripe = 0; stripe < part.stripes(); ) {
      List<Command> commands = new ArrayList<>();
      int first = stripe;
      long bytes = 0;
      while (stripe < part.stripes() && (bytes == 0 || bytes + part.length(stripe) <= MOST_BYTES)) {
        bytes += part.length(stripe);
        commands.add(Command.of("GET", part.key(access.name, stripe++)));
      }
      commands.add(access.versionQuestion());
      List<@Nullable Object> replies = access.wire.ask(commands);
      if (!StateAccess.isVersion(replies.get(replies.size() - 1), state)) {
        return false;
      }
      for (int i = first; i < stripe; i++) {
        byte[] content = replies.get(i - first) instanceof byte[] found ? found : new byte[0];
        if (content.length != part.length(i)) {
          throw SharedFilterException.refused(
              ("stripe %d of filter '%s' has %d bytes, not %d: it was deleted, "
                      + "evicted or overwritten")
                  .formatted(i, access.name, content.length, part.length(i)));
        }
        long[] words = words(content);
        into.take((long) i * part.stripeBytes() / 8, words, words.length);
      }
    }
    return true;
  }

  private static long[] words(byte[] bytes) {
    long[] words = new long[(bytes.length + 7) / 8];
    ByteBuffer padded = ByteBuffer.allocate(8 * words.length).order(ByteOrder.LITTLE_ENDIAN);
    padded.put(bytes).rewind();
    padded.asLongBuffer().get(words);
    return words;
  }

  /** ORs the bits of a local filter into all live parts. */
  void upload(BloomFilter local) {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      SharedState state = attempt == 0 ? access.state() : access.refresh();
      requireFits(state, local);
      boolean done = true;
      for (Part target : state.targets()) {
        done = done && write(state, local.foldTo(target.bits())::copyWords, target);
      }
      if (done) {
        return;
      }
    }
    throw unsettled("the upload");
  }

  private void requireFits(SharedState state, BloomFilter local) {
    if (state.isGrowing()) {
      throw new IllegalArgumentException(
          ("filter '%s' grows: put keys, or upload a filter that grows, instead of "
                      + "the bits of one")
                  .formatted(access.name)
              + " of fixed size");
    }
    BloomFilter like = empty(state, 64 * 8);
    Merging.requireCompatible(like.incompatibility(local));
    if (local.bits() % state.newest().bits() != 0) {
      throw new IllegalArgumentException(
          "%d bits cannot be folded to the %d bits of filter '%s'"
              .formatted(local.bits(), state.newest().bits(), access.name));
    }
  }

  /** Copies words, starting at this index. */
  @FunctionalInterface
  private interface WordSource {
    void copy(long from, long[] words, int count);
  }

  private boolean write(SharedState state, WordSource local, Part target) {
    List<Command> commands = new ArrayList<>();
    long bytes = 0;
    for (int stripe = 0; stripe < target.stripes(); stripe++) {
      int length = target.length(stripe);
      long[] words = new long[(length + 7) / 8];
      local.copy((long) stripe * target.stripeBytes() / 8, words, words.length);
      ByteBuffer content = ByteBuffer.allocate(8 * words.length).order(ByteOrder.LITTLE_ENDIAN);
      LongBuffer longs = content.asLongBuffer();
      longs.put(words);
      byte[] exact = Arrays.copyOf(content.array(), length);
      commands.add(
          Command.run(
              Script.OR_BYTES,
              List.of(
                  access.stateKey(),
                  Wire.bytes(Keys.copy(access.name)),
                  target.key(access.name, stripe)),
              List.of(
                  Wire.bytes(state.version()),
                  StateAccess.expiry(state),
                  Wire.decimal(length),
                  Wire.decimal(0),
                  exact)));
      bytes += length;
      if (bytes >= MOST_BYTES || stripe == target.stripes() - 1) {
        if (!StateAccess.allDone(access.wire.change("the upload", commands))) {
          return false;
        }
        commands.clear();
        bytes = 0;
      }
    }
    return true;
  }

  /** ORs another filter of the server into this one. */
  void union(StateAccess other) {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      SharedState mine = access.refresh();
      SharedState theirs = other.refresh();
      if (mine.id().equals(theirs.id())) {
        return;
      }
      requireMergeable(mine, theirs, other.name);
      if (mine.isGrowing()) {
        unionOfLevels(other, theirs);
        return;
      }
      if (access.wire.bits().isCluster() && !access.name.equals(other.name)) {
        upload((BloomFilter) new Transfers(other).download());
        return;
      }
      boolean done = true;
      for (Part target : mine.targets()) {
        done =
            done
                && new Folding(access)
                    .or(mine, theirs.newest(), other.stateKey(), theirs.version(), target, false);
      }
      if (done) {
        return;
      }
    }
    throw unsettled("the union");
  }

  private void unionOfLevels(StateAccess other, SharedState theirs) {
    Transfers transfers = new Transfers(other);
    if (access.wire.bits().isCluster()) {
      upload((ScalableBloomFilter) transfers.download());
      return;
    }
    long[] keys = transfers.keys(theirs);
    LevelUnion union = new LevelUnion(access);
    for (int i = 0; i < keys.length; i++) {
      Part level = theirs.live().get(i);
      union.add(
          level.index(),
          level.bits(),
          level.capacity(),
          keys[i],
          (state, target) -> {
            SharedState from = other.refresh();
            if (!from.live().contains(level)) {
              throw SharedFilterException.refused(
                  "filter '%s' was folded during the union: try again later".formatted(other.name));
            }
            return new Folding(access)
                .or(state, level, other.stateKey(), from.version(), target, false);
          });
    }
  }

  /** Adds the levels of a local growing filter. */
  void upload(ScalableBloomFilter local) {
    SharedState state = access.refresh();
    if (!state.isGrowing()) {
      throw new IllegalArgumentException(
          "filter '%s' does not grow and has no levels: put the keys instead"
              .formatted(access.name));
    }
    Merging.requireCompatible(
        Merging.difference(
            List.of(state.shape().scheme(), Objects.requireNonNull(state.plan())),
            List.of(local.hashScheme(), local.plan())));
    ScalableBloomFilter moment = local.copy();
    List<BloomFilter> filters = moment.levelFilters();
    LevelUnion union = new LevelUnion(access);
    for (int i = 0; i < filters.size(); i++) {
      ScalableBloomFilter.Level level = moment.levels().get(i);
      BloomFilter bits = filters.get(i);
      union.add(
          level.index(),
          level.bits(),
          level.capacity(),
          level.keys(),
          (now, target) -> write(now, bits::copyWords, target));
    }
  }

  private void requireMergeable(SharedState mine, SharedState theirs, String other) {
    if (mine.isGrowing() != theirs.isGrowing()) {
      throw new IllegalArgumentException(
          "filter '%s' grows but filter '%s' does not: put the keys of one into the other"
              .formatted(
                  mine.isGrowing() ? access.name : other, mine.isGrowing() ? other : access.name));
    }
    if (mine.isGrowing()) {
      Merging.requireCompatible(
          Merging.difference(
              List.of(mine.shape().scheme(), Objects.requireNonNull(mine.plan())),
              List.of(theirs.shape().scheme(), Objects.requireNonNull(theirs.plan()))));
      return;
    }
    Merging.requireCompatible(mine.shape().incompatibility(theirs.shape()));
    long from = theirs.newest().bits();
    long to = mine.newest().bits();
    if (from % to != 0 || (from != to && to % 8 != 0)) {
      throw new IllegalArgumentException(
          ("the %d bits of filter '%s' cannot be folded to the %d bits of filter '%s': fold "
                  + "'%s' first")
              .formatted(from, other, to, access.name, access.name));
    }
  }
}
