package dev.bellows.cli;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A bag of hashes that need not fit into memory: it counts and lists its distinct ones exactly.
 *
 * <p>Hashes are divided by their upper 8 bits. Each part collects them in a small buffer; a full
 * buffer is sorted, repetitions are dropped, and only if it is still nearly full does it go, as one
 * run, to a temporary file. A part is later read back and sorted by itself, so memory holds one
 * part at a time, or one slice of it if even that is too large. A few hundred thousand distinct
 * hashes, however often they repeat, never touch the disk. The file is unlinked when it is opened
 * (where the system can), so no end of the process leaves it behind.
 */
final class HashSpill implements Closeable {
  private static final int PART_BITS = 8;
  private static final int PARTS = 1 << PART_BITS;
  private static final int MOST_SLICE_BITS = 24;

  private final int bufferSize;
  private final int mostInMemory;
  private final Part[] parts = new Part[PARTS];
  private final ByteBuffer transfer;
  private @Nullable FileChannel file;
  private long fileBytes;

  /** Hashes of one slice, sorted and distinct. */
  interface Slice {
    void accept(long[] hashes, int count) throws IOException;
  }

  HashSpill() {
    // a slice may take a quarter of the heap
    this(2048, (int) Math.min(1 << 27, Runtime.getRuntime().maxMemory() / 4 / Long.BYTES));
  }

  HashSpill(int bufferSize, int mostInMemory) {
    this.bufferSize = bufferSize;
    this.mostInMemory = mostInMemory;
    this.transfer =
        ByteBuffer.allocateDirect(bufferSize * Long.BYTES).order(ByteOrder.nativeOrder());
    for (int i = 0; i < PARTS; i++) {
      parts[i] = new Part();
    }
  }

  private static final class Part {
    long[] buffer = {};
    int buffered;
    long[] runs = {};
    int runCount;
    long spilled;

    long size() {
      return spilled + buffered;
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
    part.buffered = sortDistinct(part.buffer, part.buffered);
    if (part.buffered > bufferSize / 4 * 3) {
      spill(part);
    }
  }

  private void spill(Part part) throws IOException {
    if (part.runs.length < 2 * part.runCount + 2) {
      part.runs = Arrays.copyOf(part.runs, Math.max(16, 2 * part.runs.length));
    }
    part.runs[2 * part.runCount] = fileBytes;
    part.runs[2 * part.runCount + 1] = part.buffered;
    part.runCount++;
    part.spilled += part.buffered;
    transfer.clear();
    transfer.asLongBuffer().put(part.buffer, 0, part.buffered);
    transfer.limit(part.buffered * Long.BYTES);
    FileChannel channel = file();
    while (transfer.hasRemaining()) {
      fileBytes += channel.write(transfer, fileBytes);
    }
    part.buffered = 0;
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
    }
    return file;
  }

  /** The number of distinct hashes. */
  long distinct() throws IOException {
    long[] total = {0};
    int bits = sliceBits();
    for (long slice = 0; slice < 1L << bits; slice++) {
      slice(bits, slice, (hashes, count) -> total[0] += count);
    }
    return total[0];
  }

  /** How many upper bits to divide hashes by so that every slice fits into memory. */
  int sliceBits() {
    long largest = 0;
    for (Part part : parts) {
      largest = Math.max(largest, part.size());
    }
    int bits = PART_BITS;
    while (bits < MOST_SLICE_BITS && largest >> (bits - PART_BITS) > mostInMemory / 2) {
      bits++;
    }
    return bits;
  }

  /** The distinct hashes whose upper {@code bits} bits, at least 8, are {@code slice}. */
  void slice(int bits, long slice, Slice consumer) throws IOException {
    Part part = parts[(int) (slice >>> (bits - PART_BITS))];
    Collected collected = new Collected(bits, slice, part.size());
    eachRun(part, collected::add);
    consumer.accept(collected.hashes, sortDistinct(collected.hashes, collected.count));
  }

  /** Every hash that was added, some of the repetitions left out, in groups. */
  void forEach(Slice consumer) throws IOException {
    for (Part part : parts) {
      eachRun(part, consumer);
    }
  }

  private void eachRun(Part part, Slice consumer) throws IOException {
    consumer.accept(part.buffer, part.buffered);
    long[] run = new long[part.runCount == 0 ? 0 : bufferSize];
    for (int i = 0; i < part.runCount; i++) {
      long offset = part.runs[2 * i];
      int count = (int) part.runs[2 * i + 1];
      transfer.clear().limit(count * Long.BYTES);
      FileChannel channel = file();
      while (transfer.hasRemaining()) {
        int read = channel.read(transfer, offset);
        if (read < 0) {
          throw new IOException("the temporary file ended early");
        }
        offset += read;
      }
      transfer.flip();
      transfer.asLongBuffer().get(run, 0, count);
      consumer.accept(run, count);
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

  private static int sortDistinct(long[] hashes, int count) {
    Arrays.sort(hashes, 0, count);
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (kept == 0 || hashes[i] != hashes[kept - 1]) {
        hashes[kept++] = hashes[i];
      }
    }
    return kept;
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
