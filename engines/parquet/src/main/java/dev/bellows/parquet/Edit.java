package dev.bellows.parquet;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;

/**
 * A region of the old file and what takes its place in the new one.
 *
 * @param chunk the column chunk that the region belongs to
 * @param isFilter whether the region is its filter; otherwise it is its offset index
 * @param from the first byte of the region
 * @param to the byte after it; the same for something that is added
 * @param length the length of what takes its place; 0 if it is left out
 * @param content what takes its place
 */
record Edit(Chunk chunk, boolean isFilter, long from, long to, long length, Content content) {
  /** Bytes of the new file, perhaps made from the old one. */
  @FunctionalInterface
  interface Content {
    /** Nothing. */
    Content NONE = (old, out) -> {};

    void write(FileChannel old, OutputStream out) throws IOException;
  }

  /** Returns the new offset index of a chunk. */
  static Edit index(Chunk chunk, long from, long to, byte[] bytes) {
    return new Edit(chunk, false, from, to, bytes.length, (old, out) -> out.write(bytes));
  }

  /** Returns the new filter of a chunk, in the place of an old one. */
  static Edit filter(ChunkFilter old, long length, Content content) {
    return new Edit(old.chunk(), true, old.offset(), old.offset() + old.length(), length, content);
  }

  /** Returns a filter that a chunk did not have, right before the footer. */
  static Edit added(Chunk chunk, Footer footer, byte[] bytes) {
    return new Edit(
        chunk, true, footer.start(), footer.start(), bytes.length, (old, out) -> out.write(bytes));
  }
}
