package dev.bellows.io;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;

/** Writes one filter in one pass: the header, then each section with its checksum behind it. */
public final class FilterWriter {
  private static final int CHUNK_BYTES = 1 << 16;
  private static final AtomicLong ASIDE = new AtomicLong();

  private final OutputStream out;
  private final FilterHeader header;
  private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private int section;

  private FilterWriter(OutputStream out, FilterHeader header) {
    this.out = out;
    this.header = header;
  }

  /** Writes the header; the sections must follow in the header's order. */
  public static FilterWriter begin(OutputStream out, FilterHeader header) throws IOException {
    if (out instanceof ExactBytes memory) {
      memory.reserve(header.fileBytes());
    }
    out.write(header.encode());
    return new FilterWriter(out, header);
  }

  /** Writes the words as the next section. */
  public void words(long[] words) throws IOException {
    words(words, 0, words.length);
  }

  /** Writes {@code count} words as the next section. */
  public void words(long[] words, int from, int count) throws IOException {
    long payload = nextSection(8L * count);
    CRC32C crc = new CRC32C();
    LongBuffer piece = chunk.asLongBuffer();
    for (int done = 0; done < count; done += piece.capacity()) {
      int length = Math.min(piece.capacity(), count - done);
      piece.put(0, words, from + done, length);
      writeChunk(8 * length, crc);
    }
    endSection(payload, crc);
  }

  /** Writes bytes as the next section. */
  public void bytes(byte[] bytes) throws IOException {
    long payload = nextSection(bytes.length);
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length);
    out.write(bytes);
    endSection(payload, crc);
  }

  /** Ends the filter; every section of the header must have been written. */
  public void end() {
    if (section != header.sectionBytes().size()) {
      throw new IllegalStateException(
          "wrote " + section + " of " + header.sectionBytes().size() + " sections");
    }
  }

  private long nextSection(long payload) {
    long declared = header.sectionBytes().get(section++);
    if (declared != payload) {
      throw new IllegalStateException(
          "section of " + payload + " bytes where the header says " + declared);
    }
    return payload;
  }

  private void endSection(long payload, CRC32C crc) throws IOException {
    int padding = (int) (FilterHeader.paddedSection(payload) - payload - 4);
    Arrays.fill(chunk.array(), 0, padding, (byte) 0);
    writeChunk(padding, crc);
    chunk.putInt(0, (int) crc.getValue());
    out.write(chunk.array(), 0, 4);
  }

  private void writeChunk(int length, CRC32C crc) throws IOException {
    crc.update(chunk.array(), 0, length);
    out.write(chunk.array(), 0, length);
  }

  /** Something that writes itself to a stream. */
  @FunctionalInterface
  public interface Content {
    /** Writes all of it. */
    void writeTo(OutputStream out) throws IOException;
  }

  /** Writes to memory. */
  public static byte[] toBytes(Content content) throws IOException {
    ExactBytes out = new ExactBytes();
    content.writeTo(out);
    return out.toBytes();
  }

  /**
   * Writes a file aside and renames it, so that the path never holds half a filter: it has the old
   * content or the new one, also after a crash. A device or a pipe is written as it is.
   */
  public static void writeFile(Path path, Content content) throws IOException {
    boolean exists = Files.exists(path);
    if (exists && !Files.isRegularFile(path)) {
      try (FileChannel device = FileChannel.open(path, WRITE)) {
        write(device, content);
      }
      return;
    }
    Path target = exists ? path.toRealPath() : path.toAbsolutePath();
    String unique = ProcessHandle.current().pid() + "-" + ASIDE.incrementAndGet();
    Path aside = target.resolveSibling("." + target.getFileName() + "." + unique + ".part");
    try {
      try (FileChannel file = FileChannel.open(aside, CREATE_NEW, WRITE)) {
        write(file, content);
        file.force(true);
      }
      keepPermissions(target, aside);
      replace(aside, target);
    } finally {
      Files.deleteIfExists(aside);
    }
  }

  private static void write(FileChannel file, Content content) throws IOException {
    OutputStream out = new BufferedOutputStream(Channels.newOutputStream(file), CHUNK_BYTES);
    content.writeTo(out);
    out.flush();
  }

  private static void keepPermissions(Path from, Path to) throws IOException {
    PosixFileAttributeView old = Files.getFileAttributeView(from, PosixFileAttributeView.class);
    if (old != null && Files.exists(from)) {
      Files.setPosixFilePermissions(to, old.readAttributes().permissions());
    }
  }

  private static void replace(Path aside, Path target) throws IOException {
    try {
      Files.move(aside, target, ATOMIC_MOVE, REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(aside, target, REPLACE_EXISTING);
    }
  }
}
