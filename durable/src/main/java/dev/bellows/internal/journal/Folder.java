package dev.bellows.internal.journal;

import dev.bellows.internal.files.DurableContent;
import dev.bellows.io.FilterFormatException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a durable folder and its snapshots.
 *
 * @param disk the file operations
 * @param path the path of the folder
 * @param id a random number that identifies the folder
 * @param settings the settings of its filter: the header of a file
 */
@SuppressWarnings("ArrayRecordComponent") // the array is never changed
public record Folder(Disk disk, Path path, long id, byte[] settings) {
  /** The format version that this library writes. */
  public static final int FORMAT = 1;

  static final long JOURNAL_MAGIC = magic("BLWSJRNL");
  private static final long FOLDER_MAGIC = magic("BLWSFLDR");
  private static final long SNAPSHOT_MAGIC = magic("BLWSSNAP");
  private static final String FILTER = "filter";
  private static final String SNAPSHOT = "snapshot-";
  private static final String PART = ".part";
  static final String JOURNAL = "journal-";

  private static final int META = 16;
  private static final int IMAGE = 17;
  private static final int END = 18;
  private static final int PIECE_BYTES = 1 << 18;

  /** The number of bytes of an opening that its checksum covers. */
  private static final int CHECKED = 28;

  private static long magic(String name) {
    long magic = 0;
    for (int i = 7; i >= 0; i--) {
      magic = magic << 8 | name.charAt(i);
    }
    return magic;
  }

  static String name(String prefix, long version) {
    return "%s%019d".formatted(prefix, version);
  }

  /** Returns the version in the name of a file, or -1 if the name does not have this form. */
  static long version(String prefix, String name) {
    String digits = name.startsWith(prefix) ? name.substring(prefix.length()) : "";
    boolean isVersion =
        digits.matches("\\d{19}") && digits.compareTo(Long.toString(Long.MAX_VALUE)) <= 0;
    return isVersion ? Long.parseLong(digits) : -1;
  }

  Path file(String name) {
    return path.resolve(name);
  }

  /** Returns whether a path is a folder that contains a durable filter. */
  public static boolean exists(Disk disk, Path path) throws IOException {
    return disk.list(path).contains(FILTER);
  }

  /**
   * Returns whether a file of this name is a journal segment, or a snapshot of a filter that has
   * changed.
   */
  public static boolean isOfFilter(String name) {
    return version(JOURNAL, name) >= 0 || version(SNAPSHOT, name) > 0;
  }

  /** Creates the file {@code filter}, which describes the folder, in an existing directory. */
  public static Folder create(Disk disk, Path path, long id, byte[] settings) throws IOException {
    ByteBuffer out =
        ByteBuffer.allocate(Frame.HEADER + settings.length + 4).order(ByteOrder.LITTLE_ENDIAN);
    out.put(Frame.opening(FOLDER_MAGIC, id, settings.length)).put(settings);
    out.putInt(Frame.checksum(settings, 0, settings.length)).flip();
    Path part = path.resolve(FILTER + PART);
    try (Disk.Appender file = disk.create(part)) {
      file.write(out);
      file.force();
    }
    disk.rename(part, path.resolve(FILTER));
    disk.forceNames(path);
    return new Folder(disk, path, id, settings);
  }

  /** Reads the file {@code filter}, which describes the folder. */
  public static Folder open(Disk disk, Path path) throws IOException {
    Path file = path.resolve(FILTER);
    long size = disk.size(file);
    try (InputStream in = disk.read(file, 0)) {
      Opening opening = opening(in, file, FOLDER_MAGIC, "the description of a durable filter");
      if (opening.version != size - Frame.HEADER - 4) {
        throw damaged(file, 16, "it has " + size + " bytes, which contradicts its header");
      }
      byte[] settings = in.readNBytes((int) Math.min(Integer.MAX_VALUE - 8, opening.version));
      byte[] end = in.readNBytes(4);
      if (end.length < 4
          || ByteBuffer.wrap(end).order(ByteOrder.LITTLE_ENDIAN).getInt()
              != Frame.checksum(settings, 0, settings.length)) {
        throw damaged(file, Frame.HEADER, "its checksum does not match");
      }
      return new Folder(disk, path, opening.id, settings);
    }
  }

  record Opening(long id, long version) {}

  /** Reads the opening of a file. */
  static Opening opening(InputStream in, Path file, long magic, String what) throws IOException {
    byte[] bytes = in.readNBytes(Frame.HEADER);
    if (bytes.length < Frame.HEADER) {
      throw damaged(file, bytes.length, "it ends inside its header");
    }
    ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (header.getLong(0) != magic) {
      throw damaged(file, 0, "it is not " + what);
    }
    if (header.getInt(CHECKED) != Frame.checksum(bytes, 0, CHECKED)) {
      throw damaged(file, CHECKED, "the checksum of its header does not match");
    }
    if (header.getInt(24) != FORMAT) {
      throw damaged(
          file,
          24,
          "format version %d of durable folders; this library reads %d"
              .formatted(header.getInt(24), FORMAT));
    }
    return new Opening(header.getLong(8), header.getLong(16));
  }

  static FilterFormatException damaged(Path file, long offset, String what) {
    return new FilterFormatException(offset, file + ": " + what);
  }

  void requireId(Opening opening, Path file) throws IOException {
    if (opening.id != id) {
      throw damaged(
          file,
          8,
          "it belongs to the folder with id %016x, and this one has %016x: move it back there"
              .formatted(opening.id, id));
    }
  }

  // Snapshots.

  /**
   * The properties of a snapshot apart from the content.
   *
   * @param version the number of changes before it
   * @param epoch the version of the last removal
   * @param source the folder that this one follows
   * @param bytes the length of its file
   */
  public record Snapshot(long version, long epoch, Source source, long bytes) {}

  /** Returns the versions of all snapshots, ascending. */
  public List<Long> snapshots() throws IOException {
    return versions(SNAPSHOT);
  }

  /** Returns the versions in the names of files that begin with a prefix, ascending. */
  List<Long> versions(String prefix) throws IOException {
    return disk.list(path).stream()
        .map(name -> version(prefix, name))
        .filter(version -> version >= 0)
        .sorted()
        .toList();
  }

  /** Returns the file of a snapshot. */
  public Path snapshotFile(long version) {
    return file(name(SNAPSHOT, version));
  }

  /** Writes a snapshot. The file gets its name only when it is complete and on disk. */
  public Snapshot write(long version, long epoch, Source source, DurableContent.Image image)
      throws IOException {
    Path target = snapshotFile(version);
    Path part = file(name(SNAPSHOT, version) + PART);
    long bytes;
    try {
      try (Disk.Appender file = disk.create(part);
          Pieces pieces = new Pieces(file, version)) {
        pieces.begin(Frame.opening(SNAPSHOT_MAGIC, id, version), epoch, source);
        image.writeTo(pieces);
        bytes = pieces.end();
        file.force();
      }
      disk.rename(part, target);
    } catch (IOException | RuntimeException | Error e) {
      closeAfter(e, () -> disk.delete(part));
      throw e;
    }
    disk.forceNames(path);
    return new Snapshot(version, epoch, source, bytes);
  }

  /** A stream that divides its bytes into frames. */
  private static final class Pieces extends OutputStream {
    private final Disk.Appender file;
    private final long version;
    private final ByteBuffer buffer =
        ByteBuffer.allocateDirect(Frame.HEADER + PIECE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private long bytes;

    Pieces(Disk.Appender file, long version) {
      this.file = file;
      this.version = version;
    }

    void begin(byte[] opening, long epoch, Source source) throws IOException {
      file.write(ByteBuffer.wrap(opening));
      bytes += opening.length;
      buffer.position(Frame.HEADER);
      buffer.putLong(epoch);
      for (long word : source.toWords()) {
        buffer.putLong(word);
      }
      flush(META);
    }

    private void flush(int operation) throws IOException {
      Frame.seal(buffer, 0, operation, true, version, 0);
      buffer.flip();
      bytes += buffer.remaining();
      file.write(buffer);
      buffer.clear().position(Frame.HEADER);
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int at, int length) throws IOException {
      for (int done = 0; done < length; ) {
        if (!buffer.hasRemaining()) {
          flush(IMAGE);
        }
        int some = Math.min(buffer.remaining(), length - done);
        buffer.put(from, at + done, some);
        done += some;
      }
    }

    long end() throws IOException {
      if (buffer.position() > Frame.HEADER) {
        flush(IMAGE);
      }
      flush(END);
      return bytes;
    }
  }

  /** A snapshot that is being read. */
  public final class SnapshotReader extends InputStream {
    private final Path file;
    private final InputStream in;
    private final Frame.Reader frames;
    private final Snapshot snapshot;
    private ByteBuffer piece = ByteBuffer.allocate(0);
    private long offset = Frame.HEADER;
    private boolean isEnd;

    private SnapshotReader(long version) throws IOException {
      file = snapshotFile(version);
      long size = disk.size(file);
      in = disk.read(file, 0);
      frames = new Frame.Reader(in);
      try {
        Opening opening = opening(in, file, SNAPSHOT_MAGIC, "a snapshot");
        requireId(opening, file);
        if (opening.version != version) {
          throw damaged(file, 16, "it is the snapshot of version " + opening.version);
        }
        if (next(META, version) != 8 + 8 * Source.WORDS) {
          throw broken("its description is incomplete");
        }
        long[] words = new long[1 + Source.WORDS];
        piece.asLongBuffer().get(words);
        piece.limit(0);
        snapshot = new Snapshot(version, words[0], Source.ofWords(words, 1), size);
      } catch (IOException | RuntimeException e) {
        in.close();
        throw e;
      }
    }

    private FilterFormatException broken(String what) {
      return damaged(
          file,
          offset,
          what
              + "; restore the folder from a backup or a replica, or, if an older snapshot and the"
              + " journal behind it are still there, delete this file");
    }

    /** Returns the properties of the snapshot apart from the content. */
    public Snapshot snapshot() {
      return snapshot;
    }

    /**
     * Reads the payload of the next frame and returns its length, or -1 if it is the last frame.
     */
    private int next(int expected, long version) throws IOException {
      Frame frame = frames.next(PIECE_BYTES);
      if (frame == null || frame.version() != version) {
        throw broken("a piece of it is damaged or missing");
      }
      piece = frames.payload();
      if (frame.operation() == END && expected == IMAGE) {
        if (in.read() >= 0) {
          throw broken("bytes follow its end");
        }
        return -1;
      }
      if (frame.operation() != expected) {
        throw broken("a piece of type " + frame.operation());
      }
      offset += Frame.HEADER + frame.bytes();
      return frame.bytes();
    }

    private boolean fill() throws IOException {
      while (!piece.hasRemaining() && !isEnd) {
        int next = next(IMAGE, snapshot.version);
        isEnd = next < 0;
        piece.limit(Math.max(0, next));
      }
      return !isEnd;
    }

    @Override
    public int read() throws IOException {
      return fill() ? piece.get() & 0xFF : -1;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (!fill()) {
        return -1;
      }
      int some = Math.min(length, piece.remaining());
      piece.get(into, from, some);
      return some;
    }

    /** Throws if bytes follow the content that was read. */
    public void requireEnd() throws IOException {
      if (read() >= 0) {
        throw broken("bytes follow the filter");
      }
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  /** Opens a snapshot. */
  public SnapshotReader read(long version) throws IOException {
    return new SnapshotReader(version);
  }

  /** Deletes all snapshots before a version, and the remains of unfinished writes. */
  public void deleteBefore(long version) throws IOException {
    for (long its : snapshots()) {
      if (its < version) {
        disk.delete(snapshotFile(its));
      }
    }
  }

  /** Deletes the remains of unfinished writes. */
  public void deleteParts() throws IOException {
    for (String name : disk.list(path)) {
      boolean isPart = name.endsWith(PART);
      String whole = isPart ? name.substring(0, name.length() - PART.length()) : "";
      // files of other programs are not deleted
      if (whole.equals(FILTER) || version(SNAPSHOT, whole) >= 0) {
        disk.delete(file(name));
      }
    }
  }

  /** Copies the file {@code filter}, a snapshot and journal segments to another folder. */
  public void copyTo(Path target, long snapshot, List<Journal.Segment> segments)
      throws IOException {
    for (String name : disk.list(target)) {
      if (name.equals(FILTER) || isOfFilter(name)) {
        throw new FileSystemException(
            target.toString(),
            null,
            "it has a file of a durable filter already (%s): name an empty folder".formatted(name));
      }
    }
    if (snapshot >= 0) {
      Path file = snapshotFile(snapshot);
      copy(file, disk.size(file), target);
    }
    for (Journal.Segment segment : segments) {
      copy(segment.file(), segment.bytes(), target);
    }
    // copied last, because this file makes the target a durable folder
    copy(file(FILTER), disk.size(file(FILTER)), target);
    disk.forceNames(target);
  }

  private void copy(Path from, long bytes, Path target) throws IOException {
    byte[] buffer = new byte[PIECE_BYTES];
    try (InputStream in = disk.read(from, 0);
        Disk.Appender out = disk.create(target.resolve(from.getFileName()))) {
      for (long left = bytes; left > 0; ) {
        int some = in.read(buffer, 0, (int) Math.min(buffer.length, left));
        if (some < 0) {
          throw new FileSystemException(from.toString(), null, "it was truncated in the meantime");
        }
        out.write(ByteBuffer.wrap(buffer, 0, some));
        left -= some;
      }
      out.force();
    }
  }

  /** Closes or deletes something after a failure; an exception while doing so is suppressed. */
  static void closeAfter(Throwable failure, @Nullable Closeable open) {
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
