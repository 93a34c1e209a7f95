package dev.bellows.internal.files;

import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.FileWords;
import dev.bellows.internal.layout.Origin;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.layout.Shape;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A plain filter that is filled directly in its file, for filters that do not fit on the heap. Keys
 * are put into a mapped temporary file; {@link #commit} adds header and checksums and renames it.
 * Until then, the path keeps its old content. It must be used by a single thread.
 */
public final class FilterFile implements Closeable {
  private static final int ZEROS = 1 << 20;

  /** The number of positions that are computed before their bits are set. */
  private static final int PLACES = 1 << 10;

  private final AtomicFile target;
  private final AtomicFile.Part part;
  private final Shape shape;
  private final Positions positions;
  private final long id;
  private final long[] places;
  private @Nullable FileWords words;

  private FilterFile(AtomicFile target, AtomicFile.Part part, Shape shape, long id)
      throws IOException {
    this.target = target;
    this.part = part;
    this.shape = shape;
    this.positions = shape.positions();
    this.id = id;
    this.places = new long[Math.max(PLACES, positions.hashes())];
    FilterHeader header = header(0);
    long bytes = FullForm.fileBytes(header);
    requireRoom(target.target(), bytes);
    // allocates the file, so that a full disk causes an exception here and not a fault in a later
    // put
    try {
      fillWithZeros(part.channel(), bytes);
    } catch (IOException e) {
      throw target.named(e);
    }
    this.words = FileWords.map(part.channel(), FullForm.headerBytes(header), shape.bits());
  }

  /** Begins the file of an empty filter; waits while another writer holds its path. */
  public static FilterFile begin(Path path, Shape shape, long id) throws IOException {
    if (!AtomicFile.isReplaced(path)) {
      throw new FileSystemException(
          path.toString(), null, "only a regular file can be built in place");
    }
    AtomicFile target = AtomicFile.open(path, PathLock.Waiting.SILENT);
    AtomicFile.Part part = null;
    try {
      part = target.begin();
      return new FilterFile(target, part, shape, id);
    } catch (IOException | RuntimeException e) {
      try (target) {
        if (part != null) {
          part.close();
        }
      }
      throw e;
    }
  }

  private FilterHeader header(long state) {
    return ShapeCodec.plainHeader(shape, Origin.folding(id, state));
  }

  private static void requireRoom(Path file, long bytes) throws IOException {
    Path folder = Objects.requireNonNull(file.getParent(), "a target must be an absolute path");
    long free = Files.getFileStore(folder).getUsableSpace();
    if (bytes > free) {
      throw new FileSystemException(
          file.toString(),
          null,
          ("the filter takes %d bytes and %d are free on its disk: use fewer bits "
                  + "or another disk")
              .formatted(bytes, free));
    }
  }

  private static void fillWithZeros(FileChannel file, long length) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS);
    for (long done = 0; done < length; ) {
      zeros.position(0).limit((int) Math.min(ZEROS, length - done));
      done += file.write(zeros, done);
    }
  }

  /** Puts the key with this hash. */
  public void put(long hash) {
    FileWords filling = words();
    filling.setBits(places, find(hash, 0));
  }

  /**
   * Puts the keys with the hashes in {@code [from, to)}. The positions of many keys are computed
   * before the first bit is set, so that cache misses overlap.
   */
  public void put(long[] hashes, int from, int to) {
    FileWords filling = words();
    int count = 0;
    for (int i = from; i < to; i++) {
      count = find(hashes[i], count);
      if (count + positions.hashes() > places.length) {
        filling.setBits(places, count);
        count = 0;
      }
    }
    filling.setBits(places, count);
  }

  /** Appends the positions of a key to those computed so far, and returns their total number. */
  private int find(long hash, int before) {
    int count = before;
    long value = positions.begin(hash);
    for (int probe = 0; probe < positions.hashes(); probe++) {
      value = positions.step(value, probe);
      places[count++] = positions.at(hash, value, probe);
    }
    return count;
  }

  /** Returns the current false positive rate, computed from the number of ones in one pass. */
  public double expectedFpp() {
    return shape.layout().fppFromOnes(shape.bits(), words().ones(), 1);
  }

  /**
   * Completes the file and renames it; afterwards it accepts no more keys.
   *
   * @param opening is called while no other writer can replace the file
   */
  public <T> T commit(FilterReader.Reading<T> opening) throws IOException {
    FileWords filled = words();
    words = null;
    try (target;
        part) {
      FilterHeader header = header(id == 0 ? 0 : filled.contentHash());
      if (header.isCompact()) {
        writeCompact(header, filled);
      } else {
        writeFull(header, filled);
      }
      part.commit();
      return opening.read();
    }
  }

  private void writeFull(FilterHeader header, FileWords filled) throws IOException {
    writeFully(part.channel(), FullForm.encode(header), 0);
    long payload = header.sectionBytes().get(0);
    SectionChecks checks = new SectionChecks(payload);
    // checksums are computed from a copy on the heap: a fault in its own checksum code crashes the
    // JVM
    ByteBuffer bytes = ByteBuffer.allocate(8 * BitStore.CHUNK_WORDS).order(ByteOrder.LITTLE_ENDIAN);
    LongBuffer longs = bytes.asLongBuffer();
    filled.passTo(
        (chunk, from, length) -> {
          longs.put(0, chunk, from, length);
          checks.update(bytes.array(), 0, 8 * length);
        });
    writeFully(part.channel(), checks.ending(), FullForm.headerBytes(header) + payload);
    filled.force();
  }

  /** Reads a small filter back and writes it in the compact form. */
  private void writeCompact(FilterHeader header, FileWords filled) throws IOException {
    byte[] bytes = FilterWriter.toBytes(out -> FilterWriter.begin(out, header).bits(filled).end());
    part.channel().truncate(0);
    writeFully(part.channel(), bytes, 0);
  }

  private static void writeFully(FileChannel file, byte[] bytes, long at) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(bytes);
    while (left.hasRemaining()) {
      file.write(left, at + left.position());
    }
  }

  private FileWords words() {
    FileWords filling = words;
    if (filling == null) {
      throw new IllegalStateException(
          "the filter was built and this loader is closed: put keys into the filter, or create a"
              + " new loader");
    }
    return filling;
  }

  /** Discards an uncommitted filter and deletes its temporary file. */
  @Override
  public void close() throws IOException {
    words = null;
    try (target) {
      part.close();
    }
  }
}
