package dev.bellows.parquet;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A Parquet file with other filters, planned but not written: the pages, statistics, encodings and
 * key-value metadata are those of the old file, byte for byte.
 *
 * <p>Nothing is decoded. The old file is copied once, from its beginning to its end, with the new
 * filters in the place of the old ones, and with a footer whose offsets are moved along.
 */
public final class ParquetRewrite {
  private final Path source;
  private final Stamp stamp;
  private final ParquetCopy copy;

  /**
   * What tells a file from another one that takes its place, perhaps with the same length and time,
   * and from itself once changed.
   */
  private record Stamp(@Nullable Object key, long bytes, FileTime modified) {
    static Stamp of(Path path) throws IOException {
      BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
      return new Stamp(now.fileKey(), now.size(), now.lastModifiedTime());
    }
  }

  private ParquetRewrite(Path source, Stamp stamp, ParquetCopy copy) {
    this.source = source;
    this.stamp = stamp;
    this.copy = copy;
  }

  static ParquetRewrite plan(Path source, ParquetCopy.Editor editor) throws IOException {
    Stamp stamp = Stamp.of(source);
    try (FileChannel file = FileChannel.open(source, StandardOpenOption.READ)) {
      return new ParquetRewrite(source, stamp, ParquetCopy.plan(file, editor, null));
    }
  }

  /** Returns the file that it changes. */
  public Path source() {
    return source;
  }

  /** Returns the length of the file as it is. */
  public long bytesBefore() {
    return stamp.bytes;
  }

  /** Returns the length of the file to be written. */
  public long bytesAfter() {
    return copy.bytesAfter();
  }

  /** Returns every filter, those that stay as they are among them. */
  public List<FilterChange> filters() {
    return copy.filters();
  }

  /** Returns the filters that change. */
  public List<FilterChange> changes() {
    return copy.changes();
  }

  /**
   * Writes a temporary file and renames it to a path other than that of the old file. A path that
   * is new takes the mode of the old file.
   *
   * @throws IllegalArgumentException if the path is the old file's, or inside the folder of a table
   *     format, which records the lengths of its files
   */
  public void writeTo(Path path) throws IOException {
    if (Files.exists(path) && Files.isSameFile(path, source)) {
      throw new IllegalArgumentException(
          path
              + " is the file to be read: write to another path, or say that it is to be replaced"
              + " in place");
    }
    replace(path);
  }

  /**
   * Writes a temporary file and renames it to the path of the old file; of a symbolic link, to the
   * file that it leads to. Whatever recorded the length of the file or an offset in it has to be
   * updated.
   *
   * <p>If another program changed or replaced the file since it was read, nothing is written. The
   * last check comes right before the rename, but a program that does not wait for the lock of this
   * one can still replace the file between the two, and what it wrote is then lost: no portable
   * file system call replaces a file only if it is still a given one. Moving the old file away
   * first would close this window and open a worse one, in which the path does not exist and
   * readers of the folder miss the file.
   *
   * @throws IllegalArgumentException if it lies inside the folder of a table format, which records
   *     the lengths of its files
   */
  public void writeInPlace() throws IOException {
    replace(source);
  }

  private void replace(Path path) throws IOException {
    TableFolders.requireNone(path);
    WholeFile.write(path, out -> writeTo(path, out, done -> {}), source);
  }

  /**
   * Writes the new file for a path: the checksums that Hadoop keeps of an old file there, or where
   * a link leads to, are deleted.
   */
  public void writeTo(Path path, OutputStream out, LongConsumer progress) throws IOException {
    writeTo(out, progress);
    if (path.getFileSystem() instanceof RemoteStore) {
      return; // the store keeps its own checksums
    }
    Files.deleteIfExists(TableFolders.checksumOf(path));
    if (Files.isSymbolicLink(path) && Files.exists(path)) {
      Files.deleteIfExists(TableFolders.checksumOf(path.toRealPath()));
    }
  }

  /**
   * Writes the new file to a stream.
   *
   * @param progress is told the bytes of the old file that are done, piece by piece
   * @throws IOException if the old file was changed since it was read, among others; what was
   *     written is of no use then
   */
  public void writeTo(OutputStream out, LongConsumer progress) throws IOException {
    requireUnchanged();
    try (FileChannel file = FileChannel.open(source, StandardOpenOption.READ)) {
      copy.writeTo(file, out, progress);
    }
    requireUnchanged();
  }

  private void requireUnchanged() throws IOException {
    if (!stamp.equals(Stamp.of(source))) {
      throw new IOException(
          source
              + " was changed by another program in the meantime; nothing was written: try again");
    }
  }
}
