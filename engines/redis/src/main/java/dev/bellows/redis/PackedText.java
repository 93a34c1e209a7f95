package dev.bellows.redis;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** An argument that scripts read with struct.unpack: little-endian numbers, and decimal digits. */
final class PackedText {
  /** More bytes than any entry has. */
  private static final int ROOM = 128;

  private ByteBuffer text = ByteBuffer.allocate(2 * ROOM).order(ByteOrder.LITTLE_ENDIAN);

  private ByteBuffer room() {
    if (text.remaining() < ROOM) {
      ByteBuffer larger = ByteBuffer.allocate(2 * text.capacity()).order(text.order());
      text = larger.put(text.flip());
    }
    return text;
  }

  void putInt(int value) {
    room().putInt(value);
  }

  void setInt(int at, int value) {
    text.putInt(at, value);
  }

  PackedText putShort(int value) {
    room().putShort((short) value);
    return this;
  }

  /** Appends a non-negative number as decimal digits, preceded by a byte with their count. */
  void putDigits(long number) {
    byte[] digits = Wire.decimal(number);
    room().put((byte) digits.length).put(digits);
  }

  /** Appends the block of a key in the form that scripts read. */
  void put(BlockOfKey block) {
    long[] words = block.words();
    int first = 0;
    while (words[first] == 0) {
      first++;
    }
    int last = words.length - 1;
    while (words[last] == 0) {
      last--;
    }
    putDigits(block.firstByte() + 8L * first);
    putDigits(block.firstByte() + 8L * last + 7);
    room().putLong(words[first]);
    for (int w = first + 1; w <= last; w++) {
      if (words[w] != 0) {
        text.put((byte) (8 * (w - first) + 1)).putLong(words[w]);
      }
    }
  }

  byte[] toBytes() {
    return Arrays.copyOf(text.array(), text.position());
  }
}
