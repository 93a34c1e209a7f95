package dev.bellows.redis;

import dev.bellows.Pattern;
import dev.bellows.internal.layout.Positions;
import dev.bellows.redis.Wire.Command;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts keys by scripts. Each script sets the bits of some keys in all live parts if the state is
 * the one that the client knows. Keys for which this was not the case are sent again with the new
 * state.
 */
final class Puts {
  /** The maximum number of bits that one script sets, so that it takes about a millisecond. */
  private static final int MOST_BITS = 2000;

  /** The maximum number of keys that are packed before they are sent. */
  private static final int MOST_KEYS = 1 << 16;

  /** The maximum number of scripts in one round trip. */
  private static final int MOST_SCRIPTS = 256;

  private final StateAccess access;

  Puts(StateAccess access) {
    this.access = access;
  }

  /** Puts keys, marks those that changed the filter and returns their number. */
  int put(long[] hashes, int from, int to, boolean[] changed, int at) {
    StateAccess.Attempts attempts = access.attempts("the put");
    try {
      if (access.state().isGrowing()) {
        return putGrowing(hashes, from, to, changed, at, attempts);
      }
      int count = 0;
      for (int first = from; first < to; first += MOST_KEYS) { // to bound the memory
        int last = Math.min(to, first + MOST_KEYS);
        count += putFixed(hashes, first, last, changed, at + first - from, attempts);
      }
      return count;
    } catch (SharedFilterException e) {
      throw attempts.isBegun() ? e.ofBatch() : e;
    }
  }

  /** A script, and the keys that it puts. */
  private record Call(int from, int to, Command command, Packets answered) {}

  private int putFixed(
      long[] hashes, int from, int to, boolean[] changed, int at, StateAccess.Attempts attempts) {
    int count = 0;
    List<int[]> open = new ArrayList<>();
    open.add(new int[] {from, to});
    while (!open.isEmpty()) {
      SharedState state = access.state();
      List<Call> calls = calls(state, hashes, open);
      List<int[]> left = new ArrayList<>();
      for (int sent = 0; sent < calls.size(); sent += MOST_SCRIPTS) {
        List<Call> round = calls.subList(sent, Math.min(calls.size(), sent + MOST_SCRIPTS));
        List<@Nullable Object> replies =
            access.wire.change("the put", round.stream().map(Call::command).toList());
        for (int i = 0; i < round.size(); i++) {
          Call call = round.get(i);
          if (replies.get(i) instanceof byte[] before) {
            count += mark(call, before, changed, at - from);
            attempts.progress();
          } else {
            left.add(new int[] {call.from(), call.to()});
          }
        }
      }
      open = left;
      if (!open.isEmpty()) {
        attempts.refresh();
      }
    }
    return count;
  }

  private List<Call> calls(SharedState state, long[] hashes, List<int[]> open) {
    int bits = state.shape().hashes() * state.targets().size();
    int step = Math.max(1, MOST_BITS / bits);
    List<Call> calls = new ArrayList<>();
    for (int[] range : open) {
      for (int first = range[0]; first < range[1]; first += step) {
        calls.add(call(state, hashes, first, Math.min(range[1], first + step)));
      }
    }
    return calls;
  }

  private Call call(SharedState state, long[] hashes, int from, int to) {
    List<byte[]> keys = new ArrayList<>(List.of(access.stateKey()));
    List<byte[]> arguments = new ArrayList<>(List.of(Wire.bytes(state.version())));
    List<byte[]> bits = new ArrayList<>();
    List<Packets> packets = new ArrayList<>();
    for (Part part : state.targets()) {
      Packets packed = new Packets(part, state.layout());
      for (int i = from; i < to; i++) {
        packed.add(hashes[i], i);
      }
      for (Packets.Packet packet : packed.all()) {
        keys.add(part.key(access.name, packet.stripe()));
        arguments.add(Wire.decimal(part.length(packet.stripe())));
        bits.add(packet.toBytes());
      }
      packets.add(packed);
    }
    arguments.addAll(bits);
    return new Call(from, to, Command.run(script(state), keys, arguments), packets.get(0));
  }

  private static Script script(SharedState state) {
    Pattern pattern = state.layout().pattern();
    return pattern == null ? Script.PUT_BITS : Script.putBlocks(pattern.words());
  }

  /** Marks the keys of which a bit was zero, and returns their number. */
  private static int mark(Call call, byte[] reply, boolean[] changed, int shift) {
    int[] count = new int[1];
    call.answered()
        .forEachChanged(
            reply,
            owner -> {
              count[0] += changed[owner + shift] ? 0 : 1;
              changed[owner + shift] = true;
            });
    return count[0];
  }

  private int putGrowing(
      long[] hashes, int from, int to, boolean[] changed, int at, StateAccess.Attempts attempts) {
    int count = 0;
    int done = from;
    while (done < to) {
      SharedState state = access.state();
      // a block takes about as long as two bits
      int weight = state.layout().pattern() == null ? state.shape().hashes() : 2;
      int step = Math.max(1, MOST_BITS / (weight * (state.live().size() + state.targets().size())));
      List<Command> commands = new ArrayList<>();
      List<Integer> sizes = new ArrayList<>();
      for (int first = done; first < to && commands.size() < MOST_SCRIPTS; first += step) {
        int last = Math.min(to, first + step);
        commands.add(growingCommand(state, hashes, first, last));
        sizes.add(last - first);
      }
      List<@Nullable Object> replies = access.wire.change("the put", commands);
      boolean full = false;
      boolean stale = false;
      // after a script that found the level full or another state, no script has put a key
      for (int i = 0; i < replies.size() && !full && !stale; i++) {
        if (!(replies.get(i) instanceof byte[] answers)) {
          stale = true;
          break;
        }
        for (byte answer : answers) {
          changed[at + done - from] |= answer == '1';
          count += answer == '1' ? 1 : 0;
          done++;
          attempts.progress();
        }
        full = answers.length < sizes.get(i);
      }
      if (stale) {
        attempts.refresh();
      } else if (full) {
        attempts.count();
        access.grow(state);
      }
    }
    return count;
  }

  private Command growingCommand(SharedState state, long[] hashes, int from, int to) {
    List<byte[]> keys = new ArrayList<>(List.of(access.stateKey()));
    List<byte[]> arguments = new ArrayList<>(List.of(Wire.bytes(state.version())));
    List<byte[]> bits = new ArrayList<>();
    String count = SharedState.keysField(state.live(), state.live().size() - 1);
    bits.add(Wire.bytes(count));
    bits.add(Wire.decimal(state.targets().stream().mapToLong(Part::capacity).min().orElseThrow()));
    bits.add(Wire.decimal(state.live().size()));
    bits.add(Wire.decimal(state.targets().size() - 1));
    List<Part> parts = new ArrayList<>();
    for (int i = state.live().size() - 1; i >= 0; i--) {
      parts.add(state.live().get(i));
    }
    parts.addAll(state.targets().subList(1, state.targets().size()));
    Stripes stripes = new Stripes(keys, arguments);
    Pattern pattern = state.layout().pattern();
    if (pattern != null) {
      bits.add(growingBlocks(state, parts, hashes, from, to, stripes));
      arguments.addAll(bits);
      return Command.run(Script.putGrowingBlocks(pattern.words()), keys, arguments);
    }
    List<Offsets> all = parts.stream().map(part -> new Offsets(part, state.layout())).toList();
    for (int i = from; i < to; i++) {
      for (Offsets offsets : all) {
        Part part = offsets.only(hashes[i]).part();
        bits.add(Wire.decimal(offsets.groups().size()));
        for (Offsets.Group group : offsets.groups()) {
          bits.add(Wire.decimal(stripes.indexOf(part, group.stripe)));
          bits.add(Wire.decimal(group.offsets.size()));
          bits.addAll(group.offsets);
        }
      }
    }
    arguments.addAll(bits);
    return Command.run(Script.PUT_GROWING, keys, arguments);
  }

  private byte[] growingBlocks(
      SharedState state, List<Part> parts, long[] hashes, int from, int to, Stripes stripes) {
    List<BlockOfKey> blocks =
        parts.stream()
            .map(part -> new BlockOfKey(part, Positions.of(state.layout(), part.bits())))
            .toList();
    PackedText text = new PackedText();
    for (int i = from; i < to; i++) {
      for (BlockOfKey block : blocks) {
        int stripe = stripes.indexOf(block.part(), block.of(hashes[i]).stripe());
        text.putShort(stripe).put(block);
      }
    }
    return text.toBytes();
  }

  /**
   * The stripes that a script accesses, which are its keys; their lengths are among its arguments.
   */
  private final class Stripes {
    private final List<byte[]> keys;
    private final List<byte[]> lengths;
    private final Map<Long, Integer> index = new HashMap<>();

    Stripes(List<byte[]> keys, List<byte[]> lengths) {
      this.keys = keys;
      this.lengths = lengths;
    }

    /** Returns the index of a stripe among the keys, starting at 1. */
    int indexOf(Part part, int stripe) {
      return index.computeIfAbsent(
          part.number() * Part.MOST_STRIPES + stripe,
          added -> {
            keys.add(part.key(access.name, stripe));
            lengths.add(Wire.decimal(part.length(stripe)));
            return keys.size();
          });
    }
  }
}
