package dev.bellows.parquet;

import dev.bellows.internal.base.Prose;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.SplitBlocks;
import dev.bellows.io.FilterFormatException;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * An index in a file, as spec/FORMAT.md describes it: eight bytes that say what it is, its column,
 * its roots, its files with their filters, and a checksum of all of it.
 */
final class IndexCodec {
  private static final byte[] MAGIC = {(byte) 0x89, 'B', 'L', 'P', 'Q', '\r', '\n', 0x1A};
  private static final int VERSION = 1;

  // what a file has
  private static final int NO_FILTER = 0;
  private static final int FILTER = 1;
  private static final int EMPTY = 2;

  /** The length of a path. */
  private static final int LEAST_ROOT_BYTES = 4;

  /** A path, a length, a time, and whether it has a filter. */
  private static final int LEAST_FILE_BYTES = 21;

  /** Systems allow about 4096 bytes. */
  private static final int MOST_PATH_CHARS = 1 << 16;

  /** Counts the bytes of an untrusted file, so that no length exceeds what is left. */
  private static final class Input {
    final DataInputStream in;
    final CRC32C checksum;
    long left;
    final long length;

    Input(DataInputStream in, CRC32C checksum, long length) {
      this.in = in;
      this.checksum = checksum;
      this.left = length;
      this.length = length;
    }

    FilterFormatException error(String what) {
      return new FilterFormatException(length - left, what);
    }

    /** Notes that this many bytes will be read. */
    int take(long bytes) throws FilterFormatException {
      if (bytes < 0 || bytes > left) {
        throw error("it claims %d bytes more, and %d are left".formatted(bytes, left));
      }
      left -= bytes;
      return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    int int32() throws IOException {
      take(4);
      return Integer.reverseBytes(in.readInt());
    }

    long int64() throws IOException {
      take(8);
      return Long.reverseBytes(in.readLong());
    }

    int unsignedByte() throws IOException {
      take(1);
      return in.readUnsignedByte();
    }

    /** Returns a number of things that take at least this many bytes each. */
    int count(int bytesEach) throws IOException {
      int count = int32();
      if (count < 0 || count > left / bytesEach) {
        throw error("it claims %d entries, and %d bytes are left".formatted(count, left));
      }
      return count;
    }

    String text() throws IOException {
      byte[] bytes = new byte[take(int32())];
      in.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * Returns a path that is relative to the folder of the index: up first, then down. Other paths
     * are refused, because normalizing one takes time quadratic in its length.
     */
    Path path(Path index) throws IOException {
      String text = text();
      if (text.length() > MOST_PATH_CHARS) {
        throw error("it names a file with a path of %d characters".formatted(text.length()));
      }
      try {
        Path relative = index.getFileSystem().getPath(text);
        if (relative.isAbsolute()) {
          throw error("it names a file with an absolute path: " + Prose.quote(text));
        }
        boolean isDown = false;
        for (Path name : relative) {
          boolean isUp = name.toString().equals("..");
          if (isUp && isDown) {
            throw error("it names a file with .. after a name: " + Prose.quote(text));
          }
          isDown |= !isUp;
        }
        return index.resolveSibling(relative).normalize();
      } catch (InvalidPathException e) {
        throw error("it names a file that cannot be: " + e.getReason());
      }
    }

    <E extends Enum<E>> E constant(Class<E> type) throws IOException {
      String name = text();
      try {
        return Enum.valueOf(type, name);
      } catch (IllegalArgumentException e) {
        throw error("%s is an unknown type of a column".formatted(Prose.quote(name)));
      }
    }
  }

  private IndexCodec() {}

  static void write(ParquetIndex index, Path path, OutputStream to) throws IOException {
    CRC32C checksum = new CRC32C();
    DataOutputStream out = new DataOutputStream(new CheckedOutputStream(to, checksum));
    Path folder = path.toAbsolutePath().normalize().getParent();
    out.write(MAGIC);
    int32(out, VERSION);
    write(out, index.column());
    int64(out, Double.doubleToLongBits(index.fpp()));
    int32(out, index.roots().size());
    for (Path root : index.roots()) {
      write(out, relative(folder, root));
    }
    List<IndexedFile> files = index.indexed();
    int32(out, files.size());
    for (IndexedFile file : files) {
      write(out, relative(folder, file.path()));
      int64(out, file.bytes());
      int64(out, file.modified());
      IndexedFile.Filter filter = file.filter();
      out.writeByte(file.isEmpty() ? EMPTY : filter == null ? NO_FILTER : FILTER);
      if (filter != null) {
        write(out, filter);
      }
    }
    int32(out, (int) checksum.getValue());
    out.flush();
  }

  private static void write(DataOutputStream out, IndexedFile.Filter filter) throws IOException {
    ColumnType type = filter.type();
    write(out, type.physical().name());
    write(out, type.meaning().name());
    int32(out, type.length());
    int32(out, type.scale());
    int32(out, (int) SplitBlocks.blocks(filter.bits()));
    ChunkFilter.write(out, filter.bits());
  }

  private static void int32(DataOutputStream out, int value) throws IOException {
    out.writeInt(Integer.reverseBytes(value));
  }

  private static void int64(DataOutputStream out, long value) throws IOException {
    out.writeLong(Long.reverseBytes(value));
  }

  private static void write(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int32(out, bytes.length);
    out.write(bytes);
  }

  /** Returns a path as it is found from the folder of the index, so that both can move together. */
  private static String relative(Path folder, Path path) {
    return folder.relativize(path.toAbsolutePath().normalize()).toString();
  }

  static boolean isIndex(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      return Arrays.equals(in.readNBytes(MAGIC.length), MAGIC);
    }
  }

  static ParquetIndex read(Path path) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(path), 1 << 16)) {
      return read(path, in, Files.size(path));
    }
  }

  /** Reads an index that belongs to a path, of this many bytes. */
  static ParquetIndex read(Path path, InputStream in, long length) throws IOException {
    CRC32C checksum = new CRC32C();
    try {
      DataInputStream data = new DataInputStream(new CheckedInputStream(in, checksum));
      return read(path, new Input(data, checksum, length));
    } catch (EOFException e) {
      throw new FilterFormatException(length, "it ends too early");
    }
  }

  private static ParquetIndex read(Path path, Input in) throws IOException {
    byte[] magic = new byte[in.take(MAGIC.length)];
    in.in.readFully(magic);
    if (!Arrays.equals(magic, MAGIC)) {
      throw new FilterFormatException(0, "it is not an index of Parquet files");
    }
    int version = in.int32();
    if (version != VERSION) {
      throw in.error("version " + version + " of an index; this library reads " + VERSION);
    }
    String column = in.text();
    double fpp = Double.longBitsToDouble(in.int64());
    if (!(fpp > 0 && fpp < 1)) {
      throw in.error("a rate of " + fpp);
    }
    List<Path> roots = new ArrayList<>();
    for (int left = in.count(LEAST_ROOT_BYTES); left > 0; left--) {
      roots.add(in.path(path));
    }
    if (roots.isEmpty()) {
      throw in.error("an index of no file and no folder");
    }
    List<IndexedFile> files = new ArrayList<>();
    for (int left = in.count(LEAST_FILE_BYTES); left > 0; left--) {
      Path file = in.path(path);
      long bytes = in.int64();
      long modified = in.int64();
      int content = in.unsignedByte();
      if (content > EMPTY) {
        throw in.error("%d is an unknown content of a file".formatted(content));
      }
      IndexedFile.Filter filter = content == FILTER ? filter(in) : null;
      files.add(new IndexedFile(file, bytes, modified, content == EMPTY, filter));
    }
    int computed = (int) in.checksum.getValue();
    if (in.int32() != computed || in.left != 0) {
      throw in.error("its checksum does not match");
    }
    return new ParquetIndex(column, fpp, roots, files);
  }

  private static IndexedFile.Filter filter(Input in) throws IOException {
    ColumnType type =
        new ColumnType(
            in.constant(ColumnType.Physical.class),
            in.constant(ColumnType.Meaning.class),
            in.int32(),
            in.int32());
    if (!type.isPossible()) {
      throw in.error(
          "a column of type %s cannot have length %d and scale %d"
              .formatted(type.physical(), type.length(), type.scale()));
    }
    long blocks = in.int32();
    if (blocks < 1 || blocks > Integer.MAX_VALUE / SplitBlocks.BLOCK_BYTES) {
      throw in.error("a filter of " + blocks + " blocks");
    }
    int bytes = in.take(blocks * SplitBlocks.BLOCK_BYTES);
    long[] words = new long[bytes / Long.BYTES];
    for (int i = 0; i < words.length; i++) {
      words[i] = Long.reverseBytes(in.in.readLong());
    }
    return new IndexedFile.Filter(type, HeapBits.over(64L * words.length, words, 0));
  }
}
