package dev.bellows.autoscale;

import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.RemovableKeys;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.codec.FilterCodec;
import dev.bellows.internal.codec.FilterHeader;
import dev.bellows.internal.codec.FilterReader;
import dev.bellows.internal.codec.FilterWriter;
import dev.bellows.internal.rates.ObservedRates;
import dev.bellows.internal.store.CounterStore;
import dev.bellows.internal.store.DistinctPositions;
import dev.bellows.internal.store.Shape;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import dev.bellows.plan.Criterion;
import dev.bellows.plan.DetectionRates;
import dev.bellows.plan.LikelihoodPlan;
import dev.bellows.plan.ThresholdPlan;
import dev.bellows.plan.ThresholdRule;
import dev.bellows.plan.ThresholdRule.Thresholds;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A filter of counters that are compared with two thresholds, for a fixed size and number of hashes
 * while the number of keys grows (004). One thread at a time may change it; any number of threads
 * may query it while no thread changes it.
 *
 * <p><strong>Reading.</strong> Every key counts once at {@code hashes} <em>distinct</em> positions
 * (errata <a href="{@docRoot}/doc-files/errata.html#A1">A1</a>). A position hits when its counter
 * exceeds {@code theta}; a key is accepted when at least {@code decision} of its positions hit.
 * Theta 0 with decision = hashes is the plain filter, which accepts everything once its bits are
 * full; higher thresholds miss a few stored keys and reject most absent keys again. Thresholds
 * follow the number of keys in steps ({@link ThresholdRule.Tuned}), computed when a query first
 * needs them and never by a put, or stay as the caller fixed them. <strong>"No" may be
 * wrong</strong> for {@code 1 - tpr} of the stored keys, for as long as the thresholds stay: see
 * {@link #rates}.
 *
 * <p><strong>Keys.</strong> The model counts distinct keys. A key that is put twice is counted
 * twice and raises the thresholds for all others: put each key once (errata <a
 * href="{@docRoot}/doc-files/errata.html#A12">A12</a>). Remove only what was put; a key with an
 * empty counter is refused, any other key is removed.
 *
 * <p><strong>Counters of limited width</strong> (004 does not treat them). A counter of c bits that
 * saturates shows s = min(count, C), C = 2^c - 1. While keys are only added nothing is lost if
 * {@code theta <= 2^c - 2 = C - 1}: for count &lt; C we have s = count, so both compare equally
 * with theta; for count >= C we have s = C > theta and count >= C > theta, so both hit. Hence every
 * binarization, every evidence and every answer is that of unlimited counters, and tuning need only
 * respect {@code theta <= C - 1}. The bound is tight: at theta = C no saturated counter hits, but
 * every count above C should. {@link Builder#insertOnly} chooses the width by it. With removals
 * this proof does not hold, because a saturated counter has lost its count. It is never decremented
 * (a decrement could lose a key that is still there), so it hits for ever. This raises the FPR but
 * misses no key. Counters that widen, the default, lose nothing.
 *
 * <p>Without saturation the sum of all counters is keys times hashes, which a reader checks.
 */
public final class AutoscalingBloomFilter implements GradedMembership, RemovableKeys {
  private static final FilterCodec<AutoscalingBloomFilter> CODEC =
      new FilterCodec<>(FilterKind.AUTOSCALING, AutoscalingBloomFilter::read);

  /** The number of positions that a query tests one by one before it tests the rest together. */
  static final int EARLY = 4;

  private final Shape shape;
  private final DistinctPositions positions;
  private final CounterStore counters;
  private final ThresholdRule rule;
  private long keys;
  private volatile Thresholds current;
  private volatile Thresholds previous;

  AutoscalingBloomFilter(Shape shape, CounterStore counters, ThresholdRule rule, long keys) {
    this.shape = shape;
    this.positions = new DistinctPositions(shape.bits(), shape.hashes());
    this.counters = counters;
    this.rule = rule;
    this.keys = keys;
    this.current = rule.thresholds(shape.bits(), shape.hashes(), 0, maxTheta());
    this.previous = current;
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
    return counters.split(counters.saturated() - 1).above();
  }

  /** The counter at a position. */
  public long count(long position) {
    return counters.get(Checks.inRange(0, bits() - 1, position, "position"));
  }

  /** The rule that determines the thresholds. */
  public ThresholdRule rule() {
    return rule;
  }

  /** A position hits when its counter exceeds this, at the present number of keys. */
  public long theta() {
    return thresholds().theta();
  }

  /**
   * A key is accepted when at least this many of its positions hit, at the present number of keys.
   */
  @Override
  public long decision() {
    return thresholds().decision();
  }

  private Thresholds thresholds() {
    Thresholds now = current;
    return now.serve(keys) ? now : retuned();
  }

  private Thresholds retuned() {
    Thresholds other = previous;
    if (!other.serve(keys)) {
      other = rule.thresholds(bits(), hashes(), keys, maxTheta());
    }
    previous = current;
    current = other;
    return other;
  }

  private long maxTheta() {
    return maxTheta(counters);
  }

  static long maxTheta(CounterStore counters) {
    return ThresholdPlan.maxTheta(counters.widens() ? 32 : counters.width());
  }

  /** What the model predicts for filters of this shape and load at the present thresholds. */
  public ThresholdPlan plan() {
    Thresholds now = thresholds();
    return ThresholdPlan.fixed(bits(), hashes(), keys, now.theta(), now.decision());
  }

  /** Counts a key that is not in it yet; true iff a counter left zero: it was certainly new. */
  @Override
  public boolean putHash(long hash) {
    int hashes = shape.hashes();
    long[] drawn = positions.draw(hash).take(hashes);
    boolean changed = false;
    for (int i = 0; i < hashes; i++) {
      changed |= counters.add(drawn[i], 1) == 0;
    }
    keys++;
    return changed;
  }

  /**
   * Removes a key that was put, whether or not the thresholds accept it. A key with an empty
   * counter was never put: it is refused, and nothing changes.
   */
  @Override
  public boolean removeHash(long hash) {
    int hashes = shape.hashes();
    long[] drawn = positions.draw(hash).take(hashes);
    boolean counted = keys > 0;
    for (int i = 0; i < hashes && counted; i++) {
      counted = counters.get(drawn[i]) > 0;
    }
    for (int i = 0; i < hashes && counted; i++) {
      counters.decrement(drawn[i]);
    }
    keys -= counted ? 1 : 0;
    return counted;
  }

  /** Whether enough positions of the key with this hash hit. */
  @Override
  public boolean acceptsHash(long hash) {
    Thresholds now = thresholds();
    DistinctPositions.Draw draw = positions.draw(hash);
    int left = shape.hashes();
    int needed = now.decision();
    // a few positions are enough to reject most absent keys of a sparse filter
    for (int early = Math.min(left, EARLY); early > 0 && needed > 0 && needed <= left; early--) {
      needed -= counters.get(draw.next()) > now.theta() ? 1 : 0;
      left--;
    }
    return needed <= left && (needed <= 0 || needed <= hits(draw, left, now.theta()));
  }

  /** The number of positions of the key that hit: the dot product of 004. */
  @Override
  public long evidenceHash(long hash) {
    return hits(positions.draw(hash), shape.hashes(), thresholds().theta());
  }

  private int hits(DistinctPositions.Draw draw, int count, long theta) {
    long[] drawn = draw.take(count);
    int hits = 0;
    for (int i = 0; i < count; i++) {
      hits += counters.get(drawn[i]) > theta ? 1 : 0;
    }
    return hits;
  }

  /** The false positive rate at the present thresholds, from the counters. */
  @Override
  public double expectedFpp() {
    Thresholds now = thresholds();
    long above = counters.split(now.theta()).above();
    return ObservedRates.fpr(bits(), hashes(), above, now.decision());
  }

  /**
   * The rates of this filter itself: both are computed from its counters, not from its load (errata
   * <a href="{@docRoot}/doc-files/errata.html#A11">A11</a>). Without keys those of stored keys are
   * NaN.
   */
  public DetectionRates rates() {
    Thresholds now = thresholds();
    CounterStore.Split split = counters.split(now.theta());
    double fpr = ObservedRates.fpr(bits(), hashes(), split.above(), now.decision());
    // a saturated counter does not show how many keys it holds; counters that do not hit are exact
    double missed = split.sumUpTo() / ((double) keys * hashes());
    double storedHit = keys == 0 ? Double.NaN : 1 - Math.min(1, missed);
    double tpr = ObservedRates.tpr(bits(), hashes(), storedHit, now.decision());
    return new DetectionRates(tpr, 1 - tpr, fpr);
  }

  /**
   * One bit per counter, set if it is above theta, with the decision threshold: a small immutable
   * filter to ship.
   */
  public BinarizedFilter binarize() {
    Thresholds now = thresholds();
    return new BinarizedFilter(
        shape, counters.above(now.theta()), now.theta(), now.decision(), keys, rates().tpr());
  }

  /**
   * The likelihood reading of the same counters, tuned now by the same criterion and least TPR. It
   * uses the whole counts, not only "above theta", and has far fewer errors, but it needs the
   * counters.
   */
  public LikelihoodReading likelihood() {
    Criterion criterion = Criterion.accuracy();
    double minTpr = 0;
    if (rule instanceof ThresholdRule.Tuned tuned) {
      criterion = tuned.criterion();
      minTpr = tuned.minTpr();
    }
    return likelihood(criterion, minTpr);
  }

  /** The likelihood reading, tuned now by the given criterion. */
  public LikelihoodReading likelihood(Criterion criterion, double minTpr) {
    int ceiling = counters.widens() ? 32 : counters.width();
    LikelihoodPlan plan = LikelihoodPlan.tune(bits(), hashes(), keys, criterion, minTpr, ceiling);
    return new LikelihoodReading(shape.scheme(), positions, counters, plan);
  }

  /** An independent filter with the same counters. */
  public AutoscalingBloomFilter copy() {
    AutoscalingBloomFilter copy = new AutoscalingBloomFilter(shape, counters.copy(), rule, keys);
    copy.current = current;
    copy.previous = previous;
    return copy;
  }

  /** Removes every key. */
  public void clear() {
    counters.clear();
    keys = 0;
  }

  /** Its numbers; {@code ones} are the counters above theta. */
  @Override
  public FilterStats stats() {
    Thresholds now = thresholds();
    DetectionRates rates = rates();
    Map<String, Object> own = new LinkedHashMap<>();
    own.put("keys", keys);
    own.put("counterBits", counterBits());
    own.put("saturatedCounters", saturatedCounters());
    own.put("theta", now.theta());
    own.put("decision", now.decision());
    if (rule instanceof ThresholdRule.Tuned tuned) {
      own.put("criterion", tuned.criterion().word());
      own.put("minTpr", tuned.minTpr());
    }
    own.put("tpr", rates.tpr());
    own.put("fpr", rates.fpr());
    own.put("accuracy", rates.accuracy());
    return new FilterStats(
        FilterKind.AUTOSCALING,
        Layout.CLASSIC,
        bits(),
        hashes(),
        hashScheme(),
        counters.split(now.theta()).above(),
        (double) keys,
        rates.fpr(),
        header().fileBytes(),
        own);
  }

  @Override
  public String explain() {
    DetectionRates rates = rates();
    Criterion criterion =
        rule instanceof ThresholdRule.Tuned tuned ? tuned.criterion() : Criterion.accuracy();
    return "An autoscaling Bloom filter, counters of "
        + counterBits()
        + " bits, "
        + (rule instanceof ThresholdRule.Fixed ? "fixed" : "tuned")
        + " thresholds.\n\n"
        + stats().lines("counters")
        + ThresholdPage.of(theta(), decision(), rates)
        + (keys == 0
            ? ""
            : "\n"
                + ThresholdPlan.plainAlternative(bits(), counterBits(), keys, rates, criterion)
                + "\n");
  }

  private FilterHeader header() {
    return AutoscalingFormat.header(shape, counters, rule, keys, thresholds());
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    FilterWriter writer = FilterWriter.begin(out, header());
    writer.counters(counters);
    writer.end();
  }

  /** Reads one filter and leaves the stream at the byte after it. */
  public static AutoscalingBloomFilter readFrom(InputStream in, ReadOptions options)
      throws IOException {
    return CODEC.readFrom(in, options);
  }

  /** Reads one filter of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
  public static AutoscalingBloomFilter readFrom(InputStream in) throws IOException {
    return readFrom(in, ReadOptions.DEFAULT);
  }

  /** Reads the filter of a file. */
  public static AutoscalingBloomFilter readFrom(Path path, ReadOptions options) throws IOException {
    return CODEC.readFrom(path, options);
  }

  /** Reads the filter of a file, of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
  public static AutoscalingBloomFilter readFrom(Path path) throws IOException {
    return readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads the filter of the bytes of {@link #toBytes}. */
  public static AutoscalingBloomFilter fromBytes(byte[] bytes, ReadOptions options)
      throws FilterFormatException {
    return CODEC.fromBytes(bytes, options);
  }

  /** Reads the filter of the bytes of {@link #toBytes}. */
  public static AutoscalingBloomFilter fromBytes(byte[] bytes) throws FilterFormatException {
    return fromBytes(bytes, ReadOptions.DEFAULT);
  }

  private static AutoscalingBloomFilter read(FilterReader reader) throws IOException {
    AutoscalingFormat.Content read = AutoscalingFormat.read(reader);
    AutoscalingBloomFilter filter =
        new AutoscalingBloomFilter(read.shape(), read.counters(), read.rule(), read.keys());
    filter.current = read.thresholds();
    return filter;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AutoscalingBloomFilter filter
        && shape.equals(filter.shape)
        && rule.equals(filter.rule)
        && keys == filter.keys
        && counters.equals(filter.counters);
  }

  @Override
  public int hashCode() {
    return 31 * shape.hashCode() + counters.hashCode();
  }

  @Override
  public String toString() {
    return "AutoscalingBloomFilter["
        + shape
        + ", counters of "
        + counterBits()
        + " bits, "
        + keys
        + " keys]";
  }

  /** Builds an {@link AutoscalingBloomFilter}; bits and hashes must be given. */
  public static final class Builder {
    private long bits;
    private int hashes;
    private HashScheme scheme = HashScheme.DEFAULT;
    private Criterion criterion = Criterion.accuracy();
    private double minTpr;
    private ThresholdRule.@Nullable Fixed fixed;
    private @Nullable Integer counterBits;
    private @Nullable Long insertOnlyKeys;

    Builder() {}

    /** The number of counters. */
    public Builder bits(long bits) {
      this.bits = Checks.positive(bits, "bits");
      return this;
    }

    /** Distinct positions per key. */
    public Builder hashes(int hashes) {
      this.hashes = Checks.positive(hashes, "hashes");
      return this;
    }

    /** The seed of the default hash scheme. */
    public Builder seed(long seed) {
      return hashScheme(HashScheme.xxh3(seed));
    }

    /** The hash scheme. */
    public Builder hashScheme(HashScheme scheme) {
      this.scheme = Objects.requireNonNull(scheme, "hashScheme");
      return this;
    }

    /** What the thresholds are tuned for; accuracy by default. */
    public Builder criterion(Criterion criterion) {
      this.criterion = Objects.requireNonNull(criterion, "criterion");
      return this;
    }

    /** The least share of stored keys that the thresholds must accept; 0 by default. */
    public Builder minTpr(double minTpr) {
      this.minTpr = minTpr;
      return this;
    }

    /** Fixes both thresholds instead of tuning them. */
    public Builder thresholds(long theta, int decision) {
      this.fixed = new ThresholdRule.Fixed(theta, decision);
      return this;
    }

    /**
     * Counters of exactly this many bits, 4, 8, 16 or 32, that saturate. By default they begin with
     * 4 bits and widen on demand.
     */
    public Builder counterBits(int counterBits) {
      this.counterBits = CounterStore.checkedWidth(counterBits);
      return this;
    }

    /**
     * The narrowest counters that answer exactly up to this many keys, as long as no key is
     * removed.
     */
    public Builder insertOnly(long maxKeys) {
      this.insertOnlyKeys = Checks.notNegative(maxKeys, "maxKeys");
      return this;
    }

    /** Builds the empty filter. */
    public AutoscalingBloomFilter build() {
      if (bits == 0 || hashes == 0) {
        throw new IllegalArgumentException(
            "not enough to build with: give bits and hashes (both are required)");
      }
      if (counterBits != null && insertOnlyKeys != null) {
        throw new IllegalArgumentException(
            "counterBits "
                + counterBits
                + " and insertOnly, which chooses the width: give only one");
      }
      Shape shape = Shape.distinct(bits, hashes, scheme);
      ThresholdRule rule = rule();
      int width = counterBits == null ? 4 : counterBits;
      if (insertOnlyKeys != null) {
        width = ThresholdPlan.counterBits(bits, hashes, insertOnlyKeys, rule);
      }
      boolean widens = counterBits == null && insertOnlyKeys == null;
      CounterStore counters = new CounterStore(bits, width, widens);
      if (fixed != null && fixed.theta() > maxTheta(counters)) {
        throw new IllegalArgumentException(
            "theta %d is beyond counters of %d bits, which allow theta up to %d: use %d bits"
                .formatted(
                    fixed.theta(),
                    width,
                    maxTheta(counters),
                    ThresholdPlan.counterBits(fixed.theta())));
      }
      return new AutoscalingBloomFilter(shape, counters, rule, 0);
    }

    private ThresholdRule rule() {
      if (fixed == null) {
        return new ThresholdRule.Tuned(criterion, minTpr);
      }
      if (minTpr != 0 || !criterion.equals(Criterion.accuracy())) {
        throw new IllegalArgumentException(
            "fixed thresholds %d and %d are not tuned: leave out criterion and minTpr"
                .formatted(fixed.theta(), fixed.decision()));
      }
      Checks.inRange(0, hashes, fixed.decision(), "decision");
      return fixed;
    }
  }
}
