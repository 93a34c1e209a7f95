package dev.bellows.internal.files;

import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.bits.WordSink;
import dev.bellows.internal.counters.CounterStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes one filter in one pass: the header, then each section followed by its checksums. A small
 * filter is written in the compact form at the end.
 */
public final class FilterWriter {
  private final OutputStream out;
  private final FilterHeader header;

  /** The sections of the compact form, which is written at the end. */
  private final @Nullable ByteArrayOutputStream body;

  private final ByteBuffer chunk =
      ByteBuffer.allocate(8 * BitStore.CHUNK_WORDS).order(ByteOrder.LITTLE_ENDIAN);
  private int section;

  private FilterWriter(OutputStream out, FilterHeader header) {
    this.out = out;
    this.header = header;
    this.body = header.isCompact() ? new ByteArrayOutputStream((int) header.bodyBytes()) : null;
  }

  /** Writes the header; the sections must follow in the header's order. */
  public static FilterWriter begin(OutputStream out, FilterHeader header) throws IOException {
    if (out instanceof ExactBytes memory) {
      memory.reserve(header.fileBytes());
    }
    if (!header.isCompact()) {
      out.write(FullForm.encode(header));
    }
    return new FilterWriter(out, header);
  }

  /** Writes the bits of a store as the next section. */
  public FilterWriter bits(BitStore store) throws IOException {
    return bits(List.of(store));
  }

  /** Writes the bits of several stores, each in whole words, as the next section. */
  public FilterWriter bits(List<? extends BitStore> stores) throws IOException {
    return words(
        sectionBytes(stores) / Long.BYTES,
        sink -> {
          for (BitStore store : stores) {
            store.passTo(sink);
          }
        });
  }

  /** Returns the length of a section of the bits of several stores. */
  public static long sectionBytes(List<? extends BitStore> stores) {
    return 8 * stores.stream().mapToLong(BitStore::wordCount).sum();
  }

  /** A source of words. */
  @FunctionalInterface
  public interface WordSource {
    /** Passes all words to the sink, at most {@link BitStore#CHUNK_WORDS} at a time. */
    void passTo(WordSink sink) throws IOException;
  }

  /** Writes {@code count} words as the next section. */
  public FilterWriter words(long count, WordSource source) throws IOException {
    SectionChecks checks = nextSection(8 * count);
    LongBuffer piece = chunk.asLongBuffer();
    long[] left = {count};
    source.passTo(
        (words, from, length) -> {
          left[0] -= length;
          piece.put(0, words, from, length);
          write(chunk.array(), 8 * length, checks);
        });
    if (left[0] != 0) {
      throw new IllegalStateException("%d words of %d are missing".formatted(left[0], count));
    }
    return endSection(checks);
  }

  /** Writes the counters as the next section. */
  public FilterWriter counters(CounterStore counters) throws IOException {
    long[] words = counters.words();
    return bits(HeapBits.over(64L * words.length, words, 0));
  }

  /** Writes bytes as the next section. */
  public FilterWriter bytes(byte[] bytes) throws IOException {
    SectionChecks checks = nextSection(bytes.length);
    write(bytes, bytes.length, checks);
    return endSection(checks);
  }

  /** Ends the filter; every section of the header must have been written. */
  public void end() throws IOException {
    if (section != header.sectionBytes().size()) {
      throw new IllegalStateException(
          "wrote " + section + " of " + header.sectionBytes().size() + " sections");
    }
    if (body != null) {
      out.write(CompactForm.encode(header, body.toByteArray()));
    }
  }

  private SectionChecks nextSection(long payload) {
    long declared = header.sectionBytes().get(section++);
    if (declared != payload) {
      throw new IllegalStateException(
          "section of " + payload + " bytes, but the header has " + declared);
    }
    return new SectionChecks(payload);
  }

  private void write(byte[] bytes, int length, SectionChecks checks) throws IOException {
    if (body != null) {
      body.write(bytes, 0, length);
      return;
    }
    checks.update(bytes, 0, length);
    out.write(bytes, 0, length);
  }

  private FilterWriter endSection(SectionChecks checks) throws IOException {
    if (body == null) {
      out.write(checks.ending());
    }
    return this;
  }

  /** Content that can be written to a stream. */
  @FunctionalInterface
  public interface Content {
    /** Writes the whole content. */
    void writeTo(OutputStream out) throws IOException;
  }

  /** Writes content to memory and returns the bytes. */
  public static byte[] toBytes(Content content) {
    ExactBytes out = new ExactBytes();
    try {
      content.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toBytes();
  }
}
