package dev.bellows.elastic;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.FilterBuilder;
import dev.bellows.FilterStats;
import dev.bellows.FoldableFilter;
import dev.bellows.FoldedFilters;
import dev.bellows.HashScheme;
import dev.bellows.KeyFilter;
import dev.bellows.KeyHasher;
import dev.bellows.Layout;
import dev.bellows.Membership;
import dev.bellows.StoredFilter;
import dev.bellows.TypedFilter;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.counters.CounterStore;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.PackedLongs;
import dev.bellows.internal.files.ShapeCodec;
import dev.bellows.internal.layout.Origin;
import dev.bellows.internal.layout.Shape;
import dev.bellows.internal.math.Divisors;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import dev.bellows.plan.BloomPlan;
import dev.bellows.plan.TransmissionPlan;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A filter that folds and unfolds to keep its false positive rate in a band while keys are put and
 * removed (Folding paper, Section IV).
 *
 * <p>It consists of a filter of full capacity and a folded view of it. Queries use the view, which
 * is small enough for the cache and for transmission. Every put and removal changes both filters:
 * unfolding folds the capacity filter again, which would lose keys that are only in the view (see
 * erratum <a href="{@docRoot}/doc-files/errata.html#F7">F7</a>). Folding therefore saves bandwidth
 * and cache, not the memory of the capacity filter. {@link #freeze} frees that memory, but
 * afterwards the view can no longer grow.
 *
 * <p>All methods are thread-safe. Queries, and puts into a filter of bits, take no lock, and no put
 * is lost during a resize. Changes of counters are serialized.
 */
public final class ElasticBloomFilter extends StoredFilter
    implements KeyFilter.Removable, Membership, Filter.Identified {
  private static final long serialVersionUID = 1L;

  /** The format of this kind, which reads its filters from streams, files and byte arrays. */
  public static final FilterFormat<ElasticBloomFilter> FORMAT =
      FilterFormat.of(FilterKind.ELASTIC, ElasticBloomFilter.class, ElasticBloomFilter::read);

  /**
   * The number of parameters in files: view, fpp, tolerance, policy, frozen, step and four numbers
   * of the history.
   */
  private static final int OWN_PARAMETERS = 10;

  private static final int OWN = ShapeCodec.PARAMETERS;

  private final Shape shape;
  private final Settings settings;
  private final FoldBand band;
  private final FoldingView folding;

  /**
   * One change of the view's size.
   *
   * @param fromBits the size before
   * @param toBits the size after
   * @param keys the estimated number of keys at the time of the change
   * @param fppBefore the expected rate before
   * @param fppAfter the expected rate after
   * @param cellsRead the number of cells that were read to create the new view
   */
  public record Resize(
      long fromBits, long toBits, long keys, double fppBefore, double fppAfter, long cellsRead) {}

  /**
   * A size that the view may have.
   *
   * @param bits the size
   * @param fewestKeys the minimum number of keys: with fewer, the rate is below the band
   * @param mostKeys the maximum number of keys: with more, the rate is above the band
   */
  public record ViewSize(long bits, long fewestKeys, long mostKeys) {
    /** Returns whether the rate is in the band with this many keys. */
    boolean serves(long keys) {
      return fewestKeys <= keys && keys <= mostKeys;
    }

    /**
     * Returns after how many of a number of changes the rate is in the band, if the fill is that of
     * {@code from} keys before them and that of {@code to} keys after them.
     */
    long servedSteps(double from, double to, long changes) {
      double lowest = Math.max(fewestKeys, Math.min(from, to));
      double highest = Math.min(mostKeys, Math.max(from, to));
      if (lowest > highest) {
        return 0;
      }
      return from == to ? changes : Math.round(changes * (highest - lowest) / Math.abs(to - from));
    }
  }

  /**
   * The settings of a builder.
   *
   * @param fpp the middle of the band
   * @param tolerance half the width of the band
   * @param policy the policy for choosing among sizes in the band
   * @param step the smallest ratio between two sizes of the view; 0 if it follows from the
   *     tolerance
   */
  private record Settings(double fpp, double tolerance, FoldPolicy policy, double step) {
    Settings {
      checkedStep(step);
    }

    static double checkedStep(double step) {
      if (step == 0 || (step >= 1 && step <= 2)) {
        return step;
      }
      throw new IllegalArgumentException(
          "step must be in [1, 2], or 0 to be derived from the tolerance: " + step);
    }

    /** Returns the sizes of the view for a capacity. */
    FoldBand band(Shape shape) {
      if (step == 0 && policy != FoldPolicy.ENTROPY) {
        return FoldBand.of(shape.layout(), shape.bits(), fpp, tolerance);
      }
      return FoldBand.of(shape.layout(), shape.bits(), fpp, tolerance, Math.max(1, step));
    }
  }

  private ElasticBloomFilter(
      Shape shape,
      Settings settings,
      FoldBand band,
      @Nullable Consumer<Resize> listener,
      @Nullable FoldableFilter<?> capacity,
      FoldableFilter<?> view) {
    this.shape = shape;
    this.settings = settings;
    this.band = band;
    this.folding = new FoldingView(band, settings.policy, listener, capacity, view);
  }

  /** Returns a builder. Set the fpp and either the capacity or the maximum number of keys. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public FilterKind kind() {
    return FilterKind.ELASTIC;
  }

  /** Returns the layout that maps keys to positions. */
  public Layout layout() {
    return shape.layout();
  }

  /** Returns the size of the unfolded filter. */
  public long capacity() {
    return shape.bits();
  }

  /** Returns the size of the view that answers queries. */
  public long bits() {
    return view().bits();
  }

  private FoldableFilter<?> view() {
    return folding.kept().view();
  }

  private FoldableFilter<?> full() {
    return folding.kept().full();
  }

  /** Returns the number of bits that a key sets. */
  public int hashes() {
    return shape.hashes();
  }

  /** Returns the estimated number of distinct keys, from the fill of the capacity filter. */
  public long approximateElementCount() {
    return full().approximateElementCount();
  }

  /** Returns the false positive rate of the view, from its actual fill. */
  @Override
  public double expectedFpp() {
    return view().expectedFpp();
  }

  /**
   * Returns the sizes that the view may have, in ascending order, each with its range of key
   * counts.
   */
  public List<ViewSize> viewSizes() {
    return List.copyOf(band.sizes());
  }

  /**
   * Returns a capacity, of at most twice the current one, that has more sizes in the band at the
   * current number of keys, so that policy {@link FoldPolicy#ENTROPY} can choose among them.
   * Returns empty if the policy is another one or already has a choice, if the filter is frozen, or
   * if no such capacity was found. A ladder of BLOCKED sizes is coarse if the number of blocks has
   * few divisors: then only one size at a time lies in the band, and the policy sends the sizes
   * that {@link #nextTransmission} plans.
   */
  public OptionalLong finerCapacity() {
    long keys = approximateElementCount();
    if (settings.policy != FoldPolicy.ENTROPY
        || isFrozen()
        || band.candidates(keys, false).size() > 1) {
      return OptionalLong.empty();
    }
    long finer = FoldBand.finer(layout(), capacity(), settings.fpp, settings.tolerance, keys);
    return finer == 0 ? OptionalLong.empty() : OptionalLong.of(finer);
  }

  /**
   * Returns whether the capacity filter was dropped by {@link #freeze}; if so, the view can only
   * shrink.
   */
  public boolean isFrozen() {
    return folding.kept().isFrozen();
  }

  /**
   * Returns whether there are so many keys that even the rate of the capacity filter is above the
   * band.
   */
  public boolean isOverCapacity() {
    return folding.isOverCapacity();
  }

  /**
   * Returns the fraction of all changes after which the rate was in the band, from the actual fill
   * of the view: it is measured now and then and interpolated in between.
   */
  public double bandShare() {
    return folding.history().bandShare();
  }

  /** Returns the sizes of the foldings sent since the content last changed, in ascending order. */
  public List<Long> sentSizes() {
    return List.copyOf(folding.sent());
  }

  /**
   * Returns the false positive rate of a receiver that has the foldings to all {@link #sentSizes},
   * computed from their bits, i.e. the {@link FoldedFilters#expectedFpp} of the receiver. Returns 1
   * if nothing was sent.
   */
  public double sentFpp() {
    return FoldedFilters.jointFpp(full(), sentSizes());
  }

  /**
   * Returns the number of bits per counter; 0 if the filter has bits instead of counters, so that
   * keys cannot be removed.
   */
  public int counterBits() {
    return full() instanceof CountingBloomFilter counters ? counters.counterBits() : 0;
  }

  /**
   * Returns the id that was set in the builder, which snapshots and files carry; 0 if none was set.
   */
  @Override
  public long filterId() {
    return full().filterId();
  }

  /**
   * Returns a 64-bit hash of the content. Snapshots may be queried together only if their states
   * are equal.
   */
  @Override
  public long state() {
    return full().state();
  }

  @Override
  public HashScheme hashScheme() {
    return shape.scheme();
  }

  @Override
  public boolean mightContainHash(long hash) {
    return view().mightContainHash(hash);
  }

  @Override
  public int countMightContainHashes(long[] hashes, int from, int to, boolean[] hits) {
    return view().countMightContainHashes(hashes, from, to, hits);
  }

  @Override
  public boolean putHash(long hash) {
    return folding.put(hash);
  }

  /**
   * Removes one put of the key with this hash. The filter must have been built with {@link
   * Builder#counting}.
   *
   * @return whether it was removed
   */
  @Override
  public boolean removeHash(long hash) {
    if (counterBits() == 0) {
      throw new IllegalStateException(
          "this elastic filter has bits, from which keys cannot be removed: build it with"
              + " counting(4)");
    }
    return folding.remove(hash);
  }

  /** Returns a view of this filter for keys of one type. */
  public <T> TypedFilter<T> typed(KeyHasher<? super T> hasher) {
    return TypedFilter.of(this, hasher);
  }

  /** Removes every key. A frozen filter keeps the size of its view. */
  public void clear() {
    folding.clear();
  }

  /**
   * Returns the small filter to send: a copy of the view, with the id and state of this filter.
   * Under {@link FoldPolicy#ENTROPY}, if the size of the view was already sent in this state, it is
   * replaced by another size in the band or, if all of these were sent, by the size of at most as
   * many bytes that lowers the receiver's rate most.
   */
  public BloomFilter snapshot() {
    if (settings.policy == FoldPolicy.ENTROPY && folding.sent().contains(bits())) {
      folding.resize();
      if (folding.sent().contains(bits())) {
        return ship(
            nextTransmission(foldingBytes(bits())).map(TransmissionPlan::bits).orElse(bits()));
      }
    }
    return ship(bits());
  }

  /**
   * Returns the folding to a size, with the id and state of this filter, and records the size as
   * sent. The folding contains every put that returned before this method was called.
   */
  public BloomFilter ship(long bits) {
    fullShape().factorTo(bits);
    return folding.ship(bits);
  }

  /**
   * Returns the folding to a size together with its {@link #version}, by which a receiver can tell
   * a newer part from an older one, and records the size as sent. The filter must have an id.
   */
  public FoldedFilters part(long bits) {
    long before = version();
    return FoldedFilters.of(ship(bits), before);
  }

  /**
   * Returns the number of keys that were added and removed so far: of two states of this filter,
   * the one with the higher version is newer. Two states with the same version have the same bits,
   * unless keys are put concurrently.
   */
  public long version() {
    return folding.history().changes();
  }

  /** Returns the number of bytes by which the file of a part is longer than that of its folding. */
  public long partHeaderBytes() {
    return FilterHeader.of(
            FilterKind.PARTS,
            hashScheme(),
            Origin.folding(filterId(), 0),
            List.of(1L, version()),
            List.of())
        .fileBytes();
  }

  /**
   * Returns a filter with the content and the history of this one and an id, which its snapshots
   * and parts carry. The result has no sizes recorded as sent.
   *
   * @throws IllegalStateException if this filter already has an id
   */
  public ElasticBloomFilter withId(long id) {
    if (id == 0) {
      throw new IllegalArgumentException("the id 0 means that there is no id: use another number");
    }
    FoldingView.Kept kept = folding.kept();
    FoldableFilter<?> full = kept.full();
    if (full.filterId() != 0) {
      throw new IllegalStateException(
          "the filter already has the id %d, so it cannot be given the id %d"
              .formatted(full.filterId(), id));
    }
    FoldableFilter<?> named = FoldingView.folded(full, full.bits(), id);
    ElasticBloomFilter filter =
        new ElasticBloomFilter(
            shape,
            settings,
            band,
            resize -> {},
            kept.isFrozen() ? null : named,
            kept.isFrozen() ? named : named.foldTo(kept.view().bits()));
    filter.folding.resume(folding.history(), List.of());
    return filter;
  }

  /**
   * Returns the next transmission of this state: the folding that lowers the receiver's rate most
   * (Folding paper, Section IV-C), with rates computed from its actual bits. Returns empty if every
   * size within the budget divides one that was sent.
   *
   * @param budgetBytes the maximum size of the folding's file in bytes
   */
  public Optional<TransmissionPlan> nextTransmission(long budgetBytes) {
    Checks.atLeast(foldingBytes(layout().cellBits()), budgetBytes, "budgetBytes");
    Shape full = fullShape();
    long largest =
        full.ladder()
            .factors()
            .map(factor -> full.bits() / factor)
            .filter(bits -> foldingBytes(bits) <= budgetBytes)
            .max()
            .orElse(0);
    return largest == 0
        ? Optional.empty()
        : TransmissionPlan.next(
                full().plan(),
                full().approximateElementCount(),
                sentSizes(),
                (largest - 1) / Byte.SIZE + 1)
            .map(this::measured);
  }

  /**
   * Returns the smallest folding after which a receiver of all foldings of this state has at most
   * this rate, computed from the bits received; empty if there is none.
   */
  public Optional<TransmissionPlan> transmissionToFpp(double fpp) {
    return TransmissionPlan.toFpp(
        full().plan(), full().approximateElementCount(), sentSizes(), fpp, this::measured);
  }

  /**
   * Returns the smallest budget for which {@link #nextTransmission} is not empty; empty if the
   * whole filter was sent in this state.
   */
  public OptionalLong smallestBudget() {
    OptionalLong bits = TransmissionPlan.smallest(full().plan(), sentSizes());
    return bits.isEmpty() ? bits : OptionalLong.of(foldingBytes(bits.getAsLong()));
  }

  /** Returns the plan with rates computed from the bits that would be sent. */
  private TransmissionPlan measured(TransmissionPlan next) {
    List<Long> all = Stream.concat(sentSizes().stream(), Stream.of(next.bits())).toList();
    return new TransmissionPlan(
        next.bits(),
        next.bytes(),
        next.commonBits(),
        FoldedFilters.jointFpp(full(), List.of(next.bits())),
        FoldedFilters.jointFpp(full(), all));
  }

  /** Returns the shape of the capacity filter, or of the view if the filter is frozen. */
  private Shape fullShape() {
    return shape.withBits(full().bits());
  }

  /** Returns the file size of a folding to this many bits, in bytes. */
  private long foldingBytes(long bits) {
    return ShapeCodec.plainHeader(shape.withBits(bits), Origin.folding(filterId(), 0)).fileBytes();
  }

  /** Drops the capacity filter to free its memory; afterwards, the view can only shrink. */
  public void freeze() {
    folding.freeze();
  }

  @Override
  public FilterStats stats() {
    FilterStats now = folding.kept().view().stats();
    return new FilterStats(
            FilterKind.ELASTIC,
            now.layout(),
            now.bits(),
            now.hashes(),
            now.hashScheme(),
            now.ones(),
            (double) approximateElementCount(),
            now.expectedFpp())
        .growing(settings.fpp, null);
  }

  @Override
  public long sizeInBytes() {
    FoldingView.Kept kept = folding.kept();
    return header(kept, kept.full().filterId(), sentBytes(kept)).fileBytes()
        + kept.full().sizeInBytes();
  }

  @Override
  public boolean isEmpty() {
    return full().isEmpty();
  }

  /** Returns whether the false positive rate is currently in the band. */
  public boolean isInBand() {
    return Math.abs(expectedFpp() - settings.fpp) <= settings.tolerance;
  }

  /** Returns the number of times that the view was folded or unfolded. */
  public long resizes() {
    return folding.history().resizes();
  }

  /** Returns the total number of cells that were read for these resizes. */
  public long cellsRead() {
    return folding.history().cellsRead();
  }

  @Override
  public String explain() {
    FoldingView.History past = folding.history();
    return "An elastic Bloom filter, "
        + layout().describe()
        + ", keeping fpp "
        + settings.fpp
        + " +- "
        + settings.tolerance
        + ".\n\n"
        + Prose.format(
            "  capacity           %,d bits, folded by %d now\n", capacity(), capacity() / bits())
        + stats().lines("bits in view", sizeInBytes())
        + Prose.format("  in the band        %.1f %% of all changes\n", 100 * past.bandShare())
        + Prose.format(
            "  resizes            %,d, %,d cells read\n", past.resizes(), past.cellsRead())
        + "\n"
        + memory()
        + coarseness()
        + (isOverCapacity()
            ? "  There are more keys than the capacity can hold within the band: build a larger"
                + " one.\n"
            : "");
  }

  private String coarseness() {
    OptionalLong finer = finerCapacity();
    return finer.isEmpty()
        ? ""
        : Prose.format(
            """
              One size of this capacity is in the band now, so policy ENTROPY has no choice: it ships
              the sizes that planned parts have. A capacity of %,d bits has several.
            """,
            finer.getAsLong());
  }

  private String memory() {
    if (isFrozen()) {
      return "  The capacity filter was dropped (frozen): the view can only shrink.\n";
    }
    return Prose.format(
            """
              Folding saves bandwidth and cache, not memory: the full %,d bits stay here,
              since unfolding needs them.
            """,
            capacity())
        + (settings.policy == FoldPolicy.GREEDY
            ? "  An intermediate folding is kept: resizes read it instead of the capacity, and puts"
                + " update it too.\n"
            : "");
  }

  /**
   * Writes the settings and the history as a header, the sizes sent as a section, and then the
   * capacity filter, or the view if the filter is frozen, as a filter of its own (spec/FORMAT.md).
   * The file contains every put that returned before this method was called. The sizes sent may not
   * yet reflect concurrent puts.
   */
  @Override
  public void writeTo(OutputStream out) throws IOException {
    FoldingView.Kept kept = folding.kept();
    byte[] sent = sentBytes(kept);
    // a copy, because a frozen view loses its id when it changes, and the header must have the same
    // id
    FoldableFilter<?> body = kept.isFrozen() ? kept.view().copy() : kept.full();
    FilterWriter.begin(out, header(kept, body.filterId(), sent)).bytes(sent).end();
    body.writeTo(out);
  }

  private FilterHeader header(FoldingView.Kept kept, long id, byte[] sent) {
    FoldingView.History past = folding.history();
    return ShapeCodec.header(
        FilterKind.ELASTIC,
        shape,
        Origin.folding(id, 0),
        List.of(
            kept.view().bits(),
            Double.doubleToLongBits(settings.fpp),
            Double.doubleToLongBits(settings.tolerance),
            (long) settings.policy.id(),
            kept.isFrozen() ? 1L : 0L,
            Double.doubleToLongBits(settings.step),
            past.changes(),
            past.changesInBand(),
            past.resizes(),
            past.cellsRead()),
        List.of((long) sent.length));
  }

  /**
   * Returns the encoded sizes sent, restricted to those to which the filter being written folds.
   */
  private byte[] sentBytes(FoldingView.Kept kept) {
    long full = kept.full().bits();
    List<Long> sizes = folding.sent().stream().filter(size -> full % size == 0).toList();
    PackedLongs.Writer out = new PackedLongs.Writer();
    out.put(sizes.size());
    sizes.forEach(out::put);
    return out.toBytes();
  }

  private static ElasticBloomFilter read(FilterReader reader) throws IOException {
    Shape shape = reader.shape(OWN_PARAMETERS, 1);
    reader.requireNoState();
    long viewBits = reader.parameter(OWN, "view bits", 1, shape.bits());
    FoldPolicy policy = FoldPolicy.ofId((int) reader.parameter(OWN + 3, "policy", 0, 2));
    boolean frozen = reader.parameter(OWN + 4, "frozen", 0, 1) == 1;
    double step = Double.longBitsToDouble(reader.parameter(OWN + 5, "step", 0, Long.MAX_VALUE));
    double fpp = reader.real(OWN + 1);
    double tolerance = reader.real(OWN + 2);
    Settings settings = reader.checked(OWN + 5, () -> new Settings(fpp, tolerance, policy, step));
    long[] past = new long[4];
    for (int i = 0; i < past.length; i++) {
      past[i] = reader.parameter(OWN + 6 + i, "history", 0, Long.MAX_VALUE);
    }
    FoldingView.History history =
        reader.checked(OWN + 6, () -> new FoldingView.History(past[0], past[1], past[2], past[3]));
    Shape stored = frozen ? reader.checked(OWN, () -> shape.withBits(viewBits)) : shape;
    FoldBand band = reader.checked(OWN + 1, () -> settings.band(shape));
    if (!band.has(viewBits)) {
      throw reader.parameterError(
          OWN, "view bits " + viewBits + " are not a size that the capacity folds to");
    }
    byte[] table = reader.bytes();
    List<Long> sent = reader.checked(OWN, () -> sentSizes(table, stored));
    FoldableFilter<?> body =
        reader.nested(ElasticBloomFilter::readBody, FilterKind.BLOOM, FilterKind.COUNTING);
    if (body.bits() != stored.bits()
        || !body.layout().equals(stored.layout())
        || !body.hashScheme().equals(stored.scheme())
        || body.filterId() != reader.header().filterId()) {
      throw reader.parameterError(
          OWN, "the filter inside does not have the shape " + stored + " and the id of the header");
    }
    ElasticBloomFilter filter =
        new ElasticBloomFilter(
            shape,
            settings,
            band,
            null,
            frozen ? null : body,
            frozen ? body : body.foldTo(viewBits));
    filter.folding.resume(history, sent);
    return filter;
  }

  private static FoldableFilter<?> readBody(FilterReader reader) throws IOException {
    return reader.header().kind() == FilterKind.BLOOM
        ? BloomFilter.FORMAT.read(reader)
        : CountingBloomFilter.FORMAT.read(reader);
  }

  /**
   * Returns the decoded sizes sent, in ascending order; throws if the shape does not fold to one of
   * them.
   */
  private static List<Long> sentSizes(byte[] table, Shape shape) {
    PackedLongs.Reader in = new PackedLongs.Reader(table);
    List<Long> sent = new ArrayList<>();
    long before = 0;
    for (int left = in.count(); left > 0; left--) {
      long size = in.next(shape.bits());
      if (size <= before || !shape.ladder().hasSize(size)) {
        throw new IllegalArgumentException(
            "a sent size of %d bits after one of %d, in a filter of %d bits"
                .formatted(size, before, shape.bits()));
      }
      sent.add(size);
      before = size;
    }
    in.end();
    return sent;
  }

  /** Reads a filter of at most 1 GiB ({@link ReadOptions#DEFAULT}) from a file. */
  public static ElasticBloomFilter readFrom(Path path) throws IOException {
    return FORMAT.readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads a filter from the bytes that {@link #toBytes} returned. */
  public static ElasticBloomFilter fromBytes(byte[] bytes) throws FilterFormatException {
    return FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
  }

  /** Returns whether the other object is a filter with the same settings, view and content. */
  @Override
  public boolean equals(Object other) {
    return other instanceof ElasticBloomFilter filter
        && shape.equals(filter.shape)
        && settings.equals(filter.settings)
        && isFrozen() == filter.isFrozen()
        && folding.sent().equals(filter.folding.sent())
        && view().equals(filter.view())
        && full().equals(filter.full());
  }

  @Override
  public int hashCode() {
    return Objects.hash(shape, view(), full());
  }

  @Override
  public String toString() {
    return "ElasticBloomFilter[" + shape + ", view of " + bits() + " bits]";
  }

  /** Builds an {@link ElasticBloomFilter}. */
  public static final class Builder extends FilterBuilder.Sized<Builder, ElasticBloomFilter> {
    private double tolerance = Double.NaN;
    private FoldPolicy policy = FoldPolicy.INDEPENDENT;
    private @Nullable Consumer<Resize> listener;
    private double step;
    private int counterBits;

    Builder() {}

    /**
     * Sets the maximum deviation of the rate from fpp in both directions (default: half of fpp).
     */
    public Builder tolerance(double tolerance) {
      this.tolerance = tolerance;
      return this;
    }

    /** Sets the policy for choosing among the sizes whose rate is in the band. */
    public Builder policy(FoldPolicy policy) {
      this.policy = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /**
     * Sets the smallest ratio between two sizes of the view, from 1 (every divisor of the capacity)
     * to 2. By default, it is derived from the tolerance, so that two sizes are at least an eighth
     * of the width of the band apart.
     */
    public Builder step(double step) {
      this.step = Math.max(1, Settings.checkedStep(step));
      return this;
    }

    /**
     * Sets a listener for changes of the view's size. It is called in the thread that caused the
     * change.
     */
    public Builder onResize(Consumer<Resize> listener) {
      this.listener = Objects.requireNonNull(listener, "listener");
      return this;
    }

    /**
     * Uses counters of initially 4, 8, 16 or 32 bits instead of bits, so that keys can be removed.
     * Counters are widened on demand.
     */
    public Builder counting(int counterBits) {
      this.counterBits = CounterStore.checkedWidth(counterBits);
      return this;
    }

    @Override
    public ElasticBloomFilter build() {
      double target = requiredFpp();
      BloomPlan asked = plan();
      double around = Double.isNaN(tolerance) ? target / 2 : tolerance;
      long capacity = isSizeGiven() ? asked.bits() : FoldBand.capacityFor(asked, target, around);
      Shape shape = new Shape(asked.layout(), capacity, hashScheme());
      Settings settings = new Settings(target, around, policy, step);
      FoldBand band = settings.band(shape);
      BloomPlan plan = new BloomPlan(asked.layout(), capacity, 0);
      FoldableFilter<?> full =
          counterBits == 0
              ? BloomFilter.builder().shape(plan).hashScheme(hashScheme()).id(id()).build()
              : CountingBloomFilter.builder()
                  .shape(plan)
                  .hashScheme(hashScheme())
                  .counterBits(counterBits)
                  .id(id())
                  .build();
      FoldableFilter<?> view = full.foldTo(band.sizes().get(0).bits());
      return new ElasticBloomFilter(shape, settings, band, listener, full, view);
    }
  }

  /**
   * A policy by which an elastic filter chooses among several sizes whose rate is in its band
   * (Folding paper, Section IV-C).
   */
  public enum FoldPolicy {
    /**
     * Chooses a small size, independently of earlier sizes: while keys are being added, the
     * smallest one that has three quarters of its band left for more keys; otherwise, the smallest
     * one that has a quarter left. This policy sends the fewest bytes and, if the filter is in main
     * memory, uses the least CPU time.
     */
    INDEPENDENT(0) {
      @Override
      long choose(List<ViewSize> candidates, List<Long> kept, Set<Long> sent) {
        return candidates.get(0).bits();
      }
    },

    /**
     * Chooses a size that can be folded from a filter smaller than the capacity: from the view, or
     * from an intermediate folding that is kept for this purpose. If the tolerance is half of the
     * fpp, resizes read about half of the cells that {@link #INDEPENDENT} reads; if it is a fifth,
     * only slightly fewer. In return, every put updates one more filter. This pays off if reading a
     * cell is expensive, e.g. if the capacity is in flash memory; in main memory, the additional
     * updates take more CPU time than the cheaper resizes save.
     */
    GREEDY(1) {
      @Override
      long choose(List<ViewSize> candidates, List<Long> kept, Set<Long> sent) {
        return candidates.stream()
            .map(ViewSize::bits)
            .min(Comparator.comparingLong((Long bits) -> source(bits, kept)))
            .orElseThrow();
      }

      /**
       * Returns the size of the smallest available filter that folds to the given size; {@code
       * Long.MAX_VALUE}, for the capacity, if no other filter does.
       */
      private long source(long bits, List<Long> kept) {
        return kept.stream()
            .mapToLong(Long::longValue)
            .filter(k -> k % bits == 0)
            .min()
            .orElse(Long.MAX_VALUE);
      }
    },

    /**
     * Chooses a size that was not sent in this state and shares the smallest common divisors with
     * those that were, so that each snapshot lowers the joint rate of a receiver.
     */
    ENTROPY(2) {
      @Override
      long choose(List<ViewSize> candidates, List<Long> kept, Set<Long> sent) {
        return candidates.stream()
            .map(ViewSize::bits)
            .min(
                Comparator.comparing((Long bits) -> sent.contains(bits))
                    .thenComparing(bits -> shared(bits, sent)))
            .orElseThrow();
      }

      /** Returns the largest size to which both the given size and one of those sent fold. */
      private long shared(long bits, Set<Long> sent) {
        return sent.stream().mapToLong(other -> Divisors.gcd(bits, other)).max().orElse(0);
      }
    };

    private final int id;

    FoldPolicy(int id) {
      this.id = id;
    }

    /** Returns the id of this policy in files. */
    int id() {
      return id;
    }

    static FoldPolicy ofId(int id) {
      return switch (id) {
        case 0 -> INDEPENDENT;
        case 1 -> GREEDY;
        default -> ENTROPY;
      };
    }

    abstract long choose(List<ViewSize> candidates, List<Long> kept, Set<Long> sent);
  }
}
