package dev.bellows.internal.files;

import static java.nio.file.StandardOpenOption.WRITE;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An advisory lock for a file, between processes and between threads: a lock on an empty file next
 * to it, {@code .name.lock}. The file is deleted when the lock is released or the process exits. A
 * lock file that a killed process left behind blocks nothing, because the lock itself ended with
 * the process.
 */
public final class PathLock implements Closeable {
  private static final long POLL_MILLIS = 20;
  private static final long PATIENCE_MILLIS = 1000;

  /**
   * The threads of this process that hold locks, because a lock between processes does not exclude
   * them.
   */
  private static final Map<Path, Thread> HELD = new ConcurrentHashMap<>();

  /** The locks of this process, whose files are deleted if it exits before they are released. */
  private static final Set<PathLock> LOCKS = ConcurrentHashMap.newKeySet();

  private static volatile boolean ending;

  private final Path target;
  private final Path file;
  private final FileChannel channel;
  private boolean closed;
  private boolean deleted;

  /** The behavior while another thread or process holds a lock. */
  public interface Waiting {
    /** Waits indefinitely. */
    Waiting SILENT = path -> {};

    /** Called once, after a second; an exception ends the attempt. */
    void waiting(Path path) throws IOException;

    /** Returns whether to wait at all; if not, {@link #waiting} is called immediately. */
    default boolean isPatient() {
      return true;
    }
  }

  private PathLock(Path target, Path file, FileChannel channel) {
    this.target = target;
    this.file = file;
    this.channel = channel;
  }

  /**
   * Acquires the lock of a file. The file need not exist, but its directory must.
   *
   * @throws IllegalStateException if this thread already holds the lock and would wait for itself
   */
  static PathLock acquire(Path target, Waiting waiting) throws IOException {
    Path file = target.resolveSibling("." + target.getFileName() + ".lock");
    Patience patience = new Patience(target, waiting);
    while (!enter(target, waiting.isPatient())) {
      patience.pause();
    }
    try {
      while (true) {
        create(file);
        Object before = identity(file);
        FileChannel channel;
        try {
          channel = FileChannel.open(file, WRITE);
        } catch (NoSuchFileException e) {
          continue; // its owner has released it
        }
        boolean free;
        try {
          free = channel.tryLock() != null;
          if (free && identity(file).equals(before)) {
            PathLock lock = new PathLock(target, file, channel);
            LOCKS.add(lock);
            if (ending) {
              lock.deleteFile();
            }
            return lock;
          }
        } catch (IOException | RuntimeException e) {
          channel.close();
          throw e;
        }
        channel.close();
        if (!free) {
          patience.pause();
        }
      }
    } catch (IOException | RuntimeException e) {
      HELD.remove(target);
      throw e;
    }
  }

  private static void create(Path file) throws IOException {
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException e) {
      // another process waits for it, holds it or has left it behind
    }
  }

  /**
   * Returns an object that identifies the file at the path. The identity of an open file cannot be
   * queried, so it is compared before opening and after locking: if it is the same, the locked file
   * was not deleted by its last owner in the meantime. (Opening it a second time is not an option,
   * because closing a second channel of a file releases the locks of the process.)
   */
  private static Object identity(Path file) throws IOException {
    try {
      Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
      return key == null ? "a system without identities" : key;
    } catch (NoSuchFileException e) {
      return "no file";
    }
  }

  private static boolean enter(Path target, boolean waits) {
    Thread owner = HELD.putIfAbsent(target, Thread.currentThread());
    if (waits && owner == Thread.currentThread()) {
      throw new IllegalStateException(
          ("this thread is already writing %s and would wait for itself: call build() or close()"
                  + " of its loader first")
              .formatted(target));
    }
    return owner == null;
  }

  /** Waits for short times, and notifies the caller once if the total time is long. */
  private static final class Patience {
    private final Path target;
    private final Waiting waiting;
    private final long begun = System.nanoTime();
    private boolean told;

    Patience(Path target, Waiting waiting) {
      this.target = target;
      this.waiting = waiting;
    }

    void pause() throws IOException {
      boolean late = (System.nanoTime() - begun) / 1_000_000 >= PATIENCE_MILLIS;
      if (!told && (late || !waiting.isPatient())) {
        told = true;
        waiting.waiting(target);
      }
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while waiting for the lock of " + target);
      }
    }
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      deleteFile();
    } finally {
      LOCKS.remove(this);
      channel.close();
      HELD.remove(target);
    }
  }

  /**
   * Deletes the file once, while it is locked; afterwards the name may belong to the lock of
   * another process.
   */
  private synchronized void deleteFile() throws IOException {
    if (!deleted) {
      deleted = true;
      Files.deleteIfExists(file);
    }
  }

  /**
   * Deletes the files of the locks that are held when the process exits, so that other processes
   * can acquire them. Must be called when the files that they protect can no longer be written.
   */
  static void deleteFiles() {
    ending = true;
    for (PathLock lock : LOCKS) {
      try {
        lock.deleteFile();
      } catch (IOException e) {
        // the next owner of the lock deletes it
      }
    }
  }
}
