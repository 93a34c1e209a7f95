package dev.bellows.internal.journal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A header of 32 bytes and a payload, each with its checksum: the unit of journals and snapshots.
 *
 * <pre>
 *  0  int   bytes of the payload
 *  4  int   operation, plus {@link #FIRST} for the first group of a commit
 *  8  long  version: the number of changes before it, XOR the salt of the file
 *  16 long  time
 *  24 int   CRC32C of the payload
 *  28 int   CRC32C of bytes 0 to 27
 * </pre>
 *
 * All numbers are little endian. The salt is a random number of the file. Without it, hashes could
 * be chosen that look like a header inside a payload.
 *
 * @param bytes the length of the payload
 * @param operation the type of the payload
 * @param isFirst whether everything before it had been handed to the operating system, and forced
 *     to disk if the journal is, when it was written
 * @param version the number of changes before it
 * @param time the time of its changes
 * @param checksum the checksum of the payload
 */
record Frame(int bytes, int operation, boolean isFirst, long version, long time, int checksum) {
  static final int HEADER = 32;

  /** The bit of the operation that is set in the first group of a commit. */
  static final int FIRST = 1 << 8;

  /** The maximum length of a payload; a frame that claims more is damaged. */
  static final int MAX_BYTES = 1 << 30;

  /**
   * Returns the opening of a file: 8 bytes that identify its type, the id of the folder, a number,
   * and a checksum.
   */
  static byte[] opening(long magic, long id, long number) {
    ByteBuffer out = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
    out.putLong(magic).putLong(id).putLong(number).putInt(Folder.FORMAT);
    out.putInt(checksum(out.array(), 0, HEADER - 4));
    return out.array();
  }

  static int checksum(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }

  /**
   * Writes the header at an index of the buffer, for the payload that follows it there.
   *
   * @param version the version, already combined with the salt
   */
  static void seal(ByteBuffer out, int at, int operation, boolean first, long version, long time) {
    int end = out.position();
    int bytes = end - at - HEADER;
    CRC32C payload = new CRC32C();
    payload.update(out.duplicate().position(at + HEADER).limit(end));
    out.putInt(at, bytes);
    out.putInt(at + 4, operation | (first ? FIRST : 0));
    out.putLong(at + 8, version);
    out.putLong(at + 16, time);
    out.putInt(at + 24, (int) payload.getValue());
    CRC32C header = new CRC32C();
    header.update(out.duplicate().position(at).limit(at + HEADER - 4));
    out.putInt(at + 28, (int) header.getValue());
  }

  /**
   * Returns the header at an index, or null if its checksum is wrong or its length is impossible.
   */
  static @Nullable Frame of(byte[] bytes, int at, long salt) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int length = in.getInt(at);
    if (length < 0 || length > MAX_BYTES || in.getInt(at + 28) != checksum(bytes, at, HEADER - 4)) {
      return null;
    }
    int operation = in.getInt(at + 4);
    return new Frame(
        length,
        operation & ~FIRST,
        (operation & FIRST) != 0,
        in.getLong(at + 8) ^ salt,
        in.getLong(at + 16),
        in.getInt(at + 24));
  }

  /** Reads frames with their payloads. */
  static final class Reader {
    private final InputStream in;
    private final byte[] header = new byte[HEADER];
    private byte[] payload = new byte[0];

    Reader(InputStream in) {
      this.in = in;
    }

    /**
     * Reads a frame. Returns null at the end of the input, or if the frame is incomplete or
     * damaged, or if its payload has more than this many bytes.
     */
    @Nullable Frame next(long most, long salt) throws IOException {
      Frame frame = in.readNBytes(header, 0, HEADER) < HEADER ? null : of(header, 0, salt);
      if (frame == null || frame.bytes > most) {
        return null;
      }
      if (payload.length < frame.bytes) {
        payload = new byte[Math.max(frame.bytes, 2 * payload.length)];
      }
      boolean isWhole =
          in.readNBytes(payload, 0, frame.bytes) == frame.bytes
              && Frame.checksum(payload, 0, frame.bytes) == frame.checksum;
      return isWhole ? frame : null;
    }

    /** Returns the payload of the last frame, followed by any bytes. */
    ByteBuffer payload() {
      return ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
    }
  }
}
