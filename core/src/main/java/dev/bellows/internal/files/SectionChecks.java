package dev.bellows.internal.files;

import dev.bellows.internal.bits.MappedBits;
import dev.bellows.io.FilterFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * The checksums of a section, and the bytes that follow its payload (spec/FORMAT.md). A payload of
 * at most one piece is followed by zeros and one checksum of everything; a larger one by a checksum
 * of each piece, zeros, and a checksum of the checksums. The pieces of a mapped file can therefore
 * be checked one by one when they are read.
 */
final class SectionChecks {
  /** The number of bytes of a piece. */
  static final int PIECE_BYTES = MappedBits.PIECE_BYTES;

  private final long payload;
  private final CRC32C crc = new CRC32C();
  private int[] pieces = new int[4];
  private int count;
  private int inPiece;

  SectionChecks(long payload) {
    this.payload = payload;
  }

  /**
   * Returns the length of a section including the bytes after its payload: the next sufficient
   * multiple of 64.
   */
  static long sectionBytes(long payload) {
    return (payload + 4 * pieces(payload) + 4 + 63) / 64 * 64;
  }

  /** Returns the number of bytes after a payload. */
  static int endingBytes(long payload) {
    return (int) (sectionBytes(payload) - payload);
  }

  long payload() {
    return payload;
  }

  /** Returns the number of checksums of pieces after a payload; 0 if it is a single piece. */
  private static long pieces(long payload) {
    return payload <= PIECE_BYTES ? 0 : (payload - 1) / PIECE_BYTES + 1;
  }

  /** Adds the next bytes of the payload. */
  void update(byte[] bytes, int from, int length) {
    for (int done = 0; done < length; ) {
      int part = Math.min(length - done, PIECE_BYTES - inPiece);
      crc.update(bytes, from + done, part);
      done += part;
      inPiece += part;
      if (inPiece == PIECE_BYTES && payload > PIECE_BYTES) {
        endPiece();
      }
    }
  }

  private void endPiece() {
    if (count == pieces.length) {
      pieces = Arrays.copyOf(pieces, 2 * count);
    }
    pieces[count++] = (int) crc.getValue();
    crc.reset();
    inPiece = 0;
  }

  /** Returns the bytes that must follow the payload. */
  byte[] ending() {
    if (payload > PIECE_BYTES && inPiece > 0) {
      endPiece();
    }
    byte[] ending = new byte[endingBytes(payload)];
    ByteBuffer out = ByteBuffer.wrap(ending).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      out.putInt(pieces[i]);
    }
    crc.update(ending, 0, ending.length - 4);
    out.putInt(ending.length - 4, (int) crc.getValue());
    return ending;
  }

  /** Throws if the bytes after the payload are wrong. */
  void require(byte[] read, long offset) throws FilterFormatException {
    int wrong = Arrays.mismatch(ending(), read);
    if (wrong < 0) {
      return;
    }
    if (wrong >= read.length - 4) {
      throw new FilterFormatException(
          offset + read.length - 4, "a section's checksum does not match");
    }
    if (wrong >= 4 * count) {
      throw new FilterFormatException(offset + wrong, "a padding byte is not 0");
    }
    int piece = wrong / 4;
    throw new FilterFormatException(
        offset + 4L * piece,
        "the checksum of piece %d of a section does not match".formatted(piece));
  }

  /**
   * Returns the checksums, one for each piece, from the bytes after a payload that was not read.
   *
   * @param offset the offset of these bytes in the file
   */
  static int[] stored(long payload, byte[] ending, long offset) throws FilterFormatException {
    ByteBuffer in = ByteBuffer.wrap(ending).order(ByteOrder.LITTLE_ENDIAN);
    int last = ending.length - 4;
    int count = (int) pieces(payload);
    if (count > 0) {
      CRC32C crc = new CRC32C();
      crc.update(ending, 0, last);
      if ((int) crc.getValue() != in.getInt(last)) {
        throw new FilterFormatException(
            offset + last, "the checksum of a section's checksums does not match");
      }
    }
    for (int i = 4 * count; i < last; i++) {
      if (ending[i] != 0) {
        throw new FilterFormatException(offset + i, "a padding byte is not 0");
      }
    }
    if (count == 0) {
      return new int[] {in.getInt(last)};
    }
    int[] stored = new int[count];
    in.asIntBuffer().get(stored);
    return stored;
  }

  /** Returns the number of zeros that the last of these checksums includes. */
  static int zeros(long payload) {
    return pieces(payload) == 0 ? endingBytes(payload) - 4 : 0;
  }
}
