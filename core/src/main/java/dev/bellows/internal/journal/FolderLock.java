package dev.bellows.internal.journal;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The lock of a durable folder: a locked file that holds the process id of the holder and a remark.
 * The lock ends with the process, the file stays.
 */
public final class FolderLock implements Closeable {
  private static final String NAME = "lock";

  /** Far behind the text, so that systems whose locks are mandatory let others read it. */
  private static final long LOCKED_BYTE = 1L << 40;

  /**
   * The folders that this process holds, with their remarks. No other channel or stream to the file
   * must be opened, because closing it would release the lock.
   */
  private static final Map<Path, String> HELD = new HashMap<>();

  private final Path folder;
  private final FileChannel channel;

  private FolderLock(Path folder, FileChannel channel) {
    this.folder = folder;
    this.channel = channel;
  }

  /** Takes the lock of a folder, which exists, or says which process has it. */
  public static FolderLock acquire(Path folder, String remark) throws IOException {
    Path real = folder.toRealPath();
    Path file = real.resolve(NAME);
    synchronized (HELD) {
      if (HELD.putIfAbsent(real, remark) != null) {
        throw held(folder, "this process (pid " + ProcessHandle.current().pid() + ")");
      }
    }
    try {
      FileChannel channel = FileChannel.open(file, CREATE, WRITE);
      try {
        if (channel.tryLock(LOCKED_BYTE, 1, false) == null) {
          throw held(folder, "the process with pid " + holder(file));
        }
        byte[] text =
            (ProcessHandle.current().pid() + "\n" + remark + "\n")
                .getBytes(StandardCharsets.US_ASCII);
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(text), 0);
        return new FolderLock(real, channel);
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      leave(real);
      throw e;
    }
  }

  private static String holder(Path file) throws IOException {
    String pid = line(file, 0);
    return pid.isEmpty() ? "unknown" : pid;
  }

  /** What the last holder remarked; empty if there was none. */
  public static String remark(Path folder) throws IOException {
    Path real = folder.toRealPath();
    Path file = real.resolve(NAME);
    synchronized (HELD) {
      String own = HELD.get(real);
      return own != null ? own : Files.exists(file) ? line(file, 1) : "";
    }
  }

  private static String line(Path file, int index) throws IOException {
    if (Files.isDirectory(file)) {
      return "";
    }
    List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    return index < lines.size() ? lines.get(index) : "";
  }

  private static FileSystemException held(Path folder, String who) {
    return new FileSystemException(
        folder.toString(),
        null,
        "the durable filter is open in " + who + ": close it there, or open it read-only");
  }

  private static void leave(Path folder) {
    synchronized (HELD) {
      HELD.remove(folder);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      leave(folder);
    }
  }
}
