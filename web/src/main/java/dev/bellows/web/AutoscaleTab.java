package dev.bellows.web;

import dev.bellows.answers.JavaCode;
import dev.bellows.answers.PlanFields;
import dev.bellows.autoscale.Criterion;
import dev.bellows.autoscale.LikelihoodPlan;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.internal.autoscale.CounterLoad;
import dev.bellows.internal.autoscale.ThresholdRates.Hits;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.math.Binomial;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Counters of a fixed size, read through two thresholds. */
final class AutoscaleTab {
  private static final int MOST_HASHES = 1000;
  private static final double MOST_MEAN = 1e6;
  private static final int THETAS = 40;
  private static final long MOST_THETA = 4_000_000_000L;
  private static final String WAIT = "this would take too long on the page; use the command line";

  private AutoscaleTab() {}

  static Answer answer(Inputs inputs) {
    inputs.check(
        f -> f.requiredPositive("bits"),
        f -> Inputs.required("hashes", f.smallPositive("hashes")),
        f -> f.requiredCount("keys"),
        f -> f.probability("mintpr"),
        f -> f.probability("share"),
        f -> f.amountOr("costfp", 1),
        f -> f.amountOr("costfn", 1),
        f -> f.count("theta"),
        f -> f.smallCount("decision"));
    long bits = inputs.requiredPositive("bits");
    int hashes = Inputs.required("hashes", inputs.smallPositive("hashes"));
    long keys = inputs.requiredCount("keys");
    Inputs.atMost("hashes", MOST_HASHES, hashes, WAIT);
    if (hashes > bits) {
      throw new BadInput(
          "hashes",
          "a key needs %d distinct positions, but there are only %d counters"
              .formatted(hashes, bits));
    }
    inputs.atMost("theta", MOST_THETA, "counters cannot hold more");
    CounterLoad load = CounterLoad.distinct(bits, hashes, keys);
    if (load.mean() > MOST_MEAN) {
      throw new BadInput("keys", "the average count would be above a million: " + WAIT);
    }
    double minTpr = inputs.probabilityOr("mintpr", 0);
    Criterion criterion = criterion(inputs.textOr("criterion", "accuracy"), inputs);
    Long theta = inputs.count("theta");
    Integer decision = inputs.smallCount("decision");
    inputs.atMost("decision", hashes, "a key has no more positions");
    if (decision != null) {
      Inputs.required("theta", theta);
    }
    ThresholdPlan plan;
    if (theta == null) {
      plan = ThresholdPlan.tune(bits, hashes, keys, criterion, minTpr);
    } else {
      plan =
          decision == null
              ? ThresholdPlan.forTheta(bits, hashes, keys, theta, criterion, minTpr)
              : ThresholdPlan.fixed(bits, hashes, keys, theta, decision);
    }
    ThresholdPlan.Rule rule =
        theta == null
            ? new ThresholdPlan.Rule.Tuned(criterion, minTpr)
            : new ThresholdPlan.Rule.Fixed(theta, plan.decision());
    int width =
        inputs.brief()
            ? ThresholdPlan.counterBits(plan.theta())
            : ThresholdPlan.counterBits(bits, hashes, keys, rule);
    LikelihoodPlan likelihood =
        inputs.brief() ? null : LikelihoodPlan.tune(bits, hashes, keys, criterion, minTpr, 32);
    return new Answer(PlanFields.autoscale(plan, criterion, minTpr, width, likelihood))
        .command(
            decision == null || theta == null ? command(inputs, theta, criterion, minTpr) : null)
        .java(java(plan, theta, criterion, minTpr))
        .put("mean", load.mean())
        .put("roc", keys == 0 ? List.of() : roc(load, plan))
        .put("thetas", keys == 0 || inputs.brief() ? List.of() : thetas(load, criterion, minTpr))
        .put("criteria", keys == 0 || inputs.brief() ? List.of() : criteria(load, inputs, minTpr))
        .put("hits", keys == 0 ? null : hits(load, plan));
  }

  private static Answer.Command command(
      Inputs inputs, @Nullable Long theta, Criterion criterion, double minTpr) {
    boolean even = criterion.measure() == Criterion.Measure.ACCURACY;
    return new Answer.Command("autoscale")
        .option("bits", inputs.count("bits"))
        .option("hashes", inputs.count("hashes"))
        .option("keys", inputs.count("keys"))
        .option("theta", theta)
        .option("min-tpr", minTpr > 0 ? minTpr : null)
        .option("criterion", even ? null : criterion.word())
        .option("present-share", even ? null : share(inputs))
        .option("cost-fp", criterion.numbers().get("costFp"))
        .option("cost-fn", criterion.numbers().get("costFn"));
  }

  private static double share(Inputs inputs) {
    return inputs.probabilityOr("share", 0.5);
  }

  private static Criterion criterion(String word, Inputs inputs) {
    return switch (word) {
      case "accuracy" -> Criterion.accuracy();
      case "cost" ->
          Criterion.cost(inputs.amountOr("costfp", 1), inputs.amountOr("costfn", 1), share(inputs));
      case "f1" -> Criterion.f1(share(inputs));
      case "mcc" -> Criterion.mcc(share(inputs));
      default ->
          throw new BadInput(
              "criterion", Prose.quote(word) + " is not one of accuracy, cost, f1 and mcc");
    };
  }

  private static String java(
      ThresholdPlan plan, @Nullable Long theta, Criterion criterion, double minTpr) {
    String thresholds =
        theta != null
            ? ".thresholds(%dL, %d)".formatted(plan.theta(), plan.decision())
            : JavaCode.criterion(criterion) + (minTpr > 0 ? ".minTpr(" + minTpr + ")" : "");
    return "AutoscalingBloomFilter filter = AutoscalingBloomFilter.builder().bits(%dL).hashes(%d)%s.build();"
        .formatted(plan.bits(), plan.hashes(), thresholds);
  }

  /**
   * Returns the two hills: the distributions of the number of hits of a stored and of an absent
   * key.
   */
  private static Map<String, @Nullable Object> hits(CounterLoad load, ThresholdPlan plan) {
    Hits hits = load.hits(plan.theta());
    int hashes = load.hashes();
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("px", hits.stored());
    fields.put("py", hits.absent());
    fields.put(
        "stored", Binomial.of(hashes, hits.stored(), hits.storedMiss()).probabilities(0, hashes));
    fields.put(
        "absent", Binomial.of(hashes, hits.absent(), hits.absentMiss()).probabilities(0, hashes));
    return fields;
  }

  /** Rows of decision, false positive rate and true positive rate at the plan's theta. */
  private static List<Object> roc(CounterLoad load, ThresholdPlan plan) {
    Hits hits = load.hits(plan.theta());
    Binomial stored = Binomial.of(load.hashes(), hits.stored(), hits.storedMiss());
    Binomial absent = Binomial.of(load.hashes(), hits.absent(), hits.absentMiss());
    List<Object> rows = new ArrayList<>();
    for (int decision = 0; decision <= load.hashes(); decision++) {
      rows.add(Answer.row(decision, absent.atLeast(decision), stored.atLeast(decision)));
    }
    return rows;
  }

  /** Rows of theta, its best decision, TPR, FPR and accuracy, around the mean counter. */
  private static List<Object> thetas(CounterLoad load, Criterion criterion, double minTpr) {
    double reach = 3 * Math.sqrt(load.mean() + 1) + 3;
    long first = Math.max(0, (long) (load.mean() - reach));
    long last = Math.min(load.keys(), (long) (load.mean() + reach));
    long step = Math.max(1, (last - first) / THETAS);
    List<Object> rows = new ArrayList<>();
    for (long theta = first; theta <= last; theta += step) {
      ThresholdPlan plan =
          ThresholdPlan.forTheta(load.bits(), load.hashes(), load.keys(), theta, criterion, minTpr);
      rows.add(Answer.row(theta, plan.decision(), plan.tpr(), plan.fpr(), plan.accuracy()));
    }
    return rows;
  }

  /** Rows of a criterion, the thresholds it chooses, TPR, FPR and its score. */
  private static List<Object> criteria(CounterLoad load, Inputs inputs, double minTpr) {
    List<Object> rows = new ArrayList<>();
    for (String word : List.of("accuracy", "cost", "f1", "mcc")) {
      Criterion criterion = criterion(word, inputs);
      ThresholdPlan plan =
          ThresholdPlan.tune(load.bits(), load.hashes(), load.keys(), criterion, minTpr);
      rows.add(
          Answer.row(
              word,
              plan.theta(),
              plan.decision(),
              plan.tpr(),
              plan.fpr(),
              criterion.score(plan.tpr(), plan.fpr())));
    }
    return rows;
  }
}
