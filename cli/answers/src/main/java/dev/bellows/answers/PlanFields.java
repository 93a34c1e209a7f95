package dev.bellows.answers;

import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.autoscale.Criterion;
import dev.bellows.autoscale.LikelihoodPlan;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.frozen.FrozenPlan;
import dev.bellows.internal.autoscale.DistinctRates;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.partition.PartitionPlan;
import dev.bellows.plan.BloomPlan;
import dev.bellows.plan.CapacityPlan;
import dev.bellows.plan.CapacityPlan.Candidate;
import dev.bellows.plan.CapacityPlan.KeyRange;
import dev.bellows.plan.CapacityPlan.LadderFit;
import dev.bellows.plan.FoldPlan;
import dev.bellows.plan.TransmissionPlan;
import dev.bellows.range.ProfilePlan;
import dev.bellows.range.ProfilePlan.AttributePlan;
import dev.bellows.range.RangePlan;
import dev.bellows.window.WindowPlan;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts each plan to its fields in order, under the names that the command line documents. A
 * double that is not finite becomes null.
 */
public final class PlanFields {
  private PlanFields() {}

  /** Parses a range of key counts, e.g. {@code 1k..1M}. */
  public static KeyRange keyRange(String text) {
    int dots = text.indexOf("..");
    if (dots < 0) {
      throw new IllegalArgumentException(
          Prose.quote(text) + " is not a range: write it as 1k..1M, both ends inclusive");
    }
    long fewest = Quantities.count(text.substring(0, dots));
    long most = Quantities.count(text.substring(dots + 2));
    if (fewest < 1 || most < fewest) {
      throw new IllegalArgumentException(
          Prose.quote(text)
              + " is not a range of keys: the lower end must be at least 1, and not above the upper"
              + " end");
    }
    return new KeyRange(fewest, most);
  }

  /** Returns the fields of {@code plan window}. */
  public static Map<String, @Nullable Object> window(WindowPlan plan) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("keys", plan.keys());
    fields.put("keysPerGeneration", plan.keysPerGeneration());
    fields.put("generations", plan.generations());
    fields.put("bits", plan.bits());
    fields.put("generationBits", plan.generationBits());
    fields.put("bitsPerLiveKey", plan.bitsPerLiveKey());
    fields.put("hashes", plan.layout().hashes());
    fields.put("pattern", plan.layout().pattern().toString());
    fields.put("fpp", plan.fpp());
    return fields;
  }

  /** Returns the name of a layout in command line options and JSON. */
  public static String word(Layout.Family layout) {
    return layout.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the fields of {@code plan bloom}.
   *
   * @param foldable the plan with a size that folds well; null if there is none
   * @param classic the plan with layout CLASSIC for the rate of a BLOCKED plan; null if it is
   *     unknown
   */
  public static Map<String, @Nullable Object> bloom(
      BloomPlan plan, @Nullable BloomPlan foldable, @Nullable BloomPlan classic) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("layout", word(plan.layout().family()));
    Pattern pattern = plan.layout().pattern();
    fields.put("pattern", pattern == null ? null : pattern.toString());
    fields.put("keys", plan.keys());
    fields.put("fpp", plan.fpp());
    fields.put("bits", plan.bits());
    fields.put("hashes", plan.hashes());
    fields.put("bitsPerKey", plan.bitsPerKey());
    fields.put("fppClassic", fppClassic(plan));
    fields.put("fppExact", fppExact(plan));
    fields.put("fppWithHash", plan.fppWithHash());
    fields.put("foldableBits", foldable == null ? null : foldable.bits());
    fields.put("foldableHashes", foldable == null ? null : foldable.hashes());
    fields.put("foldableFpp", foldable == null ? null : foldable.fpp());
    if (pattern != null) {
      fields.put("classicBits", classic == null ? null : classic.bits());
    }
    return fields;
  }

  /**
   * Returns the rate of layout CLASSIC in the power form; the rate of layout BLOCKED has only one
   * form.
   */
  public static double fppClassic(BloomPlan plan) {
    return plan.layout() instanceof Layout.Classic classic
        ? classic.fppSharp(plan.bits(), plan.keys())
        : Double.NaN;
  }

  /** Returns the exact rate of a small CLASSIC filter; NaN for others. */
  public static double fppExact(BloomPlan plan) {
    return plan.layout() instanceof Layout.Classic
        ? BloomRates.fppExact(plan.bits(), plan.keys(), plan.hashes())
        : Double.NaN;
  }

  /** Returns the fields of {@code plan fold}. */
  public static Map<String, @Nullable Object> fold(FoldPlan plan) {
    long cells = cells(plan);
    long[] steps = FoldSteps.elementary(plan.factor());
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("low", plan.low());
    fields.put("high", plan.high());
    fields.put("admissible", plan.admissible());
    fields.put("target", plan.target());
    fields.put("factor", plan.factor());
    fields.put("status", plan.status().word());
    fields.put("fppAtTarget", plan.fppAtTarget());
    fields.put("cells", cells);
    fields.put("cellsRead", plan.factor() == 1 ? 0 : cells);
    fields.put("steps", Arrays.stream(steps).boxed().toList());
    fields.put("cellsReadInSteps", FoldSteps.cellsRead(cells, steps));
    return fields;
  }

  /** Returns the number of cells of the unfolded filter. */
  public static long cells(FoldPlan plan) {
    return plan.capacity() / plan.layout().cellBits();
  }

  /** Returns the fields of {@code plan capacity --from --within --smooth}. */
  public static Map<String, @Nullable Object> smooth(CapacityPlan.Smooth found) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("candidates", found.candidates().stream().map(PlanFields::candidate).toList());
    fields.put("best", found.best() == null ? null : candidate(found.best()));
    return fields;
  }

  private static Map<String, Object> candidate(Candidate candidate) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("bits", candidate.number());
    fields.put("divisors", candidate.divisors());
    return fields;
  }

  /** Returns the fields of {@code plan capacity --keys}. */
  public static Map<String, @Nullable Object> capacity(CapacityPlan plan) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("capacity", plan.capacity());
    fields.put("hashes", plan.hashes());
    fields.put("keys", List.of(plan.keys().fewest(), plan.keys().most()));
    fields.put("worstOversize", plan.fit().worstOversize());
    fields.put("meanOversize", plan.fit().meanOversize());
    fields.put("bandShare", plan.fit().bandShare());
    fields.put("ladder", plan.ladder());
    fields.put("powersOfTwo", fit(plan.powersOfTwo()));
    fields.put("highlyComposite", fit(plan.highlyComposite()));
    return fields;
  }

  private static Map<String, Object> fit(LadderFit fit) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("capacity", fit.capacity());
    fields.put("worstOversize", fit.worstOversize());
    fields.put("meanOversize", fit.meanOversize());
    fields.put("bandShare", fit.bandShare());
    return fields;
  }

  /** Returns the fields of {@code plan transmission}. */
  public static Map<String, @Nullable Object> transmission(long bits, TransmissionPlan plan) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("next", plan.bits());
    fields.put("factor", bits / plan.bits());
    fields.put("bytes", plan.bytes());
    fields.put("fpp", plan.fpp());
    fields.put("jointFpp", plan.jointFpp());
    fields.put("commonBits", plan.commonBits());
    return fields;
  }

  /** Returns the fields of {@code plan partition}. */
  public static Map<String, @Nullable Object> partition(PartitionPlan plan) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put(
        "universe", plan.universe() < 0 ? BigInteger.ONE.shiftLeft(63) : (Number) plan.universe());
    fields.put("depth", plan.depth());
    fields.put("fpp", plan.fpp());
    fields.put("hashes", plan.hashes());
    fields.put("unitKeys", plan.unitKeys());
    fields.put("unitBits", plan.unitBits());
    fields.put("classicUnitBits", plan.classicUnitBits());
    fields.put("allocatedUnitBits", plan.allocatedUnitBits());
    fields.put("leaves", plan.leaves());
    return fields;
  }

  /** Returns the fields of {@code plan range} for one attribute. */
  public static Map<String, @Nullable Object> range(RangePlan plan) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("scheme", plan.scheme().word());
    fields.put("bits", plan.bits());
    fields.put("domain", plan.domain());
    fields.put("range", plan.range());
    fields.put("divide", plan.divide());
    fields.put("shift", plan.shift());
    fields.put("hashes", plan.hashes());
    fields.put("insertionBits", plan.insertionBits());
    fields.put("fpp", plan.fpp());
    fields.put("runnerUpGap", plan.runnerUpGap());
    fields.put("exactBits", plan.exactBits());
    fields.put("exactIsSmaller", plan.exactIsSmaller());
    return fields;
  }

  /**
   * Returns the fields of {@code plan range} for several attributes.
   *
   * @param uniform the best plan with the same number of hashes for all attributes, if each may
   *     have its own
   */
  public static Map<String, @Nullable Object> profile(
      ProfilePlan plan, @Nullable ProfilePlan uniform) {
    List<Map<String, Object>> list = new ArrayList<>();
    for (AttributePlan planned : plan.attributes()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("name", planned.name());
      fields.put("domain", planned.attribute().domain());
      fields.put("range", planned.attribute().range());
      fields.put("hashes", planned.hashes());
      fields.put("divide", planned.divide());
      fields.put("shift", planned.shift());
      fields.put("insertionBits", planned.insertionBits());
      fields.put("fpp", planned.fpp());
      list.add(fields);
    }
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("scheme", plan.scheme().word());
    fields.put("bits", plan.profile().bits());
    fields.put("hashes", plan.hashes());
    fields.put("attributes", list);
    fields.put("strings", plan.profile().strings());
    fields.put("stringFpp", plan.stringFpp());
    fields.put("totalBits", plan.totalBits());
    fields.put("averageFpp", plan.averageFpp());
    fields.put("runnerUpGap", plan.runnerUpGap());
    if (uniform != null) {
      fields.put("uniformAverageFpp", uniform.averageFpp());
    }
    fields.put("exactBits", plan.profile().exactBits());
    return fields;
  }

  /**
   * Returns the fields of {@code plan autoscale}.
   *
   * @param counterBits the counter width that loses nothing while keys are only added
   * @param likelihood the likelihood reading of the same counters; null if it was not computed
   */
  public static Map<String, @Nullable Object> autoscale(
      ThresholdPlan plan,
      Criterion criterion,
      double minTpr,
      int counterBits,
      @Nullable LikelihoodPlan likelihood) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("bits", plan.bits());
    fields.put("hashes", plan.hashes());
    fields.put("keys", plan.keys());
    fields.put("criterion", criterion.word());
    fields.put("minTpr", minTpr);
    fields.put("theta", plan.theta());
    fields.put("decision", plan.decision());
    fields.put("tpr", plan.tpr());
    fields.put("fpr", plan.fpr());
    fields.put("accuracy", plan.accuracy());
    fields.put("score", criterion.score(plan.tpr(), plan.fpr()));
    fields.put("counterBits", counterBits);
    fields.put("likelihoodTpr", likelihood == null ? null : likelihood.tpr());
    fields.put("likelihoodFpr", likelihood == null ? null : likelihood.fpr());
    fields.put("likelihoodAccuracy", likelihood == null ? null : likelihood.accuracy());
    addPlain(fields, plan.bits(), plan.keys());
    return fields;
  }

  /** Adds the best plain filter with the same number of bits, which misses no key. */
  private static void addPlain(Map<String, @Nullable Object> fields, long bits, long keys) {
    Integer plainHashes = keys == 0 ? null : (Integer) DistinctRates.bestHashes(bits, keys);
    double fpr = plainHashes == null ? Double.NaN : DistinctRates.fpp(bits, plainHashes, keys);
    fields.put("plainHashes", plainHashes);
    fields.put("plainFpr", fpr);
    fields.put("plainAccuracy", 1 - fpr / 2);
  }

  /** Returns the fields of {@code plan frozen}. */
  public static Map<String, @Nullable Object> frozen(FrozenPlan plan) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("keys", plan.keys());
    fields.put("fpp", plan.fpp());
    fields.put("bits", plan.bits());
    fields.put("bitsPerKey", plan.bitsPerKey());
    fields.put("columns", plan.columns());
    fields.put("buildBytes", plan.buildBytes());
    return fields;
  }
}
