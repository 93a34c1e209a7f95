package dev.bellows.autoscale;

import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.Mergeable;
import dev.bellows.RemovableKeys;
import dev.bellows.autoscale.ThresholdPlan.Rule.Thresholds;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.counters.CounterStore;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.SerializedFilter;
import dev.bellows.internal.layout.Merging;
import dev.bellows.internal.layout.Shape;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * A filter of counters that are compared with two thresholds, for a fixed size and number of hashes
 * while the number of keys grows (004). It is safe from any thread: queries take no lock, changes
 * exclude each other, and copies, unions, binarized filters, rates and files are those of one
 * moment.
 *
 * <p><strong>Reading.</strong> Every key counts once at {@code hashes} <em>distinct</em> positions
 * (errata <a href="{@docRoot}/doc-files/errata.html#A1">A1</a>). A position hits when its counter
 * exceeds {@code theta}; a key is accepted when at least {@code decision} of its positions hit.
 * Theta 0 with decision = hashes is the plain filter, which accepts everything once its bits are
 * full; higher thresholds miss a few stored keys and reject most absent keys again. Thresholds
 * follow the number of keys in steps ({@link ThresholdPlan.Rule.Tuned}), computed when a query
 * first needs them and never by a put, or stay as the caller fixed them. <strong>"No" may be
 * wrong</strong> for {@code 1 - tpr} of the stored keys, for as long as the thresholds stay: see
 * {@link #rates}.
 *
 * <p><strong>Keys.</strong> The model counts distinct keys. A key that is put twice is counted
 * twice and raises the thresholds for all others: put each key once (errata <a
 * href="{@docRoot}/doc-files/errata.html#A12">A12</a>). Remove only what was put; a key with an
 * empty counter is refused, any other key is removed.
 *
 * <p><strong>Turning the thresholds</strong> (004, 1: "can be varied, while the ABF is in use"):
 * {@link #retune(ThresholdPlan.Rule)} changes them, or what they are tuned for, on the same
 * counters.
 *
 * <p><strong>Counters of limited width</strong> (004 does not treat them). While keys are only
 * added, a counter of c bits that saturates loses nothing if {@code theta <= 2^c - 2}: {@link
 * ThresholdPlan} has the proof, and {@link Builder#insertOnly} chooses the width by it. With
 * removals the proof does not hold, because a saturated counter has lost its count. It is never
 * decremented (a decrement could lose a key that is still there), so it hits forever. This raises
 * the FPR but misses no key. Counters that widen, the default, lose nothing.
 *
 * <p>Without saturation the sum of all counters is keys times hashes, which a reader checks.
 */
public final class AutoscalingBloomFilter
    implements GradedMembership, RemovableKeys, Mergeable<AutoscalingBloomFilter>, Serializable {
  private static final long serialVersionUID = 1L;

  /** The format of this kind: reads its filters from streams, files and bytes. */
  public static final FilterFormat<AutoscalingBloomFilter> FORMAT =
      FilterFormat.of(
          FilterKind.AUTOSCALING, AutoscalingBloomFilter.class, AutoscalingBloomFilter::read);

  private static final AtomicReferenceFieldUpdater<AutoscalingBloomFilter, LiveThresholds> LIVE =
      AtomicReferenceFieldUpdater.newUpdater(
          AutoscalingBloomFilter.class, LiveThresholds.class, "live");

  private final Shape shape;
  final DistinctCounters reader;

  /** Its monitor is held while counters and keys change, or are copied together. */
  final CounterStore counters;

  private volatile long keys;

  /** Replaced by compare-and-set when a query tunes, so that a retuning is never lost. */
  private volatile LiveThresholds live;

  private AutoscalingBloomFilter(
      Shape shape, CounterStore counters, long keys, LiveThresholds live) {
    this.shape = shape;
    this.reader = new DistinctCounters(shape, counters);
    this.counters = counters;
    this.keys = keys;
    this.live = live;
  }

  private AutoscalingBloomFilter(AutoscalingSnapshot content) {
    this(content.shape(), content.counters(), content.keys(), content.live());
  }

  /** A filter with this many counters and hashes, tuned for accuracy. */
  public static AutoscalingBloomFilter create(long bits, int hashes) {
    return builder().bits(bits).hashes(hashes).build();
  }

  /** A builder for all other settings. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public FilterKind kind() {
    return FilterKind.AUTOSCALING;
  }

  /** The number of counters, m. */
  public long bits() {
    return shape.bits();
  }

  /** Distinct positions per key, k. */
  public int hashes() {
    return shape.hashes();
  }

  @Override
  public HashScheme hashScheme() {
    return shape.scheme();
  }

  /** The counted keys: those put minus those removed. */
  public long approximateElementCount() {
    return keys;
  }

  /** Bits per counter, now: 4, 8, 16 or 32. */
  public int counterBits() {
    return counters.width();
  }

  /** The number of saturated counters, which no longer show how many keys they hold. */
  public long saturatedCounters() {
    return snapshot().saturatedCounters();
  }

  /** The counter at a position. */
  public long count(long position) {
    return counters.get(Checks.inRange(0, bits() - 1, position, "position"));
  }

  /** The rule that determines the thresholds. */
  public ThresholdPlan.Rule rule() {
    return live.rule();
  }

  /**
   * Follows another rule from now on, and answers at once by its thresholds. Refuses fixed
   * thresholds that the counters or the hashes rule out.
   */
  public void retune(ThresholdPlan.Rule rule) {
    live = live.retuned(rule);
  }

  /** Fixes both thresholds from now on. */
  public void retune(long theta, int decision) {
    retune(new ThresholdPlan.Rule.Fixed(theta, decision));
  }

  /** Tunes the thresholds from now on by this criterion, with this least TPR. */
  public void retune(Criterion criterion, double minTpr) {
    retune(new ThresholdPlan.Rule.Tuned(Objects.requireNonNull(criterion, "criterion"), minTpr));
  }

  /** A position hits when its counter exceeds this, at the present number of keys. */
  public long theta() {
    return thresholds().theta();
  }

  /** A key is accepted when at least this many of its positions hit, at the present keys. */
  @Override
  public long decision() {
    return thresholds().decision();
  }

  private Thresholds thresholds() {
    return thresholds(live, keys);
  }

  /** The thresholds at a number of keys, by the rule that a query read; tunes if need be. */
  Thresholds thresholds(LiveThresholds read, long count) {
    if (read.current().serve(count)) {
      return read.current();
    }
    LiveThresholds tuned = read.at(count);
    LIVE.compareAndSet(this, read, tuned);
    return tuned.current();
  }

  /** The present rule and its thresholds. */
  LiveThresholds live() {
    return live;
  }

  /** The state at one moment; tunes before it stops changes, which wait for a copy only. */
  private AutoscalingSnapshot snapshot() {
    thresholds();
    AutoscalingBloomFilter copy = copy();
    return new AutoscalingSnapshot(shape, copy.counters, copy.keys, copy.live());
  }

  /** What the model predicts for filters of this shape and load at the present thresholds. */
  public ThresholdPlan plan() {
    long count = keys;
    Thresholds now = thresholds(live, count);
    return ThresholdPlan.fixed(bits(), hashes(), count, now.theta(), now.decision());
  }

  /** Counts a key that is not in it yet; true iff a counter left zero: it was certainly new. */
  @Override
  public boolean putHash(long hash) {
    boolean changed;
    synchronized (counters) {
      changed = reader.add(hash);
      keys++;
    }
    return changed;
  }

  /**
   * Removes a key that was put, whether or not the thresholds accept it. A key with an empty
   * counter was never put: it is refused, and nothing changes.
   */
  @Override
  public boolean removeHash(long hash) {
    synchronized (counters) {
      boolean counted = keys > 0 && reader.remove(hash);
      keys -= counted ? 1 : 0;
      return counted;
    }
  }

  /** Whether enough positions of the key with this hash hit. */
  @Override
  public boolean acceptsHash(long hash) {
    return reader.accept(hash, thresholds());
  }

  /** The number of positions of the key that hit: the dot product of 004. */
  @Override
  public long evidenceHash(long hash) {
    return reader.hits(hash, thresholds().theta());
  }

  /** The false positive rate at the present thresholds, from the counters. */
  @Override
  public double expectedFpp() {
    return rates().fpr();
  }

  /**
   * The rates of this filter itself: both are computed from its counters, not from its load (errata
   * <a href="{@docRoot}/doc-files/errata.html#A11">A11</a>). Without keys those of stored keys are
   * NaN.
   */
  public ThresholdPlan.Rates rates() {
    return snapshot().rates();
  }

  /**
   * One bit per counter, set if it is above theta, with the decision threshold: a small immutable
   * filter to ship.
   */
  public BinarizedFilter binarize() {
    return snapshot().binarized();
  }

  /**
   * The likelihood reading of the same counters, tuned now by the same criterion and least TPR. It
   * uses the whole counts, not only "above theta", and has far fewer errors, but it needs the
   * counters.
   */
  public LikelihoodReading likelihood() {
    return rule() instanceof ThresholdPlan.Rule.Tuned tuned
        ? likelihood(tuned.criterion(), tuned.minTpr())
        : likelihood(Criterion.accuracy(), 0);
  }

  /** The likelihood reading, tuned now by the given criterion. */
  public LikelihoodReading likelihood(Criterion criterion, double minTpr) {
    int ceiling = LiveThresholds.ceilingBits(counters);
    LikelihoodPlan plan = LikelihoodPlan.tune(bits(), hashes(), keys, criterion, minTpr, ceiling);
    return new LikelihoodReading(shape.scheme(), reader.positions(), counters, plan);
  }

  /** Why the other filter cannot be merged with this one: it needs the same size and hashing. */
  @Override
  public Optional<String> incompatibility(AutoscalingBloomFilter other) {
    Optional<String> difference = shape.incompatibility(other.shape);
    return difference.isPresent()
        ? difference
        : Merging.difference(List.of(bits() + " bits"), List.of(other.bits() + " bits"))
            .map(reason -> reason + ", and it does not fold");
  }

  /**
   * A filter that counts the keys of both, with the threshold rule of this one: the sum of two
   * vectors of counters (004 Eq 1), their bundle. <strong>No key may be in both</strong>, which the
   * filters cannot check: a key of both counts as two keys, as one that was put twice (errata <a
   * href="{@docRoot}/doc-files/errata.html#A12">A12</a>). {@link #similarity} shows how many there
   * are. If the counters of one saturate, those of the result do, at the narrower width.
   *
   * @param maxFpp the highest false positive rate that is accepted for the result
   */
  @Override
  public AutoscalingBloomFilter union(AutoscalingBloomFilter other, double maxFpp) {
    Merging.requireCompatible(incompatibility(other));
    AutoscalingBloomFilter here = copy();
    AutoscalingBloomFilter there = other.copy();
    CounterStore counts = DistinctCounters.sum(here.counters, there.counters);
    Shape both = shape.mergedWith(other.shape, bits());
    AutoscalingSnapshot sum =
        new AutoscalingSnapshot(
            both,
            counts,
            Math.addExact(here.keys, there.keys),
            LiveThresholds.of(both, counts, here.rule()));
    Merging.requireUseful(sum.rates().fpr(), maxFpp, "retune it for fewer false positives first");
    return new AutoscalingBloomFilter(sum);
  }

  /**
   * How alike the keys of two filters are: the correlation of their counters. It is about {@code c
   * / sqrt(n n')} for c common keys among n and n', 1 for the same keys and 0 for none, with a
   * standard deviation of at most {@code 1/sqrt(bits)}, because the vectors of two different keys
   * are not correlated. Thresholds play no part in it.
   */
  public double similarity(AutoscalingBloomFilter other) {
    Merging.requireCompatible(incompatibility(other));
    return copy().counters.correlation(other.copy().counters);
  }

  /** An independent filter with the same counters. */
  @Override
  public AutoscalingBloomFilter copy() {
    synchronized (counters) {
      return new AutoscalingBloomFilter(shape, counters.copy(), keys, live);
    }
  }

  /** Removes every key. */
  public void clear() {
    synchronized (counters) {
      counters.clear();
      keys = 0;
    }
  }

  /** Its numbers; {@code ones} are the counters above theta. */
  @Override
  public FilterStats stats() {
    return ThresholdPage.stats(snapshot());
  }

  @Override
  public String explain() {
    return ThresholdPage.of(snapshot());
  }

  private Object writeReplace() {
    return new SerializedFilter(this);
  }

  private void readObject(ObjectInputStream in) throws InvalidObjectException {
    throw SerializedFilter.refusal();
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    // puts do not wait for a slow stream
    AutoscalingSnapshot now = snapshot();
    FilterWriter writer = FilterWriter.begin(out, AutoscalingFormat.header(now));
    writer.counters(now.counters());
    writer.end();
  }

  /** Reads the filter of a file, of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
  public static AutoscalingBloomFilter readFrom(Path path) throws IOException {
    return FORMAT.readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads the filter of the bytes of {@link #toBytes}. */
  public static AutoscalingBloomFilter fromBytes(byte[] bytes) throws FilterFormatException {
    return FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
  }

  private static AutoscalingBloomFilter read(FilterReader reader) throws IOException {
    return new AutoscalingBloomFilter(AutoscalingFormat.read(reader));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AutoscalingBloomFilter filter
        && shape.equals(filter.shape)
        && copy().hasContentOf(filter.copy());
  }

  private boolean hasContentOf(AutoscalingBloomFilter other) {
    return rule().equals(other.rule()) && keys == other.keys && counters.equals(other.counters);
  }

  @Override
  public int hashCode() {
    return 31 * shape.hashCode() + copy().counters.hashCode();
  }

  @Override
  public String toString() {
    return "AutoscalingBloomFilter[%s, counters of %d bits, %d keys]"
        .formatted(shape, counterBits(), keys);
  }

  /** Builds an {@link AutoscalingBloomFilter}; bits and hashes must be given. */
  public static final class Builder extends AutoscalingSettings {
    Builder() {}

    @Override
    Builder self() {
      return this;
    }

    /** Builds the empty filter. */
    public AutoscalingBloomFilter build() {
      Shape shape = shape();
      ThresholdPlan.Rule rule = rule();
      CounterStore counters = counters(rule);
      return new AutoscalingBloomFilter(
          shape, counters, 0, LiveThresholds.of(shape, counters, rule));
    }
  }
}
