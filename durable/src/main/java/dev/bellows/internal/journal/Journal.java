package dev.bellows.internal.journal;

import dev.bellows.io.FilterFormatException;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a folder, in append-only files called segments. Not thread-safe.
 *
 * <p>A {@link #commit} that fails leaves the journal unchanged: its bytes are cut off, and the next
 * commit begins a new segment at the same version. This also covers a failed {@code force}, after
 * which an operating system may have dropped the data that it should have written.
 */
public final class Journal implements Closeable {
  private static final int READ_BYTES = 1 << 18;
  private static final int KEPT_BYTES = 1 << 22;

  private final Folder folder;
  private final Disk disk;
  private final NavigableMap<Long, Segment> segments = new TreeMap<>();
  private Disk.@Nullable Appender file;
  private ByteBuffer buffer = buffer(1 << 12);
  private long version;
  private long forced;

  /** The version after the last group that was read. */
  private long reached;

  private long cutBytes;
  private long bytesWritten;
  private long groups;
  private long forces;

  /** The version after the changes in the buffer. */
  private long next;

  /**
   * A file of the journal.
   *
   * @param file the path of the file
   * @param first the version of its first change
   * @param bytes its length without a torn end
   */
  public record Segment(Path file, long first, long bytes) {}

  private Journal(Folder folder) {
    this.folder = folder;
    this.disk = folder.disk();
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  // Recovery.

  /**
   * Reads the journal of a folder and passes the changes since a version to a visitor.
   *
   * @param from the version of the snapshot that the changes follow
   * @param cutsDamage whether the journal ends at a damaged group, instead of being rejected with
   *     an exception
   */
  public static Journal recover(
      Folder folder, long from, boolean cutsDamage, Changes.Visitor visitor) throws IOException {
    Journal journal = new Journal(folder);
    for (long first : folder.versions(Folder.JOURNAL)) {
      Path path = folder.file(Folder.name(Folder.JOURNAL, first));
      journal.segments.put(first, new Segment(path, first, folder.disk().size(path)));
    }
    journal.version = from;
    journal.readAll(from, cutsDamage, visitor);
    journal.forced = journal.version;
    return journal;
  }

  private void readAll(long from, boolean cutsDamage, Changes.Visitor visitor) throws IOException {
    Map.Entry<Long, Segment> entry = segments.floorEntry(from);
    if (entry == null) {
      entry = segments.firstEntry();
    }
    reached = entry == null ? from : Math.min(entry.getKey(), from);
    while (entry != null) {
      Segment segment = entry.getValue();
      if (segment.first > Math.max(reached, from)) {
        if (!cutsDamage) {
          throw Folder.damaged(
              segment.file,
              16,
              "it begins with change %d, and the changes from %d on are missing: %s"
                  .formatted(segment.first, reached, wayOut()));
        }
        dropFrom(segment.first);
        break;
      }
      Map.Entry<Long, Segment> next = segments.higherEntry(entry.getKey());
      long limit = next == null ? Long.MAX_VALUE : next.getKey();
      long badAt = read(segment, from, limit, cutsDamage, visitor);
      if (badAt >= 0 && limit > reached) {
        if (!cutsDamage && (next != null || isForcedBehind(segment, badAt + 8, reached, false))) {
          throw Folder.damaged(
              segment.file,
              badAt,
              "a group of changes is damaged, and groups follow it that were written later: "
                  + wayOut());
        }
        dropFrom(limit);
        cutBytes += segment.bytes - badAt;
        segments.put(segment.first, new Segment(segment.file, segment.first, badAt));
        break;
      }
      entry = next;
    }
    version = Math.max(from, reached);
  }

  private void dropFrom(long first) {
    for (Segment dropped : segments.tailMap(first, true).values()) {
      cutBytes += dropped.bytes;
    }
    segments.tailMap(first, true).clear();
  }

  private String wayOut() {
    return "restore the folder from a backup or a replica, or open it with cutDamage() and lose the"
        + " changes from "
        + reached
        + " on";
  }

  /**
   * Reads the groups of a segment up to a version, and returns the offset of the first one that is
   * incomplete or damaged; -1 if there is none.
   */
  private long read(
      Segment segment, long from, long limit, boolean cutsDamage, Changes.Visitor visitor)
      throws IOException {
    if (segment.bytes < Frame.HEADER) {
      // its creation was interrupted, and nothing was written to it
      return 0;
    }
    try (InputStream in = new BufferedInputStream(disk.read(segment.file, 0), READ_BYTES)) {
      Folder.Opening opening;
      try {
        opening = Folder.opening(in, segment.file, Folder.JOURNAL_MAGIC, "a journal");
      } catch (FilterFormatException e) {
        if (!cutsDamage && isForcedBehind(segment, Frame.HEADER, segment.first, true)) {
          throw e;
        }
        return 0;
      }
      folder.requireId(opening, segment.file);
      if (opening.version() != segment.first) {
        throw Folder.damaged(
            segment.file, 16, "it begins with change " + opening.version() + ": rename it");
      }
      Frame.Reader frames = new Frame.Reader(in);
      long[] words = new long[0];
      long expected = segment.first;
      for (long offset = Frame.HEADER; offset < segment.bytes && expected < limit; ) {
        Frame frame = frames.next(segment.bytes - offset - Frame.HEADER);
        if (frame == null || frame.version() != expected || !isPossible(frame)) {
          return offset;
        }
        int count = frame.bytes() / 8;
        words = words.length < count ? new long[Math.max(count, 2 * words.length)] : words;
        frames.payload().asLongBuffer().get(words, 0, count);
        int changes = Changes.changes(frame.operation(), count);
        if (expected + changes > from || (changes == 0 && expected >= from)) {
          try {
            visitor.run(frame.operation(), frame.time(), expected, words, 0, count);
          } catch (IllegalArgumentException
              | IllegalStateException
              | UnsupportedOperationException e) {
            throw Folder.damaged(
                segment.file,
                offset,
                "a group of changes that its filter cannot have made: " + e.getMessage());
          }
        }
        expected += changes;
        reached = Math.max(reached, expected);
        offset += Frame.HEADER + frame.bytes();
      }
      return -1;
    }
  }

  private static boolean isPossible(Frame frame) {
    int words = frame.bytes() / 8;
    return frame.bytes() % 8 == 0
        && switch (frame.operation()) {
          case Changes.PUT, Changes.REMOVE -> words > 0;
          case Changes.ADVANCE -> words == 1;
          case Changes.CLEAR -> words == 0;
          case Changes.RECEIVED -> words >= Source.WORDS;
          default -> false;
        };
  }

  /**
   * Returns whether an offset is followed by an intact group that was written when everything
   * before it was on disk. If so, an earlier group that is not intact was damaged rather than torn
   * by a crash.
   *
   * @param after the version of the damaged group
   * @param orAny whether any intact group suffices
   */
  private boolean isForcedBehind(Segment segment, long offset, long after, boolean orAny)
      throws IOException {
    long most = after + segment.bytes / 8 + 1;
    byte[] window = new byte[READ_BYTES];
    ByteBuffer words = ByteBuffer.wrap(window).order(ByteOrder.LITTLE_ENDIAN);
    for (long at = offset; at + Frame.HEADER <= segment.bytes; ) {
      int length;
      try (InputStream in = disk.read(segment.file, at)) {
        length = in.readNBytes(window, 0, window.length);
      }
      int last = (length - Frame.HEADER) & -8;
      for (int i = 0; i <= last; i += 8) {
        long version = words.getLong(i + 8);
        Frame frame = version < after || version > most ? null : Frame.of(window, i);
        if (frame != null && (frame.isForced() || orAny) && isWhole(segment, at + i)) {
          return true;
        }
      }
      if (last < 0) {
        return false;
      }
      at += last + 8L;
    }
    return false;
  }

  private boolean isWhole(Segment segment, long at) throws IOException {
    try (InputStream in = disk.read(segment.file, at)) {
      Frame frame = new Frame.Reader(in).next(segment.bytes - at - Frame.HEADER);
      return frame != null && isPossible(frame);
    }
  }

  /** Returns the number of bytes at the end that recovery cut off. */
  public long cutBytes() {
    return cutBytes;
  }

  /**
   * Truncates and deletes files to match the result of recovery, so that changes can be appended.
   */
  public void repair() throws IOException {
    for (long first : folder.versions(Folder.JOURNAL)) {
      if (!segments.containsKey(first)) {
        disk.delete(folder.file(Folder.name(Folder.JOURNAL, first)));
      }
    }
    Map.Entry<Long, Segment> last = segments.lastEntry();
    if (last != null && last.getValue().bytes >= Frame.HEADER && reached == version) {
      Segment segment = last.getValue();
      file = disk.append(segment.file);
      if (disk.size(segment.file) > segment.bytes) {
        file.truncate(segment.bytes);
      }
      file.force();
    } else if (last != null && last.getValue().bytes < Frame.HEADER) {
      segments.remove(last.getKey());
      disk.delete(last.getValue().file);
    }
  }

  // Writing.

  /** Returns the number of committed changes. */
  public long version() {
    return version;
  }

  /** Returns the earliest version since which the journal contains all changes. */
  public long oldest() {
    return segments.isEmpty() ? version : segments.firstKey();
  }

  /** Returns the number of bytes of all segments. */
  public long bytes() {
    return segments.values().stream().mapToLong(Segment::bytes).sum();
  }

  /** Returns the number of bytes that this object has written. */
  public long bytesWritten() {
    return bytesWritten;
  }

  /** Returns the number of groups that this object has written. */
  public long groups() {
    return groups;
  }

  /** Returns the number of times that this object has waited for the disk. */
  public long forces() {
    return forces;
  }

  /**
   * Writes changes, as one group for each run, and waits for the disk if requested. If this method
   * throws, none of them was written.
   */
  public void commit(Changes changes, boolean force) throws IOException {
    if (changes.isEmpty()) {
      return;
    }
    encode(changes);
    int bytes = buffer.remaining();
    Disk.Appender target = opened();
    Segment segment = segments.lastEntry().getValue();
    boolean isWritten = false;
    try {
      target.write(buffer);
      isWritten = true;
      if (force) {
        forces++;
        target.force();
      }
    } catch (IOException | RuntimeException | Error e) {
      abandon(e, segment.bytes, !isWritten && forced < version);
      throw e;
    }
    bytesWritten += bytes;
    segments.put(segment.first, new Segment(segment.file, segment.first, segment.bytes + bytes));
    version = next;
    if (force) {
      forced = version;
    }
  }

  private void encode(Changes changes) {
    next = version;
    buffer.clear();
    if (buffer.capacity() > KEPT_BYTES) {
      buffer = buffer(1 << 12);
    }
    boolean[] isFirst = {true};
    changes.forEach(
        version,
        (operation, time, at, words, from, to) -> {
          int bytes = Math.addExact(Frame.HEADER, Math.multiplyExact(8, to - from));
          if (bytes > Frame.MAX_BYTES) {
            throw new IllegalArgumentException(
                "a group of %d bytes exceeds the maximum of %d".formatted(bytes, Frame.MAX_BYTES));
          }
          if (buffer.remaining() < bytes) {
            ByteBuffer larger = buffer(Math.max(2 * buffer.capacity(), buffer.position() + bytes));
            larger.put(buffer.flip());
            buffer = larger;
          }
          int start = buffer.position();
          buffer.position(start + Frame.HEADER);
          buffer.asLongBuffer().put(words, from, to - from);
          buffer.position(start + bytes);
          Frame.seal(buffer, start, operation, isFirst[0] && forced == version, at, time);
          isFirst[0] = false;
          next = at + Changes.changes(operation, to - from);
          groups++;
        });
    buffer.flip();
  }

  /** Returns the last segment, or a new one. */
  private Disk.Appender opened() throws IOException {
    if (file == null) {
      Path path = folder.file(Folder.name(Folder.JOURNAL, version));
      Disk.Appender created = disk.create(path);
      try {
        created.write(ByteBuffer.wrap(Frame.opening(Folder.JOURNAL_MAGIC, folder.id(), version)));
        created.force();
        disk.forceNames(folder.path());
      } catch (IOException | RuntimeException | Error e) {
        Folder.closeAfter(e, created);
        throw e;
      }
      bytesWritten += Frame.HEADER;
      segments.put(version, new Segment(path, version, Frame.HEADER));
      file = created;
    }
    return file;
  }

  /**
   * Ends a segment after a failure.
   *
   * @param bytes the length of the segment before the failure
   * @param forces whether the remaining bytes still have to be forced
   */
  private void abandon(Throwable failure, long bytes, boolean forces) {
    Disk.Appender broken = file;
    file = null;
    if (broken != null) {
      Folder.closeAfter(
          failure,
          () -> {
            broken.truncate(bytes);
            if (forces) {
              broken.force();
              forced = version;
            }
          });
      Folder.closeAfter(failure, broken);
    }
  }

  /** Waits until everything that was committed is on disk. */
  public void force() throws IOException {
    if (forced < version) {
      if (file == null) {
        throw new IOException(
            ("the changes from %d to %d may not be on disk, because writing them failed before: "
                    + "take a snapshot")
                .formatted(forced, version));
      }
      try {
        forces++;
        file.force();
      } catch (IOException e) {
        Folder.closeAfter(e, file);
        file = null;
        throw e;
      }
    }
    forced = version;
  }

  /** Begins a new segment with the next commit, because a snapshot of this version follows. */
  public void roll() throws IOException {
    if (file != null) {
      try {
        force();
      } catch (IOException e) {
        // changes that may not be on disk are in the snapshot
        return;
      }
      close();
    }
  }

  /**
   * Continues at a later version, which a snapshot has reached. The journal must have been rolled.
   */
  public void skipTo(long newVersion) {
    version = newVersion;
    forced = newVersion;
  }

  /**
   * Deletes segments that a snapshot has made obsolete, oldest first, while the journal is longer
   * than the history to keep.
   *
   * @param snapshot the version of the snapshot
   * @param keptBytes the number of bytes of history to keep for replicas
   */
  public void forget(long snapshot, long keptBytes) throws IOException {
    forced = Math.max(forced, snapshot);
    while (segments.size() > 0) {
      Segment oldest = segments.firstEntry().getValue();
      Long second = segments.higherKey(oldest.first);
      boolean isOld = second == null ? file == null && version <= snapshot : second <= snapshot;
      if (!isOld || bytes() <= keptBytes) {
        return;
      }
      segments.remove(oldest.first);
      disk.delete(oldest.file);
    }
  }

  /** Returns a copy of the list of segments. */
  public List<Segment> segments() {
    return new ArrayList<>(segments.values());
  }

  /**
   * Returns the puts of some segments since a version, and the advances of the clock.
   *
   * @param to the version at which to end
   */
  public static Changes putsSince(Folder folder, List<Segment> segments, long from, long to)
      throws IOException {
    Journal copy = new Journal(folder);
    segments.forEach(segment -> copy.segments.put(segment.first, segment));
    Changes puts = new Changes();
    copy.readAll(
        from,
        false,
        (operation, time, at, words, start, end) -> {
          int first = operation == Changes.RECEIVED ? start + Source.WORDS : start;
          int skipped = (int) Math.max(0, from - at);
          int some = (int) Math.min(end - first, to - at) - skipped;
          if (some > 0) {
            int its = operation == Changes.RECEIVED ? Changes.PUT : operation;
            puts.addAll(its, time, words, first + skipped, first + skipped + some);
          }
        });
    return puts;
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      Disk.Appender open = file;
      file = null;
      open.close();
    }
  }
}
