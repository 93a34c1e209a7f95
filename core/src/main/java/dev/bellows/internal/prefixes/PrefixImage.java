package dev.bellows.internal.prefixes;

import static dev.bellows.internal.prefixes.PrefixChunk.BUCKETS;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.function.LongConsumer;

/**
 * The chunks of a store as bytes, in their in-memory form: much faster to write and to read than
 * encoded prefixes, but slightly larger.
 *
 * <p>Each chunk consists of its address (8 bytes), the number of its words after the head (4), its
 * depth, width and number of tag bits (1 each), a zero (1), the numbers of packed and of spilled
 * slots (4 each), and the words. Chunks are contiguous, starting at address 0. The last one is
 * followed by the number of copies (8 bytes) and the sticky length (4 bytes). All numbers are
 * little-endian.
 */
public final class PrefixImage {
  private static final int HEADER = 24;
  private static final int ENDING = 12;

  /**
   * More words than the largest chunk has: one with the maximum number of slots, of 63 bits each.
   */
  private static final int MOST_WORDS = 1 << 15;

  private static final int BUFFER_BYTES = HEADER + Long.BYTES * MOST_WORDS;

  /**
   * The depth that chunks may have in any case, at which the directory takes 64 MiB. Deeper chunks
   * must be justified by their number.
   */
  private static final int ALWAYS = 24;

  private static final int MOST_DEPTH = 30;

  private final PrefixStore store;

  /** Copies of the chunks of a store that is not a set and may change in the meantime. */
  private final List<long[]> copies;

  private PrefixImage(PrefixStore store, List<long[]> copies) {
    this.store = store;
    this.copies = copies;
  }

  /**
   * Returns the image of a store that is read while the image is written. It may include concurrent
   * puts.
   */
  public static PrefixImage live(PrefixStore store) {
    return new PrefixImage(store, List.of());
  }

  /**
   * Returns the image of a store that no thread changes during this call, with a copy of its
   * chunks.
   */
  public static PrefixImage exact(PrefixStore store) {
    List<long[]> copies = new ArrayList<>();
    long address = 0;
    do {
      long[] copy = store.chunkCopy(address);
      copies.add(copy);
      address = PrefixChunk.behind(copy[0], address);
    } while (address != 0);
    return new PrefixImage(store, copies);
  }

  /** Writes the image. Other threads may put, but nothing may be removed from a live store. */
  public void writeTo(OutputStream out) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    long address = 0;
    int index = 0;
    do {
      long[] chunk = copies.isEmpty() ? store.chunkCopy(address) : copies.get(index++);
      write(out, buffer, address, chunk);
      address = PrefixChunk.behind(chunk[0], address);
    } while (address != 0);
    if (buffer.remaining() < HEADER) {
      flush(out, buffer);
    }
    // after the chunks, because splits in the meantime may have created copies
    buffer.putLong(Math.max(0, store.tally().copies())).putInt(store.stickyLength());
    flush(out, buffer);
  }

  private static void write(OutputStream out, ByteBuffer buffer, long address, long[] chunk)
      throws IOException {
    int words = chunk.length - 1;
    if (buffer.remaining() < HEADER + Long.BYTES * words) {
      flush(out, buffer);
    }
    long head = chunk[0];
    buffer.putLong(address).putInt(words);
    buffer.put((byte) PrefixChunk.depth(head)).put((byte) PrefixChunk.width(head));
    buffer.put((byte) PrefixChunk.tagBits(head)).put((byte) 0);
    buffer.putInt(PrefixChunk.packed(head)).putInt(PrefixChunk.spilled(head));
    buffer.asLongBuffer().put(chunk, 1, words);
    buffer.position(buffer.position() + Long.BYTES * words);
  }

  private static void flush(OutputStream out, ByteBuffer buffer) throws IOException {
    out.write(buffer.array(), buffer.arrayOffset(), buffer.position());
    buffer.clear();
  }

  /**
   * Fills an empty store from an image, which is untrusted input.
   *
   * @param limit receives the number of bytes held so far, and may throw
   * @return the store
   * @throws IllegalArgumentException if the bytes are not an image
   */
  public static PrefixStore read(InputStream in, PrefixStore empty, LongConsumer limit)
      throws IOException {
    byte[] header = new byte[HEADER];
    ByteBuffer numbers = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
    byte[] bytes = new byte[BUFFER_BYTES];
    List<long[]> chunks = new ArrayList<>();
    Checks checks = new Checks();
    long held = 0;
    int deepest = 0;
    long address = 0;
    int tagBits = PrefixChunk.tagBits(empty.chunkCopy(0)[0]);
    do {
      readFully(in, header, HEADER);
      int words = numbers.getInt(8);
      if (numbers.getLong(0) != address || words < 1 || words > MOST_WORDS || header[15] != 0) {
        throw new IllegalArgumentException(
            "a chunk of %d words at address %x, but the next address is %x"
                .formatted(words, numbers.getLong(0), address));
      }
      held += 28 + 8L * words;
      limit.accept(held);
      if (bytes.length < 8 * words) {
        bytes = new byte[8 * words];
      }
      readFully(in, bytes, 8 * words);
      long[] chunk = new long[1 + words];
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(chunk, 1, words);
      int depth = header[12];
      if (header[14] != tagBits) {
        throw new IllegalArgumentException(
            "a chunk has tags of %d bits, not %d".formatted(header[14], tagBits));
      }
      if (depth < 0 || depth > MOST_DEPTH || address != PrefixSource.first(address, depth)) {
        throw new IllegalArgumentException(
            "a chunk cannot have depth %d at address %x".formatted(depth, address));
      }
      chunk[0] =
          PrefixChunk.head(
              depth, header[13], tagBits, numbers.getInt(16), numbers.getInt(20), chunk);
      chunks.add(chunk);
      checks.add(chunk);
      deepest = Math.max(deepest, depth);
      address = PrefixChunk.behind(chunk[0], address);
    } while (address != 0);
    int balanced = 32 - Integer.numberOfLeadingZeros(chunks.size());
    if (deepest > Math.max(ALWAYS, balanced + PrefixStore.MOST_DEEPER)) {
      throw new IllegalArgumentException(
          "depth %d is too deep for %d chunks".formatted(deepest, chunks.size()));
    }
    readFully(in, header, ENDING);
    long[] counts = checks.counts();
    long copies = numbers.getLong(0);
    int stickyLength = numbers.getInt(8);
    long total = Arrays.stream(counts).sum();
    if (copies < 0 || copies > total || stickyLength < 0 || stickyLength > Long.SIZE) {
      throw new IllegalArgumentException(
          "%d copies and a sticky length of %d do not fit %d prefixes"
              .formatted(copies, stickyLength, total));
    }
    empty.adopt(chunks, held, limit, counts, copies, stickyLength);
    return empty;
  }

  /** Checks chunks, which takes most of the time of reading, on other cores while more are read. */
  private static final class Checks {
    private static final int AT_ONCE = 1 << 12;

    private final List<ForkJoinTask<long[]>> tasks = new ArrayList<>();
    private List<long[]> next = new ArrayList<>();

    void add(long[] chunk) {
      next.add(chunk);
      if (next.size() == AT_ONCE && ForkJoinPool.getCommonPoolParallelism() > 0) {
        List<long[]> some = next;
        tasks.add(ForkJoinPool.commonPool().submit(() -> counted(some)));
        next = new ArrayList<>();
      }
    }

    /** Returns the number of prefixes of each length; throws if a chunk is not valid. */
    long[] counts() {
      long[] counts = counted(next);
      for (int i = tasks.size() - 1; i >= 0; i--) {
        // the last task first, so that tasks that no other core has begun run here
        long[] some = tasks.get(i).join();
        Arrays.setAll(counts, length -> counts[length] + some[length]);
      }
      return counts;
    }

    private static long[] counted(List<long[]> chunks) {
      long[] counts = new long[PrefixTally.LENGTHS];
      for (long[] chunk : chunks) {
        check(chunk, counts);
      }
      return counts;
    }
  }

  private static void readFully(InputStream in, byte[] into, int length) throws IOException {
    if (in.readNBytes(into, 0, length) < length) {
      throw new EOFException("the image of the chunks is truncated");
    }
  }

  /** Counts the prefixes of a chunk. Throws if it cannot be the result of puts and removals. */
  private static void check(long[] chunk, long[] counts) {
    long head = chunk[0];
    int width = PrefixChunk.width(head);
    int spilled = PrefixChunk.spilled(head);
    int index = 0;
    int spill = 0;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      int packed = PrefixChunk.packed(chunk, bucket);
      long before = 0;
      for (int i = 0;
          i < packed
              || (spill < spilled && PrefixChunk.spilledBucket(chunk, head, spill) == bucket);
          i++) {
        long tagged =
            i < packed
                ? PrefixChunk.slot(chunk, width, index++)
                : PrefixChunk.spilledSlot(chunk, head, spill++);
        long slot = PrefixChunk.untagged(head, tagged);
        require(slot != 0 && (i < packed || packed == PrefixChunk.FULL));
        require(i == 0 || !PrefixChunk.precedes(slot, before));
        int length = PrefixChunk.length(head, slot);
        require(length <= PrefixChunk.MAX_LENGTH);
        counts[length]++;
        before = slot;
      }
    }
    require(index == PrefixChunk.packed(head) && spill == spilled);
  }

  private static void require(boolean isValid) {
    if (!isValid) {
      throw new IllegalArgumentException("the slots of a chunk contradict each other");
    }
  }
}
