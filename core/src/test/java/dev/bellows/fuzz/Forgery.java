package dev.bellows.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Files with changed bytes and corrected checksums, as defined in spec/FORMAT.md. */
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

  private static final byte[] COMPACT = {(byte) 0x89, 'B', 'L', 'W', 'S', 'c'};
  private static final byte[] FULL = {(byte) 0x89, 'B', 'L', 'W', 'S', '\r', '\n', 0x1A};

  private Forgery() {}

  private static boolean isCompact(byte[] file, int from) {
    return file.length - from > COMPACT.length
        && Arrays.equals(file, from, from + COMPACT.length, COMPACT, 0, COMPACT.length);
  }

  /** Where the counts of parameters and sections are among the numbers of a compact header. */
  private static final int COUNTS = 5;

  /** The numbers of a header in the compact form, and where its payload begins and ends. */
  private record Compact(List<Long> numbers, long state, int payload, int end) {
    /** Returns null if the bytes are incomplete. */
    static @Nullable Compact at(byte[] file, int from) {
      List<Long> numbers = new ArrayList<>();
      long needed = COUNTS + 2;
      int at = from + COMPACT.length + 1;
      while (numbers.size() < needed) {
        long value = 0;
        int shift = 0;
        do {
          if (at >= file.length || shift > 63) {
            return null;
          }
          value |= (file[at] & 0x7FL) << shift;
          shift += 7;
        } while (file[at++] < 0);
        numbers.add(value);
        if (numbers.size() == COUNTS + 2) {
          if ((numbers.get(COUNTS) | numbers.get(COUNTS + 1)) >>> 16 != 0) {
            return null;
          }
          needed += numbers.get(COUNTS) + numbers.get(COUNTS + 1);
        }
      }
      int payload = numbers.get(COUNTS - 1) == 0 ? at : at + 8;
      if (payload > file.length) {
        return null;
      }
      long state =
          payload == at ? 0 : ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getLong(at);
      long end = payload;
      for (long length : sections(numbers)) {
        end += length < 0 || length > file.length ? file.length : length;
      }
      return end + 4 > file.length ? null : new Compact(numbers, state, payload, (int) end);
    }

    private static List<Long> sections(List<Long> numbers) {
      return numbers.subList(COUNTS + 2 + numbers.get(COUNTS).intValue(), numbers.size());
    }

    List<Long> sections() {
      return sections(numbers);
    }
  }

  /**
   * The same filters with every header in the full form, whose fields have fixed offsets; other
   * bytes stay unchanged.
   */
  public static byte[] full(byte[] file) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int from = 0;
    while (from < file.length) {
      Compact compact = isCompact(file, from) ? Compact.at(file, from) : null;
      int end = compact == null ? endOfFull(file, from) : compact.end() + 4;
      if (compact == null) {
        out.write(file, from, end - from);
      } else {
        expand(file, from, compact, out);
      }
      from = end;
    }
    return out.toByteArray();
  }

  private static int endOfFull(byte[] file, int from) {
    if (file.length - from < 2 * PARAMETERS) {
      return file.length;
    }
    ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    long end = from + (long) bytes.getInt(from + LENGTH);
    for (long payload : sections(bytes, from, bytes.getInt(from + LENGTH))) {
      end += payload < 0 || payload > file.length ? file.length : sectionBytes(payload);
    }
    return end <= from || end > file.length ? file.length : (int) end;
  }

  private static void expand(byte[] file, int from, Compact compact, ByteArrayOutputStream out) {
    List<Long> numbers = compact.numbers();
    int others = numbers.size() - COUNTS - 2;
    int header = (PARAMETERS + 8 * others + 4 + 63) / 64 * 64;
    ByteBuffer bytes = ByteBuffer.allocate(header).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(FULL).putShort(file[from + COMPACT.length]);
    bytes.putShort(numbers.get(0).shortValue()).putShort(numbers.get(1).shortValue());
    bytes.put(numbers.get(2).byteValue()).put((byte) 0).putInt(header);
    bytes.putShort(numbers.get(COUNTS).shortValue());
    bytes.putShort(numbers.get(COUNTS + 1).shortValue());
    bytes.putLong(numbers.get(3)).putLong(numbers.get(4)).putLong(compact.state());
    bytes.position(PARAMETERS);
    numbers.subList(COUNTS + 2, numbers.size()).forEach(bytes::putLong);
    sign(bytes.array(), 0, header);
    out.writeBytes(bytes.array());
    int at = compact.payload();
    for (long payload : compact.sections()) {
      byte[] section = new byte[(int) sectionBytes(payload)];
      System.arraycopy(file, at, section, 0, (int) payload);
      sign(section, 0, section.length);
      out.writeBytes(section);
      at += (int) payload;
    }
  }

  /** The offset of a parameter. */
  public static int parameter(int index) {
    return PARAMETERS + 8 * index;
  }

  /**
   * The file in the full form with another number of 1, 2, 4 or 8 bytes at an offset, and right
   * checksums.
   */
  public static byte[] with(byte[] file, int offset, int width, long value) {
    byte[] forged = full(file);
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

  /** Corrects the checksums, as far as headers and section lengths are readable. */
  public static byte[] sign(byte[] file) {
    ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    for (int from = 0; from + COMPACT.length < file.length; ) {
      if (isCompact(file, from)) {
        Compact compact = Compact.at(file, from);
        if (compact == null) {
          return file;
        }
        sign(file, from, compact.end() - from, compact.end());
        from = compact.end() + 4;
        continue;
      }
      if (from + PARAMETERS > file.length) {
        return file;
      }
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

  /**
   * The offsets of all headers of a file in the full form: its own, and those of filters inside it.
   */
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
