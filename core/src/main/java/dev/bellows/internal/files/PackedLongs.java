package dev.bellows.internal.files;

import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.HeapBits;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * An encoding of numbers as 7 bits per byte, lowest first, with the top bit set on all bytes but
 * the last (LEB128, always in its shortest form), and of words as 8 little-endian bytes.
 */
public final class PackedLongs {
  private static final int MORE = 0x80;
  private static final int BITS = 7;
  private static final int LAST_SHIFT = 56;

  private PackedLongs() {}

  /** Writes numbers one after the other. */
  public static final class Writer {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** Appends a number, treated as unsigned. */
    public void put(long value) {
      long rest = value;
      while ((rest & -MORE) != 0) {
        out.write((int) (rest | MORE));
        rest >>>= BITS;
      }
      out.write((int) rest);
    }

    /** Appends the words of a store. */
    public void putWords(BitStore store) {
      long[] words = new long[(int) store.wordCount()];
      store.copy(0, words, words.length);
      ByteBuffer bytes = ByteBuffer.allocate(8 * words.length).order(ByteOrder.LITTLE_ENDIAN);
      bytes.asLongBuffer().put(words);
      out.write(bytes.array(), 0, bytes.capacity());
    }

    /** Returns all bytes that were appended. */
    public byte[] toBytes() {
      return out.toByteArray();
    }
  }

  /** Reads numbers from untrusted input; every error is an IllegalArgumentException. */
  public static final class Reader {
    private final ByteBuffer in;

    /** Creates a reader that starts with the first byte. */
    public Reader(byte[] bytes) {
      this.in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns the next number, which must be in {@code [0, most]}. */
    public long next(long most) {
      long value = 0;
      for (int shift = 0; ; shift += BITS) {
        require(1);
        long part = in.get();
        value |= (part & (MORE - 1)) << shift;
        if (part >= 0) {
          if ((part == 0 && shift > 0) || value < 0 || value > most) {
            throw new IllegalArgumentException(
                "a packed number is not in its shortest form or exceeds " + most);
          }
          return value;
        }
        if (shift == LAST_SHIFT) {
          throw new IllegalArgumentException("a packed number has more than 63 bits");
        }
      }
    }

    /**
     * Returns the next number as a count of items of at least one byte each; at least that many
     * bytes must remain.
     */
    public int count() {
      return (int) next(in.remaining());
    }

    /** Throws if fewer than this many bytes remain. */
    public void require(long bytes) {
      if (in.remaining() < bytes) {
        throw new IllegalArgumentException(
            "its packed numbers are truncated: "
                + in.remaining()
                + " bytes where "
                + bytes
                + " belong");
      }
    }

    /** Returns the words of a store with this many bits. */
    public HeapBits bits(long bits) {
      require(Long.BYTES * BitStore.words(bits));
      HeapBits store = HeapBits.aligned(bits);
      for (int i = 0; i < store.wordCount(); i++) {
        store.array()[store.first() + i] = in.getLong();
      }
      store.requireClearTail();
      return store;
    }

    /** Throws if bytes follow the last number. */
    public void end() {
      if (in.hasRemaining()) {
        throw new IllegalArgumentException(in.remaining() + " bytes follow its packed numbers");
      }
    }
  }
}
