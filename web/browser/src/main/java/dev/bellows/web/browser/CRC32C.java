package dev.bellows.web.browser;

import java.nio.ByteBuffer;

/** Replaces {@link java.util.zip.CRC32C}, whose original reads memory directly. */
public final class CRC32C {
  private static final int POLYNOMIAL = 0x82F63B78;
  private static final int[] TABLE = table();

  private int crc = -1;

  /** Creates the checksum of no bytes. */
  public CRC32C() {}

  private static int[] table() {
    int[] table = new int[256];
    for (int i = 0; i < table.length; i++) {
      int value = i;
      for (int bit = 0; bit < 8; bit++) {
        value = value >>> 1 ^ ((value & 1) == 0 ? 0 : POLYNOMIAL);
      }
      table[i] = value;
    }
    return table;
  }

  /** Adds a byte. */
  public void update(int value) {
    crc = crc >>> 8 ^ TABLE[(crc ^ value) & 0xff];
  }

  /** Adds some bytes. */
  public void update(byte[] bytes, int from, int length) {
    for (int i = from; i < from + length; i++) {
      update(bytes[i]);
    }
  }

  /** Adds all bytes. */
  public void update(byte[] bytes) {
    update(bytes, 0, bytes.length);
  }

  /** Adds the remaining bytes of a buffer. */
  public void update(ByteBuffer buffer) {
    while (buffer.hasRemaining()) {
      update(buffer.get());
    }
  }

  /** Returns the checksum. */
  public long getValue() {
    return ~crc & 0xffff_ffffL;
  }

  /** Resets the checksum. */
  public void reset() {
    crc = -1;
  }
}
