package dev.bellows.window;

import dev.bellows.Durable;
import dev.bellows.FilterBuilder;
import dev.bellows.FilterStats;
import dev.bellows.Foldable;
import dev.bellows.HashScheme;
import dev.bellows.KeyFilter;
import dev.bellows.Layout;
import dev.bellows.Mergeable;
import dev.bellows.StoredFilter;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.files.DurableContent;
import dev.bellows.internal.layout.Merging;
import dev.bellows.internal.math.Ladder;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.function.LongToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A filter whose keys expire after a window of time. It is thread-safe: queries take no lock, and
 * no put is lost in a rotation.
 *
 * <pre>{@code
 * WindowFilter seen = WindowFilter.builder().window(Duration.ofHours(24)).keys(50_000_000).fpp(1e-3).build();
 * if (seen.putIfAbsent(event.id(), event.time())) {
 *   handle(event); // not seen within the last 24 hours
 * }
 * }</pre>
 *
 * <p><b>The clock.</b> The filter has its own clock, in milliseconds. {@link #advanceTo} moves it
 * forward, and so does a put with a later time. It never runs back, and the system time is never
 * read. Lookups use the clock. With a window T of G generations,
 *
 * <ul>
 *   <li>a key that is put at t is found while the clock is in [t, t + T);
 *   <li>it has expired when the clock reaches t + T (1 + 1/G);
 *   <li>a put at a time before the clock minus T is <b>late</b>: it is rejected with an exception
 *       or, with {@link Builder#dropLate}, counted and dropped;
 *   <li>a put <b>ahead</b> of the clock by more than a generation advances the clock or, with
 *       {@link Builder#refuseAhead}, is rejected with an exception;
 *   <li>a jump of the clock by more than T empties the filter.
 * </ul>
 *
 * <p><b>Two stores.</b> With {@link Builder#keys} the filter is a ring of bits, whose size is fixed
 * or follows the load ({@link Builder#elastic}). Without it, the filter stores prefixes of hashes,
 * and grows and shrinks by itself. The reported rate is that of all live generations together,
 * computed from their content; for prefixes it is an upper bound.
 *
 * <p>Copies and files contain every put that returned before the copy or the write began.
 */
public final class WindowFilter extends StoredFilter
    implements KeyFilter.Timed, Durable, Foldable<WindowFilter>, Mergeable<WindowFilter> {
  private static final long serialVersionUID = 1L;

  /** The format of windows of prefixes. */
  public static final FilterFormat<WindowFilter> PREFIX_FORMAT =
      FilterFormat.of(
          FilterKind.WINDOW_PREFIXES,
          WindowFilter.class,
          WindowFormat::readPrefixes,
          WindowFormat::emptyPrefixes);

  /** The format of windows: reads rings and prefixes from streams, files and bytes. */
  public static final FilterFormat<WindowFilter> FORMAT =
      FilterFormat.of(
              FilterKind.WINDOW,
              WindowFilter.class,
              WindowFormat::readRing,
              WindowFormat::emptyRing)
          .alsoReading(PREFIX_FORMAT);

  /** The value of the clock while it is not set. */
  static final long NO_TIME = Long.MIN_VALUE;

  /** The number of groups or chunks that a call of advanceTo sweeps. */
  private static final int SWEPT_PER_ADVANCE = 16;

  private static final AtomicLongFieldUpdater<WindowFilter> NOW =
      AtomicLongFieldUpdater.newUpdater(WindowFilter.class, "now");

  private final transient HashScheme scheme;
  private final transient TimeGrid grid;
  private final transient Rules rules;
  private final transient WindowStore store;
  private final transient AtomicLong late = new AtomicLong();

  /** The clock in milliseconds, which never decreases. */
  private transient volatile long now;

  /**
   * The generation of the clock with its bounds, so that most conversions of times need no
   * division.
   */
  private transient volatile Span span;

  /** A test hook, called in a rotation, when the store has advanced and the clock has not. */
  private transient volatile Runnable whenRotating = () -> {};

  private record Span(long from, long to, long generation) {}

  /**
   * The rules for puts, as set by the builder.
   *
   * @param dropLate whether late puts are counted and dropped, instead of rejected
   * @param refuseAhead whether puts ahead of the clock by more than a generation are rejected
   * @param keepFirst whether putIfAbsent leaves a key that is present as it is, instead of
   *     refreshing it
   */
  record Rules(boolean dropLate, boolean refuseAhead, boolean keepFirst) {}

  WindowFilter(
      HashScheme scheme, TimeGrid grid, Rules rules, WindowStore store, long now, long late) {
    this.scheme = scheme;
    this.grid = grid;
    this.rules = rules;
    this.store = store;
    this.now = now;
    this.late.set(late);
    this.span = new Span(0, 0, 0);
  }

  /** Returns a builder. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns {@link FilterKind#WINDOW} for a ring, {@link FilterKind#WINDOW_PREFIXES} for prefixes.
   */
  @Override
  public FilterKind kind() {
    return store instanceof RingStore ? FilterKind.WINDOW : FilterKind.WINDOW_PREFIXES;
  }

  @Override
  public HashScheme hashScheme() {
    return scheme;
  }

  /** Returns the window: the time for which a key is found after it was put. */
  public Duration window() {
    return Duration.ofMillis(grid.window());
  }

  @Override
  public Optional<Instant> now() {
    long millis = now;
    if (isBehindStore(millis)) {
      // wait for the rotation, after which the clock shows what queries already answer for
      synchronized (this) {
        millis = now;
      }
    }
    return millis == NO_TIME ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }

  /** Returns whether the store is in another generation than this time: during a rotation. */
  private boolean isBehindStore(long millis) {
    return store.generation()
        != (millis == NO_TIME ? WindowStore.NO_GENERATION : generation(millis));
  }

  /**
   * Returns the first moment of the generation that a time belongs to. Keys of one generation
   * expire together.
   */
  public Instant generationStart(Instant time) {
    return Instant.ofEpochMilli(spanOf(TimeGrid.millis(time)).from);
  }

  /** Returns the number of late puts that were dropped. */
  public long lateKeys() {
    return late.get();
  }

  // The clock.

  @Override
  public boolean advanceTo(Instant time) {
    boolean isEmptied = advance(TimeGrid.millis(time));
    sweep();
    return isEmptied;
  }

  private void sweep() {
    if (!store.isSettled()) {
      store.sweep(SWEPT_PER_ADVANCE);
    }
  }

  private boolean advance(long millis) {
    while (true) {
      long before = now;
      if (millis <= before) {
        return false;
      }
      if (before != NO_TIME && generation(millis) == store.generation()) {
        if (NOW.compareAndSet(this, before, millis)) {
          return false;
        }
      } else {
        synchronized (this) {
          boolean isEmptied = empties(millis);
          rotate(millis, isEmptied);
          return isEmptied;
        }
      }
    }
  }

  private boolean empties(long millis) {
    long before = now;
    return before != NO_TIME && millis - before > grid.window();
  }

  private synchronized void rotate(long millis, boolean isEmptied) {
    long generation = grid.generation(millis);
    if (generation > store.generation()) {
      store.advance(generation, isEmptied || now == NO_TIME);
      whenRotating.run();
    }
    NOW.accumulateAndGet(this, millis, Math::max);
  }

  /** Sets the test hook that is called in a rotation. */
  void whenRotating(Runnable called) {
    whenRotating = called;
  }

  private long generation(long millis) {
    return spanOf(millis).generation;
  }

  private Span spanOf(long millis) {
    Span its = span;
    if (millis < its.from || millis >= its.to) {
      long generation = grid.generation(millis);
      its = new Span(grid.from(generation), grid.from(generation + 1), generation);
      span = its;
    }
    return its;
  }

  /**
   * Returns the clock time at which a key that is put at the given time expires: the first moment
   * after the last generation in which it is live. It is the same for all times of one generation.
   *
   * @param epochMillis the time of the put, in milliseconds since 1970
   */
  public long expiry(long epochMillis) {
    return grid.from(grid.generation(TimeGrid.checked(epochMillis)) + grid.lanes());
  }

  // Puts.

  /**
   * Puts the key with this hash at the time of the clock. Returns true iff this call changed the
   * filter.
   *
   * @throws IllegalStateException if the clock is not set
   */
  @Override
  public boolean putHash(long hash) {
    return (put(hash, clock(), false) & WindowStore.CHANGED) != 0;
  }

  @Override
  public boolean putHash(long hash, long epochMillis) {
    return (put(hash, TimeGrid.checked(epochMillis), false) & WindowStore.CHANGED) != 0;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A key that is present is refreshed, unless the filter was built with {@link
   * Builder#keepFirst}.
   */
  @Override
  public boolean putIfAbsentHash(long hash, long epochMillis) {
    return (put(hash, TimeGrid.checked(epochMillis), rules.keepFirst) & WindowStore.ABSENT) != 0;
  }

  /** What a window knew of a key when it was put or queried. */
  public enum Seen {
    /** No live generation contained the key: it was not put within the window. */
    ABSENT,

    /**
     * Only the oldest live generation contained the key. Such a key was last put between T (1 -
     * 1/G) and T (1 + 1/G) before the clock, so this is the only answer that may be given for a key
     * that was put more than a window ago, apart from false positives.
     */
    EDGE,

    /** A newer generation contained the key: it was put within the window. */
    WITHIN,

    /** The put was late, and was dropped. */
    LATE;

    private static Seen of(int result) {
      return (result & WindowStore.ABSENT) != 0
          ? ABSENT
          : (result & WindowStore.EDGE) != 0
              ? EDGE
              : (result & WindowStore.LATE) != 0 ? LATE : WITHIN;
    }
  }

  /**
   * Puts the key with this hash at a time, exactly like {@link #putIfAbsentHash(long, long)}, and
   * returns what the window knew of the key before. The key was absent iff the result is {@link
   * Seen#ABSENT}.
   *
   * @param epochMillis the time, in milliseconds since 1970
   * @throws IllegalArgumentException if the put is late or too far ahead, and the filter rejects
   *     such puts
   */
  public Seen putAndSeeHash(long hash, long epochMillis) {
    return Seen.of(put(hash, TimeGrid.checked(epochMillis), rules.keepFirst));
  }

  /** Returns what the window knows of the key with this hash; never {@link Seen#LATE}. */
  public Seen seeHash(long hash) {
    return Seen.of(store.seen(hash));
  }

  private long clock() {
    long millis = now;
    if (millis == NO_TIME) {
      throw new IllegalStateException(
          "the filter has no time yet: call advanceTo(time) first, or put(key, time)");
    }
    return millis;
  }

  private int put(long hash, long millis, boolean onlyIfAbsent) {
    if (!accepts(millis)) {
      return WindowStore.LATE;
    }
    advance(millis);
    int result = store.put(hash, generation(millis), onlyIfAbsent);
    return result == WindowStore.LATE ? late(millis, now) : result;
  }

  /**
   * Returns whether a put at this time is accepted. A late put is counted, or rejected with an
   * exception.
   */
  private boolean accepts(long millis) {
    long before = now;
    if (millis > before) {
      requireNotAhead(millis, before);
    } else if (before - millis > grid.window()) {
      late(millis, before);
      return false;
    }
    return true;
  }

  private void requireNotAhead(long millis, long before) {
    if (rules.refuseAhead
        && before != NO_TIME
        && (millis - before) * grid.generations() > grid.window()) {
      throw new IllegalArgumentException(
          "a put at %s is more than a generation ahead of the clock at %s: call advanceTo first"
              .formatted(Instant.ofEpochMilli(millis), Instant.ofEpochMilli(before)));
    }
  }

  private int late(long millis, long before) {
    if (!rules.dropLate) {
      throw new IllegalArgumentException(
          "a put at %s is late: the clock is at %s and the window is %s; build the filter with dropLate() to count and drop such puts"
              .formatted(Instant.ofEpochMilli(millis), Instant.ofEpochMilli(before), window()));
    }
    late.incrementAndGet();
    return WindowStore.LATE;
  }

  /** Returns whether a live generation may contain the key with this hash. */
  @Override
  public boolean mightContainHash(long hash) {
    return store.contains(hash);
  }

  @Override
  public int countMightContainHashes(long[] hashes, int from, int to, boolean[] hits) {
    Objects.checkFromToIndex(from, to, Math.min(hashes.length, hits.length));
    return store.count(hashes, from, to, hits);
  }

  // Numbers.

  /**
   * One generation of the window.
   *
   * @param from its first moment
   * @param to the first moment after it
   * @param keys the estimated number of distinct keys that were put into it
   * @param expectedFpp the false positive rate of this generation alone
   */
  public record Generation(Instant from, Instant to, double keys, double expectedFpp) {}

  /** Returns the live generations, oldest first; empty if the clock is not set. */
  public List<Generation> generations() {
    return generations(store.numbers(), store.generation());
  }

  private List<Generation> generations(WindowStore.Numbers numbers, long newest) {
    List<Generation> all = new ArrayList<>();
    if (now != NO_TIME) {
      for (int i = 0; i < grid.lanes(); i++) {
        long generation = newest - grid.generations() + i;
        WindowStore.GenerationNumbers its = numbers.generations()[i];
        all.add(
            new Generation(
                Instant.ofEpochMilli(grid.from(generation)),
                Instant.ofEpochMilli(grid.from(generation + 1)),
                its.keys(),
                its.expectedFpp()));
      }
    }
    return List.copyOf(all);
  }

  /** Returns G, the number of generations per window; one more than this is live. */
  public int generationsPerWindow() {
    return grid.generations();
  }

  /** Returns the target false positive rate. */
  @Override
  public double targetFpp() {
    return store instanceof RingStore ring
        ? ring.plan().targetFpp()
        : ((PrefixWindow) store).sizes().fpp();
  }

  /** Returns the plan of a ring at its current size; empty for prefixes. */
  public Optional<WindowPlan> plan() {
    return store instanceof RingStore ring ? Optional.of(ring.plan()) : Optional.empty();
  }

  /**
   * Returns the false positive rate of all live generations together. For prefixes it is an upper
   * bound, because a key that was refreshed may have several prefixes.
   */
  @Override
  public double expectedFpp() {
    return store.numbers().expectedFpp();
  }

  /**
   * Returns an estimate of the number of distinct keys in all live generations. For prefixes it is
   * an upper bound, because a key that was refreshed may have several prefixes.
   */
  @Override
  public long approximateElementCount() {
    return Math.round(store.numbers().keys());
  }

  /**
   * Returns the number of bits: of all generations of a ring, or of all live prefixes and their
   * tags.
   */
  @Override
  public long bits() {
    return store instanceof RingStore ring ? ring.bits() : store.numbers().bits();
  }

  @Override
  public int hashes() {
    return store instanceof RingStore ring ? ring.plan().layout().hashes() : 1;
  }

  @Override
  public boolean isEmpty() {
    return store.isEmpty();
  }

  /** Returns the heap memory of this filter in bytes. */
  public long heapBytes() {
    return store.heapBytes();
  }

  @Override
  public FilterStats stats() {
    return stats(store.numbers());
  }

  private FilterStats stats(WindowStore.Numbers numbers) {
    Layout layout = store instanceof RingStore ring ? ring.plan().layout() : null;
    return new FilterStats(
            kind(),
            layout,
            numbers.bits(),
            hashes(),
            scheme,
            numbers.ones(),
            numbers.keys(),
            numbers.expectedFpp())
        .growing(targetFpp(), new FilterStats.Parts("generations", grid.lanes()));
  }

  @Override
  public String explain() {
    WindowFilter one = copy();
    WindowStore.Numbers numbers = one.store.numbers();
    StringBuilder page = new StringBuilder("A window filter: it finds what was put within ");
    page.append(Spans.of(window())).append(", in ").append(grid.generations());
    page.append(" generations, ");
    page.append(
        store instanceof RingStore ring
            ? (ring.growth() > 0
                    ? "a ring of bits that follows the load, "
                    : "a ring of bits of a fixed size, ")
                + "pattern "
                + ring.plan().layout().pattern()
                + " in each generation"
            : "prefixes of hashes that grow and shrink with the load");
    String lines = one.stats(numbers).lines("bits", one.sizeInBytes());
    page.append(".\n\n");
    page.append(
        store instanceof RingStore ? lines : lines.replace("estimated    ", "at most      "));
    page.append("  clock              ").append(now().map(Instant::toString).orElse("not set"));
    page.append("\n  late keys          ").append(Prose.count(lateKeys())).append('\n');
    for (Generation generation : one.generations(numbers, one.store.generation())) {
      page.append(
          Prose.format(
              "  from %s   %,.0f keys, %s\n",
              generation.from(), generation.keys(), Prose.rate(generation.expectedFpp())));
    }
    return page.toString();
  }

  // Folding and merging.

  /**
   * Returns all sizes that a ring folds to. Prefixes have a single size; use {@link #foldToFpp} to
   * shorten them.
   */
  @Override
  public List<FoldSize> ladder() {
    if (!(copy().store instanceof RingStore ring)) {
      return List.of(new FoldSize(bits(), 1, expectedFpp()));
    }
    LongToDoubleFunction rates = ring.fppAfterFolding();
    return ladder(ring)
        .factors()
        .mapToObj(f -> new FoldSize(ring.bits() / f, f, rates.applyAsDouble(f)))
        .toList();
  }

  private Ladder ladder(RingStore ring) {
    return new Ladder(ring.bits(), Layout.Blocked.BLOCK_BITS * grid.lanes());
  }

  /**
   * Returns the ring folded by a factor, generation by generation: bit for bit the ring that would
   * have been built at that size.
   *
   * @throws IllegalArgumentException if the factor does not divide the size, or if the filter
   *     stores prefixes, which only {@link #foldToFpp} shortens
   */
  @Override
  public WindowFilter foldBy(long factor) {
    WindowFilter one = copy();
    return one.store instanceof RingStore ring
        ? one.with(ring.foldedBy(ladder(ring).requireFactor(factor)))
        : one.unfolded(factor == 1, "by", factor);
  }

  /** Returns this filter of prefixes if the folding that was requested does not change it. */
  private WindowFilter unfolded(boolean isSame, String how, long number) {
    if (!isSame) {
      throw new IllegalArgumentException(
          "prefixes do not fold %s %d: foldToFpp cuts them to a rate".formatted(how, number));
    }
    return this;
  }

  @Override
  public WindowFilter foldTo(long bits) {
    WindowFilter one = copy();
    return one.store instanceof RingStore ring
        ? one.with(ring.foldedBy(ladder(ring).factorTo(bits)))
        : one.unfolded(bits == one.bits(), "to", bits);
  }

  /**
   * Returns a window with the same keys in less memory, at a false positive rate of at most fpp:
   * the smallest such folding of a ring, or prefixes shortened so that the rate is as close to fpp
   * as possible. The result keeps that rate as long as the load does not increase.
   */
  @Override
  public WindowFilter foldToFpp(double fpp) {
    WindowFilter one = copy();
    return one.store instanceof PrefixWindow prefixes
        ? one.with(prefixes.cutTo(fpp))
        : Foldable.super.foldToFpp(fpp);
  }

  private WindowFilter with(WindowStore other) {
    return new WindowFilter(scheme, grid, rules, other, now, late.get());
  }

  @Override
  public WindowFilter copy() {
    while (true) {
      long millis = now;
      WindowStore content = store.copy();
      // a concurrent rotation advances the store before the clock
      if (content.generation()
          == (millis == NO_TIME ? WindowStore.NO_GENERATION : generation(millis))) {
        return new WindowFilter(scheme, grid, rules, content, millis, late.get());
      }
    }
  }

  /** Removes every key. The clock is not changed. */
  public synchronized void clear() {
    store.clear();
  }

  /**
   * Returns why the other window cannot be merged with this one: a different hash scheme, key type,
   * window, number of generations or store, or rings with different patterns. Empty if it can.
   */
  @Override
  public Optional<String> incompatibility(WindowFilter other) {
    return scheme
        .incompatibility(other.scheme)
        .or(
            () ->
                Merging.difference(
                    List.of(grid, storeWord()), List.of(other.grid, other.storeWord())));
  }

  private String storeWord() {
    return store instanceof RingStore ring
        ? "a ring with pattern " + ring.plan().layout().pattern()
        : "prefixes";
  }

  /**
   * Returns a window with every key of both windows, merged by generations of absolute time, at the
   * later of both clocks. Rings are first folded to the greatest common divisor of their sizes,
   * unless one of them is empty. Prefixes have no sizes, and their rates add up. The result has the
   * rules of this window for late puts and refreshes.
   *
   * @param maxFpp the highest false positive rate that is accepted for the result
   */
  @Override
  public WindowFilter union(WindowFilter other, double maxFpp) {
    Merging.requireCompatible(incompatibility(other));
    WindowFilter here = copy();
    WindowFilter there = other.copy();
    long latest = Math.max(here.now, there.now);
    if (latest != NO_TIME) {
      here.advance(latest);
      there.advance(latest);
    }
    WindowStore both =
        here.store instanceof RingStore ring
            ? ring.union((RingStore) there.store)
            : ((PrefixWindow) here.store).union((PrefixWindow) there.store);
    WindowFilter result =
        new WindowFilter(
            scheme.mergedWith(other.scheme),
            grid,
            rules,
            both,
            latest,
            lateKeys() + other.lateKeys());
    Merging.requireUseful(
        result.expectedFpp(),
        maxFpp,
        store instanceof RingStore
            ? "build both for the keys of both together, with sizes that divide each other"
            : "build both with a lower fpp");
    return result;
  }

  // Files.

  WindowStore store() {
    return store;
  }

  TimeGrid grid() {
    return grid;
  }

  Rules rules() {
    return rules;
  }

  /** Returns the clock in milliseconds, or {@link #NO_TIME}. */
  long millis() {
    return now;
  }

  /** Returns the length of the file in bytes. Prefixes are encoded to determine it. */
  @Override
  public long sizeInBytes() {
    return WindowFormat.fileBytes(this);
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    // a copy is a consistent snapshot, and no writer waits for a slow stream
    WindowFormat.write(copy(), out);
  }

  @SuppressWarnings("exports")
  @Override
  public DurableContent<WindowFilter> durableContent() {
    return new Content();
  }

  /** The view for durable filters. An image is the file of a copy. */
  private final class Content implements DurableContent<WindowFilter>, DurableContent.Clock {
    @Override
    public WindowFilter filter() {
      return WindowFilter.this;
    }

    @Override
    public WindowFilter empty(byte[] settings, ReadOptions options) throws IOException {
      return FORMAT.empty(settings, options);
    }

    @Override
    public byte[] settings() {
      return WindowFormat.settings(WindowFilter.this);
    }

    @Override
    public int commutingBits() {
      // the order of puts determines how many bits of a prefix are stored
      return store instanceof PrefixWindow prefixes ? prefixes.store().leastDepth() : Long.SIZE;
    }

    @Override
    public boolean keepsFirst() {
      return rules.keepFirst;
    }

    @Override
    public boolean isKnown(long hash, long time) {
      return store.holds(hash, generation(time));
    }

    @Override
    public int put(long hash, long time) {
      // ahead of the clock only if a replica has not received earlier changes
      advance(TimeGrid.checked(time));
      return store.put(hash, generation(time), false) & (CHANGED | ABSENT);
    }

    @Override
    public void clear() {
      WindowFilter.this.clear();
    }

    @Override
    public long imageBytes() {
      return bits() / 8;
    }

    @Override
    public WindowFilter read(InputStream in, ReadOptions options) throws IOException {
      return FORMAT.readFrom(in, options);
    }

    @Override
    public Clock clock() {
      return this;
    }

    @Override
    public long now() {
      return WindowFilter.this.clock();
    }

    @Override
    public long checked(long millis) {
      return TimeGrid.checked(millis);
    }

    @Override
    public boolean accepts(long millis) {
      return WindowFilter.this.accepts(millis);
    }

    @Override
    public boolean isNext(long millis) {
      return now == NO_TIME || generation(millis) > store.generation();
    }

    @Override
    public boolean empties(long millis) {
      return WindowFilter.this.empties(millis);
    }

    @Override
    public void enter(long millis, boolean empties) {
      rotate(TimeGrid.checked(millis), empties);
      WindowFilter.this.sweep();
    }

    @Override
    public void tick(long millis) {
      advance(millis);
    }

    @Override
    public void sweep() {
      WindowFilter.this.sweep();
    }

    @Override
    public long ofGeneration(long millis) {
      return Math.max(-TimeGrid.MOST_MILLIS, spanOf(millis).from);
    }
  }

  /** Reads a window from a file of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
  public static WindowFilter readFrom(Path path) throws IOException {
    return FORMAT.readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads a window from the bytes that {@link #toBytes} returned. */
  public static WindowFilter fromBytes(byte[] bytes) throws FilterFormatException {
    return FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
  }

  /** Returns whether the other object is a window with the same settings, clock and content. */
  @Override
  public boolean equals(Object other) {
    if (!(other instanceof WindowFilter filter)
        || !scheme.equals(filter.scheme)
        || !grid.equals(filter.grid)
        || !rules.equals(filter.rules)
        || kind() != filter.kind()) {
      return false;
    }
    WindowFilter here = copy();
    WindowFilter there = filter.copy();
    return here.now == there.now
        && (here.store instanceof RingStore ring
            ? ring.isSameAs((RingStore) there.store)
            : ((PrefixWindow) here.store).isSameAs((PrefixWindow) there.store));
  }

  @Override
  public int hashCode() {
    return Objects.hash(scheme, grid, rules, now);
  }

  @Override
  public String toString() {
    return "WindowFilter[" + grid + ", " + storeWord() + ", " + scheme + "]";
  }

  /** Builds a {@link WindowFilter}. */
  public static final class Builder extends FilterBuilder<Builder> {
    /** By default, the load of an elastic ring may double from one generation to the next. */
    static final double DEFAULT_GROWTH = 2;

    private @Nullable Duration window;
    private int generations = 7;
    private @Nullable Long keys;
    private @Nullable Long keysPerGeneration;
    private double fpp = 0.01;
    private double growth;
    private boolean dropLate;
    private boolean refuseAhead;
    private boolean keepFirst;

    Builder() {}

    /**
     * Sets the time for which a key is found after it was put: a whole number of milliseconds, at
     * least one per generation.
     */
    public Builder window(Duration window) {
      this.window = Objects.requireNonNull(window, "window");
      return this;
    }

    /**
     * Sets the number of generations per window: 3, 7 (default), 15, 31, or, without {@link #keys},
     * 47. Keys expire up to one generation late: with 31 generations, a window of 10 minutes is
     * exact to 19 seconds. More generations cost slightly more time and memory.
     */
    public Builder generations(int generations) {
      this.generations = TimeGrid.checkedGenerations(generations);
      return this;
    }

    /**
     * Sets the number of distinct keys of a window, for a ring of bits. Each generation gets room
     * for {@link WindowPlan#SHARE} times an even share of them. Without this setting the filter
     * stores prefixes, and grows and shrinks by itself.
     */
    public Builder keys(long keys) {
      this.keys = Checks.positive(keys, "keys");
      return this;
    }

    /**
     * Sets the number of distinct keys of a generation of a ring, if an even share is too small: a
     * key that recurs in another generation is put there too, so keys that recur all the time need
     * as much room in every generation as in a window.
     */
    public Builder keysPerGeneration(long keys) {
      this.keysPerGeneration = Checks.positive(keys, "keysPerGeneration");
      return this;
    }

    /** Sets the highest false positive rate of all generations together (default 1 %). */
    public Builder fpp(double fpp) {
      this.fpp = Checks.probability(fpp, "fpp");
      return this;
    }

    /**
     * Makes the size of the ring follow the load: at a rotation it unfolds or folds according to
     * the number of keys of the last generation. The rate is kept as long as a generation has at
     * most twice as many keys as the one before.
     */
    public Builder elastic() {
      return elastic(DEFAULT_GROWTH);
    }

    /**
     * Makes the size of the ring follow a load that grows by at most this factor, above 1, from one
     * generation to the next. The ring is larger by that factor.
     */
    public Builder elastic(double growthPerGeneration) {
      if (!(growthPerGeneration > 1 && growthPerGeneration <= 1 << 20)) {
        throw new IllegalArgumentException(
            "the growth per generation must lie in (1, 2^20]: " + growthPerGeneration);
      }
      this.growth = growthPerGeneration;
      return this;
    }

    /** Counts and drops late puts instead of rejecting them with an exception. */
    public Builder dropLate() {
      this.dropLate = true;
      return this;
    }

    /**
     * Rejects puts ahead of the clock by more than a generation with an exception. By default they
     * advance the clock, like all puts with a later time, so a single wrong time in the future
     * expires older keys.
     */
    public Builder refuseAhead() {
      this.refuseAhead = true;
      return this;
    }

    /** Makes putIfAbsent keep the time of a key that is present, instead of refreshing it. */
    public Builder keepFirst() {
      this.keepFirst = true;
      return this;
    }

    /** Builds the empty filter, whose clock is not set. */
    public WindowFilter build() {
      if (window == null) {
        throw new IllegalArgumentException("the window is not set: call window(Duration)");
      }
      TimeGrid grid = TimeGrid.of(window, generations);
      Rules rules = new Rules(dropLate, refuseAhead, keepFirst);
      return new WindowFilter(hashScheme(), grid, rules, store(), NO_TIME, 0);
    }

    private WindowStore store() {
      if (keys == null) {
        if (keysPerGeneration != null || growth > 0) {
          throw new IllegalArgumentException(
              "%s applies only to rings: call keys() too, or omit it, because prefixes follow the load by themselves"
                  .formatted(growth > 0 ? "elastic" : "keysPerGeneration"));
        }
        return PrefixWindow.create(PrefixSizes.of(fpp), generations);
      }
      long share =
          keysPerGeneration == null ? WindowPlan.evenShare(keys, generations) : keysPerGeneration;
      WindowPlan plan = WindowPlan.of(keys, share, fpp, generations);
      return RingStore.create(growth > 0 ? plan.halvable() : plan, growth);
    }
  }
}
