package dev.bellows.bench.peers;

import java.io.OutputStream;
import java.util.Arrays;

/** A stream into memory that is allocated beforehand and used again. */
public final class MemoryStream extends OutputStream {
  private static final int HEADER = 4096;

  private final byte[] memory;
  private int length;

  /** Allocates memory for a filter of this many bits with its header. */
  public MemoryStream(long bits) {
    memory = new byte[Math.toIntExact(bits / 8 + HEADER)];
  }

  /** Starts at its beginning again. */
  public void reset() {
    length = 0;
  }

  /** Returns a copy of what was written. */
  public byte[] bytes() {
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
