package dev.bellows.internal.bits;

import dev.bellows.io.FilterFormatException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * An open file whose parts are mapped. It remains the same file even after another file was renamed
 * to its path.
 *
 * <p>The length is queried through a {@link RandomAccessFile}: a channel would be closed for all
 * threads if the querying thread is interrupted.
 */
public final class MappedFile {
  private static final int TRIES = 100;

  private final Path path;
  private final RandomAccessFile file;
  private final Stamp stamp;
  private final @Nullable FileEnd end;
  private volatile boolean closed;

  private MappedFile(Path path, RandomAccessFile file, Stamp stamp) throws IOException {
    this.path = path;
    this.file = file;
    this.stamp = stamp;
    this.end = FileEnd.of(file, stamp.length);
  }

  /** Identifies a file and the version of its content, as far as the file system allows. */
  private record Stamp(@Nullable Object key, long length, FileTime modified) {
    static Stamp of(Path path) throws IOException {
      BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
      if (!file.isRegularFile()) {
        throw new FileSystemException(
            path.toString(), null, "only a regular file can be mapped: read it");
      }
      return new Stamp(file.fileKey(), file.size(), file.lastModifiedTime());
    }
  }

  /** Opens a regular file. */
  public static MappedFile open(Path path) throws IOException {
    Stamp before = Stamp.of(path);
    for (int i = 0; i < TRIES; i++) {
      RandomAccessFile file = openFile(path);
      MappedFile opened = null;
      try {
        Stamp after = Stamp.of(path);
        if (after.equals(before)) {
          opened = new MappedFile(path, file, after);
          return opened;
        }
        // the file was replaced in the meantime, so it is unknown which of the two was opened
        before = after;
      } catch (EOFException e) {
        throw new FileSystemException(
            path.toString(), null, "it was truncated while it was opened");
      } finally {
        if (opened == null) {
          file.close();
        }
      }
    }
    throw new FileSystemException(
        path.toString(), null, "it was changed while it was being opened");
  }

  private static RandomAccessFile openFile(Path path) throws IOException {
    try {
      return new RandomAccessFile(path.toFile(), "r");
    } catch (FileNotFoundException e) {
      throw Files.exists(path) ? new AccessDeniedException(path.toString()) : e;
    }
  }

  /** Returns the length of the file when it was opened. */
  public long length() {
    return stamp.length;
  }

  /**
   * Returns a stream of the bytes starting at the position. Must be used before the file is shared
   * between threads.
   */
  public InputStream input(long position) throws IOException {
    return Channels.newInputStream(file.getChannel().position(position));
  }

  /** Maps the words for this many bits, starting at an offset. */
  MappedWords map(long start, long bits, ByteOrder order) throws IOException {
    return MappedWords.map(file.getChannel(), FileChannel.MapMode.READ_ONLY, start, bits, order);
  }

  /** Returns whether the path now refers to another file, or the file was changed in place. */
  boolean isStale() {
    try {
      return !Stamp.of(path).equals(stamp);
    } catch (IOException e) {
      return true;
    }
  }

  /**
   * Throws if the file was truncated in the page of the bytes before a position, which were read
   * without a fault. It makes a system call only if necessary.
   */
  void requireNotCut(long position) {
    if (end == null || !end.isBehind(position) || !end.isThere()) {
      requireWhole();
    }
  }

  /**
   * Throws if the file was closed or truncated. The fault of an earlier read is thrown here at the
   * latest, as an InternalError that the caller converts to {@link #truncated}.
   */
  void requireWhole() {
    IOException failure = null;
    try {
      if (!closed && file.length() >= stamp.length) {
        return;
      }
    } catch (IOException e) {
      failure = e;
    }
    requireOpen();
    PendingFault.deliver();
    throw failure == null ? truncated(null) : new UncheckedIOException(failure);
  }

  /** Throws the fault of a read, whatever its reason. */
  void reportFault() {
    requireWhole();
    PendingFault.deliver();
  }

  /** Throws if the file was closed; before that, the fault of an earlier read is thrown. */
  void requireOpen() {
    if (closed) {
      PendingFault.deliver();
      throw new IllegalStateException("the mapped filter of " + path + " was closed");
    }
  }

  boolean isClosed() {
    return closed;
  }

  /** Returns the exception for a read beyond the end, which the JVM reports as an InternalError. */
  UncheckedIOException truncated(@Nullable InternalError cause) {
    UncheckedIOException truncated =
        broken(
            stamp.length,
            "%s had %d bytes when it was mapped, and was truncated or cannot be read");
    if (cause != null) {
      truncated.addSuppressed(cause);
    }
    return truncated;
  }

  /** Returns the exception for changed content; the message names the file and the offset. */
  UncheckedIOException broken(long offset, String text) {
    return new UncheckedIOException(
        new FilterFormatException(offset, text.formatted(path, offset)));
  }

  /** Closes the file; mapped memory stays mapped until it is garbage-collected. */
  public void close() {
    closed = true;
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
