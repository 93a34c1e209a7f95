package dev.bellows.internal.journal;

import dev.bellows.internal.files.DurableContent;
import dev.bellows.io.FilterFormatException;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
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
  private static final long MANIFEST_MAGIC = magic("BLWSMNFT");
  private static final String MANIFEST = "manifest-";
  private static final String PART = ".part";
  static final String SNAPSHOT = "snapshot-";
  static final String JOURNAL = "journal-";
  static final String REACHED = "reached";

  /** What an interrupted {@link #create} may leave behind, and what an empty folder may have. */
  private static final Set<String> OF_AN_EMPTY_FOLDER =
      Set.of(
          FolderLock.NAME,
          FolderLock.OWNER,
          FILTER + PART,
          MANIFEST + 0,
          MANIFEST + 0 + PART,
          SNAPSHOT + "0-0",
          "lost+found");

  private static final Pattern NUMBERED =
      Pattern.compile("(journal|snapshot)-(\\d{1,18})-(\\d{1,18})");
  private static final Pattern MANIFESTS = Pattern.compile("manifest-(\\d{1,18})(\\.part)?");

  private static final int META = 16;
  private static final int IMAGE = 17;
  private static final int END = 18;
  static final int MANIFEST_FRAME = 19;
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

  /** Returns the same folder on another disk. */
  public Folder on(Disk other) {
    return new Folder(other, path, id, settings);
  }

  Path file(String name) {
    return path.resolve(name);
  }

  /** Returns whether a path is a folder that contains a durable filter. */
  public static boolean exists(Disk disk, Path path) throws IOException {
    return disk.list(path).contains(FILTER);
  }

  /** Throws if a folder contains files, because they are not those of a new durable filter. */
  public static void requireEmpty(Disk disk, Path path) throws IOException {
    for (String name : disk.list(path)) {
      if (!OF_AN_EMPTY_FOLDER.contains(name)) {
        boolean isOurs = NUMBERED.matcher(name).matches() || MANIFESTS.matcher(name).matches();
        throw new FileSystemException(
            path.toString(),
            null,
            isOurs
                ? ("it has a file of a durable filter (%s) without the file 'filter': "
                        + "restore that from a backup, or name another folder")
                    .formatted(name)
                : "it has other files (%s): name an empty folder, or one that does not exist"
                    .formatted(name));
      }
    }
  }

  /** Creates the file {@code filter}, which describes the folder, in an existing directory. */
  public static Folder create(Disk disk, Path path, long id, byte[] settings) throws IOException {
    ByteBuffer out =
        ByteBuffer.allocate(Frame.HEADER + settings.length + 4).order(ByteOrder.LITTLE_ENDIAN);
    out.put(Frame.opening(FOLDER_MAGIC, id, settings.length)).put(settings);
    out.putInt(Frame.checksum(settings, 0, settings.length)).flip();
    replace(disk, path, FILTER, out);
    return new Folder(disk, path, id, settings);
  }

  /** Writes a file, which gets its name only when it is complete and on disk. */
  private static void replace(Disk disk, Path path, String name, ByteBuffer... content)
      throws IOException {
    Path part = path.resolve(name + PART);
    try (Disk.Appender file = disk.create(part)) {
      for (ByteBuffer bytes : content) {
        file.write(bytes);
      }
      file.force();
    }
    disk.rename(part, path.resolve(name));
    disk.forceNames(path);
  }

  /** Reads the file {@code filter}, which describes the folder. */
  public static Folder open(Disk disk, Path path) throws IOException {
    Path file = path.resolve(FILTER);
    long size = disk.size(file);
    try (InputStream in = disk.read(file, 0)) {
      Opening opening = opening(in, file, FOLDER_MAGIC, "the description of a durable filter");
      if (opening.number != size - Frame.HEADER - 4) {
        throw damaged(file, 16, "it has " + size + " bytes, which contradicts its header");
      }
      byte[] settings = in.readNBytes((int) Math.min(Integer.MAX_VALUE - 8, opening.number));
      byte[] end = in.readNBytes(4);
      if (end.length < 4
          || ByteBuffer.wrap(end).order(ByteOrder.LITTLE_ENDIAN).getInt()
              != Frame.checksum(settings, 0, settings.length)) {
        throw damaged(file, Frame.HEADER, "its checksum does not match");
      }
      return new Folder(disk, path, opening.id, settings);
    }
  }

  record Opening(long id, long number) {}

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

  // Manifests.

  /** Returns the terms of all manifests. */
  private static LongStream terms(List<String> names) {
    return names.stream()
        .map(MANIFESTS::matcher)
        .filter(name -> name.matches() && name.group(2) == null)
        .mapToLong(name -> Long.parseLong(name.group(1)));
  }

  /** Returns the term of the last owner that wrote a manifest. */
  public long lastTerm() throws IOException {
    return terms(disk.list(path)).max().orElse(0);
  }

  /** Replaces the manifest of its term. */
  public void publish(Manifest manifest) throws IOException {
    replace(
        disk,
        path,
        MANIFEST + manifest.term(),
        ByteBuffer.wrap(Frame.opening(MANIFEST_MAGIC, id, manifest.term())),
        manifest.toFrame());
  }

  /**
   * Reads the manifest with the highest term.
   *
   * @param ignoresNewer whether to accept that there is a journal with changes that it does not
   *     know
   */
  public Manifest manifest(boolean ignoresNewer) throws IOException {
    // a listing may mix the names of two moments, so damage is looked at twice
    boolean isMissing = false;
    Manifest doubted = null;
    while (true) {
      List<String> names = disk.list(path);
      long term = terms(names).max().orElse(-1);
      Path file = file(MANIFEST + term);
      if (term < 0 && !isMissing) {
        isMissing = true;
        continue;
      }
      if (term < 0) {
        throw damaged(
            file(MANIFEST),
            0,
            "the list of the files of this durable filter is missing; restore the folder from a"
                + " backup or a replica");
      }
      Manifest manifest;
      try (Disk.Held held = disk.hold(file);
          InputStream in = new BufferedInputStream(held.read(0))) {
        Opening opening = opening(in, file, MANIFEST_MAGIC, "a manifest");
        requireId(opening, file);
        if (opening.number != term) {
          throw damaged(file, 16, "it is the manifest of term " + opening.number);
        }
        manifest = Manifest.read(in, held.size(), file, term);
      } catch (NoSuchFileException e) {
        if (terms(disk.list(path)).max().orElse(-1) == term) {
          throw e;
        }
        // the next owner has written its own
        continue;
      }
      String newer = ignoresNewer ? null : newer(manifest, names);
      if (newer == null) {
        return manifest;
      }
      if (manifest.equals(doubted)) {
        throw damaged(
            file,
            16,
            ("it is older than the journal %s: restore it from a backup, or open the folder with"
                    + " cutDamage() and lose the changes of that file")
                .formatted(newer));
      }
      doubted = manifest;
    }
  }

  /**
   * Returns the name of a segment with groups that is newer than a manifest, or null. Groups are
   * written only after a manifest lists their segment.
   */
  private @Nullable String newer(Manifest manifest, List<String> names) throws IOException {
    for (String name : names) {
      Matcher parts = NUMBERED.matcher(name);
      if (parts.matches() && name.startsWith(JOURNAL)) {
        long term = Long.parseLong(parts.group(2));
        boolean isNewer =
            term > manifest.term()
                || (term == manifest.term() && Long.parseLong(parts.group(3)) >= manifest.next());
        if (isNewer && hasGroups(file(name))) {
          return name;
        }
      }
    }
    return null;
  }

  private boolean hasGroups(Path segment) throws IOException {
    try {
      return disk.size(segment) > Frame.HEADER;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** Deletes the files of this owner and earlier ones that a manifest does not name. */
  void deleteUnlisted(Manifest manifest) throws IOException {
    Set<String> listed = Set.copyOf(manifest.names());
    for (String name : disk.list(path)) {
      Matcher numbered = NUMBERED.matcher(name);
      Matcher other = MANIFESTS.matcher(name);
      boolean isUnlisted =
          numbered.matches()
              ? Long.parseLong(numbered.group(2)) <= manifest.term() && !listed.contains(name)
              : other.matches() && Long.parseLong(other.group(1)) < manifest.term();
      if (isUnlisted) {
        disk.delete(file(name));
      }
    }
  }

  /**
   * Returns this folder with all files of its manifest open, so that its owner can delete them
   * while they are being read.
   */
  public Pinned pin(boolean ignoresNewer) throws IOException {
    for (Manifest manifest = manifest(ignoresNewer); ; ) {
      Pinned pinned = new Pinned(disk);
      try {
        for (String name : manifest.names()) {
          pinned.add(file(name));
        }
        pinned.manifest = manifest;
        pinned.folder = new Folder(pinned, path, id, settings);
        return pinned;
      } catch (NoSuchFileException e) {
        pinned.close();
        Manifest next = manifest(ignoresNewer);
        if (next.equals(manifest)) {
          throw damaged(
              Path.of(String.valueOf(e.getFile())),
              0,
              "it is missing; restore the folder from a backup or a replica");
        }
        manifest = next;
      } catch (IOException | RuntimeException | Error e) {
        closeAfter(e, pinned);
        throw e;
      }
    }
  }

  // Snapshots.

  /**
   * The properties of a snapshot apart from the content.
   *
   * @param entry its file and the number of changes before it
   * @param epoch the version of the last removal
   * @param source the folder that this one follows
   */
  public record Snapshot(Manifest.Entry entry, long epoch, Source source) {
    /** Returns the number of changes before it. */
    public long version() {
      return entry.version();
    }

    /** Returns the length of its file. */
    public long bytes() {
      return entry.bytes();
    }
  }

  /**
   * Writes a snapshot. It counts once a manifest names it.
   *
   * @param identity its entry, with any length
   */
  public Manifest.Entry write(
      Manifest.Entry identity, long epoch, Source source, DurableContent.Image image)
      throws IOException {
    Path target = file(identity.name(SNAPSHOT));
    try (Disk.Appender file = disk.create(target);
        Pieces pieces = new Pieces(file, identity.version() ^ identity.salt())) {
      pieces.begin(Frame.opening(SNAPSHOT_MAGIC, id, identity.salt()), epoch, source);
      image.writeTo(pieces);
      long bytes = pieces.end();
      file.force();
      return identity.withBytes(bytes);
    } catch (IOException | RuntimeException | Error e) {
      closeAfter(e, () -> disk.delete(target));
      throw e;
    }
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
    private final Manifest.Entry entry;
    private final Path file;
    private final InputStream in;
    private final Frame.Reader frames;
    private final Snapshot snapshot;
    private ByteBuffer piece = ByteBuffer.allocate(0);
    private long offset = Frame.HEADER;
    private boolean isEnd;

    private SnapshotReader(Manifest.Entry entry) throws IOException {
      this.entry = entry;
      file = file(entry.name(SNAPSHOT));
      long size = disk.size(file);
      in = disk.read(file, 0);
      frames = new Frame.Reader(in);
      try {
        Opening opening = opening(in, file, SNAPSHOT_MAGIC, "a snapshot");
        requireId(opening, file);
        if (opening.number != entry.salt() || size != entry.bytes()) {
          throw broken("it is not the snapshot that the manifest names");
        }
        if (next(META) != 8 + 8 * Source.WORDS) {
          throw broken("its description is incomplete");
        }
        long[] words = new long[1 + Source.WORDS];
        piece.asLongBuffer().get(words);
        piece.limit(0);
        snapshot = new Snapshot(entry, words[0], Source.ofWords(words, 1));
      } catch (IOException | RuntimeException e) {
        in.close();
        throw e;
      }
    }

    private FilterFormatException broken(String what) {
      return damaged(file, offset, what + "; restore the folder from a backup or a replica");
    }

    /** Returns the properties of the snapshot apart from the content. */
    public Snapshot snapshot() {
      return snapshot;
    }

    /**
     * Reads the payload of the next frame and returns its length, or -1 if it is the last frame.
     */
    private int next(int expected) throws IOException {
      Frame frame = frames.next(PIECE_BYTES, entry.salt());
      if (frame == null || frame.version() != entry.version()) {
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
        int next = next(IMAGE);
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
  public SnapshotReader read(Manifest.Entry entry) throws IOException {
    return new SnapshotReader(entry);
  }

  /** Copies the filter that a manifest lists to an empty folder. */
  public void copyTo(Path target, Manifest manifest) throws IOException {
    requireEmpty(disk, target);
    if (manifest.snapshot() != null) {
      copy(file(manifest.snapshot().name(SNAPSHOT)), manifest.snapshot().bytes(), target);
    }
    for (Manifest.Entry segment : manifest.segments()) {
      copy(file(segment.name(JOURNAL)), segment.bytes(), target);
    }
    Folder copy = new Folder(disk, target, id, settings);
    copy.publish(manifest);
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

  /** A disk on which some files are open, and can be read after they were deleted. */
  public static final class Pinned implements Disk, Closeable {
    private final Disk disk;
    private final Map<Path, Held> held = new HashMap<>();
    private @Nullable Manifest manifest;
    private @Nullable Folder folder;

    private Pinned(Disk disk) {
      this.disk = disk;
    }

    private void add(Path file) throws IOException {
      held.put(file, disk.hold(file));
    }

    /** Returns the manifest that lists the open files. */
    public Manifest manifest() {
      return Objects.requireNonNull(manifest);
    }

    /** Returns the folder on this disk. */
    public Folder folder() {
      return Objects.requireNonNull(folder);
    }

    @Override
    public InputStream read(Path file, long offset) throws IOException {
      Held its = held.get(file);
      return its == null ? disk.read(file, offset) : its.read(offset);
    }

    @Override
    public long size(Path file) throws IOException {
      Held its = held.get(file);
      return its == null ? disk.size(file) : its.size();
    }

    @Override
    public Held hold(Path file) throws IOException {
      return disk.hold(file);
    }

    @Override
    public Appender create(Path file) throws IOException {
      return disk.create(file);
    }

    @Override
    public Cell cell(Path file) throws IOException {
      return disk.cell(file);
    }

    @Override
    public void force(Path file) throws IOException {
      disk.force(file);
    }

    @Override
    public List<String> list(Path folder) throws IOException {
      return disk.list(folder);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      disk.rename(from, to);
    }

    @Override
    public void delete(Path file) throws IOException {
      disk.delete(file);
    }

    @Override
    public void forceNames(Path folder) throws IOException {
      disk.forceNames(folder);
    }

    /** Closes the files; later reads open them by their names. */
    @Override
    public void close() throws IOException {
      IOException failure = null;
      for (Held file : held.values()) {
        try {
          file.close();
        } catch (IOException e) {
          failure = e;
        }
      }
      held.clear();
      if (failure != null) {
        throw failure;
      }
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
