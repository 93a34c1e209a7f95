package dev.bellows.internal.files;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file that is replaced as a whole: the new content is written to a temporary file, synced and
 * renamed, so that the path has either the old or the new content, even after a crash. The {@link
 * PathLock} is held while this object is open: other writers wait, so no update is lost between
 * reading and writing.
 */
public final class AtomicFile implements Closeable {
  private static final int MOST_LINKS = 40;

  private final Path target;

  /** The target as the caller wrote it, for messages. */
  private final Path name;

  private final PartFiles parts;
  private final PathLock lock;
  private @Nullable Stamp seen;

  /** Identifies a file and its version, to detect that it was replaced or changed. */
  private record Stamp(@Nullable Object key, long modified, long size) {
    static @Nullable Stamp of(Path path) throws IOException {
      try {
        BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
        return new Stamp(now.fileKey(), now.lastModifiedTime().toMillis(), now.size());
      } catch (NoSuchFileException e) {
        return null;
      }
    }
  }

  private AtomicFile(Path target, Path name, PartFiles parts, PathLock lock) throws IOException {
    this.target = target;
    this.name = name;
    this.parts = parts;
    this.lock = lock;
    this.seen = Stamp.of(target);
  }

  /** Returns whether a path is replaced as a whole; a device or a pipe is written directly. */
  public static boolean isReplaced(Path path) {
    return !Files.exists(path) || Files.isRegularFile(path);
  }

  /**
   * Returns the file of a path, which may be a symbolic link, for an update that begins with
   * reading it.
   *
   * @param waiting the behavior while another process or thread holds the lock
   */
  public static AtomicFile open(Path path, PathLock.Waiting waiting) throws IOException {
    Path target = resolved(path);
    PartFiles parts = new PartFiles(target);
    PathLock lock;
    try {
      lock = PathLock.acquire(target, waiting);
    } catch (FileSystemException e) {
      throw named(e, path);
    }
    try {
      AtomicFile file = new AtomicFile(target, path, parts, lock);
      parts.sweep();
      return file;
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** Replaces the content of a path; waits while another writer holds it. */
  public static void write(Path path, FilterWriter.Content content) throws IOException {
    if (!isReplaced(path)) {
      try (FileChannel device = FileChannel.open(path, WRITE)) {
        fill(device, path, content);
      }
      return;
    }
    try (AtomicFile file = open(path, PathLock.Waiting.SILENT)) {
      file.replace(content);
    }
  }

  /** Returns the target of symbolic links, which need not exist yet. */
  private static Path resolved(Path path) throws IOException {
    Path at = inRealFolder(path.toAbsolutePath());
    for (int links = 0; Files.isSymbolicLink(at); links++) {
      if (links == MOST_LINKS) {
        throw new FileSystemException(path.toString(), null, "its symbolic links form a cycle");
      }
      at = inRealFolder(at.resolveSibling(Files.readSymbolicLink(at)));
    }
    return at;
  }

  /**
   * Returns a canonical name of a file, because locks inside the JVM are by name. The element
   * before ".." may be a link, so only the file system can resolve it.
   */
  private static Path inRealFolder(Path path) throws IOException {
    Path folder = path.getParent();
    return folder != null && Files.isDirectory(folder)
        ? folder.toRealPath().resolve(path.getFileName()).normalize()
        : path.normalize();
  }

  /**
   * Replaces the content.
   *
   * @throws IOException if writing fails, or if a program that does not take the lock changed the
   *     file since it was opened; the file is then left unchanged
   */
  public void replace(FilterWriter.Content content) throws IOException {
    replace(content, null);
  }

  /**
   * Replaces the content. A file that does not exist yet gets the permissions of {@code model} when
   * it is created, before its content is written.
   */
  public void replace(FilterWriter.Content content, @Nullable Path model) throws IOException {
    try (Part part = new Part(model)) {
      fill(part.channel, name, content);
      part.commit();
    }
  }

  /** Work that needs a temporary file. */
  @FunctionalInterface
  public interface Work<T> {
    /** Runs the work. The file is initially empty and is deleted afterwards. */
    T with(Path room) throws IOException;
  }

  /** Runs work that needs a temporary file, which is created next to this one. */
  public <T> T inRoom(Work<T> work) throws IOException {
    try (Part part = new Part(null)) {
      return work.with(part.path);
    }
  }

  /** Returns the file itself, after following links. */
  Path target() {
    return target;
  }

  /** Begins a new content, in a temporary file. */
  Part begin() throws IOException {
    return new Part(null);
  }

  /** New content in a temporary file, which replaces the old content or is deleted. */
  final class Part implements Closeable {
    private final @Nullable PosixFileAttributes old;
    private final @Nullable PosixFileAttributes mode;
    private final Path path;
    private final FileChannel channel;

    private Part(@Nullable Path model) throws IOException {
      old = attributes(target);
      mode = old == null && model != null ? attributes(model) : old;
      try {
        path = parts.create(mode);
      } catch (FileSystemException e) {
        throw named(e);
      }
      try {
        channel = FileChannel.open(path, READ, WRITE);
      } catch (IOException | RuntimeException e) {
        PartFiles.delete(path);
        throw e;
      }
    }

    FileChannel channel() {
      return channel;
    }

    /** Replaces the old content. */
    void commit() throws IOException {
      try {
        channel.force(true);
        channel.close();
      } catch (IOException e) {
        throw named(e);
      }
      keepAttributes();
      if (!Objects.equals(seen, Stamp.of(target))) {
        throw new IOException(
            target
                + " was changed by another program in the meantime; nothing was written: try"
                + " again");
      }
      try {
        rename(path, target);
      } catch (FileSystemException e) {
        throw named(e);
      }
      seen = Stamp.of(target);
      syncFolder(target);
    }

    /** Sets the mode, and the owner and group of the old file where that is allowed. */
    private void keepAttributes() throws IOException {
      if (mode == null) {
        return;
      }
      PosixFileAttributeView view =
          Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
      PosixFileAttributes now = view.readAttributes();
      try {
        if (old != null && !now.group().equals(old.group())) {
          view.setGroup(old.group());
        }
        if (old != null && !now.owner().equals(old.owner())) {
          view.setOwner(old.owner());
        }
      } catch (IOException e) {
        // only root may change the owner of a file
      }
      view.setPermissions(mode.permissions());
    }

    /** Deletes the temporary file, unless it was renamed. */
    @Override
    public void close() throws IOException {
      try {
        channel.close();
      } finally {
        PartFiles.delete(path);
      }
    }
  }

  /**
   * Returns the failure with the name of the target file, if it names a temporary file or none,
   * e.g. because the directory is not writable or the disk is full.
   */
  static IOException named(IOException failure, Path name) {
    String file = name.toString();
    IOException named;
    if (failure instanceof AccessDeniedException) {
      named = new AccessDeniedException(file, null, "cannot create files in its directory");
    } else if (failure instanceof NoSuchFileException) {
      named = new NoSuchFileException(file);
    } else {
      String reason =
          failure instanceof FileSystemException known ? known.getReason() : failure.getMessage();
      named = new FileSystemException(file, null, reason);
    }
    named.initCause(failure);
    return named;
  }

  /** Returns the same failure with the name of this file. */
  IOException named(IOException failure) {
    return named(failure, name);
  }

  private static void fill(FileChannel file, Path name, FilterWriter.Content content)
      throws IOException {
    OutputStream out = new FileOutput(file, name);
    content.writeTo(out);
    out.flush();
  }

  private static @Nullable PosixFileAttributes attributes(Path path) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    return view == null || !Files.exists(path) ? null : view.readAttributes();
  }

  private static void rename(Path part, Path target) throws IOException {
    try {
      Files.move(part, target, ATOMIC_MOVE, REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(part, target, REPLACE_EXISTING);
    }
  }

  /** Makes the rename survive a power failure, on systems on which directories can be synced. */
  private static void syncFolder(Path target) {
    Path folder = target.getParent();
    if (folder != null) {
      try (FileChannel channel = FileChannel.open(folder, READ)) {
        channel.force(true);
      } catch (IOException e) {
        // not every system can open directories; the content itself is synced
      }
    }
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
