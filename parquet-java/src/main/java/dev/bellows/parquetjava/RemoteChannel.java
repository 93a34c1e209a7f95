package dev.bellows.parquetjava;

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
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;

/**
 * A remote file, read at offsets. A request costs more than the bytes of a small answer, so that
 * small reads take whole pages of {@value #PAGE_BYTES} bytes, which answer those that follow: the
 * end of a file together with its footer, the headers of filters together with their bits. The last
 * page ends with the file. The length is that of the moment of opening.
 */
final class RemoteChannel extends FileChannel {
  static final int PAGE_BYTES = 1 << 15;

  /** Pages that are kept. */
  private static final int MOST_PAGES = 64;

  private static final int PIECE_BYTES = 1 << 20;

  private final FSDataInputStream in;
  private final long size;
  private final String name;
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

  private RemoteChannel(FSDataInputStream in, long size, String name) {
    this.in = in;
    this.size = size;
    this.name = name;
  }

  static RemoteChannel open(FileSystem files, FileStatus status, String name) throws IOException {
    // with its status, so that the store is not asked for it again
    FSDataInputStream in;
    try {
      in = files.openFile(status.getPath()).withFileStatus(status).build().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (java.util.concurrent.ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    }
    return new RemoteChannel(in, status.getLen(), name);
  }

  /** Reads at least one byte; of a small read, what one page has of it. */
  @Override
  public synchronized int read(ByteBuffer target, long from) throws IOException {
    if (from >= size) {
      return -1;
    }
    int length = (int) Math.min(Math.min(target.remaining(), PIECE_BYTES), size - from);
    try {
      if (length >= PAGE_BYTES) {
        byte[] bytes = new byte[length];
        in.readFully(from, bytes, 0, length);
        target.put(bytes);
        return length;
      }
      long number = (from + shift()) / PAGE_BYTES;
      long start = Math.max(0, number * PAGE_BYTES - shift());
      byte[] page = pages.get(number);
      if (page == null) {
        page = new byte[(int) ((number + 1) * PAGE_BYTES - shift() - start)];
        in.readFully(start, page, 0, page.length);
        pages.put(number, page);
      }
      int inPage = (int) (from - start);
      int read = Math.min(length, page.length - inPage);
      target.put(page, inPage, read);
      return read;
    } catch (IOException e) {
      throw RemoteProvider.named(e, name);
    }
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
  protected void implCloseChannel() throws IOException {
    in.close();
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
