package dev.bellows.internal.codec;

import dev.bellows.internal.store.BitStore;
import dev.bellows.internal.store.CounterStore;
import dev.bellows.internal.store.HeapBits;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/** Writes one filter in one pass: the header, then each section followed by its checksum. */
public final class FilterWriter {
  private static final int CHUNK_BYTES = 1 << 16;

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

  /** Writes the bits of a store as the next section. */
  public void bits(BitStore store) throws IOException {
    bits(List.of(store));
  }

  /** Writes the bits of several stores, each in whole words, as the next section. */
  public void bits(List<? extends BitStore> stores) throws IOException {
    long payload = nextSection(sectionBytes(stores));
    CRC32C crc = new CRC32C();
    LongBuffer piece = chunk.asLongBuffer();
    long[] words = new long[piece.capacity()];
    for (BitStore store : stores) {
      for (long done = 0; done < store.wordCount(); done += words.length) {
        int length = (int) Math.min(words.length, store.wordCount() - done);
        store.copyTo(done, words, 0, length);
        piece.put(0, words, 0, length);
        writeChunk(8 * length, crc);
      }
    }
    endSection(payload, crc);
  }

  /** The length of a section of the bits of several stores. */
  public static long sectionBytes(List<? extends BitStore> stores) {
    return 8 * stores.stream().mapToLong(BitStore::wordCount).sum();
  }

  /** Writes the counters as the next section. */
  public void counters(CounterStore counters) throws IOException {
    long[] words = counters.words();
    bits(HeapBits.over(64L * words.length, words, 0));
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
}
