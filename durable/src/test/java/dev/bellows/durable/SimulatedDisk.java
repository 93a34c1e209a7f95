package dev.bellows.durable;

import dev.bellows.internal.journal.Disk;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * A disk in memory that can lose power, be full and fail. Writes and renames that were not forced
 * are lost when the power fails: a random part of the unforced pages of a file survives, as on a
 * real disk.
 */
final class SimulatedDisk implements Disk {
  private static final int PAGE = 512;

  private static final class Content {
    private byte[] now = new byte[0];
    private byte[] onDisk = new byte[0];

    /** Whether it is overwritten in place, within one page, which is written as a whole. */
    private boolean isCell;
  }

  private Map<Path, Content> names = new TreeMap<>();
  private Map<Path, Content> namesOnDisk = new TreeMap<>();

  /** How many more bytes it holds. */
  private long room = Long.MAX_VALUE;

  private boolean failsToForce;
  private boolean hasPower = true;
  private int operationsLeft = Integer.MAX_VALUE;
  long forces;

  /** Called before a file is created or written, and when it is opened to read. May throw. */
  volatile BiConsumer<String, Path> hook = (operation, path) -> {};

  /** Lets the power fail after this many operations that change something. */
  synchronized void failAfter(int operations) {
    operationsLeft = operations;
  }

  synchronized void leaveRoom(long bytes) {
    room = bytes;
  }

  synchronized void failToForce(boolean fails) {
    failsToForce = fails;
  }

  /** Returns the disk after the power is back; files that were open before stay unusable. */
  synchronized SimulatedDisk restarted(Random random) {
    hasPower = false;
    SimulatedDisk next = new SimulatedDisk();
    Map<Content, Content> copies = new HashMap<>();
    // a name that was not forced may have reached the disk or not
    Map<Path, Content> survivors = new TreeMap<>(random.nextBoolean() ? namesOnDisk : names);
    survivors.forEach(
        (path, content) -> {
          Content copy = copies.computeIfAbsent(content, c -> survivor(c, random));
          next.names.put(path, copy);
          next.namesOnDisk.put(path, copy);
        });
    return next;
  }

  private static Content survivor(Content content, Random random) {
    byte[] kept = content.isCell && random.nextBoolean() ? content.now : content.onDisk.clone();
    if (!content.isCell && content.now.length >= content.onDisk.length && random.nextInt(3) > 0) {
      int length =
          content.onDisk.length + random.nextInt(content.now.length - content.onDisk.length + 1);
      kept = Arrays.copyOf(kept, length);
      for (int page = 0; page < length; page += PAGE) {
        // the pages of a write reach the disk in any order
        if (random.nextBoolean()) {
          int end = Math.min(length, page + PAGE);
          System.arraycopy(content.now, page, kept, page, end - page);
        }
      }
      System.arraycopy(content.onDisk, 0, kept, 0, content.onDisk.length);
    }
    Content survivor = new Content();
    survivor.isCell = content.isCell;
    survivor.now = kept;
    survivor.onDisk = kept.clone();
    return survivor;
  }

  /** The files, to damage them. */
  synchronized Map<Path, byte[]> files() {
    Map<Path, byte[]> files = new TreeMap<>();
    names.forEach((path, content) -> files.put(path, content.now.clone()));
    return files;
  }

  /** A disk with these files. */
  static SimulatedDisk of(Map<Path, byte[]> files) {
    SimulatedDisk disk = new SimulatedDisk();
    files.forEach(
        (path, bytes) -> {
          Content content = new Content();
          content.now = bytes.clone();
          content.onDisk = bytes.clone();
          disk.names.put(path, content);
          disk.namesOnDisk.put(path, content);
        });
    return disk;
  }

  private void spend() throws IOException {
    if (operationsLeft-- <= 0) {
      hasPower = false;
    }
    requirePower();
  }

  private void requirePower() throws IOException {
    if (!hasPower) {
      throw new IOException("the power failed");
    }
  }

  private Content existing(Path file) throws IOException {
    requirePower();
    Content content = names.get(file);
    if (content == null) {
      throw new NoSuchFileException(file.toString());
    }
    return content;
  }

  private final class File implements Appender {
    private final Path path;
    private final Content content;

    File(Path path, Content content) {
      this.path = path;
      this.content = content;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      hook.accept("write", path);
      synchronized (SimulatedDisk.this) {
        spend();
        int some = (int) Math.min(room, bytes.remaining());
        byte[] more = new byte[some];
        bytes.get(more);
        int at = content.now.length;
        content.now = Arrays.copyOf(content.now, at + some);
        System.arraycopy(more, 0, content.now, at, some);
        room -= some;
        if (bytes.hasRemaining()) {
          throw new FileSystemException(path.toString(), null, "No space left on device");
        }
      }
    }

    @Override
    public void force() throws IOException {
      synchronized (SimulatedDisk.this) {
        spend();
        forces++;
        if (failsToForce) {
          // as on Linux: the pages are forgotten, and the next force reports success
          throw new IOException("Input/output error");
        }
        content.onDisk = content.now.clone();
      }
    }

    @Override
    public void truncate(long bytes) throws IOException {
      synchronized (SimulatedDisk.this) {
        spend();
        room += room == Long.MAX_VALUE ? 0 : content.now.length - bytes;
        content.now = Arrays.copyOf(content.now, (int) bytes);
      }
    }

    @Override
    public void close() {}
  }

  @Override
  public Appender create(Path file) throws IOException {
    hook.accept("create", file);
    synchronized (this) {
      spend();
      Content content = new Content();
      names.put(file, content);
      return new File(file, content);
    }
  }

  @Override
  public Held hold(Path file) throws IOException {
    Content content;
    synchronized (this) {
      content = existing(file);
    }
    hook.accept("hold", file);
    return new Held() {
      @Override
      public InputStream read(long offset) {
        hook.accept("read", file);
        synchronized (SimulatedDisk.this) {
          return stream(content.now, offset);
        }
      }

      @Override
      public long size() {
        synchronized (SimulatedDisk.this) {
          return content.now.length;
        }
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public synchronized Cell cell(Path file) {
    Content content = names.computeIfAbsent(file, its -> new Content());
    content.isCell = true;
    return new Cell() {
      @Override
      public void read(ByteBuffer into) {
        into.put(content.now, 0, Math.min(into.remaining(), content.now.length));
      }

      @Override
      public void write(ByteBuffer bytes) throws IOException {
        synchronized (SimulatedDisk.this) {
          spend();
          byte[] all = new byte[bytes.remaining()];
          bytes.get(all);
          content.now = all;
        }
      }

      @Override
      public void close() {}
    };
  }

  private static InputStream stream(byte[] bytes, long offset) {
    int from = (int) Math.min(offset, bytes.length);
    return new ByteArrayInputStream(bytes, from, bytes.length - from);
  }

  @Override
  public InputStream read(Path file, long offset) throws IOException {
    byte[] bytes = bytes(file);
    hook.accept("read", file);
    return stream(bytes, offset);
  }

  private synchronized byte[] bytes(Path file) throws IOException {
    return existing(file).now;
  }

  @Override
  public synchronized long size(Path file) throws IOException {
    return existing(file).now.length;
  }

  @Override
  public synchronized void force(Path file) throws IOException {
    Content content = existing(file);
    content.onDisk = content.now.clone();
  }

  @Override
  public synchronized List<String> list(Path folder) throws IOException {
    requirePower();
    return names.keySet().stream()
        .filter(path -> folder.equals(path.getParent()))
        .map(path -> path.getFileName().toString())
        .toList();
  }

  @Override
  public synchronized void rename(Path from, Path to) throws IOException {
    spend();
    names.put(to, existing(from));
    names.remove(from);
  }

  @Override
  public synchronized void delete(Path file) throws IOException {
    spend();
    names.remove(file);
  }

  @Override
  public synchronized void forceNames(Path folder) throws IOException {
    spend();
    namesOnDisk = new TreeMap<>(names);
  }
}
