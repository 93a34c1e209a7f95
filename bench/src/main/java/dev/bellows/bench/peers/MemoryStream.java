package dev.bellows.bench.peers;

import java.io.OutputStream;
import java.util.Arrays;

/** A stream into memory that is there already and used again. */
final class MemoryStream extends OutputStream {
  private static final int HEADER = 4096;

  private final byte[] memory;
  private int length;

  private MemoryStream(byte[] memory) {
    this.memory = memory;
  }

  static MemoryStream forBits(long bits) {
    return new MemoryStream(new byte[Math.toIntExact(bits / 8 + HEADER)]);
  }

  void reset() {
    length = 0;
  }

  byte[] bytes() {
    return Arrays.copyOf(memory, length);
  }

  @Override
  public void write(int value) {
    memory[length++] = (byte) value;
  }

  @Override
  public void write(byte[] bytes, int from, int count) {
    System.arraycopy(bytes, from, memory, length, count);
    length += count;
  }
}
