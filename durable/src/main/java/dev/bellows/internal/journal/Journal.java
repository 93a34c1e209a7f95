package dev.bellows.internal.journal;

import dev.bellows.io.FilterFormatException;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a folder, in append-only files called segments. Not thread-safe.
 *
 * <p>A {@link #commit} that fails leaves the journal unchanged: its bytes are cut off, and the next
 * commit begins a new segment at the same version. This also covers a failed {@code force}, after
 * which an operating system may have dropped the data that it should have written.
 *
 * <p>The {@link Manifest} lists a segment before its first group is written, and the lengths of all
 * segments but the last. So only the last one can have a torn end. How far it was forced to disk is
 * also written to the file {@code reached}, so that a group that is missing there is noticed.
 */
public final class Journal implements Closeable {
  private static final int READ_BYTES = 1 << 18;
  private static final int KEPT_BYTES = 1 << 22;

  /** The number of segments above which the oldest is not kept for replicas. */
  private static final int MOST_SEGMENTS = 256;

  /** The words of the file {@code reached}: folder, term, number, bytes, checksum. */
  private static final int REACHED_BYTES = 5 * 8;

  private final Folder folder;
  private final Disk disk;
  private final List<Manifest.Entry> segments;
  private Manifest.@Nullable Entry snapshot;

  /** The number of segments before the snapshot. */
  private int history;

  // of an owner
  private @Nullable FolderLock lock;
  private Disk.@Nullable Cell reachedCell;
  private final ByteBuffer reachedBytes = buffer(REACHED_BYTES);
  private boolean isLost;
  private long term;
  private long nextNumber;

  /** The last segment while it is open, and its length. */
  private Disk.@Nullable Appender file;

  private long length;
  private ByteBuffer buffer = buffer(1 << 12);
  private long version;
  private long forced;

  /** The version after the last group that was read. */
  private long reached;

  /** Whether the last segment was open when it was recovered. */
  private boolean isTailUnforced;

  private long cutBytes;
  private long bytesWritten;
  private long groups;
  private long forces;

  /** The version after the changes in the buffer. */
  private long next;

  private Journal(Folder folder, Manifest manifest) {
    this.folder = folder;
    this.disk = folder.disk();
    this.segments = new ArrayList<>(manifest.segments());
    this.snapshot = manifest.snapshot();
    this.history = manifest.history();
    this.term = manifest.term();
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private Path path(Manifest.Entry segment) {
    return folder.file(segment.name(Folder.JOURNAL));
  }

  // Recovery.

  /**
   * Reads the journal of a folder and passes the changes after its snapshot to a visitor.
   *
   * @param cutsDamage whether the journal ends at a damaged group, instead of being rejected with
   *     an exception
   */
  public static Journal recover(
      Folder folder, Manifest manifest, boolean cutsDamage, Changes.Visitor visitor)
      throws IOException {
    Journal journal = new Journal(folder, manifest);
    journal.version = manifest.start();
    journal.readAll(manifest.history(), manifest.start(), cutsDamage, visitor);
    journal.version = journal.reached;
    journal.forced = journal.version;
    return journal;
  }

  private void readAll(int index, long from, boolean cutsDamage, Changes.Visitor visitor)
      throws IOException {
    // first: an owner may append to the journal while it is being read
    long[] mark = mark();
    reached = index < segments.size() ? segments.get(index).version() : from;
    for (int i = index; i < segments.size(); i++) {
      Manifest.Entry segment = segments.get(i);
      long size = size(segment);
      long end = segment.isOpen() ? size : Math.min(size, segment.bytes());
      long intact = segment.version() == reached ? read(segment, end, from, visitor) : 0;
      String damage = damage(segment, size, intact, mark);
      if (damage != null && !cutsDamage) {
        throw Folder.damaged(path(segment), intact, damage + ": " + wayOut());
      }
      segments.set(i, segment.withBytes(intact));
      isTailUnforced = segment.isOpen();
      cutBytes += damage != null || segment.isOpen() ? Math.max(0, size) - intact : 0;
      if (damage != null) {
        List<Manifest.Entry> dropped = segments.subList(i + 1, segments.size());
        for (Manifest.Entry its : dropped) {
          cutBytes += Math.max(0, size(its));
        }
        dropped.clear();
      }
    }
    segments.removeIf(segment -> segment.bytes() == 0);
    reached = Math.max(from, reached);
  }

  /** Returns the length of a segment; -1 if it is missing. */
  private long size(Manifest.Entry segment) throws IOException {
    try {
      return disk.size(path(segment));
    } catch (NoSuchFileException e) {
      return -1;
    }
  }

  /** Returns what is wrong with a segment; null if it is whole, or has a torn end. */
  private @Nullable String damage(Manifest.Entry segment, long size, long intact, long[] mark)
      throws IOException {
    if (size < 0) {
      return "it is missing";
    }
    if (segment.version() != reached && intact == 0) {
      return "it begins with change %d, and the changes from %d on are missing"
          .formatted(segment.version(), reached);
    }
    if (!segment.isOpen()) {
      return intact < segment.bytes() ? "a group of changes is damaged or missing" : null;
    }
    if (segment.term() == mark[1] && segment.number() == mark[2] && intact < mark[3]) {
      return "a group of changes that was on disk is damaged or missing";
    }
    return intact < size && isFollowed(segment, intact, size)
        ? "a group of changes is damaged, and groups follow it that were written later"
        : null;
  }

  /** Returns the words of the file {@code reached}; zeros if it is missing or empty. */
  private long[] mark() throws IOException {
    long[] words = new long[REACHED_BYTES / 8];
    Path path = folder.file(Folder.REACHED);
    byte[] bytes;
    try (InputStream in = disk.read(path, 0)) {
      bytes = in.readNBytes(REACHED_BYTES);
    } catch (NoSuchFileException e) {
      return words;
    }
    ByteBuffer.wrap(Arrays.copyOf(bytes, REACHED_BYTES))
        .order(ByteOrder.LITTLE_ENDIAN)
        .asLongBuffer()
        .get(words);
    boolean isBlank = Arrays.stream(words).allMatch(word -> word == 0);
    if (!isBlank
        && words[4]
            != Integer.toUnsignedLong(
                Frame.checksum(bytes, 0, Math.min(bytes.length, REACHED_BYTES - 8)))) {
      throw Folder.damaged(path, 0, "its checksum does not match; delete it if the power failed");
    }
    if (!isBlank && words[0] != folder.id()) {
      throw Folder.damaged(path, 0, "it belongs to another folder: move it back there");
    }
    return words;
  }

  private String wayOut() {
    return "restore the folder from a backup or a replica, or open it with cutDamage() and lose the"
        + " changes from "
        + reached
        + " on";
  }

  /**
   * Reads the groups of a segment and returns the offset of the first one that is incomplete or
   * damaged; the end if there is none.
   */
  private long read(Manifest.Entry segment, long end, long from, Changes.Visitor visitor)
      throws IOException {
    Path path = path(segment);
    if (end < Frame.HEADER) {
      // its creation was interrupted, and nothing was written to it
      return 0;
    }
    try (InputStream in = new BufferedInputStream(disk.read(path, 0), READ_BYTES)) {
      Folder.Opening opening;
      try {
        opening = Folder.opening(in, path, Folder.JOURNAL_MAGIC, "a journal");
      } catch (FilterFormatException e) {
        return 0;
      }
      folder.requireId(opening, path);
      if (opening.number() != segment.salt()) {
        throw Folder.damaged(path, 16, "it is not the segment that the manifest names");
      }
      Frame.Reader frames = new Frame.Reader(in);
      long[] words = new long[0];
      long expected = segment.version();
      long offset = Frame.HEADER;
      while (offset < end) {
        Frame frame = frames.next(end - offset - Frame.HEADER, segment.salt());
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
                path,
                offset,
                "a group of changes that its filter cannot have made: " + e.getMessage());
          }
        }
        expected += changes;
        reached = Math.max(reached, expected);
        offset += Frame.HEADER + frame.bytes();
      }
      return offset;
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
   * Returns whether an incomplete or damaged group is followed by the first group of a later
   * commit. If so it was damaged, rather than torn when the process ended.
   *
   * @param offset the offset of the incomplete group
   */
  private boolean isFollowed(Manifest.Entry segment, long offset, long end) throws IOException {
    Path path = path(segment);
    long most = reached + end / 8 + 1;
    byte[] window = new byte[READ_BYTES];
    ByteBuffer words = ByteBuffer.wrap(window).order(ByteOrder.LITTLE_ENDIAN);
    for (long at = Math.max(offset + 8, Frame.HEADER); at + Frame.HEADER <= end; ) {
      int filled;
      try (InputStream in = disk.read(path, at)) {
        filled = in.readNBytes(window, 0, window.length);
      }
      int last = (filled - Frame.HEADER) & -8;
      for (int i = 0; i <= last; i += 8) {
        long its = words.getLong(i + 8) ^ segment.salt();
        Frame frame = its < reached || its > most ? null : Frame.of(window, i, segment.salt());
        if (frame != null && frame.isFirst() && isWhole(path, segment.salt(), at + i, end)) {
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

  private boolean isWhole(Path path, long salt, long at, long end) throws IOException {
    try (InputStream in = disk.read(path, at)) {
      Frame frame = new Frame.Reader(in).next(end - at - Frame.HEADER, salt);
      return frame != null && isPossible(frame);
    }
  }

  /** Returns the number of bytes at the end that recovery cut off. */
  public long cutBytes() {
    return cutBytes;
  }

  /** Takes possession of the journal, so that changes can be appended. */
  public void own(FolderLock newLock, long newTerm) throws IOException {
    if (isTailUnforced && !segments.isEmpty()) {
      disk.force(path(segments.get(segments.size() - 1)));
    }
    lock = newLock;
    term = newTerm;
    reachedCell = disk.cell(folder.file(Folder.REACHED));
    reachedCell.write(ByteBuffer.allocate(REACHED_BYTES));
    Manifest mine = manifest();
    folder.publish(mine);
    folder.deleteUnlisted(mine);
  }

  private Manifest manifest() {
    return new Manifest(term, nextNumber, snapshot, history, segments);
  }

  // Writing.

  /** Returns the number of committed changes. */
  public long version() {
    return version;
  }

  /** Returns the earliest version since which the journal contains all changes. */
  public long oldest() {
    return segments.isEmpty() ? version : segments.get(0).version();
  }

  /** Returns the number of bytes of all segments. */
  public long bytes() {
    return segments().stream().mapToLong(Manifest.Entry::bytes).sum();
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
    if (force || isLost) {
      requireOwned();
    }
    Disk.Appender target = opened();
    encode(changes);
    int bytes = buffer.remaining();
    boolean isWritten = false;
    try {
      target.write(buffer);
      isWritten = true;
      if (force) {
        forces++;
        target.force();
        noteReached(length + bytes);
      }
    } catch (IOException | RuntimeException | Error e) {
      abandon(e, !isWritten && forced < version);
      throw e;
    }
    requireOwned();
    bytesWritten += bytes;
    length += bytes;
    version = next;
    if (force) {
      forced = version;
    }
  }

  /** Throws, now and from then on, if another owner has opened the folder. */
  private void requireOwned() throws IOException {
    isLost = true;
    Objects.requireNonNull(lock).require();
    isLost = false;
  }

  /** Writes how far the last segment is on disk. The file itself is not forced. */
  private void noteReached(long bytes) throws IOException {
    reachedBytes.clear();
    reachedBytes
        .putLong(folder.id())
        .putLong(term)
        .putLong(segments.get(segments.size() - 1).number())
        .putLong(bytes);
    CRC32C checksum = new CRC32C();
    checksum.update(reachedBytes.duplicate().flip());
    reachedBytes.putLong(checksum.getValue()).flip();
    Objects.requireNonNull(reachedCell).write(reachedBytes);
  }

  private void encode(Changes changes) {
    next = version;
    buffer.clear();
    if (buffer.capacity() > KEPT_BYTES) {
      buffer = buffer(1 << 12);
    }
    long salt = segments.get(segments.size() - 1).salt();
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
          Frame.seal(buffer, start, operation, isFirst[0], at ^ salt, time);
          isFirst[0] = false;
          next = at + Changes.changes(operation, to - from);
          groups++;
        });
    buffer.flip();
  }

  /** Returns the entry of a new file of this owner. */
  public Manifest.Entry newEntry(long itsVersion) {
    return new Manifest.Entry(term, nextNumber++, Manifest.newSalt(), itsVersion, Manifest.OPEN);
  }

  /** Returns the last segment, or a new one. */
  private Disk.Appender opened() throws IOException {
    if (file == null) {
      Manifest.Entry segment = newEntry(version);
      Disk.Appender created = disk.create(path(segment));
      segments.add(segment);
      try {
        created.write(
            ByteBuffer.wrap(Frame.opening(Folder.JOURNAL_MAGIC, folder.id(), segment.salt())));
        folder.publish(manifest());
      } catch (IOException | RuntimeException | Error e) {
        segments.remove(segments.size() - 1);
        Folder.closeAfter(e, created);
        throw e;
      }
      bytesWritten += Frame.HEADER;
      length = Frame.HEADER;
      file = created;
    }
    return file;
  }

  /** Ends the last segment, and returns its file. */
  private Disk.@Nullable Appender end() {
    Disk.Appender ended = file;
    if (ended != null) {
      int last = segments.size() - 1;
      segments.set(last, segments.get(last).withBytes(length));
      file = null;
    }
    return ended;
  }

  /**
   * Ends a segment after a failure.
   *
   * @param forces whether the remaining bytes still have to be forced
   */
  private void abandon(Throwable failure, boolean forces) {
    Disk.Appender broken = end();
    if (broken != null) {
      Folder.closeAfter(
          failure,
          () -> {
            requireOwned();
            broken.truncate(length);
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
        noteReached(length);
      } catch (IOException e) {
        Folder.closeAfter(e, end());
        throw e;
      }
      requireOwned();
    }
    forced = version;
  }

  /**
   * Begins a new segment with the next commit, because a snapshot of this version follows.
   *
   * @return the number of segments before the snapshot
   */
  public int roll() throws IOException {
    if (file != null) {
      try {
        force();
      } catch (IOException e) {
        // changes that may not be on disk are in the snapshot
        requireOwned();
        return segments.size();
      }
      close();
    }
    return segments.size();
  }

  /**
   * Continues at a later version, which a snapshot has reached. The journal must have been rolled.
   */
  public void skipTo(long newVersion) {
    version = newVersion;
    forced = newVersion;
  }

  /**
   * Makes recovery begin with a snapshot, and deletes the files that it makes obsolete: the last
   * snapshot, and the oldest segments while the journal is longer than the history to keep.
   *
   * @param newSnapshot the snapshot, which is on disk
   * @param before the number of segments before it
   * @param keptBytes the number of bytes of history to keep for replicas
   */
  public void begin(Manifest.Entry newSnapshot, int before, long keptBytes) throws IOException {
    requireOwned();
    long bytes = bytes();
    int dropped = 0;
    while (dropped < before && (bytes > keptBytes || before - dropped > MOST_SEGMENTS)) {
      bytes -= segments.get(dropped++).bytes();
    }
    List<Manifest.Entry> kept = segments.subList(dropped, segments.size());
    Manifest after = new Manifest(term, nextNumber, newSnapshot, before - dropped, kept);
    folder.publish(after);
    snapshot = newSnapshot;
    history = before - dropped;
    segments.subList(0, dropped).clear();
    forced = Math.max(forced, newSnapshot.version());
    requireOwned();
    try {
      folder.deleteUnlisted(after);
    } catch (IOException e) {
      // the next snapshot tries again; recovery ignores these files
    }
  }

  /** Returns the manifest of a copy of what is committed. */
  public Manifest committed() {
    return new Manifest(term, nextNumber, snapshot, history, segments());
  }

  /** Returns a copy of the list of segments, with the length of the last one. */
  public List<Manifest.Entry> segments() {
    List<Manifest.Entry> copy = new ArrayList<>(segments);
    if (file != null) {
      int last = copy.size() - 1;
      copy.set(last, copy.get(last).withBytes(length));
    }
    return copy;
  }

  /** Forces the segments of another owner to disk. A snapshot contains those that it deleted. */
  public void forceAll() throws IOException {
    for (Manifest.Entry segment : segments) {
      try {
        disk.force(path(segment));
      } catch (NoSuchFileException e) {
        // the snapshot is on disk
      }
    }
  }

  /**
   * Returns the puts of some segments since a version, and the advances of the clock.
   *
   * @param to the version at which to end
   */
  public static Changes putsSince(Folder folder, List<Manifest.Entry> segments, long from, long to)
      throws IOException {
    Journal copy = new Journal(folder, new Manifest(0, 0, null, 0, segments));
    int index = 0;
    while (index + 1 < segments.size() && segments.get(index + 1).version() <= from) {
      index++;
    }
    Changes puts = new Changes();
    copy.readAll(
        index,
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
    Disk.Appender open = end();
    if (open != null) {
      open.close();
    }
  }

  /** Closes the journal for good. */
  public void release() throws IOException {
    close();
    if (reachedCell != null) {
      reachedCell.close();
    }
  }
}
