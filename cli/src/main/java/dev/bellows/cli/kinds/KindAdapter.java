package dev.bellows.cli.kinds;

import dev.bellows.Filter;
import dev.bellows.FilterStats;
import dev.bellows.Foldable;
import dev.bellows.Foldable.FoldSize;
import dev.bellows.autoscale.GradedMembership;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.keys.CodedKeys;
import dev.bellows.cli.keys.KeyCode;
import dev.bellows.cli.keys.KeyInput;
import dev.bellows.cli.keys.KeyOptions;
import dev.bellows.cli.keys.Lines;
import dev.bellows.cli.kinds.DurableFolders.Pending;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.layout.RateRule;
import dev.bellows.io.FilterKind;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A filter as the verbs use it. Everything they need to know about a kind is in its subclass and
 * nowhere else. {@link Ability} says what a kind can do: verbs call {@link Ability#require} first,
 * so that the methods here are only called for kinds that support them.
 *
 * @param <F> the type of the filters of the kind
 */
public abstract class KindAdapter<F extends Filter> {
  /** What the expected rate of most kinds is taken from. */
  static final String FROM_FILL = "from its actual fill";

  public final F filter;

  private final String rateRemark;
  private final boolean statesBound;

  KindAdapter(F filter) {
    this(filter, FROM_FILL, false);
  }

  /**
   * A filter whose rate needs an explanation.
   *
   * @param rateRemark what the expected false positive rate is taken from
   * @param statesBound whether that rate is a bound, not a mean
   */
  KindAdapter(F filter, String rateRemark, boolean statesBound) {
    this.filter = filter;
    this.rateRemark = rateRemark;
    this.statesBound = statesBound;
  }

  /**
   * Returns its keys by their codes: hashes, unless the kind has others.
   *
   * @param longs whether keys are decimal longs
   */
  public CodedKeys keys(boolean longs) {
    return CodedKeys.of(filter);
  }

  /** Returns whether it holds single keys, so that a list of absent ones can measure its rate. */
  public boolean holdsKeys() {
    return true;
  }

  /**
   * The effect of the keys of an input.
   *
   * @param lines how many there were
   * @param changed how many of them changed the filter
   * @param unchanged how many of them did not; a kind that takes a key once leaves repetitions out
   */
  public record Changes(long lines, long changed, long unchanged) {}

  /** Puts every key of the input, and adds those that changed the filter to a list, if given. */
  public Changes put(KeyInput input, @Nullable Pending pending) throws IOException {
    CodedKeys keys = keys(input.isLongs());
    return change(input, keys.code(), keys.puts(), pending);
  }

  /** Removes every key of the input, and adds those that were removed to a list, if given. */
  public final Changes remove(KeyInput input, @Nullable Pending pending) throws IOException {
    CodedKeys keys = keys(input.isLongs());
    return change(input, keys.code(), keys.removes(), pending);
  }

  private Changes change(
      KeyInput input, KeyCode code, CodedKeys.Change all, @Nullable Pending pending)
      throws IOException {
    CodedKeys.Change change = pending == null ? all : pending.adding(all);
    long[] counts = {0, 0};
    long lines =
        forEach(
            input,
            code,
            (codes, count) -> {
              int changed = change.change(codes, 0, count);
              counts[0] += changed;
              counts[1] += count - changed;
            });
    return new Changes(lines, counts[0], counts[1]);
  }

  /**
   * Passes the keys of an input in the form that the filter needs and returns the number of lines.
   */
  long forEach(KeyInput input, KeyCode code, KeyCode.Group group) throws IOException {
    return input.forEach(code, group);
  }

  /**
   * Returns how it answers for keys as they are written.
   *
   * @param some whether a range query is for any number of it, not for every one
   */
  public Lines.Query question(KeyOptions options, boolean some) {
    if (some) {
      throw new CommandFailure(
          "--intersect is only valid with a filter of kind range, not " + filter.kind().word());
    }
    CodedKeys keys = keys(options.isLongs());
    return (lines, hits) ->
        lines.pass(
            keys.code(),
            options.isLongs(),
            (codes, count) -> keys.asks().ask(codes, 0, count, hits));
  }

  /** Returns the false positive rate of the questions that were asked so far, or of any key. */
  public double askedFpp() {
    return filter.expectedFpp();
  }

  /** Adds what {@code build} reports of this kind only. */
  public void addBuilt(Report report, FileSize size) {}

  /** The fields that only this kind has in {@code info}, by JSON name. */
  public void addFields(Map<String, @Nullable Object> fields, FileSize size) {}

  /**
   * The size of a filter.
   *
   * @param bits its bits or counters
   * @param bytes the length of its file
   */
  public record FileSize(long bits, long bytes) {}

  /** Returns its size; some kinds are encoded to find out. */
  public FileSize size(FilterStats stats) {
    return new FileSize(stats.bits(), filter.sizeInBytes());
  }

  /** Why this filter cannot do what its kind can, and the way out; null if it can. */
  @Nullable String refusal(Ability ability, String name) {
    return null;
  }

  /**
   * An alternative for an operation that the kind does not support; begins with a semicolon, or is
   * empty.
   */
  String hint(Ability ability) {
    return "";
  }

  /** The sizes that it folds to, ascending, with itself; empty for kinds that do not fold. */
  public List<FoldSize> ladder() {
    return filter instanceof Foldable<?> foldable ? List.copyOf(foldable.ladder()) : List.of();
  }

  /** Returns whether the expected false positive rate is a bound, not a mean. */
  public final boolean statesBound() {
    return statesBound;
  }

  /** Returns the rates of a filter that may miss stored keys; null if it misses none. */
  public ThresholdPlan.@Nullable Rates rates() {
    return null;
  }

  /** Returns a lower bound of the share of its keys that it finds, which may be the exact share. */
  public double leastTpr() {
    ThresholdPlan.Rates rates = rates();
    return rates == null ? 1 : rates.tpr();
  }

  /** Why its rates may legitimately differ from measured ones; null if they should not. */
  public @Nullable String doubt(long presentKeys) {
    return null;
  }

  /** Returns what the expected false positive rate is taken from, and whether it is a bound. */
  public final String rateRemark() {
    return (statesBound ? "at most, " : "") + rateRemark;
  }

  /** Returns the share of absent keys that would be removed anyway; NaN if unknown. */
  public double removalFpp() {
    return isGraded() ? Double.NaN : filter.expectedFpp();
  }

  private boolean isGraded() {
    return filter instanceof GradedMembership;
  }

  /** Returns the word for keys that changed the filter when they were put. */
  public String newWord() {
    return isGraded() ? "new, at least" : "certainly new";
  }

  /** Returns the word for keys that were not removed. */
  public String absentWord() {
    return isGraded() ? "not removed" : "certainly absent";
  }

  /** Returns the filter as one that merges with that kind, or itself if no other does. */
  public KindAdapter<?> toMergeWith(FilterKind other) {
    return this;
  }

  /** Returns the smallest form of this result of a merge that accepts the same keys. */
  public KindAdapter<?> compacted() {
    return this;
  }

  /** Returns how to build filters that can be merged where these cannot; begins with a space. */
  public String wayOut(KindAdapter<?> other, String name, String otherName) {
    return "";
  }

  /** Returns a remark about this result of a merge; null for none. */
  public @Nullable String remark(List<KindAdapter<?>> inputs, List<String> names, MergeRule rule) {
    return null;
  }

  /** The factor by which it was folded to become part of a result of this many bits. */
  public long foldedBy(long resultBits) {
    // an empty filter may be smaller than the result
    return filter instanceof Foldable<?> foldable
        ? Math.max(1, foldable.bits() / Math.max(1, resultBits))
        : 1;
  }

  /** The common size of the inputs, if they were folded; ends with "where". */
  public String meeting(List<KindAdapter<?>> inputs, long resultBits) {
    return "";
  }

  /** Returns a complaint about its answers by the rule of its kind; null for none. */
  public @Nullable String complaint() {
    ThresholdPlan.Rates rates = rates();
    return rates == null || !RateRule.tellsLittle(rates.tpr(), rates.fpr())
        ? null
        : "the filter accepts %s of its keys and %s of all others, so that its answers say little: use more --bits, fewer keys, or other thresholds"
            .formatted(Prose.rate(rates.tpr()), Prose.rate(rates.fpr()));
  }

  /** Returns what to do if it holds too many keys. */
  public String roomAdvice(FilterStats stats) {
    return "build it again with a lower --fpp";
  }

  /** Returns whether its number of keys is an upper bound. */
  public boolean keysAreBound() {
    return false;
  }

  /**
   * Returns what to do so that the result has a lower rate.
   *
   * @param fpp the rate to reach, if the kind can say how
   */
  public String advice(
      List<KindAdapter<?>> inputs, List<String> names, MergeRule rule, double fpp) {
    return "build the inputs with a lower --fpp";
  }
}
