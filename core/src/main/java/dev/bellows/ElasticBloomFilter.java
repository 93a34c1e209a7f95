package dev.bellows;

import dev.bellows.internal.Counters;
import dev.bellows.io.FilterHeader;
import dev.bellows.io.FilterKind;
import dev.bellows.io.FilterReader;
import dev.bellows.io.FilterWriter;
import dev.bellows.io.ReadLimits;
import dev.bellows.plan.BloomPlan;
import dev.bellows.plan.FoldBand;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A filter, for one thread at a time, that holds its false positive rate in a band while keys come
 * and go, by folding and unfolding (000 section IV).
 *
 * <p>It keeps a filter of full capacity and a folded view of it. Queries ask the view, which stays
 * small enough for the cache and the wire; every put and remove reaches both, because unfolding is
 * a new folding of the capacity filter and would lose what only the view knew (errata F7). Folding
 * therefore saves bandwidth and cache, not the memory of the capacity filter; {@link #freeze} gives
 * that memory back, and with it the way to larger sizes.
 */
public final class ElasticBloomFilter implements RemovableKeys {
  private final FilterShape shape;
  private final Settings settings;
  private final FoldBand band;
  private final Origin origin;
  private final Set<Long> sent = new HashSet<>();
  private @Nullable FoldableFilter<?> capacity;
  private FoldableFilter<?> view;
  private long keys;
  private long keysAtResize;
  private long growAbove;
  private long shrinkBelow;

  /**
   * One change of the view.
   *
   * @param fromBits its size before
   * @param toBits its size after
   * @param keys the number of keys at that moment
   * @param fppBefore the expected rate before
   * @param fppAfter the expected rate after
   */
  public record Resize(long fromBits, long toBits, long keys, double fppBefore, double fppAfter) {}

  private record Settings(
      double fpp, double tolerance, FoldPolicy policy, Consumer<Resize> listener) {
    FoldBand band(FilterShape shape) {
      double minStep = policy == FoldPolicy.ENTROPY ? 1 : FoldBand.MIN_STEP;
      return FoldBand.of(shape.bits(), shape.hashes(), fpp, tolerance, shape.layout(), minStep);
    }
  }

  private ElasticBloomFilter(
      FilterShape shape,
      Settings settings,
      FoldBand band,
      Origin origin,
      @Nullable FoldableFilter<?> capacity,
      FoldableFilter<?> view,
      long keys) {
    this.shape = shape;
    this.settings = settings;
    this.band = band;
    this.origin = origin;
    this.capacity = capacity;
    this.view = view;
    this.keys = keys;
    this.keysAtResize = keys;
    settle();
  }

  /** A builder: fpp and either the capacity or the largest number of keys. */
  public static Builder builder() {
    return new Builder();
  }

  /** The size of the unfolded filter. */
  public long capacity() {
    return shape.bits();
  }

  /** The size of the view that answers queries. */
  public long bits() {
    return view.bits();
  }

  /** The number of keys it believes in: puts that changed the capacity filter, less removes. */
  public long keys() {
    return keys;
  }

  /** The rate at which outsiders pass the view, from its real fill. */
  public double expectedFpp() {
    return view.expectedFpp();
  }

  /** The sizes it moves along, with the key counts each of them serves. */
  public FoldBand band() {
    return band;
  }

  /** Whether the capacity filter is gone, so that the view can only shrink. */
  public boolean isFrozen() {
    return capacity == null;
  }

  /** Whether more keys came than even the capacity serves within the band. */
  public boolean isOverCapacity() {
    return keys > band.sizes().get(band.sizes().size() - 1).mostKeys();
  }

  @Override
  public HashScheme hashScheme() {
    return shape.scheme();
  }

  @Override
  public boolean mightContainHash(long hash) {
    return view.mightContainHash(hash);
  }

  @Override
  public int countMightContainHashes(long[] hashes, int from, int to, boolean[] hits) {
    return view.countMightContainHashes(hashes, from, to, hits);
  }

  @Override
  public boolean putHash(long hash) {
    FoldableFilter<?> full = capacity;
    boolean isNew = full == null ? view.putHash(hash) : full.putHash(hash);
    if (full != null) {
      view.putHash(hash);
    }
    if (isNew) {
      origin.changed();
      keys++;
      if (keys > growAbove) {
        resize();
      }
    }
    return isNew;
  }

  /**
   * Takes back one put of the key with this hash; needs a filter built with {@code counting}.
   *
   * @return whether it was taken back
   */
  @Override
  public boolean removeHash(long hash) {
    FoldableFilter<?> full = capacity == null ? view : capacity;
    if (!(full instanceof CountingBloomFilter counting)) {
      throw new IllegalStateException(
          "this elastic filter holds bits and cannot remove: build it with counting(4)");
    }
    if (!counting.removeHash(hash)) {
      return false;
    }
    if (view != full) {
      ((CountingBloomFilter) view).removeHash(hash);
    }
    origin.changed();
    if (!counting.mightContainHash(hash)) {
      keys--;
      if (keys < shrinkBelow) {
        resize();
      }
    }
    return true;
  }

  /** Moves the view to the size its policy chooses for the present number of keys. */
  private void resize() {
    List<FoldBand.Size> candidates = band.candidates(keys);
    long target = settings.policy.choose(candidates, view.bits(), sent);
    FoldableFilter<?> source = view.bits() % target == 0 || capacity == null ? view : capacity;
    if (target != view.bits() && source.bits() % target == 0) {
      FoldableFilter<?> old = view;
      view = source.foldTo(target);
      keysAtResize = keys;
      settings.listener.accept(
          new Resize(old.bits(), target, keys, old.expectedFpp(), view.expectedFpp()));
    }
    settle();
  }

  /**
   * Sets the key counts at which the next resize is due: above what this size serves; or below it,
   * where a smaller size has headroom and a share of the keys has gone since the last resize.
   */
  private void settle() {
    List<FoldBand.Size> sizes = band.sizes();
    int at = 0;
    while (sizes.get(at).bits() < view.bits()) {
      at++;
    }
    boolean largest = at == sizes.size() - 1 || capacity == null;
    growAbove = largest ? Long.MAX_VALUE : Math.max(keys, sizes.get(at).mostKeys());
    double smallerServes = at == 0 ? 0 : sizes.get(at - 1).mostKeys() / (1 + band.headroom());
    double changed = keysAtResize * (1 - band.headroom());
    shrinkBelow = (long) Math.min(sizes.get(at).fewestKeys(), Math.min(smallerServes, changed));
  }

  /**
   * The small filter to ship: a copy of the view, with this filter's id and epoch. Under {@link
   * FoldPolicy#ENTROPY} a size that was shipped before is left for another one in the band.
   */
  public BloomFilter snapshot() {
    if (settings.policy == FoldPolicy.ENTROPY && sent.contains(view.bits())) {
      resize();
    }
    sent.add(view.bits());
    return view.toBloomFilter().withOrigin(origin.folding());
  }

  /** Drops the capacity filter: its memory comes back, and the view can only shrink from now on. */
  public void freeze() {
    capacity = null;
    settle();
  }

  @Override
  public FilterStats stats() {
    FilterStats now = view.stats();
    return new FilterStats(
        FilterKind.ELASTIC,
        now.layout(),
        now.bits(),
        now.hashes(),
        now.hashScheme(),
        now.ones(),
        now.fill(),
        now.approximateKeys(),
        now.expectedFpp(),
        header(origin).fileBytes());
  }

  @Override
  public String explain() {
    return Explanation.of(this, settings.fpp, settings.tolerance);
  }

  private FoldableFilter<?> stored() {
    return capacity == null ? view : capacity;
  }

  private FilterHeader header(Origin state) {
    Counters counters = stored() instanceof CountingBloomFilter c ? c.counters() : null;
    return shape.header(
        FilterKind.ELASTIC,
        state,
        List.of(
            counters == null ? 0L : counters.width(),
            counters != null && counters.widens() ? 1L : 0L,
            view.bits(),
            keys,
            Double.doubleToLongBits(settings.fpp),
            Double.doubleToLongBits(settings.tolerance),
            (long) settings.policy.id(),
            capacity == null ? 1L : 0L),
        List.of(
            counters == null
                ? ((BloomFilter) stored()).sectionBytes()
                : 8L * counters.words().length));
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    FilterWriter writer = FilterWriter.begin(out, header(origin.folding()));
    if (stored() instanceof CountingBloomFilter counting) {
      writer.words(counting.counters().words());
    } else {
      ((BloomFilter) stored()).writeSection(writer);
    }
    writer.end();
  }

  /** Reads a filter, to the end of the stream. */
  public static ElasticBloomFilter readFrom(InputStream in, ReadLimits limits) throws IOException {
    return read(FilterReader.open(in, limits).expect(FilterKind.ELASTIC), null);
  }

  /** Reads a filter from the bytes of {@link #toBytes}. */
  public static ElasticBloomFilter fromBytes(byte[] bytes) throws IOException {
    return readFrom(new ByteArrayInputStream(bytes), ReadLimits.NONE);
  }

  static ElasticBloomFilter read(FilterReader reader, @Nullable HashScheme given)
      throws IOException {
    FilterShape shape = FilterShape.read(reader, given, 8, 1);
    int own = FilterShape.PARAMETERS;
    int width = (int) reader.parameter(own, "counter bits", 0, 32);
    boolean widens = reader.parameter(own + 1, "widening", 0, 1) == 1;
    long viewBits = reader.parameter(own + 2, "view bits", 1, shape.bits());
    long keys = reader.parameter(own + 3, "keys", 0, Long.MAX_VALUE);
    FoldPolicy policy = FoldPolicy.ofId((int) reader.parameter(own + 6, "policy", 0, 2));
    boolean frozen = reader.parameter(own + 7, "frozen", 0, 1) == 1;
    Settings settings =
        new Settings(reader.real(own + 4), reader.real(own + 5), policy, resize -> {});
    long factor = reader.checked(own + 2, () -> shape.factorTo(viewBits));
    FilterShape stored = frozen ? shape.foldedBy(factor) : shape;
    FoldableFilter<?> body =
        width == 0
            ? BloomFilter.readBody(reader, stored)
            : CountingBloomFilter.readBody(reader, stored, own, width, widens);
    reader.end();
    FoldBand band = reader.checked(own + 4, () -> settings.band(shape));
    if (band.sizes().stream().noneMatch(size -> size.bits() == viewBits)) {
      throw reader.parameterError(own + 2, "view bits " + viewBits + " are not on the ladder");
    }
    return new ElasticBloomFilter(
        shape,
        settings,
        band,
        Origin.of(reader.header()),
        frozen ? null : body,
        frozen ? body : body.foldTo(viewBits),
        keys);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ElasticBloomFilter filter
        && shape.equals(filter.shape)
        && settings.fpp == filter.settings.fpp
        && settings.tolerance == filter.settings.tolerance
        && settings.policy == filter.settings.policy
        && keys == filter.keys
        && isFrozen() == filter.isFrozen()
        && view.equals(filter.view)
        && stored().equals(filter.stored());
  }

  @Override
  public int hashCode() {
    return Objects.hash(shape, keys, view, stored());
  }

  @Override
  public String toString() {
    return "ElasticBloomFilter[" + shape + ", view of " + view.bits() + " bits]";
  }

  /** Builds an {@link ElasticBloomFilter}. */
  public static final class Builder extends ShapeBuilder<Builder, ElasticBloomFilter> {
    /** Near its capacity a ladder has only coarse steps, so the largest view stays well below. */
    private static final int CAPACITY_PER_VIEW = 8;

    private double tolerance = Double.NaN;
    private FoldPolicy policy = FoldPolicy.INDEPENDENT;
    private Consumer<Resize> listener = resize -> {};
    private int counterBits;
    private long id;

    Builder() {}

    /** How far the rate may stray from fpp, up or down; half of fpp unless given. */
    public Builder tolerance(double tolerance) {
      this.tolerance = tolerance;
      return this;
    }

    /** How to choose among sizes that hold the band. */
    public Builder policy(FoldPolicy policy) {
      this.policy = policy;
      return this;
    }

    /** Is told of every change of the view. */
    public Builder onResize(Consumer<Resize> listener) {
      this.listener = listener;
      return this;
    }

    /** Counts with counters of 4, 8, 16 or 32 bits, widened on demand, so that keys can go. */
    public Builder counting(int counterBits) {
      this.counterBits = Counters.checkedWidth(counterBits);
      return this;
    }

    /** An identity, not 0, that snapshots carry with an epoch. */
    public Builder id(long id) {
      this.id = id;
      return this;
    }

    @Override
    public ElasticBloomFilter build() {
      double target = requiredFpp();
      FilterShape asked = shape();
      long capacity =
          isCapacityGiven()
              ? asked.bits()
              : BloomPlan.foldableBits((double) asked.bits() * CAPACITY_PER_VIEW, asked.layout());
      FilterShape shape = new FilterShape(asked.layout(), capacity, asked.hashes(), asked.scheme());
      Settings settings =
          new Settings(target, Double.isNaN(tolerance) ? target / 2 : tolerance, policy, listener);
      FoldBand band = settings.band(shape);
      FoldableFilter<?> full =
          counterBits == 0
              ? new BloomFilter(shape, Origin.anonymous())
              : new CountingBloomFilter(shape, new Counters(capacity, counterBits, true));
      FoldableFilter<?> view = full.foldTo(band.sizes().get(0).bits());
      return new ElasticBloomFilter(shape, settings, band, Origin.owner(id), full, view, 0);
    }
  }
}
