package dev.bellows.autoscale;

import static dev.bellows.autoscale.ThresholdPlan.maxTheta;

import dev.bellows.FilterBuilder;
import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.KeyFilter;
import dev.bellows.Mergeable;
import dev.bellows.StoredFilter;
import dev.bellows.autoscale.ThresholdPlan.Rates;
import dev.bellows.autoscale.ThresholdPlan.Rule;
import dev.bellows.autoscale.ThresholdPlan.Rule.Thresholds;
import dev.bellows.internal.autoscale.ObservedRates;
import dev.bellows.internal.autoscale.Repetition;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.counters.CounterStore;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.layout.DistinctPositions;
import dev.bellows.internal.layout.Merging;
import dev.bellows.internal.layout.RateRule;
import dev.bellows.internal.layout.Shape;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A filter of counters that are compared with two thresholds. Its size and number of hashes are
 * fixed while the number of keys grows (Autoscaling paper).
 *
 * <p>All methods are thread-safe. Queries take no lock, changes are serialized, and copies, unions,
 * binarized filters, rates and files are consistent snapshots.
 *
 * <p><strong>Queries.</strong> Every key is counted once at each of {@code hashes}
 * <em>distinct</em> positions (see erratum <a href="{@docRoot}/doc-files/errata.html#A1">A1</a>). A
 * position hits when its counter exceeds {@code theta}; a key is accepted when at least {@code
 * decision} of its positions hit. Theta 0 with decision = hashes gives a plain filter, which
 * accepts everything once its bits are full. Higher thresholds miss a few stored keys but reject
 * most absent keys again. By default thresholds follow the number of keys in steps ({@link
 * Rule.Tuned}); they are computed when a query first needs them, never by a put. The caller can
 * also fix them. <strong>A "no" is wrong</strong> for a fraction of {@code 1 - tpr} of the stored
 * keys, and stays wrong for these keys until the thresholds change: see {@link #rates}.
 *
 * <p><strong>Keys.</strong> The model assumes distinct keys, so put each key only once (see erratum
 * <a href="{@docRoot}/doc-files/errata.html#A12">A12</a>). A key that is put twice is counted
 * twice, and all others are harder to find. The counters show when keys repeat ({@link
 * #hasRepeatedKeys}): their squares add up to more than those of distinct keys. Thresholds are then
 * tuned for the keys that were put once, at least {@link #leastTpr} of the keys are found, and the
 * TPR itself is unknown (NaN) unless that is 1; the FPR stays exact. Remove only keys that were
 * put: a key with an empty counter is rejected, but any other key is removed.
 *
 * <p><strong>Changing the thresholds.</strong> {@link #retune(Rule)} changes the thresholds, or the
 * criterion that they are tuned for, while the filter is in use (Autoscaling paper, Section 1).
 *
 * <p><strong>Counters of limited width</strong>, which the paper does not discuss. While keys are
 * only added, a saturating counter of c bits loses nothing if {@code theta <= 2^c - 2}: {@link
 * ThresholdPlan} has the proof, and {@link Builder#insertOnly} chooses the width accordingly. The
 * proof does not hold with removals, because a saturated counter has lost its count. Such a counter
 * is never decremented, since that could lose a key that is still stored, so it hits forever. This
 * raises the FPR but misses no key. Counters that widen, the default, lose nothing.
 *
 * <p>Unless a counter is saturated, the sum of all counters is the number of keys times the number
 * of hashes. Readers of files check this.
 */
public final class AutoscalingBloomFilter extends StoredFilter
    implements GradedMembership, KeyFilter.Removable, Mergeable<AutoscalingBloomFilter> {
  private static final long serialVersionUID = 1L;

  /** The format of this kind: reads its filters from streams, files and bytes. */
  public static final FilterFormat<AutoscalingBloomFilter> FORMAT =
      FilterFormat.of(
          FilterKind.AUTOSCALING, AutoscalingBloomFilter.class, AutoscalingFormat::read);

  private static final AtomicReferenceFieldUpdater<AutoscalingBloomFilter, LiveThresholds> LIVE =
      AtomicReferenceFieldUpdater.newUpdater(
          AutoscalingBloomFilter.class, LiveThresholds.class, "live");

  /** The number of positions that a query tests one by one before it tests the others together. */
  static final int EARLY = 4;

  private final Shape shape;
  private final int hashes;
  private final DistinctPositions positions;

  /** The counters. Their monitor is held while counters and keys change or are copied together. */
  final CounterStore counters;

  /** The number of puts minus that of removals: of keys, unless some were put repeatedly. */
  private volatile long puts;

  /** The sum of the squared counters. Guarded by the monitor of the counters. */
  private double squares;

  /** Whether a counter is or was saturated, so that the squares no longer follow the keys. */
  private boolean saturates;

  /** Whether the squares prove that keys were put repeatedly. */
  private volatile boolean repeats;

  /**
   * Queries that compute new thresholds replace this by compare-and-set, so no retuning is lost.
   */
  private volatile LiveThresholds live;

  /** Creates a filter with these counters, which holds this many keys. */
  AutoscalingBloomFilter(Shape shape, CounterStore counters, long puts, LiveThresholds live) {
    this(shape, counters, puts, puts == 0 ? 0 : counters.sumOfSquares(), live);
  }

  private AutoscalingBloomFilter(
      Shape shape, CounterStore counters, long puts, double squares, LiveThresholds live) {
    this.shape = shape;
    this.hashes = shape.hashes();
    this.positions = new DistinctPositions(shape.bits(), hashes);
    this.counters = counters;
    this.puts = puts;
    this.squares = squares;
    this.saturates = puts > 0 && counters.anySaturated();
    this.repeats = isProven();
    this.live = live;
  }

  /** Sets the number of puts after the counters have changed. */
  private void setPuts(long now) {
    puts = now;
    boolean before = repeats;
    repeats = isProven();
    if (before != repeats) {
      // no query that has read the thresholds before this can keep those that it tunes
      LIVE.updateAndGet(this, LiveThresholds::tunedAnew);
    }
  }

  /**
   * The rule for the thresholds, and the thresholds for the current number of keys. The previous
   * ones are kept too, so a filter at the boundary of two steps does not tune on every change.
   */
  record LiveThresholds(Rule rule, Thresholds current, Thresholds previous) {
    LiveThresholds(Rule rule, Thresholds only) {
      this(rule, only, only);
    }

    /** Returns the rule with thresholds that apply to no number of keys, unless they are fixed. */
    LiveThresholds tunedAnew() {
      return rule instanceof Rule.Fixed
          ? this
          : new LiveThresholds(rule, new Thresholds(1, 0, 0, 0));
    }
  }

  /** Returns a filter with this many counters and hashes, tuned for accuracy. */
  public static AutoscalingBloomFilter create(long bits, int hashes) {
    return builder().bits(bits).hashes(hashes).build();
  }

  /** Returns a builder for all other settings. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public FilterKind kind() {
    return FilterKind.AUTOSCALING;
  }

  /** Returns the number of counters, m. */
  public long bits() {
    return shape.bits();
  }

  /** Returns the number of distinct positions per key, k. */
  public int hashes() {
    return hashes;
  }

  @Override
  public HashScheme hashScheme() {
    return shape.scheme();
  }

  /**
   * Returns the number of distinct keys: {@link #puts} if the counters do not show that keys were
   * put repeatedly, otherwise an estimate from the empty counters or, in a filter with too few of
   * them, a lower bound.
   */
  public long approximateElementCount() {
    return snapshot().distinctKeys();
  }

  private long distinctKeys() {
    return isRepeated() ? Math.round(counted().distinctKeys(empty())) : puts;
  }

  private long empty() {
    return bits() - counters.occupied();
  }

  private boolean isProven() {
    return !saturates && Repetition.isCertain(bits(), hashes, puts, squares);
  }

  private Repetition counted() {
    return new Repetition(bits(), hashes, puts, squares);
  }

  /** Returns the number of keys that were put minus those that were removed, with repetitions. */
  public long puts() {
    return puts;
  }

  /**
   * Returns whether the counters prove that some keys were put more than once: they are more uneven
   * than distinct keys make them with a probability of about 1e-9. A few repetitions remain
   * unnoticed where they change no rate noticeably.
   */
  public boolean hasRepeatedKeys() {
    return snapshot().isRepeated();
  }

  /** Returns whether keys of a snapshot repeat, also if saturated counters hide their squares. */
  private boolean isRepeated() {
    if (!saturates) {
      return repeats;
    }
    CounterStore.Split split = counters.split(counters.saturated() - 1);
    long sum = split.sumUpTo() + split.above() * counters.saturated();
    return Repetition.isSaturationCertain(bits(), hashes, puts, sum, counters.saturated());
  }

  /**
   * Returns the fraction of the keys that were put only once that are accepted, computed from the
   * counters: the TPR if no key repeats, otherwise a lower bound of it. NaN if there are no keys.
   */
  public double leastTpr() {
    return snapshot().leastTprNow();
  }

  private double leastTprNow() {
    Thresholds now = live.current;
    if (puts == 0) {
      return Double.NaN;
    }
    double tpr = ratesNow().tpr();
    if (!Double.isNaN(tpr)) {
      return tpr;
    }
    int highest = Repetition.highest(now.theta());
    double[] hits = Repetition.hits(bits(), hashes, counters.histogram(highest));
    // counts above the highest one are treated alike, so a higher theta has only the lowest value
    double hit = hits[(int) Math.min(now.theta(), highest)];
    return ObservedRates.tpr(bits(), hashes, hit, now.decision());
  }

  /** Returns the current number of bits per counter: 4, 8, 16 or 32. */
  public int counterBits() {
    return counters.width();
  }

  /** Returns the number of saturated counters, which no longer show how many keys they hold. */
  public long saturatedCounters() {
    return snapshot().saturated();
  }

  /** Returns the counter at a position. */
  public long count(long position) {
    return counters.get(Checks.inRange(0, bits() - 1, position, "position"));
  }

  /** Returns the rule that determines the thresholds. */
  public Rule rule() {
    return live.rule();
  }

  /**
   * Switches to another rule, whose thresholds take effect immediately. Throws if fixed thresholds
   * are not possible with the width of the counters or the number of hashes.
   */
  public void retune(Rule rule) {
    live = begin(shape, counters, rule);
  }

  /** Switches to fixed thresholds. */
  public void retune(long theta, int decision) {
    retune(new Rule.Fixed(theta, decision));
  }

  /** Switches to thresholds that are tuned by this criterion, with this minimum TPR. */
  public void retune(Criterion criterion, double minTpr) {
    retune(new Rule.Tuned(criterion, minTpr));
  }

  /** Returns the current theta: a position hits when its counter exceeds it. */
  public long theta() {
    return thresholds().theta();
  }

  /**
   * Returns the current decision: a key is accepted when at least this many of its positions hit.
   */
  @Override
  public long decision() {
    return thresholds().decision();
  }

  private Thresholds thresholds() {
    return thresholds(live, puts);
  }

  /**
   * Returns the thresholds for a number of keys by the rule that the caller has read, and tunes
   * them if necessary.
   */
  Thresholds thresholds(LiveThresholds read, long count) {
    if (read.current.serve(count)) {
      return read.current;
    }
    Thresholds next = read.previous.serve(count) ? read.previous : tuned(read.rule, count);
    LIVE.compareAndSet(this, read, new LiveThresholds(read.rule, next, read.current));
    return next;
  }

  private Thresholds tuned(Rule rule, long count) {
    long most = maxTheta(ceilingBits(counters));
    return repeats && rule instanceof Rule.Tuned tuned
        ? tuned.thresholds(
            bits(),
            hashes,
            count,
            most,
            counters.histogram(Repetition.highest(counters.saturated() - 1)))
        : rule.thresholds(bits(), hashes, count, most);
  }

  /** Returns the current rule and its thresholds. */
  LiveThresholds live() {
    return live;
  }

  /** Returns the thresholds of a rule for empty counters. Throws if fixed ones are not possible. */
  private static LiveThresholds begin(Shape shape, CounterStore counters, Rule rule) {
    int counterBits = ceilingBits(counters);
    if (rule instanceof Rule.Fixed fixed) {
      Checks.inRange(0, shape.hashes(), fixed.decision(), "decision");
      if (fixed.theta() > maxTheta(counterBits)) {
        throw new IllegalArgumentException(
            "theta %d is too high for counters of %d bits, which allow theta up to %d: use %d bits"
                .formatted(
                    fixed.theta(),
                    counterBits,
                    maxTheta(counterBits),
                    ThresholdPlan.counterBits(fixed.theta())));
      }
    }
    Objects.requireNonNull(rule, "rule");
    return new LiveThresholds(
        rule, rule.thresholds(shape.bits(), shape.hashes(), 0, maxTheta(counterBits)));
  }

  /** Returns the maximum width that the counters may grow to. */
  private static int ceilingBits(CounterStore counters) {
    return counters.widens() ? 32 : counters.width();
  }

  /**
   * Returns a copy with the thresholds for its number of keys. No other thread sees the copy, so
   * everything computed from it is consistent. Thresholds are tuned before changes are blocked:
   * other threads wait only for the copy.
   */
  private AutoscalingBloomFilter snapshot() {
    thresholds();
    AutoscalingBloomFilter copy = copy();
    copy.thresholds();
    return copy;
  }

  /**
   * Returns the rates that the model predicts for filters of this shape and load at the current
   * thresholds.
   */
  public ThresholdPlan plan() {
    long count = puts;
    Thresholds now = thresholds(live, count);
    return ThresholdPlan.fixed(bits(), hashes(), count, now.theta(), now.decision());
  }

  /**
   * Adds a key, which must not have been put before. Returns true if one of its counters was zero,
   * which proves that the key was new.
   */
  @Override
  public boolean putHash(long hash) {
    synchronized (counters) {
      boolean changed = addToCounters(hash);
      setPuts(puts + 1);
      return changed;
    }
  }

  boolean addToCounters(long hash) {
    long[] drawn = positions.draw(hash).take(hashes);
    boolean changed = false;
    double more = 0;
    for (int i = 0; i < hashes; i++) {
      long old = counters.add(drawn[i], 1);
      changed |= old == 0;
      more += 2 * old + 1;
      saturates |= old >= counters.saturated() - 1;
    }
    squares += more;
    return changed;
  }

  /**
   * Removes a key that was put, whether or not the thresholds accept it. Returns false and changes
   * nothing if one of its counters is zero, because such a key was never put.
   */
  @Override
  public boolean removeHash(long hash) {
    synchronized (counters) {
      boolean counted = puts > 0 && takeFromCounters(hash);
      setPuts(counted ? puts - 1 : puts);
      return counted;
    }
  }

  boolean takeFromCounters(long hash) {
    long[] drawn = positions.draw(hash).take(hashes);
    for (int i = 0; i < hashes; i++) {
      if (counters.get(drawn[i]) == 0) {
        return false;
      }
    }
    double less = 0;
    for (int i = 0; i < hashes; i++) {
      long old = counters.get(drawn[i]);
      less += 2 * old - 1;
      counters.decrement(drawn[i]);
    }
    squares -= less;
    return true;
  }

  /** Returns whether enough positions of the key with this hash hit. */
  @Override
  public boolean acceptsHash(long hash) {
    Thresholds now = thresholds();
    DistinctPositions.Draw draw = positions.draw(hash);
    int left = hashes;
    int needed = now.decision();
    // a few positions are enough to reject most absent keys of a sparse filter
    for (int early = Math.min(left, EARLY); early > 0 && needed > 0 && needed <= left; early--) {
      needed -= counters.get(draw.next()) > now.theta() ? 1 : 0;
      left--;
    }
    return needed <= left && (needed <= 0 || needed <= hits(draw, left, now.theta()));
  }

  /**
   * Returns the number of positions of the key that hit: the dot product of Autoscaling paper, Eq.
   * 4 and Eq. 12.
   */
  @Override
  public long evidenceHash(long hash) {
    return hits(positions.draw(hash), hashes, thresholds().theta());
  }

  private int hits(DistinctPositions.Draw draw, int count, long theta) {
    long[] drawn = draw.take(count);
    int hits = 0;
    for (int i = 0; i < count; i++) {
      hits += counters.get(drawn[i]) > theta ? 1 : 0;
    }
    return hits;
  }

  /** Returns the false positive rate at the current thresholds, computed from the counters. */
  @Override
  public double expectedFpp() {
    return rates().fpr();
  }

  /**
   * Returns the rates of this particular filter, computed from its counters rather than from its
   * load (see erratum <a href="{@docRoot}/doc-files/errata.html#A11">A11</a>). The TPR and FNR are
   * NaN if the filter has no keys, and if keys were put repeatedly: see {@link #leastTpr}.
   */
  public Rates rates() {
    return snapshot().ratesNow();
  }

  /** Returns the rates of a snapshot. */
  private Rates ratesNow() {
    Thresholds now = live.current;
    CounterStore.Split split = counters.split(now.theta());
    double fpr = ObservedRates.fpr(bits(), hashes, split.above(), now.decision());
    // a saturated counter does not show how many keys it holds, but counters that do not hit are
    // exact
    if (puts > 0 && isRepeated() && now.theta() > 0 && now.decision() > 0) {
      return new Rates(Double.NaN, Double.NaN, fpr);
    }
    double missed = split.sumUpTo() / ((double) puts * hashes);
    double storedHit = puts == 0 ? Double.NaN : 1 - Math.min(1, missed);
    double tpr = ObservedRates.tpr(bits(), hashes, storedHit, now.decision());
    return new Rates(tpr, 1 - tpr, fpr);
  }

  private long saturated() {
    return counters.split(counters.saturated() - 1).above();
  }

  /**
   * Returns a small immutable filter to send: one bit per counter, set if the counter exceeds
   * theta, and the decision threshold.
   */
  public BinarizedFilter binarize() {
    AutoscalingBloomFilter now = snapshot();
    long theta = now.live.current.theta();
    return BinarizedFilter.distinct(
        shape,
        now.counters.above(theta),
        theta,
        now.live.current.decision(),
        now.distinctKeys(),
        now.ratesNow().tpr());
  }

  /**
   * Returns the likelihood reading of the same counters, tuned for the current number of keys by
   * the same criterion and minimum TPR. It uses whole counts instead of only whether they exceed
   * theta. It makes far fewer errors, but needs the counters.
   */
  public LikelihoodReading likelihood() {
    return rule() instanceof Rule.Tuned tuned
        ? likelihood(tuned.criterion(), tuned.minTpr())
        : likelihood(Criterion.accuracy(), 0);
  }

  /**
   * Returns the likelihood reading, tuned for the current number of keys by the given criterion.
   */
  public LikelihoodReading likelihood(Criterion criterion, double minTpr) {
    int ceiling = ceilingBits(counters);
    return new LikelihoodReading(
        LikelihoodPlan.tune(bits(), hashes, puts, criterion, minTpr, ceiling));
  }

  /**
   * Returns why the other filter cannot be merged with this one; empty if it can. Merging requires
   * the same size, number of hashes and hash scheme.
   */
  @Override
  public Optional<String> incompatibility(AutoscalingBloomFilter other) {
    Optional<String> difference = shape.incompatibility(other.shape);
    return difference.isPresent()
        ? difference
        : Merging.difference(List.of(bits() + " bits"), List.of(other.bits() + " bits"))
            .map(reason -> reason + ", and autoscaling filters cannot be folded");
  }

  /** Returns the current false positive rate, because this kind has no target. */
  @Override
  public double targetFpp() {
    return expectedFpp();
  }

  /**
   * Returns the same as {@link #union(AutoscalingBloomFilter, double)}; throws if the result
   * accepts stored keys hardly more often than others, i.e. if the two rates differ by less than 50
   * %.
   */
  @Override
  public AutoscalingBloomFilter union(AutoscalingBloomFilter other) {
    AutoscalingBloomFilter sum = union(other, 1);
    if (sum.puts > 0) {
      Merging.requireUseful(
          sum.expectedFpp(), RateRule.mostFpp(sum.leastTpr()), "use more counters for fewer keys");
    }
    return sum;
  }

  /**
   * Returns a filter that counts the keys of both filters, with the threshold rule of this one: the
   * sum (bundle) of two vectors of counters (Autoscaling paper, Eq. 1). <strong>No key may be in
   * both filters</strong>, which cannot be checked: such a key counts as two keys, like one that
   * was put twice (see erratum <a href="{@docRoot}/doc-files/errata.html#A12">A12</a>). {@link
   * #commonKeys} estimates how many there are. If one filter has saturating counters, so does the
   * result, at the narrower width.
   *
   * @param maxFpp the highest false positive rate that is accepted for the result
   */
  @Override
  public AutoscalingBloomFilter union(AutoscalingBloomFilter other, double maxFpp) {
    Merging.requireCompatible(incompatibility(other));
    AutoscalingBloomFilter here = copy();
    AutoscalingBloomFilter there = other.copy();
    CounterStore counts = sum(here.counters, there.counters);
    Shape both = shape.mergedWith(other.shape, bits());
    AutoscalingBloomFilter sum =
        new AutoscalingBloomFilter(
            both, counts, Math.addExact(here.puts, there.puts), begin(both, counts, here.rule()));
    sum.thresholds();
    double fpp = sum.ratesNow().fpr();
    Merging.requireUseful(fpp, maxFpp, "first retune the filters for fewer false positives");
    return sum;
  }

  /**
   * Returns the sums of both counters. If the counters of one saturate, so do the sums, at the
   * narrower width: min(min(a, C) + min(b, D), C) = min(a + b, C) if D is at least C, as if one
   * filter had counted all keys.
   */
  private static CounterStore sum(CounterStore one, CounterStore other) {
    boolean widens = one.widens() && other.widens();
    int narrower = Math.min(ceilingBits(one), ceilingBits(other));
    int width = widens ? Math.max(one.width(), other.width()) : narrower;
    CounterStore sum = new CounterStore(one.size(), width, widens);
    sum.addAll(one);
    sum.addAll(other);
    return sum;
  }

  /**
   * Returns the similarity of the key sets of two filters: the correlation of their counters. It is
   * about {@code c / sqrt(n n')} for c common keys among n and n': 1 for the same keys, 0 if none
   * are common. Because the vectors of two different keys are uncorrelated, its standard deviation
   * is at most {@code 1/sqrt(bits)}. It does not depend on thresholds.
   */
  public double similarity(AutoscalingBloomFilter other) {
    Merging.requireCompatible(incompatibility(other));
    return copy().counters.correlation(other.copy().counters);
  }

  /** Returns {@code similarity * sqrt(n n')}: an estimate of the number of common keys. */
  public double commonKeys(AutoscalingBloomFilter other) {
    double keysOfBoth = (double) puts * other.puts;
    return Math.max(0, similarity(other)) * Math.sqrt(keysOfBoth);
  }

  /** Returns an independent copy with the same counters and rule. */
  @Override
  public AutoscalingBloomFilter copy() {
    synchronized (counters) {
      return new AutoscalingBloomFilter(shape, counters.copy(), puts, squares, live);
    }
  }

  /** Removes every key. */
  public void clear() {
    synchronized (counters) {
      counters.clear();
      squares = 0;
      saturates = false;
      setPuts(0);
    }
  }

  /** Returns the statistics of this filter; {@code ones} is the number of counters above theta. */
  @Override
  public FilterStats stats() {
    return snapshot().statsNow();
  }

  /** Returns the statistics of a snapshot. */
  private FilterStats statsNow() {
    Rates rates = ratesNow();
    Thresholds now = live.current;
    return new FilterStats(
        FilterKind.AUTOSCALING,
        shape.layout(),
        bits(),
        hashes,
        shape.scheme(),
        counters.split(now.theta()).above(),
        (double) distinctKeys(),
        rates.fpr());
  }

  @Override
  public long sizeInBytes() {
    return snapshot().headerNow().fileBytes();
  }

  @Override
  public boolean isEmpty() {
    return snapshot().counters.above(0).ones() == 0;
  }

  @Override
  public String explain() {
    return snapshot().explainNow();
  }

  private String explainNow() {
    Rates rates = ratesNow();
    Rule.@Nullable Tuned tuned = rule() instanceof Rule.Tuned rule ? rule : null;
    StringBuilder page = new StringBuilder();
    page.append("An autoscaling Bloom filter, counters of ").append(counterBits());
    page.append(" bits, ").append(tuned == null ? "fixed" : "tuned").append(" thresholds.\n\n");
    page.append(statsNow().lines("counters", headerNow().fileBytes()));
    if (tuned == null) {
      page.append("  thresholds         fixed\n");
    } else {
      page.append("  tuned for          ").append(tuned.criterion().word());
      tuned.criterion().numbers().forEach((name, value) -> page.append(", " + name + " " + value));
      page.append(tuned.minTpr() > 0 ? ", tpr at least " + tuned.minTpr() + "\n" : "\n");
    }
    page.append(describe(live.current.theta(), live.current.decision(), rates, leastTprNow()));
    if (isRepeated()) {
      page.append('\n').append(repetitionNow()).append('\n');
    } else if (puts > 0) {
      Criterion criterion = tuned == null ? Criterion.accuracy() : tuned.criterion();
      page.append('\n');
      page.append(ThresholdPlan.plainAlternative(bits(), counterBits(), puts, rates, criterion));
      page.append('\n');
    }
    return page.toString();
  }

  /** Returns the lines of {@code explain()} about the thresholds and their rates. */
  static String describe(long theta, long decision, Rates rates, double leastTpr) {
    String found = Double.isNaN(leastTpr) ? "unknown" : Prose.format("%.4g %%", 100 * leastTpr);
    boolean exact = rates.tpr() == leastTpr;
    return Prose.format(
        """
          theta              %d: a position hits when its counter exceeds it
          decision           %d: a key is accepted when at least this many of its positions hit
          stored keys found  %s
          accuracy           %s
        """,
        theta,
        decision,
        exact || Double.isNaN(leastTpr) ? found : "at least " + found,
        exact ? Prose.format("%.5f", rates.accuracy()) : "unknown");
  }

  /** Returns a sentence about keys that were put repeatedly; empty if the counters show none. */
  public Optional<String> repetition() {
    AutoscalingBloomFilter now = snapshot();
    return now.isRepeated() ? Optional.of(now.repetitionNow()) : Optional.empty();
  }

  private String repetitionNow() {
    return Prose.format(
        "Keys were put repeatedly: %,d puts of %s %,d keys. Those that were put once are hard to"
            + " find among the others: at least %.4g %% of the keys are found, and more cannot be"
            + " stated. Put each key only once.",
        puts,
        Repetition.showsKeys(empty()) ? "about" : "at least about",
        distinctKeys(),
        100 * leastTprNow());
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    // writes a copy, so that puts do not wait for a slow stream
    AutoscalingBloomFilter now = snapshot();
    FilterWriter.begin(out, now.headerNow()).counters(now.counters).end();
  }

  private FilterHeader headerNow() {
    return AutoscalingFormat.header(shape, counters, puts, rule(), live.current);
  }

  /** Reads a filter from a file of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
  public static AutoscalingBloomFilter readFrom(Path path) throws IOException {
    return FORMAT.readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads a filter from the bytes that {@link #toBytes} returned. */
  public static AutoscalingBloomFilter fromBytes(byte[] bytes) throws FilterFormatException {
    return FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AutoscalingBloomFilter filter
        && shape.equals(filter.shape)
        && copy().hasContentOf(filter.copy());
  }

  private boolean hasContentOf(AutoscalingBloomFilter other) {
    return rule().equals(other.rule()) && puts == other.puts && counters.equals(other.counters);
  }

  @Override
  public int hashCode() {
    return 31 * shape.hashCode() + copy().counters.hashCode();
  }

  @Override
  public String toString() {
    return "AutoscalingBloomFilter[%s, counters of %d bits, %d keys]"
        .formatted(shape, counterBits(), puts);
  }

  /**
   * The likelihood reading of an autoscaling filter: a view that any thread may query, even while
   * others change the filter.
   *
   * <p>The evidence for a key is the sum of {@code ln(count / mean)} over its positions, as an
   * integer from a table. An empty counter proves that the key is absent; its evidence is {@link
   * #NEVER}. A query reads as many counters as a query with thresholds. The view reads the current
   * counters of the filter, but its table and threshold were computed for the number of keys at its
   * creation, so create a new view when that number has changed by a few percent.
   */
  public final class LikelihoodReading extends LikelihoodPlan.Reading {
    private static final int MAX_HISTOGRAM = 1 << 22;

    private LikelihoodReading(LikelihoodPlan plan) {
      super(plan);
    }

    @Override
    public HashScheme hashScheme() {
      return shape.scheme();
    }

    @Override
    public long evidenceHash(long hash) {
      DistinctPositions.Draw draw = positions.draw(hash);
      int early = Math.min(hashes, EARLY);
      long sum = 0;
      for (int i = 0; i < early; i++) {
        long count = counters.get(draw.next());
        if (count == 0) {
          return NEVER;
        }
        sum += plan.score(count);
      }
      int rest = hashes - early;
      long[] drawn = draw.take(rest);
      boolean proof = false;
      for (int i = 0; i < rest; i++) {
        long count = counters.get(drawn[i]);
        proof |= count == 0;
        sum += plan.score(count);
      }
      return proof ? NEVER : sum;
    }

    /**
     * Returns the rates of this reading on the current counters (see erratum <a
     * href="{@docRoot}/doc-files/errata.html#A11">A11</a>).
     */
    public Rates rates() {
      AutoscalingBloomFilter now = snapshot();
      long top = plan.highestCount();
      Rates rates =
          top > MAX_HISTOGRAM
              ? plan.rates()
              : plan.observedRates(now.counters.histogram((int) top));
      return now.isRepeated() ? new Rates(Double.NaN, Double.NaN, rates.fpr()) : rates;
    }
  }

  /** Builds an {@link AutoscalingBloomFilter}. The number of bits and of hashes is required. */
  public static final class Builder extends FilterBuilder<Builder> {
    private long bits;
    private int hashes;
    private Criterion criterion = Criterion.accuracy();
    private double minTpr;
    private Rule.@Nullable Fixed fixed;
    private @Nullable Integer counterBits;
    private @Nullable Long insertOnlyKeys;

    private Builder() {}

    /** Sets the number of counters. */
    public Builder bits(long bits) {
      this.bits = Checks.positive(bits, "bits");
      return this;
    }

    /** Sets the number of distinct positions per key. */
    public Builder hashes(int hashes) {
      this.hashes = Checks.positive(hashes, "hashes");
      return this;
    }

    /** Sets the criterion that the thresholds are tuned for; accuracy by default. */
    public Builder criterion(Criterion criterion) {
      this.criterion = Objects.requireNonNull(criterion, "criterion");
      return this;
    }

    /** Sets the minimum fraction of stored keys that the thresholds must accept; 0 by default. */
    public Builder minTpr(double minTpr) {
      this.minTpr = minTpr;
      return this;
    }

    /** Fixes both thresholds instead of tuning them. */
    public Builder thresholds(long theta, int decision) {
      this.fixed = new Rule.Fixed(theta, decision);
      return this;
    }

    /**
     * Sets a fixed width of 4, 8, 16 or 32 bits, at which counters saturate. By default, counters
     * start with 4 bits and widen on demand.
     */
    public Builder counterBits(int counterBits) {
      this.counterBits = CounterStore.checkedWidth(counterBits);
      return this;
    }

    /**
     * Uses the narrowest counters that give exact answers for any number of keys up to this one,
     * provided that no key is removed and the thresholds are not retuned.
     */
    public Builder insertOnly(long maxKeys) {
      this.insertOnlyKeys = Checks.notNegative(maxKeys, "maxKeys");
      return this;
    }

    private Shape shape() {
      if (bits == 0 || hashes == 0) {
        throw new IllegalArgumentException(
            "not enough settings: bits and hashes are both required");
      }
      return Shape.distinct(bits, hashes, hashScheme());
    }

    private Rule rule() {
      if (fixed == null) {
        return new Rule.Tuned(criterion, minTpr);
      }
      if (minTpr != 0 || !criterion.equals(Criterion.accuracy())) {
        throw new IllegalArgumentException(
            "the fixed thresholds %d and %d cannot be tuned: omit criterion and minTpr"
                .formatted(fixed.theta(), fixed.decision()));
      }
      return fixed;
    }

    private CounterStore counters(Rule rule) {
      if (counterBits != null && insertOnlyKeys != null) {
        throw new IllegalArgumentException(
            "counterBits "
                + counterBits
                + " and insertOnly, which chooses the width: set only one of the two");
      }
      if (insertOnlyKeys != null) {
        int width = ThresholdPlan.counterBits(bits, hashes, insertOnlyKeys, rule);
        return new CounterStore(bits, width, false);
      }
      return counterBits == null
          ? new CounterStore(bits, 4, true)
          : new CounterStore(bits, counterBits, false);
    }

    /** Builds the empty filter. */
    public AutoscalingBloomFilter build() {
      Shape shape = shape();
      Rule rule = rule();
      CounterStore counters = counters(rule);
      return new AutoscalingBloomFilter(shape, counters, 0, begin(shape, counters, rule));
    }
  }
}
