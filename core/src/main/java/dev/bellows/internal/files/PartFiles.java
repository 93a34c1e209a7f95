package dev.bellows.internal.files;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
 * The temporary files of a target, beside it: those of this process are deleted when it ends before
 * they are renamed, those of a process that was killed by the next writer of the target.
 */
final class PartFiles {
  private static final String SUFFIX = ".part";

  /** What the writer itself needs until the file is complete. */
  private static final Set<PosixFilePermission> OWN =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private static final SecureRandom RANDOM = new SecureRandom();

  /** The temporary files of this process. */
  private static final Set<Path> PARTS = ConcurrentHashMap.newKeySet();

  /** Set before {@link #PARTS} are deleted: a file that is created later goes at once. */
  private static volatile boolean ending;

  /** Held while the temporary files of others are deleted, which needs the lock to the end. */
  private static final Object SWEEPING = new Object();

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(PartFiles::deleteAll, "bellows-parts"));
  }

  private final Path target;
  private final String prefix;

  /** Those of a target; to be made before its lock is taken, whose file goes with them. */
  PartFiles(Path target) {
    this.target = target;
    this.prefix = "." + target.getFileName() + ".";
  }

  /** Returns a new empty one, readable by no more users than a file with these attributes. */
  Path create(@Nullable PosixFileAttributes old) throws IOException {
    FileAttribute<?>[] mode = new FileAttribute<?>[0];
    if (old != null) {
      Set<PosixFilePermission> permissions = EnumSet.copyOf(OWN);
      permissions.addAll(old.permissions());
      mode = new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)};
    }
    while (true) {
      byte[] random = new byte[8];
      RANDOM.nextBytes(random);
      Path part = target.resolveSibling(prefix + HexFormat.of().formatHex(random) + SUFFIX);
      PARTS.add(part);
      try {
        Set<StandardOpenOption> options = Set.of(CREATE_NEW, WRITE);
        FileChannel.open(part, options, mode).close();
        if (ending) {
          Files.deleteIfExists(part);
          throw new IOException("the process ends: " + target + " is not written");
        }
        return part;
      } catch (FileAlreadyExistsException e) {
        // it belongs to someone else
        PARTS.remove(part);
      } catch (IOException | RuntimeException e) {
        PARTS.remove(part);
        throw e;
      }
    }
  }

  /** Deletes one, unless it was renamed. */
  static void delete(Path part) throws IOException {
    PARTS.remove(part);
    Files.deleteIfExists(part);
  }

  /** Deletes what dead writers of the target left: living ones hold the lock, which is ours. */
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
   * The files of the locks go last: without its temporary file no thread of this process, which all
   * go on until the end, can replace a file that others may lock from then on.
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
