package dev.bellows.redis;

import dev.bellows.Layout;
import dev.bellows.internal.rates.Cells;
import dev.bellows.internal.store.Positions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * What some keys set in one part, stripe by stripe, as the scripts read it: one text for each
 * stripe, since every argument of a script costs the server as much as a bit.
 */
final class Packets {
  private static final int BLOCK_BITS = 512;
  private static final int BLOCK_BYTES = 64;

  /** The bits of {@link Script#PUT_BITS} that one byte of the reply has. */
  private static final int BITS_TOGETHER = 7;

  private final Part part;
  private final boolean isBlocked;
  private final Positions positions;
  private final Map<Integer, Packet> packets = new LinkedHashMap<>();
  private final long[] words = new long[BLOCK_BITS / Long.SIZE];

  Packets(Part part, Cells cells) {
    this.part = part;
    this.isBlocked = cells.layout() == Layout.BLOCKED;
    this.positions = Positions.of(cells, part.bits());
  }

  /** The text of one stripe, and the key that each of its entries belongs to. */
  static final class Packet {
    private final int stripe;
    private final boolean isBlocked;
    private int[] owners = new int[16];
    private int count;
    private ByteBuffer text = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);

    private Packet(int stripe, boolean isBlocked) {
      this.stripe = stripe;
      this.isBlocked = isBlocked;
      if (!isBlocked) {
        text.putInt(0); // the number of bits
      }
    }

    int stripe() {
      return stripe;
    }

    private void begin(int owner) {
      if (count == owners.length) {
        owners = Arrays.copyOf(owners, 2 * count);
      }
      owners[count++] = owner;
      if (text.remaining() < 128) {
        ByteBuffer larger = ByteBuffer.allocate(2 * text.capacity()).order(text.order());
        text = larger.put(text.flip());
      }
    }

    private void digits(long number) {
      byte[] digits = Wire.decimal(number);
      text.put((byte) digits.length).put(digits);
    }

    private void bit(long offset, int owner) {
      begin(owner);
      digits(offset);
    }

    private void block(long firstByte, long[] words, int owner) {
      begin(owner);
      int first = 0;
      while (words[first] == 0) {
        first++;
      }
      int last = words.length - 1;
      while (words[last] == 0) {
        last--;
      }
      digits(firstByte + 8L * first);
      digits(firstByte + 8L * last + 7);
      text.putLong(words[first]);
      for (int w = first + 1; w <= last; w++) {
        if (words[w] != 0) {
          text.put((byte) (Long.BYTES * (w - first) + 1)).putLong(words[w]);
        }
      }
    }

    byte[] toBytes() {
      if (!isBlocked) {
        text.putInt(0, count);
      }
      return Arrays.copyOf(text.array(), text.position());
    }

    /** Reads what was answered about this stripe; returns where the next one begins. */
    private int forEachChanged(byte[] reply, int from, IntConsumer changed) {
      int together = isBlocked ? 0 : count / BITS_TOGETHER * BITS_TOGETHER;
      int at = from;
      for (int i = 0; i < together; i++) {
        if ((reply[at + i / BITS_TOGETHER] >>> i % BITS_TOGETHER & 1) == 0) {
          changed.accept(owners[i]);
        }
      }
      at += together / BITS_TOGETHER;
      byte changedByte = (byte) (isBlocked ? '1' : 0);
      for (int i = together; i < count; i++) {
        if (reply[at++] == changedByte) {
          changed.accept(owners[i]);
        }
      }
      return at;
    }
  }

  /** Adds the bits of a key. */
  void add(long hash, int owner) {
    long value = positions.begin(hash);
    if (!isBlocked) {
      for (int probe = 0; probe < positions.hashes(); probe++) {
        value = positions.step(value, probe);
        long position = positions.at(hash, value, probe);
        packet(position).bit(part.offset(position), owner);
      }
      return;
    }
    Arrays.fill(words, 0);
    long position = 0;
    for (int probe = 0; probe < positions.hashes(); probe++) {
      value = positions.step(value, probe);
      position = positions.at(hash, value, probe);
      words[(int) (position % BLOCK_BITS) / Long.SIZE] |= 1L << position;
    }
    long firstByte = position / BLOCK_BITS * BLOCK_BYTES % part.stripeBytes();
    packet(position).block(firstByte, words, owner);
  }

  private Packet packet(long position) {
    return packets.computeIfAbsent(
        part.stripeOf(position), stripe -> new Packet(stripe, isBlocked));
  }

  Collection<Packet> all() {
    return packets.values();
  }

  /** Names the key of every bit, or block, that was changed; a key may be named several times. */
  void forEachChanged(byte[] reply, IntConsumer changed) {
    int at = 0;
    for (Packet packet : packets.values()) {
      at = packet.forEachChanged(reply, at, changed);
    }
  }
}
