package dev.bellows.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** Files with bytes changed and their checksums made right again, as spec/FORMAT.md has them. */
public final class Forgery {
  /** Where the header has the filter's id. */
  public static final int ID = 32;

  /** Where the header has the state of an identified filter. */
  public static final int STATE = 40;

  /** Where the parameters begin. */
  public static final int PARAMETERS = 64;

  /** The bytes of a piece of a section. */
  public static final int PIECE = 1 << 20;

  private static final int LENGTH = 16;
  private static final int PARAMETER_COUNT = 20;
  private static final int SECTION_COUNT = 22;

  private Forgery() {}

  /** The offset of a parameter. */
  public static int parameter(int index) {
    return PARAMETERS + 8 * index;
  }

  /** The file with another number of 1, 2, 4 or 8 bytes at an offset, and right checksums. */
  public static byte[] with(byte[] file, int offset, int width, long value) {
    byte[] forged = file.clone();
    ByteBuffer bytes = ByteBuffer.wrap(forged).order(ByteOrder.LITTLE_ENDIAN);
    switch (width) {
      case 1 -> bytes.put(offset, (byte) value);
      case 2 -> bytes.putShort(offset, (short) value);
      case 4 -> bytes.putInt(offset, (int) value);
      default -> bytes.putLong(offset, value);
    }
    return sign(forged);
  }

  /** The file with another parameter, and right checksums. */
  public static byte[] withParameter(byte[] file, int index, long value) {
    return with(file, parameter(index), 8, value);
  }

  /** Makes the checksums right, as far as headers and section lengths lead. */
  public static byte[] sign(byte[] file) {
    ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    for (int from = 0; from + PARAMETERS <= file.length; ) {
      int header = bytes.getInt(from + LENGTH);
      if (header < 2 * PARAMETERS || header % 64 != 0 || header > file.length - from) {
        return file;
      }
      List<Long> sections = sections(bytes, from, header);
      sign(file, from, header);
      from += header;
      for (long payload : sections) {
        long length = sectionBytes(Math.min(payload, file.length));
        if (payload < 0 || length > file.length - from) {
          return file;
        }
        signSection(file, from, (int) payload, (int) length);
        from += (int) length;
      }
    }
    return file;
  }

  private static List<Long> sections(ByteBuffer bytes, int from, int header) {
    int parameters = Short.toUnsignedInt(bytes.getShort(from + PARAMETER_COUNT));
    int count = Short.toUnsignedInt(bytes.getShort(from + SECTION_COUNT));
    List<Long> sections = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int at = parameter(parameters + i);
      if (at + 8 > header) {
        break;
      }
      sections.add(bytes.getLong(from + at));
    }
    return sections;
  }

  /** The offsets of all headers of the file: its own, and those of filters inside it. */
  public static List<Integer> headers(byte[] file) {
    ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    List<Integer> headers = new ArrayList<>();
    for (int from = 0; from < file.length; ) {
      headers.add(from);
      int header = bytes.getInt(from + LENGTH);
      int next = from + header;
      for (long payload : sections(bytes, from, header)) {
        next += (int) sectionBytes(payload);
      }
      from = next;
    }
    return headers;
  }

  /**
   * The offsets of the numbers of 8 bytes in a header: identity, id, state, parameters, lengths.
   */
  public static List<Integer> fields(byte[] file, int header) {
    ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    int numbers =
        Short.toUnsignedInt(bytes.getShort(header + PARAMETER_COUNT))
            + Short.toUnsignedInt(bytes.getShort(header + SECTION_COUNT));
    List<Integer> fields = new ArrayList<>(List.of(header + 24, header + ID, header + STATE));
    for (int i = 0; i < numbers; i++) {
      fields.add(header + parameter(i));
    }
    return fields;
  }

  /** The length of a section with its checksums. */
  public static long sectionBytes(long payload) {
    return (payload + 4L * pieces(payload) + 4 + 63) / 64 * 64;
  }

  private static int pieces(long payload) {
    return payload <= PIECE ? 0 : (int) ((payload + PIECE - 1) / PIECE);
  }

  private static void signSection(byte[] file, int from, int payload, int length) {
    for (int i = 0; i < pieces(payload); i++) {
      int piece = Math.min(PIECE, payload - i * PIECE);
      sign(file, from + i * PIECE, piece, from + payload + 4 * i);
    }
    int checked = pieces(payload) == 0 ? 0 : payload;
    sign(file, from + checked, length - 4 - checked, from + length - 4);
  }

  private static void sign(byte[] file, int from, int length) {
    sign(file, from, length - 4, from + length - 4);
  }

  private static void sign(byte[] file, int from, int length, int at) {
    CRC32C crc = new CRC32C();
    crc.update(file, from, length);
    ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(at, (int) crc.getValue());
  }
}
