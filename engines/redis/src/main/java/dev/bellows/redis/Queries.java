package dev.bellows.redis;

import dev.bellows.internal.layout.Positions;
import dev.bellows.redis.Wire.Command;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Queries keys: reads the ranges or bits that they need, followed by the version of the state, in
 * one round trip. The answer is valid only if the version is the one that the ranges were computed
 * for, because the stripes of a part that was dropped in the meantime read as zeros.
 */
final class Queries {
  private static final int BLOCK_BYTES = 64;
  private static final int BLOCK_BITS = 512;

  /** The maximum number of keys in one round trip. */
  private static final int MOST_KEYS = 4096;

  /**
   * The maximum number of bits that one command reads; with more, each bit costs the server more.
   */
  private static final int MOST_BITS = 14;

  private static final byte[] GET = Wire.bytes("GET");
  private static final byte[] ONE_BIT = Wire.bytes("u1");

  private final StateAccess access;

  Queries(StateAccess access) {
    this.access = access;
  }

  /**
   * Writes the answers to {@code hits}, starting at index {@code at}, and returns how many keys
   * pass.
   */
  int ask(long[] hashes, int from, int to, boolean[] hits, int at) {
    int count = 0;
    for (int first = from; first < to; first += MOST_KEYS) {
      int last = Math.min(to, first + MOST_KEYS);
      Arrays.fill(hits, at + first - from, at + last - from, false);
      StateAccess.Attempts attempts = access.attempts("a query");
      while (!answered(access.state(), hashes, first, last, hits, at + first - from)) {
        attempts.refresh();
      }
      for (int i = first; i < last; i++) {
        count += hits[at + i - from] ? 1 : 0;
      }
    }
    return count;
  }

  private boolean answered(
      SharedState state, long[] hashes, int from, int to, boolean[] hits, int at) {
    return state.layout().cellBits() > 1
        ? blocks(state, hashes, from, to, hits, at)
        : bits(state, hashes, from, to, hits, at);
  }

  /** Queries one range of 64 bytes for each key and level. */
  private boolean blocks(
      SharedState state, long[] hashes, int from, int to, boolean[] hits, int at) {
    List<Part> levels = state.live();
    List<Positions> positions =
        levels.stream().map(part -> Positions.of(state.layout(), part.bits())).toList();
    List<Command> commands = new ArrayList<>();
    for (int i = from; i < to; i++) {
      for (int level = 0; level < levels.size(); level++) {
        commands.add(range(levels.get(level), block(positions.get(level), hashes[i])));
      }
    }
    commands.add(access.versionQuestion());
    List<@Nullable Object> replies = access.wire.ask(commands);
    if (!StateAccess.isVersion(replies.get(replies.size() - 1), state)) {
      return false;
    }
    for (int i = from, reply = 0; i < to; i++) {
      for (int level = 0; level < levels.size(); level++) {
        byte[] block = requireBlock(replies.get(reply++));
        hits[at + i - from] |= passes(block, positions.get(level), hashes[i]);
      }
    }
    return true;
  }

  private static long block(Positions positions, long hash) {
    long value = positions.step(positions.begin(hash), 0);
    return positions.at(hash, value, 0) / BLOCK_BITS;
  }

  private Command range(Part part, long block) {
    long first = block * BLOCK_BYTES;
    int stripe = (int) (first / part.stripeBytes());
    long inStripe = first % part.stripeBytes();
    return Command.of(
        "GETRANGE",
        part.key(access.name, stripe),
        Wire.decimal(inStripe),
        Wire.decimal(inStripe + BLOCK_BYTES - 1));
  }

  private byte[] requireBlock(@Nullable Object reply) {
    if (reply instanceof byte[] block && block.length == BLOCK_BYTES) {
      return block;
    }
    throw SharedFilterException.lost(access.name);
  }

  private static boolean passes(byte[] block, Positions positions, long hash) {
    long value = positions.begin(hash);
    for (int probe = 0; probe < positions.hashes(); probe++) {
      value = positions.step(value, probe);
      int position = (int) (positions.at(hash, value, probe) % BLOCK_BITS);
      if ((block[position >>> 3] >>> (position & 7) & 1) == 0) {
        return false;
      }
    }
    return true;
  }

  /** The bits of a stripe that one command reads. */
  private record Reading(int level, Offsets.Group group, int first, int last) {}

  /** Queries single bits, all bits of a stripe together. */
  private boolean bits(SharedState state, long[] hashes, int from, int to, boolean[] hits, int at) {
    List<Command> commands = new ArrayList<>();
    List<Reading> readings = new ArrayList<>();
    List<Command> lengths = new ArrayList<>();
    List<Integer> expected = new ArrayList<>();
    for (int level = 0; level < state.live().size(); level++) {
      Part part = state.live().get(level);
      Offsets offsets = new Offsets(part, state.layout());
      for (int i = from; i < to; i++) {
        offsets.add(hashes[i], i - from);
      }
      for (Offsets.Group group : offsets.groups()) {
        byte[] key = part.key(access.name, group.stripe);
        for (int first = 0; first < group.offsets.size(); first += MOST_BITS) {
          int last = Math.min(group.offsets.size(), first + MOST_BITS);
          commands.add(reading(key, group.offsets.subList(first, last)));
          readings.add(new Reading(level, group, first, last));
        }
        lengths.add(Command.of("STRLEN", key));
        expected.add(part.length(group.stripe));
      }
    }
    int lengthsFrom = commands.size();
    commands.addAll(lengths);
    commands.add(access.versionQuestion());
    List<@Nullable Object> replies = access.wire.ask(commands);
    if (!StateAccess.isVersion(replies.get(replies.size() - 1), state)) {
      return false;
    }
    for (int i = 0; i < expected.size(); i++) {
      if (!Long.valueOf(expected.get(i)).equals(replies.get(lengthsFrom + i))) {
        throw SharedFilterException.lost(access.name);
      }
    }
    boolean[] misses = new boolean[(to - from) * state.live().size()];
    for (int i = 0; i < readings.size(); i++) {
      Reading reading = readings.get(i);
      List<?> ones = (List<?>) replies.get(i);
      for (int bit = reading.first(); bit < reading.last(); bit++) {
        if (ones == null || !Long.valueOf(1).equals(ones.get(bit - reading.first()))) {
          misses[reading.level() * (to - from) + reading.group().owner(bit)] = true;
        }
      }
    }
    for (int i = 0; i < misses.length; i++) {
      hits[at + i % (to - from)] |= !misses[i];
    }
    return true;
  }

  private static Command reading(byte[] key, List<byte[]> offsets) {
    byte[][] words = new byte[1 + 3 * offsets.size()][];
    words[0] = key;
    for (int i = 0; i < offsets.size(); i++) {
      words[3 * i + 1] = GET;
      words[3 * i + 2] = ONE_BIT;
      words[3 * i + 3] = offsets.get(i);
    }
    return Command.of("BITFIELD_RO", words);
  }
}
