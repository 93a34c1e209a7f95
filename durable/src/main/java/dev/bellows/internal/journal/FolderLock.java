package dev.bellows.internal.journal;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The right to change a durable folder. It is held by one object per JVM, whichever class loader
 * has loaded this class, and by one process, which locks the file {@code lock}.
 *
 * <p>On POSIX systems a process loses a lock when it closes any stream to the locked file, e.g.
 * after reading it. This class therefore opens the file once, and only after a system property has
 * excluded every other holder in the JVM. Other code may still open it, so that another process
 * gets the lock too. Each holder therefore writes a term of its own to the file {@code owner}, and
 * {@link #require} fails once another one has done so.
 */
public final class FolderLock implements Closeable {
  static final String NAME = "lock";
  static final String OWNER = "owner";

  /** A distant byte, so that the file is readable even where locks are mandatory. */
  private static final long LOCKED_BYTE = 1L << 40;

  private static final String PROPERTY = "dev.bellows.durable.held.";

  /** The first line of an owner: its term and a random number. */
  private static final String STAMP = "%018d %016x\n";

  private static final int STAMP_BYTES = 36;

  /** Channels that must not be closed, because that would release a lock of other code. */
  private static final Queue<FileChannel> NEVER_CLOSED = new ConcurrentLinkedQueue<>();

  private final Path folder;
  private final String property;
  private final FileChannel channel;
  private final Disk.Cell owner;
  private final ByteBuffer stamp = ByteBuffer.allocate(STAMP_BYTES);
  private final ByteBuffer found = ByteBuffer.allocateDirect(STAMP_BYTES);

  private FolderLock(Path folder, String property, FileChannel channel, Disk.Cell owner) {
    this.folder = folder;
    this.property = property;
    this.channel = channel;
    this.owner = owner;
  }

  /**
   * Acquires the lock of an existing folder.
   *
   * @throws Held if it is held
   */
  public static FolderLock acquire(Path folder) throws IOException {
    Path real = folder.toRealPath();
    Object key = Files.readAttributes(real, BasicFileAttributes.class).fileKey();
    String property = PROPERTY + (key == null ? real : key);
    String pid = Long.toString(ProcessHandle.current().pid());
    if (System.getProperties().putIfAbsent(property, pid) != null) {
      throw new Held(folder, "this process (pid " + pid + ")");
    }
    FileChannel channel = null;
    try {
      channel = FileChannel.open(real.resolve(NAME), CREATE, WRITE);
      if (!lock(folder, channel)) {
        throw new Held(folder, "the process with pid " + line(real, 1, "unknown"));
      }
      return new FolderLock(folder, property, channel, Disk.REAL.cell(real.resolve(OWNER)));
    } catch (IOException | RuntimeException e) {
      if (!(e instanceof Held held) || !held.isHere) {
        Folder.closeAfter(e, channel);
      }
      System.getProperties().remove(property);
      throw e;
    }
  }

  private static boolean lock(Path folder, FileChannel channel) throws IOException {
    try {
      return channel.tryLock(LOCKED_BYTE, 1, false) != null;
    } catch (OverlappingFileLockException e) {
      // the file has a second name that leads to another key
      NEVER_CLOSED.add(channel);
      throw new Held(folder, "this process, by another path");
    }
  }

  /** Thrown if a folder is open in this or another process. */
  public static final class Held extends FileSystemException {
    private static final long serialVersionUID = 1;

    private final boolean isHere;

    Held(Path folder, String who) {
      super(
          folder.toString(),
          null,
          "the durable filter is open in " + who + ": close it there, or open it read-only");
      this.isHere = who.startsWith("this process, ");
    }
  }

  /**
   * Writes who owns the folder from now on, so that {@link #require} of an earlier owner fails.
   *
   * @param atLeast the lowest possible term
   * @param remark a remark for {@link #remark}
   * @return the term of this owner
   */
  public long claim(long atLeast, String remark) throws IOException {
    ByteBuffer last = ByteBuffer.allocate(STAMP_BYTES);
    owner.read(last);
    String digits = text(last.flip()).replaceFirst("(?s)\\D.*", "");
    long term = Math.max(atLeast, digits.matches("\\d{1,18}") ? Long.parseLong(digits) + 1 : 0);
    String first = STAMP.formatted(term, Manifest.newSalt());
    stamp.put(bytes(first)).flip();
    String all = first + ProcessHandle.current().pid() + "\n" + remark + "\n";
    owner.write(ByteBuffer.wrap(bytes("%-80s".formatted(all))));
    return term;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static String text(ByteBuffer bytes) {
    return StandardCharsets.US_ASCII.decode(bytes).toString();
  }

  /** Returns whether no other owner has written its term since {@link #claim}. */
  public boolean isKept() throws IOException {
    owner.read(found.clear());
    return found.flip().equals(stamp);
  }

  /** Throws unless {@link #isKept}. */
  public void require() throws IOException {
    if (!isKept()) {
      throw new FileSystemException(
          folder.toString(),
          null,
          "another process has opened it in the meantime (was its file 'lock' read or deleted?):"
              + " close it here, and open it again");
    }
  }

  /** Returns the remark of the last owner; empty if there was none. */
  public static String remark(Path folder) throws IOException {
    return line(folder, 2, "");
  }

  private static String line(Path folder, int index, String otherwise) throws IOException {
    Path file = folder.resolve(OWNER);
    List<String> lines =
        Files.isRegularFile(file)
            ? Files.readAllLines(file, StandardCharsets.ISO_8859_1)
            : List.of();
    return index < lines.size() ? lines.get(index) : otherwise;
  }

  @Override
  public void close() throws IOException {
    try (channel) {
      owner.close();
    } finally {
      System.getProperties().remove(property);
    }
  }
}
