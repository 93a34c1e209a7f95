package dev.bellows.cli.keys;

import dev.bellows.cli.console.CommandFailure;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A bag of hashes that need not fit into memory: it counts and lists its distinct ones exactly.
 *
 * <p>Hashes are divided by their upper 8 bits. Each part collects them in a small buffer; from a
 * full buffer repetitions are dropped, and only if it is still nearly full is it set aside as one
 * run: in memory as long as a sixteenth of the heap holds all runs, then in a temporary file. Later
 * each part is processed by itself, or slice by slice if it is too large for memory. A few hundred
 * thousand distinct hashes, however often they repeat, stay in the buffers. The file is unlinked
 * when it is opened (if the system supports that), so it disappears however the process ends.
 */
public final class HashSpill implements Closeable {
  private static final int PART_BITS = 8;
  private static final int PARTS = 1 << PART_BITS;
  private static final int MOST_SLICE_BITS = 24;
  private static final int MOST_IN_TABLE = 1 << 20;

  private final int bufferSize;
  private final int mostInMemory;
  private final long mostInRuns;
  private final Part[] parts = new Part[PARTS];
  private final Distinct distinctHashes = new Distinct();
  private long inRuns;
  private ByteBuffer transfer = ByteBuffer.allocate(0);
  private @Nullable FileChannel file;
  private long fileBytes;

  public HashSpill() {
    // a slice may take a quarter of the heap, in addition to the runs in a sixteenth
    this(
        2048,
        (int) Math.min(1 << 27, Runtime.getRuntime().maxMemory() / 4 / Long.BYTES),
        Runtime.getRuntime().maxMemory() / 16 / Long.BYTES);
  }

  /**
   * Creates one with other limits.
   *
   * @param bufferSize the maximum number of hashes of a run
   * @param mostInMemory the maximum number of hashes of a slice
   * @param mostInRuns the maximum number of hashes of all runs that stay in memory
   */
  public HashSpill(int bufferSize, int mostInMemory, long mostInRuns) {
    this.bufferSize = bufferSize;
    this.mostInMemory = mostInMemory;
    this.mostInRuns = mostInRuns;
    Arrays.setAll(parts, i -> new Part());
  }

  private static final class Part {
    long[] buffer = {};
    int buffered;

    /** Those in memory. */
    final List<long[]> runs = new ArrayList<>();

    /** Those in the file. */
    final List<FileRun> fileRuns = new ArrayList<>();

    long setAside;

    long size() {
      return setAside + buffered;
    }
  }

  /** Where a run begins in the file, and how many hashes it has. */
  private record FileRun(long offset, int count) {}

  /** Adds every hash of a group. */
  public void add(long[] hashes, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      add(hashes[i]);
    }
  }

  void add(long hash) throws IOException {
    Part part = parts[(int) (hash >>> (Long.SIZE - PART_BITS))];
    if (part.buffered == part.buffer.length) {
      makeRoom(part);
    }
    part.buffer[part.buffered++] = hash;
  }

  private void makeRoom(Part part) throws IOException {
    if (part.buffer.length < bufferSize) {
      part.buffer =
          Arrays.copyOf(part.buffer, Math.min(bufferSize, Math.max(16, 2 * part.buffer.length)));
      return;
    }
    part.buffered = distinctHashes.keepFirst(part.buffer, part.buffered);
    if (part.buffered > bufferSize / 4 * 3) {
      setAside(part);
    }
  }

  private void setAside(Part part) throws IOException {
    part.setAside += part.buffered;
    if (inRuns + part.buffered <= mostInRuns) {
      inRuns += part.buffered;
      boolean isFull = part.buffered == part.buffer.length;
      part.runs.add(isFull ? part.buffer : Arrays.copyOf(part.buffer, part.buffered));
      part.buffer = isFull ? new long[bufferSize] : part.buffer;
    } else {
      write(part);
    }
    part.buffered = 0;
  }

  private void write(Part part) throws IOException {
    part.fileRuns.add(new FileRun(fileBytes, part.buffered));
    try {
      FileChannel channel = file();
      ByteBuffer bytes = transfer.clear().limit(part.buffered * Long.BYTES);
      bytes.asLongBuffer().put(part.buffer, 0, part.buffered);
      while (bytes.hasRemaining()) {
        fileBytes += channel.write(bytes, fileBytes);
      }
    } catch (IOException e) {
      throw new CommandFailure(
          ("%s, the folder for temporary files: %s; --keys N needs none, or name "
                  + "another folder: BELLOWS_JAVA_OPTS=-Djava.io.tmpdir=FOLDER")
              .formatted(System.getProperty("java.io.tmpdir"), reason(e)),
          e);
    }
  }

  /** The reason, without the name of a file that the user does not know. */
  private static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such folder";
    }
    if (e instanceof AccessDeniedException) {
      return "no permission";
    }
    return String.valueOf(
        e instanceof FileSystemException known ? known.getReason() : e.getMessage());
  }

  private FileChannel file() throws IOException {
    if (file == null) {
      Path path = Files.createTempFile("bellows", ".spill");
      file =
          FileChannel.open(
              path,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
      transfer = ByteBuffer.allocateDirect(bufferSize * Long.BYTES).order(ByteOrder.nativeOrder());
    }
    return file;
  }

  /** Into how many slices it is divided to be counted. */
  public long slices() {
    return 1L << sliceBits();
  }

  /** Returns how many hashes it holds, with the repetitions that it has not dropped. */
  public long size() {
    return Arrays.stream(parts).mapToLong(Part::size).sum();
  }

  /** Returns the number of distinct hashes; passes each slice to the consumer. */
  public long distinct(LongConsumer slicesDone) throws IOException {
    long total = 0;
    int bits = sliceBits();
    for (long slice = 0; slice < 1L << bits; slice++) {
      total += keepDistinct(collect(bits, slice));
      slicesDone.accept(1);
    }
    return total;
  }

  /** Returns how many upper bits to divide hashes by so that every slice fits into memory. */
  public int sliceBits() {
    long largest = Arrays.stream(parts).mapToLong(Part::size).max().orElse(0);
    int bits = PART_BITS;
    while (bits < MOST_SLICE_BITS && largest >> (bits - PART_BITS) > mostInMemory / 2) {
      bits++;
    }
    return bits;
  }

  /**
   * The distinct hashes whose upper {@code bits} bits, at least 8, are {@code slice}, sorted; the
   * consumer may change the array.
   */
  public void slice(int bits, long slice, KeyCode.Group consumer) throws IOException {
    Collected collected = collect(bits, slice);
    int count = keepDistinct(collected);
    Arrays.sort(collected.hashes, 0, count);
    consumer.accept(collected.hashes, count);
  }

  /** Uses a table, or sorts if that would be large: sorting needs no memory but more time. */
  private int keepDistinct(Collected collected) {
    long[] hashes = collected.hashes;
    if (collected.count <= Math.min(MOST_IN_TABLE, mostInMemory / 8)) {
      return distinctHashes.keepFirst(hashes, collected.count);
    }
    Arrays.sort(hashes, 0, collected.count);
    int kept = 0;
    for (int i = 0; i < collected.count; i++) {
      if (kept == 0 || hashes[i] != hashes[kept - 1]) {
        hashes[kept++] = hashes[i];
      }
    }
    return kept;
  }

  private Collected collect(int bits, long slice) throws IOException {
    Part part = parts[(int) (slice >>> (bits - PART_BITS))];
    Collected collected = new Collected(bits, slice, part.size());
    eachRun(part, collected::add);
    return collected;
  }

  /** Every hash that was added, some of the repetitions left out, in groups. */
  public void forEach(KeyCode.Group consumer) throws IOException {
    for (Part part : parts) {
      eachRun(part, consumer);
    }
  }

  private void eachRun(Part part, KeyCode.Group consumer) throws IOException {
    consumer.accept(part.buffer, part.buffered);
    for (long[] run : part.runs) {
      consumer.accept(run, run.length);
    }
    long[] hashes = new long[part.fileRuns.isEmpty() ? 0 : bufferSize];
    for (FileRun run : part.fileRuns) {
      long offset = run.offset;
      FileChannel channel = file();
      ByteBuffer bytes = transfer.clear().limit(run.count * Long.BYTES);
      while (bytes.hasRemaining()) {
        int read = channel.read(bytes, offset);
        if (read < 0) {
          throw new IOException("the temporary file is truncated");
        }
        offset += read;
      }
      bytes.flip();
      bytes.asLongBuffer().get(hashes, 0, run.count);
      consumer.accept(hashes, run.count);
    }
  }

  private static final class Collected {
    final int shift;
    final long slice;
    long[] hashes;
    int count;

    Collected(int bits, long slice, long partSize) {
      this.shift = Long.SIZE - bits;
      this.slice = slice;
      this.hashes = new long[(int) Math.max(16, partSize >> (bits - PART_BITS))];
    }

    void add(long[] run, int length) {
      for (int i = 0; i < length; i++) {
        if (run[i] >>> shift == slice) {
          if (count == hashes.length) {
            hashes = Arrays.copyOf(hashes, hashes.length + hashes.length / 2);
          }
          hashes[count++] = run[i];
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }

  /** Drops repetitions from groups of hashes, by a table that is used again. */
  static final class Distinct {
    /** 2^64 divided by the golden ratio: also spreads codes that are not hashes. */
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    private long[] table = {};

    /** Moves the first of each hash to the front, in order, and returns how many there are. */
    int keepFirst(long[] hashes, int count) {
      int size = 2 * Integer.highestOneBit(Math.max(1, 2 * count - 1)); // at most half full
      if (table.length < size) {
        table = new long[size];
      } else {
        Arrays.fill(table, 0, size, 0);
      }
      int shift = Long.numberOfLeadingZeros(size) + 1;
      boolean hasZero = false; // which marks empty places
      int kept = 0;
      for (int i = 0; i < count; i++) {
        long hash = hashes[i];
        boolean isNew;
        if (hash == 0) {
          isNew = !hasZero;
          hasZero = true;
        } else {
          isNew = add(hash, (int) (hash * SPREAD >>> shift), size - 1);
        }
        if (isNew) {
          hashes[kept++] = hash;
        }
      }
      return kept;
    }

    private boolean add(long hash, int first, int mask) {
      int place = first;
      while (table[place] != 0) {
        if (table[place] == hash) {
          return false;
        }
        place = (place + 1) & mask;
      }
      table[place] = hash;
      return true;
    }
  }
}
