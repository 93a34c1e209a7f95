package dev.bellows.durable;

import dev.bellows.Durable;
import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.KeyFilter;
import dev.bellows.Membership;
import dev.bellows.durable.Replica.Outcome;
import dev.bellows.durable.Replica.Step;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.files.DurableContent;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.journal.BufferedWriter;
import dev.bellows.internal.journal.ChangeWriter;
import dev.bellows.internal.journal.Changes;
import dev.bellows.internal.journal.Disk;
import dev.bellows.internal.journal.Folder;
import dev.bellows.internal.journal.FolderLock;
import dev.bellows.internal.journal.GroupWriter;
import dev.bellows.internal.journal.Journal;
import dev.bellows.internal.journal.Manifest;
import dev.bellows.internal.journal.RecoveryPlan;
import dev.bellows.internal.journal.Source;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A filter that is stored in a folder and survives its process. Thread-safe; queries take no lock.
 * Every change is written to a journal, snapshots keep the journal short, and replicas are updated
 * by {@linkplain #since deltas}.
 *
 * <pre>{@code
 * try (DurableFilter<FingerprintFilter> seen =
 *     DurableFilter.open(
 *         folder, () -> FingerprintFilter.create(1e-6), Sync.every(Duration.ofMillis(10)))) {
 *   boolean fresh = seen.putIfAbsent(id);
 *   Delta delta = seen.since(replicaVersion);
 * }
 * }</pre>
 *
 * <p><b>Puts.</b> Hashes that already pass are not written; all others take 8 bytes each. {@link
 * Sync} determines when a put returns, and what a crash may lose. With {@link Sync#ALWAYS} and
 * {@link Sync#NEVER} a key passes when its group is committed, and never before. With {@link
 * Sync#every} it passes immediately, so another thread may see a key that a crash then loses. A put
 * that cannot be written, e.g. because the disk is full, throws an {@link UncheckedIOException} and
 * changes nothing; puts succeed again when there is room. If several threads put the same new key,
 * exactly one of them gets true.
 *
 * <p><b>Windows.</b> Keys of a {@code WindowFilter} are put with their times, which the journal
 * records by generation. The caller moves the clock: call {@link #advanceTo(Instant)} after
 * opening, to expire the keys whose window has ended in the meantime.
 *
 * <p><b>Recovery.</b> {@link #open} reads the last snapshot and applies the journal after it. An
 * incomplete group at the end, left by a crash, is cut off and {@linkplain #recovery reported}.
 * Damage before the end causes an exception that contains its offset. The recovered filter is bit
 * for bit the same as before, because the journal preserves the order of all changes whose order
 * matters; only an elastic ring may have another size, and a window of prefixes may store other
 * lengths.
 *
 * <p><b>Snapshots</b> are taken while puts continue, often enough that recovery stays within the
 * bound of {@link Builder#recoverWithin}. If they cannot keep up, puts wait, and {@link
 * Numbers#throttled} reports for how long. Removable filters block changes while their memory is
 * copied.
 *
 * <p><b>Backup</b>: call {@link #backupTo}, or copy the whole folder while no process has it open.
 * The versions of a restored folder may not match those that its replicas have seen, so start its
 * replicas again from empty filters.
 *
 * @param <F> the class of the filter
 */
public final class DurableFilter<F extends Durable>
    implements KeyFilter.Removable, KeyFilter.IfAbsent, KeyFilter.Timed, Membership, Closeable {
  /**
   * The minimum number of bytes of history that are kept for replicas, even if the content has
   * fewer.
   */
  private static final long LEAST_HISTORY = 1 << 20;

  /**
   * A failed snapshot is retried after the number of changes between two snapshots, divided by
   * this.
   */
  private static final int RETRIES = 16;

  private final Folder folder;
  private final Sync sync;
  private final boolean isReadOnly;
  private final @Nullable FolderLock lock;
  private final ChangeWriter writer;
  private final Recovery recovery;
  private final long recoverNanos;
  private final RecoveryPlan plan;

  private volatile F filter;
  private volatile DurableContent<?> content;
  private final boolean isSet;
  private final boolean hasClock;

  /** Held for reading while the content or files are read piece by piece, to exclude clearing. */
  private final ReentrantReadWriteLock reading = new ReentrantReadWriteLock(true);

  // written only while no other change is being committed
  private volatile long version;
  private volatile long epoch;
  private volatile Source source;

  /** Held while a snapshot is written. */
  private final Object snapshotting = new Object();

  /** Held while old segments are read or deleted. */
  private final Object historyLock = new Object();

  private volatile Folder.@Nullable Snapshot snapshot;
  private volatile boolean isSnapshotDue;
  private volatile boolean isBehind;
  private volatile long mostChanges;

  /** The version at which a failed snapshot is retried. */
  private volatile long retryAt;

  private volatile boolean isClosed;
  private volatile @Nullable Thread snapshotter;
  private final AtomicLong throttledNanos = new AtomicLong();
  private final AtomicLong snapshots = new AtomicLong();
  private final AtomicLong snapshotBytes = new AtomicLong();

  /**
   * Thrown if a folder is to be opened for changes that is open already. The message contains the
   * id of the process that has it open.
   */
  public static final class InUseException extends FileSystemException {
    private static final long serialVersionUID = 1;

    InUseException(String folder, String reason) {
      super(folder, null, reason);
    }
  }

  /**
   * The result of opening a folder.
   *
   * @param snapshotVersion the version of the snapshot that was read; 0 if there was none
   * @param changes the number of changes of the journal that were applied
   * @param cutBytes the number of bytes that were cut off at the end of the journal
   * @param time the time that recovery took
   */
  public record Recovery(long snapshotVersion, long changes, long cutBytes, Duration time) {}

  /**
   * The current metrics of a durable filter, for monitoring.
   *
   * @param version the number of committed changes
   * @param epoch the version of the last removal
   * @param unsynced the number of changes that are in memory but not yet in the journal, which a
   *     crash would lose
   * @param journalBytes the length of the journal, including the history that is kept for replicas
   * @param snapshotBytes the length of the last snapshot
   * @param snapshotVersion the version of the last snapshot
   * @param bytesWritten the number of bytes written to the folder since it was opened
   * @param groups the number of groups committed since then
   * @param forces the number of times the journal has waited for the disk since then
   * @param snapshots the number of snapshots taken since then
   * @param throttled the total time that puts have waited for snapshots since then
   */
  public record Numbers(
      long version,
      long epoch,
      long unsynced,
      long journalBytes,
      long snapshotBytes,
      long snapshotVersion,
      long bytesWritten,
      long groups,
      long forces,
      long snapshots,
      Duration throttled) {}

  /**
   * Opens the filter of a folder, or creates both.
   *
   * @param filter creates an empty filter with the settings of the one in the folder. If the folder
   *     is new, this filter is used, including any keys that it contains
   * @throws InUseException if the folder is open in this or another process
   * @throws FileSystemException if the folder has other files, or a filter with other settings
   * @throws FilterFormatException if a file is damaged; the message contains the offset and
   *     possible remedies
   */
  public static <F extends Durable> DurableFilter<F> open(
      Path folder, Supplier<F> filter, Sync sync) throws IOException {
    return at(folder).sync(sync).open(filter);
  }

  /** Returns a builder for all other settings. */
  public static Builder at(Path folder) {
    return new Builder(folder);
  }

  /** Returns whether a path is a folder that contains a durable filter. */
  public static boolean isAt(Path folder) throws IOException {
    return Folder.exists(Disk.REAL, folder);
  }

  /**
   * Returns the settings of the filter in a folder. {@link dev.bellows.io.FilterFormat#empty}
   * creates an empty filter from them, for programs that do not know which filter to expect.
   */
  public static byte[] settings(Path folder) throws IOException {
    return Folder.open(Disk.REAL, folder).settings();
  }

  /** Opens a folder with specific settings. */
  public static final class Builder {
    private final Path path;
    private Sync sync = Sync.ALWAYS;
    private Duration recoverWithin = Duration.ofSeconds(5);
    private boolean isReadOnly;
    private boolean cutsDamage;
    private Disk disk = Disk.REAL;
    private RecoveryPlan plan = RecoveryPlan.DEFAULT;

    private Builder(Path path) {
      this.path = Objects.requireNonNull(path, "folder");
    }

    /** Sets when a put returns (default {@link Sync#ALWAYS}). */
    public Builder sync(Sync sync) {
      this.sync = Objects.requireNonNull(sync, "sync");
      return this;
    }

    /**
     * Sets the time within which the folder should open again after a crash (default 5 seconds). It
     * determines how often snapshots are taken: the larger the filter and the shorter this time,
     * the more often. The bound cannot be kept if reading the snapshot alone takes longer.
     */
    public Builder recoverWithin(Duration recoverWithin) {
      Checks.positive(nanos(recoverWithin), "recoverWithin");
      this.recoverWithin = recoverWithin;
      return this;
    }

    /** Returns a duration in nanoseconds; the largest or smallest long if it is longer. */
    private static long nanos(Duration duration) {
      try {
        return duration.toNanos();
      } catch (ArithmeticException e) {
        return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
      }
    }

    /**
     * Opens the folder in its current state without changing it, even while another process has it
     * open. Later changes of that process are not visible.
     */
    public Builder readOnly() {
      this.isReadOnly = true;
      return this;
    }

    /**
     * Drops a damaged group of the journal and everything after it, instead of refusing to open the
     * folder. {@link Recovery#cutBytes} is the number of bytes dropped.
     */
    public Builder cutDamage() {
      this.cutsDamage = true;
      return this;
    }

    Builder disk(Disk files) {
      this.disk = files;
      return this;
    }

    Builder plan(RecoveryPlan recoveryPlan) {
      this.plan = recoveryPlan;
      return this;
    }

    /** Opens the filter of the folder, or creates both. */
    public <F extends Durable> DurableFilter<F> open(Supplier<F> filter) throws IOException {
      Objects.requireNonNull(filter, "filter");
      if (isReadOnly) {
        return openReadOnly(filter);
      }
      createFolder(path);
      FolderLock lock;
      try {
        lock = FolderLock.acquire(path);
      } catch (FolderLock.Held e) {
        throw new InUseException(e.getFile(), e.getReason());
      }
      try {
        F made = Objects.requireNonNull(filter.get(), "filter");
        Folder folder = Folder.exists(disk, path) ? requireSame(made) : create(made);
        // claimed before anything is read: what is read is then all that another owner, which may
        // have lost its lock, has acknowledged
        long term = lock.claim(folder.lastTerm() + 1, sync.toString());
        return new DurableFilter<>(this, folder, folder.manifest(cutsDamage), lock, term, made);
      } catch (IOException | RuntimeException | Error e) {
        lock.close();
        throw e;
      }
    }

    private <F extends Durable> DurableFilter<F> openReadOnly(Supplier<F> filter)
        throws IOException {
      if (!Folder.exists(disk, path)) {
        throw new NoSuchFileException(path.toString(), null, "it does not hold a durable filter");
      }
      F made = Objects.requireNonNull(filter.get(), "filter");
      try (Folder.Pinned pinned = requireSame(made).pin(cutsDamage)) {
        return new DurableFilter<>(this, pinned.folder(), pinned.manifest(), null, 0, made);
      }
    }

    private Folder requireSame(Durable made) throws IOException {
      Folder folder = Folder.open(disk, path);
      byte[] stored = folder.settings();
      DurableContent<?> content = made.durableContent();
      if (!Arrays.equals(content.settings(), stored)) {
        throw new FileSystemException(
            path.toString(),
            null,
            ("it holds a filter with other settings, %s, than the one given, %s: open it with the "
                    + "settings that DurableFilter.settings returns, or use another folder")
                .formatted(
                    described(content, stored, made),
                    described(content, content.settings(), made)));
      }
      return folder;
    }

    /** Returns a description of the settings of a filter, with its hash and id. */
    private static String described(DurableContent<?> content, byte[] settings, Durable made)
        throws IOException {
      ReadOptions options = ReadOptions.DEFAULT.withHashScheme(made.hashScheme());
      FilterHeader header = FilterReader.ofHeader(settings, options).header();
      String id = header.filterId() == 0 ? "" : ", id " + header.filterId();
      try {
        if (header.kind() == made.kind()) {
          KeyFilter empty = content.empty(settings, options);
          return "%s with %s%s".formatted(empty, empty.hashScheme(), id);
        }
      } catch (IOException | RuntimeException e) {
        // e.g. too large, or with a secret key that is not given
      }
      return "kind %s with hash scheme %d, identity %016x%s and parameters %s"
          .formatted(
              header.kind().word(),
              header.hashScheme(),
              header.hashIdentity(),
              id,
              header.parameters());
    }

    private Folder create(Durable made) throws IOException {
      Folder.requireEmpty(disk, path);
      long id = UUID.randomUUID().getMostSignificantBits();
      Folder folder = new Folder(disk, path, id, made.durableContent().settings());
      Manifest.Entry first = null;
      if (!isBlank(made)) {
        first = folder.write(Manifest.first(), 0, Source.NONE, made.durableContent().image());
      }
      folder.publish(new Manifest(0, 1, first, 0, List.of()));
      return Folder.create(disk, path, id, folder.settings());
    }
  }

  private static void createFolder(Path path) throws IOException {
    try {
      Files.createDirectories(path);
    } catch (FileAlreadyExistsException e) {
      throw new FileSystemException(
          path.toString(), null, "it is not a folder: use another path, where a folder is created");
    }
  }

  /**
   * Returns whether a filter has no keys and its clock is not set, as created from its settings.
   */
  private static boolean isBlank(Durable filter) {
    return filter.isEmpty() && !(filter instanceof Timed timed && timed.now().isPresent());
  }

  private DurableFilter(
      Builder builder,
      Folder folder,
      Manifest manifest,
      @Nullable FolderLock lock,
      long term,
      F made)
      throws IOException {
    long begun = System.nanoTime();
    // a folder that is read may be on a disk that ends with the recovery
    this.folder = folder.on(builder.disk);
    this.sync = lock == null ? Sync.of(FolderLock.remark(folder.path())) : builder.sync;
    this.isReadOnly = lock == null;
    this.lock = lock;
    this.recoverNanos = Builder.nanos(builder.recoverWithin);
    this.plan = builder.plan;
    this.filter = made;
    this.content = made.durableContent();
    this.isSet = content.isSet();
    this.hasClock = content.clock() != null;
    this.source = Source.NONE;
    readSnapshot(folder, manifest, made);
    long from = version;
    Replay replay = new Replay();
    Journal journal = Journal.recover(folder, manifest, builder.cutsDamage, replay);
    replay.end();
    version = journal.version();
    this.recovery =
        new Recovery(
            from, version - from, journal.cutBytes(), Duration.ofNanos(System.nanoTime() - begun));
    if (lock != null) {
      journal.own(lock, term);
    }
    Target target = new Target();
    boolean isBuffered = !isReadOnly && !sync.interval().isZero();
    this.writer =
        isBuffered
            ? new BufferedWriter(
                journal, target, sync.interval().toNanos(), folder.path().toString())
            : new GroupWriter(journal, target, sync.equals(Sync.ALWAYS));
    noteSnapshotDue();
  }

  private void readSnapshot(Folder from, Manifest manifest, F made) throws IOException {
    if (manifest.snapshot() == null) {
      if (!isBlank(made)) {
        throw new FileSystemException(
            folder.toString(),
            null,
            "it was created with an empty filter, but the filter to open it with has keys or a"
                + " time: use an empty one");
      }
      return;
    }
    try (Folder.SnapshotReader in = from.read(manifest.snapshot())) {
      ReadOptions options = ReadOptions.UNLIMITED.withHashScheme(made.hashScheme());
      @SuppressWarnings("unchecked")
      F read = (F) content.read(in, options);
      in.requireEnd();
      Replica.requireSettings(made, read);
      filter = read;
      content = read.durableContent();
      snapshot = in.snapshot();
      version = in.snapshot().version();
      epoch = in.snapshot().epoch();
      source = in.snapshot().source();
    }
  }

  /**
   * Applies the journal. Puts into a set whose order is irrelevant are collected and sorted by
   * their leading bits, so that consecutive puts find their part of the filter in the cache.
   */
  private final class Replay implements Changes.Visitor {
    /** The number of hashes that are collected, unless a single run has more. */
    private static final int MOST = 1 << 21;

    /** The number of hashes that are queried before they are put, so that cache misses overlap. */
    private static final int BATCH = 64;

    private long[] gathered = new long[1 << 10];
    private int count;

    @Override
    public void run(int operation, long time, long at, long[] words, int from, int to) {
      note(operation, at, words, from, to);
      boolean isPut = operation == Changes.PUT || operation == Changes.RECEIVED;
      if (isPut && isSet && !hasClock) {
        gather(words, operation == Changes.RECEIVED ? from + Source.WORDS : from, to);
        return;
      }
      end();
      if (operation == Changes.CLEAR) {
        content.clear();
      }
      applyRun(operation, time, at, words, from, to);
    }

    private void gather(long[] hashes, int from, int to) {
      int some = to - from;
      if (count + some > MOST) {
        end();
      }
      if (count + some > gathered.length) {
        gathered = Arrays.copyOf(gathered, Math.max(2 * count, count + some));
      }
      System.arraycopy(hashes, from, gathered, count, some);
      count += some;
    }

    /** Puts the collected hashes. */
    void end() {
      if (count == 0) {
        return;
      }
      int bits = content.commutingBits();
      long[] hashes = gathered;
      for (int shift = Long.SIZE - 2 * Byte.SIZE; shift < Long.SIZE; shift += Byte.SIZE) {
        if (bits >= 2 * Byte.SIZE || (bits >= Byte.SIZE && shift == Long.SIZE - Byte.SIZE)) {
          hashes = sorted(hashes, shift);
        }
      }
      boolean[] hits = new boolean[count];
      for (int start = 0, end; start < count; start = end) {
        end = Math.min(count, start + BATCH);
        filter.countMightContainHashes(hashes, start, end, hits);
        for (int i = start; i < end; i++) {
          if (!hits[i]) {
            content.put(hashes[i], 0);
          }
        }
      }
      count = 0;
    }

    /** Returns the collected hashes, stably sorted by one byte. */
    private long[] sorted(long[] hashes, int shift) {
      int[] ends = new int[1 << Byte.SIZE];
      for (int i = 0; i < count; i++) {
        ends[(int) (hashes[i] >>> shift) & 0xFF]++;
      }
      Arrays.parallelPrefix(ends, Integer::sum);
      long[] sorted = new long[count];
      for (int i = count - 1; i >= 0; i--) {
        sorted[--ends[(int) (hashes[i] >>> shift) & 0xFF]] = hashes[i];
      }
      return sorted;
    }
  }

  private void applyRun(int operation, long time, long at, long[] words, int from, int to) {
    for (int i = operation == Changes.RECEIVED ? from + Source.WORDS : from; i < to; i++) {
      Changes.apply(content, operation, time, words[i]);
    }
  }

  /** Records a run that was committed. */
  private void note(int operation, long at, long[] words, int from, int to) {
    switch (operation) {
      case Changes.REMOVE -> epoch = at + to - from;
      case Changes.CLEAR -> epoch = at + 1;
      case Changes.RECEIVED -> source = Source.ofWords(words, from);
      default -> {}
    }
  }

  private final class Target implements ChangeWriter.Target {
    @Override
    public DurableContent<?> content() {
      return content;
    }

    @Override
    public boolean isKnown(int operation, long time, long hash) {
      return switch (operation) {
        case Changes.PUT -> content.isKnown(hash, time);
        case Changes.PUT_IF_ABSENT ->
            content.keepsFirst() ? filter.mightContainHash(hash) : content.isKnown(hash, time);
        default -> false;
      };
    }

    @Override
    public void committed(int operation, long time, long at, long[] words, int from, int to) {
      note(operation, at, words, from, to);
      version = at + Changes.changes(operation, to - from);
      noteSnapshotDue();
    }
  }

  // Queries.

  /** Returns the kind of the filter. */
  @Override
  public FilterKind kind() {
    return filter.kind();
  }

  @Override
  public HashScheme hashScheme() {
    return filter.hashScheme();
  }

  @Override
  public boolean mightContainHash(long hash) {
    return filter.mightContainHash(hash);
  }

  @Override
  public boolean mightContain(long key) {
    return filter.mightContain(key);
  }

  @Override
  public int countMightContainHashes(long[] hashes, int from, int to, boolean[] hits) {
    return filter.countMightContainHashes(hashes, from, to, hits);
  }

  /** Returns the statistics of the filter itself. */
  @Override
  public FilterStats stats() {
    return filter.stats();
  }

  /** Returns the current false positive rate of the filter. */
  @Override
  public double expectedFpp() {
    return filter.expectedFpp();
  }

  /** Returns whether the filter has no keys. */
  @Override
  public boolean isEmpty() {
    return filter.isEmpty();
  }

  /** Returns the size of an ordinary file with the filter. */
  @Override
  public long sizeInBytes() {
    return filter.sizeInBytes();
  }

  /** Writes the filter alone, as an ordinary file. */
  @Override
  public void writeTo(OutputStream out) throws IOException {
    filter.writeTo(out);
  }

  /**
   * Writes the filter alone, as an ordinary file, atomically.
   *
   * @throws IllegalArgumentException if the path is in the folder of this filter, whose files it
   *     could replace
   */
  @Override
  public void writeTo(Path path) throws IOException {
    Path parent = path.toAbsolutePath().getParent();
    if (parent != null && Files.isDirectory(parent) && Files.isSameFile(parent, folder.path())) {
      throw new IllegalArgumentException(
          "%s is in the folder of the durable filter: name a file elsewhere".formatted(path));
    }
    KeyFilter.Removable.super.writeTo(path);
  }

  /**
   * Returns an independent in-memory copy of the filter, which can be written as an ordinary file,
   * merged or folded.
   */
  @SuppressWarnings("unchecked")
  public F copy() {
    return (F) content.copy();
  }

  /**
   * Returns the result of a function of the filter itself, e.g. a property that only its class has.
   * The function must not change the filter.
   */
  public <T> T read(Function<? super F, ? extends T> function) {
    return function.apply(filter);
  }

  /** Returns the number of committed changes, which replicas pass to {@link #since}. */
  public long version() {
    return version;
  }

  /** Returns the id of the folder, which identifies it to replicas and in files. */
  public long id() {
    return folder.id();
  }

  /** Returns when puts return; for a folder opened read-only, the setting of its last owner. */
  public Sync sync() {
    return sync;
  }

  /** Returns the result of opening the folder. */
  public Recovery recovery() {
    return recovery;
  }

  /** Returns the current metrics. */
  public Numbers numbers() {
    Folder.Snapshot last = snapshot;
    try {
      return writer.withJournal(
          journal ->
              new Numbers(
                  version,
                  epoch,
                  writer.pending(),
                  journal.bytes(),
                  last == null ? 0 : last.bytes(),
                  last == null ? 0 : last.version(),
                  journal.bytesWritten() + snapshotBytes.get(),
                  journal.groups(),
                  journal.forces(),
                  snapshots.get(),
                  Duration.ofNanos(throttledNanos.get())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // Changes.

  /**
   * Puts the key with this hash. Returns true iff the filter changed. A removable filter stores
   * every put; a window puts the key at the time of its clock.
   *
   * @throws UncheckedIOException if the change could not be written; the filter is then unchanged
   */
  @Override
  public boolean putHash(long hash) {
    return hasClock ? changeAt(Changes.PUT, clock().now(), hash) : change(Changes.PUT, 0, hash);
  }

  /**
   * Puts the hashes in {@code [from, to)}, into a window at the time of its clock, and returns how
   * many of them changed the filter. With {@link Sync#ALWAYS} and {@link Sync#NEVER}, up to
   * 1,048,576 of them form one group, which is committed as a whole or not at all.
   *
   * @throws UncheckedIOException if the changes could not be written
   */
  @Override
  public int putHashes(long[] hashes, int from, int to) {
    return hasClock
        ? putHashes(hashes, from, to, clock().now())
        : group(Changes.PUT, 0, hashes, from, to);
  }

  private int group(int operation, long time, long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    requireChangeable();
    int changed = 0;
    try {
      for (int first = from; first < to; ) {
        int end = first + Math.min(to - first, ChangeWriter.MOST_IN_GROUP);
        changed += writer.changeGroup(operation, time, hashes, first, end);
        first = end;
      }
    } catch (IOException e) {
      throw failed(e);
    }
    return changed;
  }

  /**
   * Puts the key with this hash unless it already passes, and returns whether it was absent. Of all
   * calls with the same hash, from any number of threads, at most one returns true, as long as the
   * key is neither removed nor expires.
   *
   * @throws UncheckedIOException if the change could not be written; the filter is then unchanged
   */
  @Override
  public boolean putIfAbsentHash(long hash) {
    return hasClock
        ? changeAt(Changes.PUT_IF_ABSENT, clock().now(), hash)
        : change(isSet ? Changes.PUT : Changes.PUT_IF_ABSENT, 0, hash);
  }

  /**
   * Removes one put of the key with this hash from a removable {@code FingerprintFilter}. Returns
   * true iff it was removed.
   *
   * @throws IllegalStateException if keys of this filter cannot be removed
   */
  @Override
  public boolean removeHash(long hash) {
    requireRemovable();
    return change(Changes.REMOVE, 0, hash);
  }

  private void requireRemovable() {
    if (isSet) {
      throw new IllegalStateException(
          ("a filter of kind %s that is not removable cannot remove keys: build a "
                  + "FingerprintFilter that is removable()")
              .formatted(filter.kind().word()));
    }
  }

  /**
   * Removes one put of each of the hashes in {@code [from, to)} and returns how many were removed.
   * With {@link Sync#ALWAYS} and {@link Sync#NEVER} they form one group, as in {@link
   * #putHashes(long[], int, int)}.
   *
   * @throws IllegalStateException if keys of this filter cannot be removed
   * @throws UncheckedIOException if the changes could not be written
   */
  public int removeHashes(long[] hashes, int from, int to) {
    requireRemovable();
    return group(Changes.REMOVE, 0, hashes, from, to);
  }

  // Times, for a WindowFilter.

  /**
   * Returns the clock of a {@code WindowFilter}; empty if it was never set. After a crash it is the
   * time at which the clock entered its generation.
   *
   * @throws IllegalStateException if keys of this filter do not expire
   */
  @Override
  public Optional<Instant> now() {
    clock();
    return ((Timed) filter).now();
  }

  /**
   * Moves the clock of a {@code WindowFilter} forward; an earlier time changes nothing. When the
   * clock enters a generation, the journal records this before any key of the generation.
   *
   * @return whether the clock moved by more than the window, so that every key has expired
   * @throws UncheckedIOException if the change could not be written; the clock is then unchanged
   * @throws IllegalStateException if keys of this filter do not expire
   */
  @Override
  public boolean advanceTo(Instant time) {
    DurableContent.Clock clock = clock();
    long millis = clock.checked(Checks.epochMillis(time));
    requireChangeable();
    boolean isEmptied = advance(clock, millis);
    clock.sweep();
    return isEmptied;
  }

  private boolean advance(DurableContent.Clock clock, long millis) {
    if (!clock.isNext(millis)) {
      clock.tick(millis);
      return false;
    }
    Changes changes = new Changes();
    boolean[] isEmptied = new boolean[1];
    try {
      writer.changeAll(
          () -> {
            // another thread may have entered it
            if (clock.isNext(millis)) {
              isEmptied[0] = clock.empties(millis);
              changes.add(Changes.ADVANCE, millis, isEmptied[0] ? 1 : 0);
            }
            return changes;
          },
          () -> {
            if (changes.isEmpty()) {
              clock.tick(millis);
            } else {
              clock.enter(millis, isEmptied[0]);
            }
          });
    } catch (IOException e) {
      throw failed(e);
    }
    return isEmptied[0];
  }

  private boolean changeAt(int operation, long millis, long hash) {
    DurableContent.Clock clock = clock();
    if (!enters(clock, millis)) {
      return false;
    }
    boolean answer = change(operation, clock.ofGeneration(millis), hash);
    if (!answer) {
      // another thread may have moved the clock, so the put may be late after all
      clock.accepts(millis);
    }
    return answer;
  }

  /** Returns whether puts at a time are accepted, and moves the clock to this time if they are. */
  private boolean enters(DurableContent.Clock clock, long millis) {
    requireChangeable();
    boolean isAccepted = clock.accepts(clock.checked(millis));
    if (isAccepted) {
      advance(clock, millis);
    }
    return isAccepted;
  }

  /** Returns the clock; throws if the filter has none. */
  private DurableContent.Clock clock() {
    DurableContent.Clock clock = content.clock();
    if (clock == null) {
      throw new IllegalStateException(
          "keys of a filter of kind %s do not expire: leave out the time, or use a WindowFilter"
              .formatted(filter.kind().word()));
    }
    return clock;
  }

  /**
   * Puts the key with this hash into a {@code WindowFilter} at a time. Returns true iff this call
   * changed the filter.
   *
   * @param epochMillis the time, in milliseconds since 1970
   * @throws IllegalArgumentException if the put is late or too far ahead, and the filter rejects
   *     such puts
   * @throws IllegalStateException if keys of this filter do not expire
   * @throws UncheckedIOException if the change could not be written; the filter is then unchanged
   */
  @Override
  public boolean putHash(long hash, long epochMillis) {
    return changeAt(Changes.PUT, epochMillis, hash);
  }

  /**
   * Puts the hashes in {@code [from, to)} into a {@code WindowFilter} at one time and returns how
   * many of them changed it. They form one group, as in {@link #putHashes(long[], int, int)}.
   *
   * @param epochMillis the time, in milliseconds since 1970
   * @throws IllegalArgumentException if the put is late or too far ahead, and the filter rejects
   *     such puts
   */
  public int putHashes(long[] hashes, int from, int to, long epochMillis) {
    DurableContent.Clock clock = clock();
    Objects.checkFromToIndex(from, to, hashes.length);
    return enters(clock, epochMillis)
        ? group(Changes.PUT, clock.ofGeneration(epochMillis), hashes, from, to)
        : 0;
  }

  /**
   * Puts the key with this hash into a {@code WindowFilter} at a time and, atomically, returns
   * whether it was absent: true iff no live generation contained it. If several threads put the
   * same new key, exactly one of them gets true. A key that is present is refreshed or left as it
   * is, depending on how the filter was built.
   *
   * @param epochMillis the time, in milliseconds since 1970
   * @throws IllegalArgumentException if the put is late or too far ahead, and the filter rejects
   *     such puts
   * @throws IllegalStateException if keys of this filter do not expire
   * @throws UncheckedIOException if the change could not be written; the filter is then unchanged
   */
  @Override
  public boolean putIfAbsentHash(long hash, long epochMillis) {
    return changeAt(Changes.PUT_IF_ABSENT, epochMillis, hash);
  }

  private void requireChangeable() {
    if (isSnapshotDue || isClosed) {
      beforeChange();
    }
    if (source.id() != 0) {
      throw new IllegalStateException(
          ("%s follows the folder with id %016x and has no keys of its own: change "
                  + "that one, or promote() this one")
              .formatted(folder, source.id()));
    }
  }

  private boolean change(int operation, long time, long hash) {
    requireChangeable();
    try {
      return writer.change(operation, time, hash);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private UncheckedIOException failed(IOException e) {
    return new UncheckedIOException(
        new IOException(
            folder
                + ": the change was not made, because it could not be written: "
                + e.getMessage(),
            e));
  }

  /** Removes every key. The next delta of every replica then contains the whole content. */
  public void clear() {
    requireChangeable();
    Changes changes = new Changes();
    changes.addClear();
    reading.writeLock().lock();
    try {
      writer.changeAll(() -> changes, () -> content.clear());
    } catch (IOException e) {
      throw failed(e);
    } finally {
      reading.writeLock().unlock();
    }
  }

  /** Waits until all changes made so far are on disk, regardless of the {@link Sync} setting. */
  public void force() throws IOException {
    requireOpen();
    writer.force();
  }

  private void requireNotClosed() {
    if (isClosed) {
      throw new IllegalStateException(folder + " is closed");
    }
  }

  private void requireOpen() {
    requireNotClosed();
    if (isReadOnly) {
      throw new UnsupportedOperationException(
          folder + " was opened read-only: open it without readOnly() to change it");
    }
  }

  // Snapshots.

  private void noteSnapshotDue() {
    Folder.Snapshot last = snapshot;
    long bytes = Math.max(last == null ? 0 : last.bytes(), 0);
    long behind = version - (last == null ? 0 : last.version());
    long most = plan.mostChanges(recoverNanos, bytes);
    isBehind = behind >= most;
    mostChanges = most;
    // a quarter of the changes is left for the time that writing a snapshot takes
    isSnapshotDue = behind >= most / 4 * 3 || isReadOnly;
  }

  /** The slow path before a change: rejects the change, starts a snapshot, or waits for one. */
  private void beforeChange() {
    requireOpen();
    if (snapshotter == null) {
      synchronized (snapshots) {
        if (snapshotter == null && isSnapshotDue && version >= retryAt) {
          Thread thread = new Thread(this::snapshotQuietly, "bellows-snapshot " + folder);
          thread.setDaemon(true);
          snapshotter = thread;
          thread.start();
        }
      }
    }
    if (isBehind) {
      long begun = System.nanoTime();
      try {
        // waits for the snapshot that is being written, and takes one itself if that failed
        synchronized (snapshotting) {
          if (isBehind) {
            takeSnapshot(true);
          }
        }
      } catch (IOException e) {
        throw failed(e);
      } finally {
        throttledNanos.addAndGet(System.nanoTime() - begun);
      }
    }
  }

  private void snapshotQuietly() {
    try {
      synchronized (snapshotting) {
        if (!isClosed) {
          takeSnapshot(true);
        }
      }
    } catch (IOException | RuntimeException e) {
      // a put that finds the journal too long tries again, and throws if that fails
      retryAt = version + mostChanges / RETRIES;
    } finally {
      snapshotter = null;
    }
  }

  /**
   * The content of a snapshot.
   *
   * @param entry the file of the snapshot, or null if none is written
   * @param before the number of segments before it
   */
  private record Taken(
      DurableContent.Image image,
      Manifest.@Nullable Entry entry,
      int before,
      long version,
      long epoch,
      Source source) {}

  /**
   * Writes a snapshot. The caller holds {@link #snapshotting}.
   *
   * @param keepsHistory whether to keep old changes for replicas: as many bytes as the snapshot
   *     has, because a longer delta would be larger than the whole content
   */
  private void takeSnapshot(boolean keepsHistory) throws IOException {
    reading.readLock().lock();
    try {
      Taken taken =
          writer.still(
              () -> content.image(),
              (image, journal) -> {
                int before = journal.roll();
                long at = journal.version();
                return new Taken(image, journal.newEntry(at), before, at, epoch, source);
              });
      Folder.Snapshot last = snapshot;
      if (last == null || last.version() < taken.version || !last.source().equals(taken.source)) {
        last = write(taken);
      }
      begin(last, taken.before, keepsHistory);
    } finally {
      reading.readLock().unlock();
    }
  }

  private Folder.Snapshot write(Taken taken) throws IOException {
    Manifest.Entry written =
        folder.write(Objects.requireNonNull(taken.entry), taken.epoch, taken.source, taken.image);
    snapshots.incrementAndGet();
    snapshotBytes.addAndGet(written.bytes());
    return new Folder.Snapshot(written, taken.epoch, taken.source);
  }

  private void begin(Folder.Snapshot next, int before, boolean keepsHistory) throws IOException {
    // taken first: the lock that a delta holds while it reads
    synchronized (historyLock) {
      writer.withJournal(
          journal -> {
            long kept = keepsHistory ? Math.max(next.bytes(), LEAST_HISTORY) : 0;
            journal.begin(next.entry(), before, kept);
            snapshot = next;
            noteSnapshotDue();
            return next;
          });
    }
  }

  /**
   * Takes a snapshot while puts continue, and returns when it is on disk. Recovery then has no
   * earlier journal to apply.
   */
  public void checkpoint() throws IOException {
    synchronized (snapshotting) {
      requireOpen();
      takeSnapshot(true);
    }
  }

  /**
   * Takes a snapshot and deletes the journal before it, so that the folder is as small as possible.
   * The next delta of every replica that is not up to date contains the whole content.
   */
  public void compact() throws IOException {
    synchronized (snapshotting) {
      requireOpen();
      takeSnapshot(false);
    }
  }

  /**
   * Copies the filter, as it is currently on disk, to another folder while puts continue. The copy
   * is a durable filter with the same id and version.
   */
  public void backupTo(Path target) throws IOException {
    synchronized (snapshotting) {
      requireNotClosed();
      createFolder(target);
      Manifest manifest =
          writer.committed(
              journal -> {
                journal.force();
                return journal.committed();
              });
      folder.copyTo(target, manifest);
    }
  }

  // Replicas.

  /**
   * Returns the changes since a version: the hashes that were put, or the whole content if that is
   * smaller, if the journal does not reach back that far, or if keys were removed since. All
   * changes in the delta are on disk in this folder before it is returned.
   *
   * @param since the version of a replica; 0 for an empty replica
   * @throws IllegalArgumentException if this filter has not reached that version
   * @throws IOException if the changes could not be read, or if the content exceeds 2 GiB, the
   *     maximum of a delta; a replica must then start from a copy made by {@link #backupTo}
   */
  public Delta since(long since) throws IOException {
    Checks.notNegative(since, "version");
    requireNotClosed();
    reading.readLock().lock();
    try {
      synchronized (historyLock) {
        record History(long version, long epoch, long oldest, List<Manifest.Entry> segments) {}
        History history =
            writer.committed(
                journal -> {
                  if (isReadOnly) {
                    journal.forceAll();
                  } else {
                    journal.force();
                  }
                  return new History(version, epoch, journal.oldest(), journal.segments());
                });
        if (since > history.version) {
          throw new IllegalArgumentException(
              ("version %d is ahead of %s, which is at %d: the folder was "
                      + "restored, or the replica follows another one; begin the replica "
                      + "again with since(0)")
                  .formatted(since, folder, history.version));
        }
        long hashBytes = 8 * (history.version - since);
        if (since >= history.epoch
            && since >= history.oldest
            && hashBytes <= Math.max(content.imageBytes(), 1 << 12)
            && hashBytes <= Delta.MOST_BYTES / 2) {
          try {
            Changes puts =
                since == history.version
                    ? new Changes()
                    : Journal.putsSince(folder, history.segments, since, history.version);
            return Delta.of(
                filter, id(), history.epoch, since, history.version, false, Delta.runs(puts));
          } catch (FilterFormatException | NoSuchFileException e) {
            // these changes are damaged, but only replicas need them, and the content includes them
          }
        }
      }
      return wholeContent();
    } finally {
      reading.readLock().unlock();
    }
  }

  private Delta wholeContent() throws IOException {
    Taken taken =
        writer.still(
            () -> content.image(),
            (image, journal) -> {
              journal.force();
              return new Taken(image, null, 0, version, epoch, source);
            });
    if (content.imageBytes() > Delta.MOST_BYTES) {
      throw new IOException(
          "%s: its content has about %d bytes, and a delta at most %d: copy it with backupTo"
              .formatted(folder, content.imageBytes(), Delta.MOST_BYTES));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    taken.image.writeTo(bytes);
    return Delta.of(filter, id(), taken.epoch, 0, taken.version, true, bytes.toByteArray());
  }

  /**
   * Applies a delta of another folder, which this one then follows like a {@link Replica}. The
   * changes are on disk when this method returns. Only a filter that never had keys of its own can
   * start to follow another one, and it accepts no other changes while it does.
   *
   * @throws IllegalArgumentException if the delta comes from a different folder than the previous
   *     ones, or from a filter with different settings
   * @throws IllegalStateException if this filter has keys of its own
   */
  public Outcome apply(Delta delta) throws IOException {
    synchronized (snapshotting) {
      requireOpen();
      if (source.id() == 0 && (version > 0 || !filter.isEmpty())) {
        throw new IllegalStateException(
            folder
                + " has keys of its own: a replica begins with an empty folder, name another one");
      }
      if (delta.sourceId() == id()) {
        throw new IllegalArgumentException(
            "the delta comes from %s itself: apply it to another folder".formatted(folder));
      }
      Step step = Replica.step(source, filter, delta);
      if (step.hasContent()) {
        replace(step, delta);
      } else if (step.hashesFrom() >= 0) {
        receive(delta, step);
        writer.force();
        if (isSnapshotDue) {
          takeSnapshot(true);
        }
      }
      return step.outcome();
    }
  }

  /**
   * Writes the hashes of a delta to the journal and puts them. Each group records the version of
   * the source that this filter reaches with it, so that a crash neither loses nor repeats hashes.
   */
  private void receive(Delta delta, Step step) throws IOException {
    Replica.requireTimes(filter, delta);
    Source after = step.after();
    Changes changes = new Changes();
    if (source.id() == 0) {
      // before an advance of the clock, which a crash might leave alone
      Source begun = new Source(after.id(), after.epoch(), source.version(), after.ahead());
      changes.addReceived(begun, 0, new long[0]);
    }
    delta.forEachFrom(
        step.hashesFrom(),
        ChangeWriter.MOST_IN_GROUP,
        (operation, time, words, to) -> {
          if (operation == Changes.ADVANCE) {
            changes.add(operation, time, words[0]);
            return;
          }
          long reached = step.outcome() == Outcome.AHEAD ? after.version() : to;
          changes.addReceived(
              new Source(after.id(), after.epoch(), reached, after.ahead()), time, words);
          if (changes.count() >= ChangeWriter.MOST_IN_GROUP) {
            commitReceived(changes);
          }
        });
    changes.addReceived(after, 0, new long[0]);
    commitReceived(changes);
  }

  private void commitReceived(Changes changes) throws IOException {
    writer.changeAll(() -> changes, () -> changes.forEach(version, this::applyRun));
    changes.clear(ChangeWriter.MOST_IN_GROUP);
  }

  /**
   * Replaces the content by that of a delta. The new content takes effect when its snapshot is in
   * place.
   */
  private void replace(Step step, Delta delta) throws IOException {
    F next = Replica.content(filter, step, delta);
    reading.writeLock().lock();
    try {
      synchronized (historyLock) {
        writer.committed(
            journal -> {
              // the version and the epoch increase, so that replicas of this replica request the
              // content
              int before = journal.roll();
              long after = journal.version() + 1;
              DurableContent.Image image = next.durableContent().image();
              Folder.Snapshot written =
                  write(
                      new Taken(
                          image, journal.newEntry(after), before, after, after, step.after()));
              journal.begin(written.entry(), before, Math.max(written.bytes(), LEAST_HISTORY));
              journal.skipTo(after);
              snapshot = written;
              filter = next;
              content = next.durableContent();
              version = after;
              epoch = after;
              source = step.after();
              noteSnapshotDue();
              return after;
            });
      }
    } finally {
      reading.writeLock().unlock();
    }
  }

  /** Returns the id of the folder that this one follows; 0 if it has keys of its own. */
  public long sourceId() {
    return source.id();
  }

  /**
   * Returns the version of the source up to which this filter has all changes. The next delta to
   * request is the one since this version.
   */
  public long sourceVersion() {
    return source.version();
  }

  /** Stops following another folder, so that this one accepts changes of its own. */
  public void promote() throws IOException {
    requireOpen();
    Changes changes = new Changes();
    changes.addReceived(Source.NONE, 0, new long[0]);
    writer.changeAll(() -> changes, () -> {});
    writer.force();
  }

  /** Returns a description of the folder and the filter for humans. */
  @Override
  public String explain() {
    Numbers now = numbers();
    return filter.explain()
        + Prose.format(
            """

            It is durable, in %s.

              version            %,d changes
              journal            %s
              snapshot           %s, of version %,d
              id                 %016x
            """,
            folder,
            now.version,
            Prose.bytes(now.journalBytes),
            Prose.bytes(now.snapshotBytes),
            now.snapshotVersion,
            id())
        + (source.id() == 0
            ? ""
            : Prose.format(
                "  follows            %016x, up to version %,d\n", source.id(), source.version()));
  }

  /**
   * Takes a snapshot if there were changes, and closes the folder, which can then be opened without
   * applying a journal. If the snapshot cannot be written, the journal still contains all changes;
   * if the journal cannot be written either, the puts that {@link Numbers#unsynced} counts are
   * lost. In both cases this method throws, but the folder is closed.
   */
  @Override
  public void close() throws IOException {
    synchronized (snapshotting) {
      if (isClosed) {
        return;
      }
      isSnapshotDue = true;
      isClosed = true;
    }
    try {
      if (!isReadOnly) {
        writer.end();
        synchronized (snapshotting) {
          takeSnapshot(true);
        }
      }
    } finally {
      writer.close();
      writer.withJournal(
          journal -> {
            journal.release();
            return journal;
          });
      if (lock != null) {
        lock.close();
      }
    }
  }

  @Override
  public String toString() {
    return "DurableFilter[%s, version %d, sync %s, %s]".formatted(folder, version, sync, filter);
  }
}
