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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a folder, in segments: files that are only written at their end. One thread at a
 * time uses it.
 *
 * <p>A {@link #commit} that fails leaves the journal as it was: what it wrote is cut off, and the
 * next commit begins a new segment at the same version. That also covers a {@code force} that
 * failed, after which an operating system may have forgotten what it should have written.
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
  private long endOfLast;
  private long cutBytes;
  private long bytesWritten;
  private long groups;
  private long forces;

  /** The version after the changes in the buffer. */
  private long next;

  /**
   * A file of the journal.
   *
   * @param file where it is
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
   * Reads the journal of a folder and gives the changes from a version on.
   *
   * @param from the version of the snapshot that they follow
   * @param cutsDamage whether damage ends the journal, instead of being refused
   */
  public static Journal recover(
      Folder folder, long from, boolean cutsDamage, Changes.Visitor visitor) throws IOException {
    Journal journal = new Journal(folder);
    journal.list();
    journal.version = from;
    journal.readAll(from, cutsDamage, visitor);
    journal.forced = journal.version;
    return journal;
  }

  private void list() throws IOException {
    for (String name : folder.disk().list(folder.path())) {
      long first = Folder.version(Folder.JOURNAL, name);
      if (first >= 0) {
        Path path = folder.file(name);
        segments.put(first, new Segment(path, first, disk.size(path)));
      }
    }
  }

  private void readAll(long from, boolean cutsDamage, Changes.Visitor visitor) throws IOException {
    Map.Entry<Long, Segment> entry = segments.floorEntry(from);
    if (entry == null) {
      entry = segments.firstEntry();
    }
    long reached = entry == null ? from : Math.min(entry.getKey(), from);
    while (entry != null) {
      Segment segment = entry.getValue();
      if (segment.first > Math.max(reached, from)) {
        if (!cutsDamage) {
          throw Folder.damaged(
              segment.file,
              16,
              "it begins with change %d, and the changes from %d on are missing: %s"
                  .formatted(segment.first, reached, wayOut(reached)));
        }
        dropFrom(segment.first);
        break;
      }
      Map.Entry<Long, Segment> next = segments.higherEntry(entry.getKey());
      long limit = next == null ? Long.MAX_VALUE : next.getKey();
      Reading reading = new Reading(segment, from, limit, visitor);
      reading.run(reached, cutsDamage);
      reached = reading.reached;
      if (reading.badAt >= 0 && limit > reached) {
        if (next == null) {
          requireTorn(segment, reading, cutsDamage);
          cutBytes += segment.bytes - reading.badAt;
          segments.put(segment.first, new Segment(segment.file, segment.first, reading.badAt));
        } else if (!cutsDamage) {
          throw damage(segment, reading.badAt, reached);
        } else {
          cutBytes += segment.bytes - reading.badAt;
          segments.put(segment.first, new Segment(segment.file, segment.first, reading.badAt));
          dropFrom(next.getKey());
          break;
        }
      }
      entry = next;
    }
    version = Math.max(from, reached);
    endOfLast = reached;
  }

  private void dropFrom(long first) {
    for (Segment dropped : segments.tailMap(first, true).values()) {
      cutBytes += dropped.bytes;
    }
    segments.tailMap(first, true).clear();
  }

  private static String wayOut(long reached) {
    return "restore the folder from a backup or a replica, or open it with cutDamage() and lose the changes from "
        + reached
        + " on";
  }

  private static FilterFormatException damage(Segment segment, long offset, long reached) {
    return Folder.damaged(
        segment.file,
        offset,
        "a group of changes is damaged, and groups follow it that were written later: "
            + wayOut(reached));
  }

  /** Reads the groups of one segment, as far as they are whole. */
  private final class Reading {
    private final Segment segment;
    private final long from;
    private final long limit;
    private final Changes.Visitor visitor;
    private long reached;

    /** The offset of the first group that is not whole, or -1. */
    private long badAt = -1;

    Reading(Segment segment, long from, long limit, Changes.Visitor visitor) {
      this.segment = segment;
      this.from = from;
      this.limit = limit;
      this.visitor = visitor;
    }

    void run(long alreadyReached, boolean cutsDamage) throws IOException {
      reached = alreadyReached;
      if (segment.bytes < Frame.HEADER) {
        // its creation was interrupted, and nothing was written to it
        badAt = 0;
        return;
      }
      try (InputStream in = new BufferedInputStream(disk.read(segment.file, 0), READ_BYTES)) {
        Folder.Opening opening;
        try {
          opening = Folder.opening(in, segment.file, Folder.JOURNAL_MAGIC, "a journal");
        } catch (FilterFormatException e) {
          if (!cutsDamage && isForcedBehind(segment, Frame.HEADER, segment.first, true)) {
            throw e;
          }
          badAt = 0;
          return;
        }
        folder.requireId(opening, segment.file);
        if (opening.version() != segment.first) {
          throw Folder.damaged(
              segment.file, 16, "it begins with change " + opening.version() + ": rename it");
        }
        groups(in);
      }
    }

    private void groups(InputStream in) throws IOException {
      byte[] header = new byte[Frame.HEADER];
      byte[] payload = new byte[0];
      long[] words = new long[0];
      long expected = segment.first;
      for (long offset = Frame.HEADER; offset < segment.bytes && expected < limit; ) {
        Frame frame = Frame.read(in, header);
        if (frame == null || frame.version() != expected || !isPossible(frame)) {
          badAt = offset;
          return;
        }
        if (frame.bytes() > segment.bytes - offset - Frame.HEADER) {
          badAt = offset;
          return;
        }
        if (payload.length < frame.bytes()) {
          payload = new byte[Math.max(frame.bytes(), 2 * payload.length)];
          words = new long[payload.length / 8];
        }
        if (in.readNBytes(payload, 0, frame.bytes()) < frame.bytes()
            || Frame.checksum(payload, 0, frame.bytes()) != frame.checksum()) {
          badAt = offset;
          return;
        }
        int count = frame.bytes() / 8;
        ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(words, 0, count);
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

  private void requireTorn(Segment segment, Reading reading, boolean cutsDamage)
      throws IOException {
    if (!cutsDamage && isForcedBehind(segment, reading.badAt + 8, reading.reached, false)) {
      throw damage(segment, reading.badAt, reading.reached);
    }
  }

  /**
   * Whether a whole group lies behind an offset that was written when everything before it was on
   * disk. Then what is not whole before it was damaged, and not torn.
   *
   * @param after the version of the damaged group
   * @param orAny whether any whole group is enough
   */
  private boolean isForcedBehind(Segment segment, long offset, long after, boolean orAny)
      throws IOException {
    long most = after + segment.bytes / 8 + 1;
    byte[] window = new byte[READ_BYTES];
    for (long at = offset; at + Frame.HEADER <= segment.bytes; ) {
      int length;
      try (InputStream in = disk.read(segment.file, at)) {
        length = in.readNBytes(window, 0, window.length);
      }
      int last = (length - Frame.HEADER) & -8;
      for (int i = 0; i <= last; i += 8) {
        Frame frame = likely(window, i, after, most);
        if (frame != null && (frame.isForced() || orAny) && isWhole(segment, at + i, frame)) {
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

  private static @Nullable Frame likely(byte[] window, int at, long after, long most) {
    long version = 0;
    for (int i = 15; i >= 8; i--) {
      version = (version << 8) | (window[at + i] & 0xFF);
    }
    return version < after || version > most ? null : Frame.of(window, at);
  }

  private boolean isWhole(Segment segment, long at, Frame frame) throws IOException {
    if (!isPossible(frame) || frame.bytes() > segment.bytes - at - Frame.HEADER) {
      return false;
    }
    try (InputStream in = disk.read(segment.file, at + Frame.HEADER)) {
      byte[] payload = in.readNBytes(frame.bytes());
      return Frame.checksum(payload, 0, payload.length) == frame.checksum();
    }
  }

  /** The bytes of a torn end that recovery did not take. */
  public long cutBytes() {
    return cutBytes;
  }

  /** Makes the files what recovery has found, so that changes can be added. */
  public void repair() throws IOException {
    for (String name : disk.list(folder.path())) {
      long first = Folder.version(Folder.JOURNAL, name);
      if (first >= 0 && !segments.containsKey(first)) {
        disk.delete(folder.file(name));
      }
    }
    Map.Entry<Long, Segment> last = segments.lastEntry();
    if (last != null && last.getValue().bytes >= Frame.HEADER && endOfLast == version) {
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

  /** The number of changes that were committed. */
  public long version() {
    return version;
  }

  /** How many of them are on disk. */
  public long forced() {
    return forced;
  }

  /** The first version from which on all changes are here. */
  public long oldest() {
    return segments.isEmpty() ? version : segments.firstKey();
  }

  /** The bytes of all segments. */
  public long bytes() {
    return segments.values().stream().mapToLong(Segment::bytes).sum();
  }

  /** All bytes that were written by this object. */
  public long bytesWritten() {
    return bytesWritten;
  }

  /** The groups that were written by this object. */
  public long groups() {
    return groups;
  }

  /** How often this object has waited for the disk. */
  public long forces() {
    return forces;
  }

  /**
   * Writes changes, as one group for each run, and waits for the disk if requested. If it fails,
   * none of them was written.
   */
  public void commit(Changes changes, boolean force) throws IOException {
    if (changes.isEmpty()) {
      return;
    }
    encode(changes);
    int bytes = buffer.remaining();
    Disk.Appender target = opened();
    Segment segment = segments.lastEntry().getValue();
    try {
      target.write(buffer);
    } catch (IOException | RuntimeException | Error e) {
      abandon(e, segment.bytes, forced < version);
      throw e;
    }
    if (force) {
      try {
        forces++;
        target.force();
      } catch (IOException | RuntimeException | Error e) {
        abandon(e, segment.bytes, false);
        throw e;
      }
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
                "a group of %d bytes, where %d are possible".formatted(bytes, Frame.MAX_BYTES));
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

  /** The last segment, or a new one. */
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
   * @param bytes its length before that
   * @param forces whether what is in it still has to be forced
   */
  private void abandon(Throwable failure, long bytes, boolean forces) {
    Disk.Appender broken = file;
    file = null;
    if (broken != null) {
      try {
        broken.truncate(bytes);
        if (forces) {
          broken.force();
          forced = version;
        }
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
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
        // what may be missing on disk is in the snapshot
        return;
      }
      Disk.Appender old = file;
      file = null;
      old.close();
    }
  }

  /** Goes on at a later version, which a snapshot has reached; the journal was rolled before. */
  public void skipTo(long newVersion) {
    version = newVersion;
    forced = newVersion;
  }

  /**
   * Deletes segments that a snapshot made unnecessary, the oldest first, as long as the others
   * still have a number of bytes.
   *
   * @param snapshot its version
   * @param keptBytes how many bytes of history to keep for replicas
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

  /** The segments as they are now. */
  public List<Segment> segments() {
    return new ArrayList<>(segments.values());
  }

  /** In place of the number of hashes: the clock goes on to the time of the run. */
  public static final long TICK = -1;

  /** The same, and all keys expire by it. */
  public static final long EMPTYING_TICK = -2;

  /**
   * The puts of some segments from a version on, in runs of one time: the time, the number of
   * hashes, and these; or the time and {@link #TICK} or {@link #EMPTYING_TICK}.
   *
   * @param to where to end
   */
  public static long[] putsSince(Folder folder, List<Segment> segments, long from, long to)
      throws IOException {
    Journal copy = new Journal(folder);
    segments.forEach(segment -> copy.segments.put(segment.first, segment));
    Runs runs = new Runs();
    copy.readAll(
        from,
        false,
        (operation, time, at, words, start, end) -> {
          int first = operation == Changes.RECEIVED ? start + Source.WORDS : start;
          int skipped = (int) Math.max(0, from - at);
          int some = (int) Math.min(end - first, to - at) - skipped;
          if (some > 0 && operation == Changes.ADVANCE) {
            runs.tick(time, words[start] == 0 ? TICK : EMPTYING_TICK);
          } else if (some > 0) {
            runs.add(time, words, first + skipped, some);
          }
        });
    return runs.toArray();
  }

  /** Runs of hashes of one time each. */
  private static final class Runs {
    private long[] words = new long[16];
    private int length;
    private int begun = -1;

    void add(long time, long[] hashes, int from, int count) {
      if (words.length < length + 2 + count) {
        words = Arrays.copyOf(words, Math.max(2 * words.length, length + 2 + count));
      }
      if (begun < 0 || words[begun] != time) {
        begun = length;
        words[length++] = time;
        words[length++] = 0;
      }
      System.arraycopy(hashes, from, words, length, count);
      words[begun + 1] += count;
      length += count;
    }

    void tick(long time, long how) {
      words = Arrays.copyOf(words, Math.max(words.length, length + 2));
      words[length++] = time;
      words[length++] = how;
      begun = -1;
    }

    long[] toArray() {
      return Arrays.copyOf(words, length);
    }
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
