package dev.bellows.internal.files;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The temporary files next to a target. Those of this process are deleted if it exits before they
 * are renamed; those of a killed process are deleted by the next writer of the target.
 */
final class PartFiles {
  private static final String SUFFIX = ".part";

  /** The permissions that the writer itself needs until the file is complete. */
  private static final Set<PosixFilePermission> OWN =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private static final SecureRandom RANDOM = new SecureRandom();

  /** The temporary files of this process. */
  private static final Set<Path> PARTS = ConcurrentHashMap.newKeySet();

  /**
   * Set before {@link #PARTS} are deleted; files that are created later are deleted immediately.
   */
  private static volatile boolean ending;

  /** Held while the temporary files of other processes are deleted. */
  private static final Object SWEEPING = new Object();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(PartFiles::deleteAll, "bellows-parts"));
  }

  private final Path target;
  private final String prefix;

  /**
   * Creates an object for the temporary files of a target. Must be called before its lock is
   * acquired.
   */
  PartFiles(Path target) {
    this.target = target;
    this.prefix = "." + target.getFileName() + ".";
  }

  /** Returns a new empty file, readable by no more users than a file with these attributes. */
  Path create(@Nullable PosixFileAttributes old) throws IOException {
    FileAttribute<?>[] mode = new FileAttribute<?>[0];
    if (old != null) {
      Set<PosixFilePermission> permissions = EnumSet.copyOf(OWN);
      permissions.addAll(old.permissions());
      mode = new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)};
    }
    byte[] random = new byte[8];
    RANDOM.nextBytes(random);
    Path part = target.resolveSibling(prefix + HexFormat.of().formatHex(random) + SUFFIX);
    PARTS.add(part);
    try {
      Files.createFile(part, mode);
      if (ending) {
        Files.deleteIfExists(part);
        throw new IOException("the process is exiting: " + target + " is not written");
      }
      return part;
    } catch (IOException | RuntimeException e) {
      PARTS.remove(part);
      throw e;
    }
  }

  /** Deletes a temporary file, unless it was renamed. */
  static void delete(Path part) throws IOException {
    PARTS.remove(part);
    Files.deleteIfExists(part);
  }

  /**
   * Deletes the temporary files that killed writers of the target left behind. There are no live
   * writers, because this process holds the lock.
   */
  void sweep() throws IOException {
    synchronized (SWEEPING) {
      Path folder = target.getParent();
      if (ending || folder == null || !Files.isDirectory(folder)) {
        return;
      }
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, this::isOne)) {
        for (Path file : files) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private boolean isOne(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.length() == prefix.length() + 16 + SUFFIX.length()
        && name.startsWith(prefix)
        && name.endsWith(SUFFIX)
        && name.substring(prefix.length(), prefix.length() + 16).matches("[0-9a-f]+");
  }

  /**
   * Deletes all temporary files of this process, then its lock files. Other threads keep running
   * until the process exits, but without their temporary files they cannot replace a file that
   * other processes may lock after that.
   */
  private static void deleteAll() {
    ending = true;
    boolean all = true;
    for (Path part : PARTS) {
      try {
        Files.deleteIfExists(part);
      } catch (IOException e) {
        // the next writer of the file deletes it
        all = false;
      }
    }
    if (all) {
      synchronized (SWEEPING) {
        PathLock.deleteFiles();
      }
    }
  }
}
