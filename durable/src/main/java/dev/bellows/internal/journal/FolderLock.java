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
 * The lock of a durable folder: a locked file that contains the process id of the holder and a
 * remark. The lock ends with the process; the file remains.
 */
public final class FolderLock implements Closeable {
  private static final String NAME = "lock";

  /**
   * The offset of the locked byte, far beyond the text, so that the text is readable even where
   * locks are mandatory.
   */
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

  /**
   * Acquires the lock of an existing folder. Throws if it is held; the message contains the process
   * id of the holder.
   */
  public static FolderLock acquire(Path folder, String remark) throws IOException {
    Path real = folder.toRealPath();
    Path file = real.resolve(NAME);
    synchronized (HELD) {
      if (HELD.putIfAbsent(real, remark) != null) {
        throw held(folder, "this process (pid " + ProcessHandle.current().pid() + ")");
      }
    }
    FileChannel channel = null;
    try {
      channel = FileChannel.open(file, CREATE, WRITE);
      if (channel.tryLock(LOCKED_BYTE, 1, false) == null) {
        throw held(folder, "the process with pid " + line(file, 0, "unknown"));
      }
      byte[] text =
          (ProcessHandle.current().pid() + "\n" + remark + "\n")
              .getBytes(StandardCharsets.US_ASCII);
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(text), 0);
      return new FolderLock(real, channel);
    } catch (IOException | RuntimeException e) {
      Folder.closeAfter(e, channel);
      leave(real);
      throw e;
    }
  }

  /** Returns the remark of the last holder; empty if there was none. */
  public static String remark(Path folder) throws IOException {
    Path real = folder.toRealPath();
    Path file = real.resolve(NAME);
    synchronized (HELD) {
      String own = HELD.get(real);
      return own != null ? own : line(file, 1, "");
    }
  }

  private static String line(Path file, int index, String otherwise) throws IOException {
    List<String> lines =
        Files.isRegularFile(file)
            ? Files.readAllLines(file, StandardCharsets.ISO_8859_1)
            : List.of();
    return index < lines.size() ? lines.get(index) : otherwise;
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
