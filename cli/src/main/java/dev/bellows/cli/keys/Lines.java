package dev.bellows.cli.keys;

import dev.bellows.cli.console.NamedFiles;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Some lines of an input, or the keys in them, as ranges of one buffer. {@link LineReader} fills it
 * again and again.
 */
public final class Lines {
  /** Small enough that a core's own cache holds the bytes, the ranges and the hashes. */
  static final int USUAL_BYTES = 1 << 16;

  /** The longest line that a buffer can hold. */
  static final int MAX_LENGTH = 1 << 30;

  private byte[] buffer = new byte[USUAL_BYTES];
  private int[] from = new int[1 << 10];
  private int[] to = new int[1 << 10];
  private int[] lineFrom = new int[1 << 10];
  private int[] lineTo = new int[1 << 10];
  private int count;
  private int bytes;
  private String file = "";
  private long before;

  /** What is done with one key: its bytes, valid until it returns. */
  @FunctionalInterface
  public interface Visitor {
    void visit(byte[] buffer, int from, int length) throws IOException;
  }

  /** Keys that are no lines. */
  public static Lines of(List<byte[]> keys) {
    Lines lines = new Lines();
    int filled = 0;
    for (byte[] key : keys) {
      while (key.length > lines.buffer.length - filled) {
        lines.widen();
      }
      System.arraycopy(key, 0, lines.buffer, filled, key.length);
      lines.add(filled, filled + key.length, filled + key.length);
      filled += key.length;
    }
    return lines;
  }

  public byte[] buffer() {
    return buffer;
  }

  public int count() {
    return count;
  }

  /** Where a key begins in the buffer. */
  public int from(int index) {
    return from[index];
  }

  /** Where a key ends in the buffer. */
  public int to(int index) {
    return to[index];
  }

  public int length(int index) {
    return to[index] - from[index];
  }

  /** Where the whole line of a key begins in the buffer. */
  public int lineFrom(int index) {
    return lineFrom[index];
  }

  /** Where it ends, before its newline. */
  public int lineTo(int index) {
    return lineTo[index];
  }

  /** How many bytes were read for them. */
  int bytes() {
    return bytes;
  }

  /** File and number of a line, for people. */
  String place(int index) {
    return NamedFiles.name(file) + ":" + (before + index + 1);
  }

  /**
   * Visits each key in turn.
   *
   * @throws RefusedKey if the visitor refuses one
   */
  public void forEach(Visitor visitor) throws IOException {
    for (int i = 0; i < count; i++) {
      try {
        visitor.visit(buffer, from[i], to[i] - from[i]);
      } catch (IllegalArgumentException e) {
        throw new RefusedKey(i, e);
      }
    }
  }

  /** Forgets its lines and begins with the first bytes of one. */
  void begin(byte[] pending, int length) {
    if (buffer.length > USUAL_BYTES && length < USUAL_BYTES) {
      buffer = new byte[USUAL_BYTES];
    }
    while (buffer.length <= length) {
      widen();
    }
    System.arraycopy(pending, 0, buffer, 0, length);
    count = 0;
    bytes = 0;
  }

  /** Names where the lines come from, and how many of that file came before. */
  void locate(String newFile, long linesBefore) {
    file = newFile;
    before = linesBefore;
  }

  /** Counts bytes that were read. */
  void read(int more) {
    bytes += more;
  }

  /** Adds a key that begins its line; the line itself may end in a carriage return behind it. */
  void add(int keyFrom, int keyTo, int newLineTo) {
    if (count == from.length) {
      from = Arrays.copyOf(from, 2 * count);
      to = Arrays.copyOf(to, 2 * count);
      lineFrom = Arrays.copyOf(lineFrom, 2 * count);
      lineTo = Arrays.copyOf(lineTo, 2 * count);
    }
    from[count] = keyFrom;
    lineFrom[count] = keyFrom;
    lineTo[count] = newLineTo;
    to[count++] = keyTo;
  }

  /** Narrows a key to a part of its line. */
  void narrow(int index, int keyFrom, int keyTo) {
    from[index] = keyFrom;
    to[index] = keyTo;
  }

  /** Drops the lines from an index on. */
  void truncate(int newCount) {
    count = newCount;
  }

  /** Makes the buffer twice as large. */
  void widen() {
    buffer = Arrays.copyOf(buffer, (int) Math.min(2L * buffer.length, Integer.MAX_VALUE - 8));
  }
}
