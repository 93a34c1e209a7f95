package dev.bellows.redis;

import dev.bellows.Layout;
import dev.bellows.internal.layout.Positions;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * The bits that some keys set in one part, in the form that scripts read: one text for each stripe,
 * because every argument of a script costs the server as much as setting a bit.
 */
final class Packets {
  /** The number of bits of {@link Script#PUT_BITS} per byte of the reply. */
  private static final int BITS_TOGETHER = 7;

  private final Part part;

  /** Whether a cell of several bits is sent as a whole and gets one answer. */
  private final boolean isWhole;

  private final Positions positions;
  private final Map<Integer, Packet> packets = new LinkedHashMap<>();
  private final BlockOfKey block;

  Packets(Part part, Layout layout) {
    this.part = part;
    this.isWhole = layout.cellBits() > 1;
    this.positions = Positions.of(layout, part.bits());
    this.block = new BlockOfKey(part, positions);
  }

  /** The text of one stripe, and the key that each of its entries belongs to. */
  static final class Packet {
    private final int stripe;
    private final boolean isWhole;
    private int[] owners = new int[16];
    private int count;
    private final PackedText text = new PackedText();

    private Packet(int stripe, boolean isWhole) {
      this.stripe = stripe;
      this.isWhole = isWhole;
      if (!isWhole) {
        text.putInt(0); // the number of bits
      }
    }

    int stripe() {
      return stripe;
    }

    private PackedText entryOf(int owner) {
      if (count == owners.length) {
        owners = Arrays.copyOf(owners, 2 * count);
      }
      owners[count++] = owner;
      return text;
    }

    byte[] toBytes() {
      if (!isWhole) {
        text.setInt(0, count);
      }
      return text.toBytes();
    }

    /** Reads the answer for this stripe and returns the index at which the next one begins. */
    private int forEachChanged(byte[] reply, int from, IntConsumer changed) {
      int together = isWhole ? 0 : count / BITS_TOGETHER * BITS_TOGETHER;
      int at = from;
      for (int i = 0; i < together; i++) {
        if ((reply[at + i / BITS_TOGETHER] >>> i % BITS_TOGETHER & 1) == 0) {
          changed.accept(owners[i]);
        }
      }
      at += together / BITS_TOGETHER;
      byte changedByte = (byte) (isWhole ? '1' : 0);
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
    if (isWhole) {
      block.of(hash);
      packet(block.stripe()).entryOf(owner).put(block);
      return;
    }
    long value = positions.begin(hash);
    for (int probe = 0; probe < positions.hashes(); probe++) {
      value = positions.step(value, probe);
      long position = positions.at(hash, value, probe);
      packet(part.stripeOf(position)).entryOf(owner).putDigits(part.offset(position));
    }
  }

  private Packet packet(int stripe) {
    return packets.computeIfAbsent(stripe, key -> new Packet(key, isWhole));
  }

  Collection<Packet> all() {
    return packets.values();
  }

  /**
   * Passes on the key of every bit or block that was changed; a key may be passed on several times.
   */
  void forEachChanged(byte[] reply, IntConsumer changed) {
    int at = 0;
    for (Packet packet : packets.values()) {
      at = packet.forEachChanged(reply, at, changed);
    }
  }
}
