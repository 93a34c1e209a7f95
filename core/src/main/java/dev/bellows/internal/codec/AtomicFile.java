package dev.bellows.internal.codec;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.concurrent.atomic.AtomicLong;

/** Files that are replaced as a whole: written to a temporary file, synced, renamed. */
public final class AtomicFile {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final AtomicLong ASIDE = new AtomicLong();

  private AtomicFile() {}

  /**
   * Writes a temporary file and renames it, so that the path never holds an incomplete filter: it
   * has the old content or the new one, even after a crash. A device or a pipe is written directly.
   */
  public static void write(Path path, FilterWriter.Content content) throws IOException {
    boolean exists = Files.exists(path);
    if (exists && !Files.isRegularFile(path)) {
      try (FileChannel device = FileChannel.open(path, WRITE)) {
        fill(device, content);
      }
      return;
    }
    Path target = exists ? path.toRealPath() : path.toAbsolutePath();
    String unique = ProcessHandle.current().pid() + "-" + ASIDE.incrementAndGet();
    Path aside = target.resolveSibling("." + target.getFileName() + "." + unique + ".part");
    try {
      try (FileChannel file = FileChannel.open(aside, CREATE_NEW, WRITE)) {
        fill(file, content);
        file.force(true);
      }
      keepPermissions(target, aside);
      replace(aside, target);
    } finally {
      Files.deleteIfExists(aside);
    }
  }

  private static void fill(FileChannel file, FilterWriter.Content content) throws IOException {
    OutputStream out = new BufferedOutputStream(Channels.newOutputStream(file), BUFFER_BYTES);
    content.writeTo(out);
    out.flush();
  }

  private static void keepPermissions(Path from, Path to) throws IOException {
    PosixFileAttributeView old = Files.getFileAttributeView(from, PosixFileAttributeView.class);
    if (old != null && Files.exists(from)) {
      Files.setPosixFilePermissions(to, old.readAttributes().permissions());
    }
  }

  private static void replace(Path aside, Path target) throws IOException {
    try {
      Files.move(aside, target, ATOMIC_MOVE, REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(aside, target, REPLACE_EXISTING);
    }
  }
}
