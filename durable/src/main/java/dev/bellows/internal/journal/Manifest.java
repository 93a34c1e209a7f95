package dev.bellows.internal.journal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files that hold the content of a durable folder. The file {@code manifest-TERM} is replaced
 * atomically, so a reader sees a snapshot together with the segments that follow it, and notices a
 * file that is missing.
 *
 * <p>Every opening of a folder for writing has a term, one higher than the last one, and owns the
 * files with its term in their names. The manifest with the highest term counts. An owner that has
 * lost its lock therefore cannot replace a file of the next owner.
 *
 * @param term the term of the owner that wrote it
 * @param next the number that the next file of this owner gets
 * @param snapshot the snapshot with which recovery begins; null if the filter was created empty
 * @param history the number of segments before the snapshot, which are kept for replicas
 * @param segments the segments of the journal, oldest first
 */
public record Manifest(
    long term, long next, @Nullable Entry snapshot, int history, List<Entry> segments) {
  /** The length of a segment to which groups may still be appended; only the last one has it. */
  static final long OPEN = -1;

  private static final int ENTRY_WORDS = 5;

  /**
   * A snapshot or a segment.
   *
   * @param term the term of the owner that created the file
   * @param number the number of the file among those of the same owner
   * @param salt a random number, repeated in the file, that identifies it. The versions of its
   *     frames are combined with it, so that a writer of keys cannot forge a frame
   * @param version the version of a snapshot, or of the first change of a segment
   * @param bytes the length; what follows in the file is ignored
   */
  public record Entry(long term, long number, long salt, long version, long bytes) {
    /** Returns an entry with another length. */
    Entry withBytes(long newBytes) {
      return new Entry(term, number, salt, version, newBytes);
    }

    boolean isOpen() {
      return bytes == OPEN;
    }

    String name(String prefix) {
      return prefix + term + "-" + number;
    }
  }

  /** Copies the list. */
  public Manifest {
    segments = List.copyOf(segments);
  }

  /** Returns the entry of the snapshot of a filter that has keys when its folder is created. */
  public static Entry first() {
    return new Entry(0, 0, newSalt(), 0, OPEN);
  }

  static long newSalt() {
    UUID random = UUID.randomUUID();
    return random.getMostSignificantBits() ^ random.getLeastSignificantBits();
  }

  /** Returns the names of all files in the list. */
  List<String> names() {
    return Stream.concat(
            Stream.ofNullable(snapshot).map(entry -> entry.name(Folder.SNAPSHOT)),
            segments.stream().map(entry -> entry.name(Folder.JOURNAL)))
        .toList();
  }

  /** Returns the payload of its frame. */
  ByteBuffer toFrame() {
    int entries = segments.size() + (snapshot == null ? 0 : 1);
    ByteBuffer out =
        ByteBuffer.allocate(Frame.HEADER + 8 * (3 + ENTRY_WORDS * entries))
            .order(ByteOrder.LITTLE_ENDIAN);
    out.position(Frame.HEADER);
    out.putLong(next).putLong(snapshot == null ? 0 : 1).putLong(history);
    Stream.concat(Stream.ofNullable(snapshot), segments.stream())
        .forEach(
            entry ->
                out.putLong(entry.term)
                    .putLong(entry.number)
                    .putLong(entry.salt)
                    .putLong(entry.version)
                    .putLong(entry.bytes));
    Frame.seal(out, 0, Folder.MANIFEST_FRAME, true, term, 0);
    return out.flip();
  }

  /** Reads what follows the opening of a manifest. */
  static Manifest read(InputStream in, long size, Path file, long term) throws IOException {
    Frame.Reader frames = new Frame.Reader(in);
    Frame frame = frames.next(size, 0);
    if (frame == null
        || frame.operation() != Folder.MANIFEST_FRAME
        || frame.version() != term
        || frame.bytes() != size - 2 * Frame.HEADER
        || frame.bytes() % 8 != 0) {
      throw Folder.damaged(
          file, Frame.HEADER, "the list of files is damaged; restore the folder from a backup");
    }
    ByteBuffer words = frames.payload().limit(frame.bytes());
    if (words.remaining() < 3 * 8) {
      throw Folder.damaged(file, Frame.HEADER, "its list of files is impossible");
    }
    long next = words.getLong();
    boolean hasSnapshot = words.getLong() != 0;
    long history = words.getLong();
    List<Entry> entries = new ArrayList<>();
    while (words.remaining() >= 8 * ENTRY_WORDS) {
      entries.add(
          new Entry(
              words.getLong(), words.getLong(), words.getLong(), words.getLong(), words.getLong()));
    }
    Entry snapshot = hasSnapshot && !entries.isEmpty() ? entries.remove(0) : null;
    Manifest read =
        new Manifest(term, next, snapshot, (int) Math.min(history, Integer.MAX_VALUE), entries);
    if (words.hasRemaining() || hasSnapshot != (snapshot != null) || !read.isPossible()) {
      throw Folder.damaged(file, Frame.HEADER, "its list of files is impossible");
    }
    return read;
  }

  private boolean isPossible() {
    boolean isPossible =
        history >= 0
            && history <= segments.size()
            && (history == segments.size() || segments.get(history).version == start());
    for (int i = 0; i < segments.size() - 1; i++) {
      isPossible &= !segments.get(i).isOpen();
    }
    return isPossible;
  }

  /** Returns the version with which recovery begins. */
  public long start() {
    return snapshot == null ? 0 : Objects.requireNonNull(snapshot).version;
  }
}
