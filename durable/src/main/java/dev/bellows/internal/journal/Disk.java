package dev.bellows.internal.journal;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The file operations that a durable folder needs. Tests replace them to simulate failures. */
public interface Disk {
  /** The actual file system. */
  Disk REAL = new RealDisk();

  /** A file to which bytes are appended. */
  interface Appender extends Closeable {
    /** Writes all bytes of the buffer at the end of the file. */
    void write(ByteBuffer bytes) throws IOException;

    /** Waits until everything that was written is on disk. */
    void force() throws IOException;

    /** Truncates the file to this many bytes; later writes are appended there. */
    void truncate(long bytes) throws IOException;
  }

  /** A small file that is read and overwritten in place, in one step each. */
  interface Cell extends Closeable {
    /** Reads from the beginning of the file as many bytes as there are and fit. */
    void read(ByteBuffer into) throws IOException;

    /** Overwrites the beginning of the file. Does not wait for the disk. */
    void write(ByteBuffer bytes) throws IOException;
  }

  /** A file that is open for reading, and readable even after its name was deleted. */
  interface Held extends Closeable {
    /** Returns a stream of the bytes, starting at an offset. */
    InputStream read(long offset) throws IOException;

    /** Returns the length. */
    long size() throws IOException;
  }

  /** Creates a file, or empties an existing one. */
  Appender create(Path file) throws IOException;

  /** Returns a stream of the bytes of a file, starting at an offset. */
  InputStream read(Path file, long offset) throws IOException;

  /** Opens an existing file for reading. */
  Held hold(Path file) throws IOException;

  /** Opens a small file to overwrite it, and creates it if it is missing. */
  Cell cell(Path file) throws IOException;

  /** Returns the length of a file. */
  long size(Path file) throws IOException;

  /** Forces everything that any process has written to a file to disk. */
  void force(Path file) throws IOException;

  /** Returns the names of the files in a folder; empty if it does not exist. */
  List<String> list(Path folder) throws IOException;

  /** Renames a file, replacing any existing file with the new name. */
  void rename(Path from, Path to) throws IOException;

  /** Deletes a file if it exists. */
  void delete(Path file) throws IOException;

  /** Waits until created, renamed and deleted names of a folder are on disk. */
  void forceNames(Path folder) throws IOException;

  /** The class of {@link Disk#REAL}. */
  final class RealDisk implements Disk {
    private RealDisk() {}

    private interface Step {
      void run() throws IOException;
    }

    /**
     * Runs a step, and repeats it if the thread is interrupted; the interrupt status is restored
     * for the caller. An interrupt closes the channel that the thread uses, which would make the
     * changes of all other threads fail too.
     */
    private static void uninterrupted(Step step) throws IOException {
      boolean isInterrupted = Thread.interrupted();
      try {
        while (true) {
          try {
            step.run();
            return;
          } catch (ClosedByInterruptException e) {
            isInterrupted = true;
            Thread.interrupted();
          }
        }
      } finally {
        if (isInterrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    private static final class HeldChannel implements Held {
      private final FileChannel channel;

      HeldChannel(FileChannel channel) {
        this.channel = channel;
      }

      @Override
      public InputStream read(long offset) {
        return new InputStream() {
          private long at = offset;

          @Override
          public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
          }

          @Override
          public int read(byte[] into, int from, int length) throws IOException {
            int some = length == 0 ? 0 : channel.read(ByteBuffer.wrap(into, from, length), at);
            at += Math.max(0, some);
            return some;
          }
        };
      }

      @Override
      public long size() throws IOException {
        return channel.size();
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    }

    private static final class CellChannel implements Cell {
      private final Path file;
      private FileChannel channel;

      CellChannel(Path file) throws IOException {
        this.file = file;
        this.channel = FileChannel.open(file, CREATE, READ, WRITE);
      }

      private FileChannel channel() throws IOException {
        if (!channel.isOpen()) {
          channel = FileChannel.open(file, READ, WRITE);
        }
        return channel;
      }

      @Override
      public void read(ByteBuffer into) throws IOException {
        int first = into.position();
        uninterrupted(
            () -> {
              into.position(first);
              channel().read(into, 0);
            });
      }

      @Override
      public void write(ByteBuffer bytes) throws IOException {
        int first = bytes.position();
        uninterrupted(
            () -> {
              bytes.position(first);
              channel().write(bytes, 0);
            });
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    }

    private static final class Channel implements Appender {
      private final Path file;
      private FileChannel channel;
      private long end;

      Channel(Path file, FileChannel channel, long end) {
        this.file = file;
        this.channel = channel;
        this.end = end;
      }

      /** Returns the channel, reopened if an interrupt has closed it. */
      private FileChannel channel() throws IOException {
        if (!channel.isOpen()) {
          channel = FileChannel.open(file, WRITE);
        }
        return channel;
      }

      @Override
      public void write(ByteBuffer bytes) throws IOException {
        int first = bytes.position();
        uninterrupted(
            () -> {
              bytes.position(first);
              while (bytes.hasRemaining()) {
                channel().write(bytes, end + bytes.position() - first);
              }
            });
        end += bytes.position() - first;
      }

      @Override
      public void force() throws IOException {
        uninterrupted(() -> channel().force(false));
      }

      @Override
      public void truncate(long bytes) throws IOException {
        uninterrupted(() -> channel().truncate(bytes));
        end = bytes;
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    }

    @Override
    public Appender create(Path file) throws IOException {
      return new Channel(file, FileChannel.open(file, CREATE, TRUNCATE_EXISTING, WRITE), 0);
    }

    @Override
    public InputStream read(Path file, long offset) throws IOException {
      if (Files.isDirectory(file)) {
        throw new FileSystemException(file.toString(), null, "it is a folder, not a file");
      }
      InputStream in = Files.newInputStream(file);
      try {
        in.skipNBytes(offset);
        return in;
      } catch (IOException | RuntimeException e) {
        in.close();
        throw e;
      }
    }

    @Override
    public Held hold(Path file) throws IOException {
      if (Files.isDirectory(file)) {
        throw new FileSystemException(file.toString(), null, "it is a folder, not a file");
      }
      return new HeldChannel(FileChannel.open(file, READ));
    }

    @Override
    public Cell cell(Path file) throws IOException {
      return new CellChannel(file);
    }

    @Override
    public long size(Path file) throws IOException {
      return Files.size(file);
    }

    @Override
    public void force(Path file) throws IOException {
      uninterrupted(
          () -> {
            try (FileChannel channel = FileChannel.open(file, READ)) {
              channel.force(false);
            }
          });
    }

    @Override
    public List<String> list(Path folder) throws IOException {
      if (!Files.isDirectory(folder)) {
        return List.of();
      }
      try (Stream<Path> files = Files.list(folder)) {
        return files.map(file -> file.getFileName().toString()).sorted().toList();
      }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      Files.move(from, to, ATOMIC_MOVE, REPLACE_EXISTING);
    }

    @Override
    public void delete(Path file) throws IOException {
      Files.deleteIfExists(file);
    }

    @Override
    public void forceNames(Path folder) throws IOException {
      uninterrupted(
          () -> {
            FileChannel channel;
            try {
              channel = FileChannel.open(folder, READ);
            } catch (IOException e) {
              // not every system can open folders; the files themselves are forced
              return;
            }
            try (channel) {
              channel.force(true);
            }
          });
    }
  }
}
