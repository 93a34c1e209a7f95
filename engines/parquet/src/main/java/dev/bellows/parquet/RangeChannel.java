package dev.bellows.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A file on any store, read at offsets: what a store that has no {@link java.nio.file.Path paths}
 * implements so that this package can read its files.
 *
 * <p>A request costs more than the bytes of a small answer, so that small reads take whole pages of
 * {@value #PAGE_BYTES} bytes, which answer those that follow: the end of a file together with its
 * footer, the headers of filters together with their bits. The last page ends with the file.
 */
public abstract class RangeChannel extends FileChannel {
  /** The size of a page. */
  public static final int PAGE_BYTES = 1 << 15;

  /** Pages that are kept. */
  private static final int MOST_PAGES = 64;

  private static final int PIECE_BYTES = 1 << 20;

  private final long size;
  private long position;

  /** The pages that were read last, by their numbers; page 0 may be shorter. */
  private final Map<Long, byte[]> pages =
      new LinkedHashMap<>(MOST_PAGES, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, byte[]> eldest) {
          return size() > MOST_PAGES;
        }
      };

  /**
   * A file.
   *
   * @param size its length, which never changes
   */
  protected RangeChannel(long size) {
    this.size = size;
  }

  /** Reads all bytes of the target, from an offset of the file. */
  protected abstract void readFully(long from, byte[] target) throws IOException;

  /** Reads at least one byte; of a small read, what one page has of it. */
  @Override
  public synchronized int read(ByteBuffer target, long from) throws IOException {
    if (from >= size) {
      return -1;
    }
    int length = (int) Math.min(Math.min(target.remaining(), PIECE_BYTES), size - from);
    if (length >= PAGE_BYTES) {
      byte[] bytes = new byte[length];
      readFully(from, bytes);
      target.put(bytes);
      return length;
    }
    long number = (from + shift()) / PAGE_BYTES;
    long start = Math.max(0, number * PAGE_BYTES - shift());
    byte[] page = pages.get(number);
    if (page == null) {
      page = new byte[(int) ((number + 1) * PAGE_BYTES - shift() - start)];
      readFully(start, page);
      pages.put(number, page);
    }
    int inPage = (int) (from - start);
    int read = Math.min(length, page.length - inPage);
    target.put(page, inPage, read);
    return read;
  }

  /** Returns what page 0 lacks, so that the last page ends with the file. */
  private long shift() {
    return Math.floorMod(-size, PAGE_BYTES);
  }

  @Override
  public synchronized int read(ByteBuffer target) throws IOException {
    int read = read(target, position);
    position += Math.max(0, read);
    return read;
  }

  @Override
  public long read(ByteBuffer[] targets, int from, int length) throws IOException {
    long all = 0;
    for (int i = from; i < from + length; i++) {
      while (targets[i].hasRemaining()) {
        int read = read(targets[i]);
        if (read < 0) {
          return all == 0 ? -1 : all;
        }
        all += read;
      }
    }
    return all;
  }

  @Override
  public long transferTo(long from, long count, WritableByteChannel target) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate((int) Math.min(count, PIECE_BYTES));
    long done = 0;
    while (done < count) {
      piece.clear().limit((int) Math.min(piece.capacity(), count - done));
      int read = read(piece, from + done);
      if (read < 0) {
        break;
      }
      piece.flip();
      while (piece.hasRemaining()) {
        target.write(piece);
      }
      done += read;
    }
    return done;
  }

  @Override
  public synchronized long position() {
    return position;
  }

  @Override
  public synchronized FileChannel position(long newPosition) {
    position = newPosition;
    return this;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public int write(ByteBuffer source) {
    throw new NonWritableChannelException();
  }

  @Override
  public long write(ByteBuffer[] sources, int from, int length) {
    throw new NonWritableChannelException();
  }

  @Override
  public int write(ByteBuffer source, long at) {
    throw new NonWritableChannelException();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long from, long count) {
    throw new NonWritableChannelException();
  }

  @Override
  public FileChannel truncate(long newSize) {
    throw new NonWritableChannelException();
  }

  @Override
  public void force(boolean metaData) {}

  @Override
  public MappedByteBuffer map(MapMode mode, long from, long length) {
    throw new UnsupportedOperationException("a remote file is not mapped");
  }

  @Override
  public FileLock lock(long from, long length, boolean isShared) {
    throw new UnsupportedOperationException("a remote file is not locked");
  }

  @Override
  public FileLock tryLock(long from, long length, boolean isShared) {
    throw new UnsupportedOperationException("a remote file is not locked");
  }
}
