package dev.bellows.web;

import dev.bellows.Layout;
import dev.bellows.answers.JavaCode;
import dev.bellows.answers.PlanFields;
import dev.bellows.answers.Quantities;
import dev.bellows.internal.layout.RateRule;
import dev.bellows.plan.BloomPlan;
import dev.bellows.plan.CapacityPlan;
import dev.bellows.plan.CapacityPlan.KeyRange;
import dev.bellows.plan.FoldPlan;
import dev.bellows.plan.TransmissionPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A filter along its ladder, several foldings together, and the capacity for a range of keys. */
final class FoldTab {
  /** The largest size for which divisors are found fast enough, by trial division. */
  private static final long MOST_BITS = 1_000_000_000_000L;

  /** The maximum number of sizes that are drawn: the largest ones. */
  private static final int MOST_RUNGS = 400;

  private static final String WAIT = "this would take too long on the page; use the command line";

  private FoldTab() {}

  static Answer answer(Inputs inputs) {
    inputs.check(
        i -> i.requiredBits("capacity"),
        i -> i.requiredCount("keys"),
        i -> Inputs.required("hashes", i.smallPositive("hashes")),
        i -> i.requiredRate("fpp"),
        i -> i.requiredProbability("tolerance"),
        i -> i.parsed("budget", Quantities::size));
    long capacity = inputs.requiredBits("capacity");
    Inputs.atMost("capacity", MOST_BITS, capacity, WAIT);
    long keys = inputs.requiredCount("keys");
    int hashes = Inputs.required("hashes", inputs.smallPositive("hashes"));
    double fpp = inputs.requiredRate("fpp");
    double tolerance = inputs.requiredProbability("tolerance");
    Layout.Family layout = inputs.layout();
    FoldPlan plan = FoldPlan.of(layout.withHashes(hashes), capacity, keys, fpp, tolerance);
    Answer answer =
        new Answer(PlanFields.fold(plan))
            .command(
                new Answer.Command("fold")
                    .option("capacity", capacity)
                    .option("keys", keys)
                    .option("hashes", hashes)
                    .option("fpp", fpp)
                    .option("tolerance", tolerance)
                    .layout(layout))
            .java(
                "BloomFilter filter = BloomFilter.builder().layout(%s).bits(%dL).build();"
                    .formatted(JavaCode.layout(plan.layout()), capacity),
                "BloomFilter folded = filter.foldTo(%dL);".formatted(plan.target()))
            .put("capacity", capacity)
            .put("keys", keys)
            .put("hashes", hashes)
            .put("cellBits", plan.layout().cellBits())
            .put("ladder", ladder(plan, fpp));
    addSent(answer, plan, fpp, inputs);
    return answer;
  }

  /**
   * Returns the maximum number of foldings whose joint rate can be computed while a slider moves.
   */
  private static int mostSent(FoldPlan plan) {
    return plan.layout() instanceof Layout.Classic ? 5 : 3;
  }

  /** Returns the number of foldings to show if none are given. */
  private static int proposed(FoldPlan plan) {
    return (mostSent(plan) + 1) / 2;
  }

  /** Returns every size, its rate and the verdict on it, ascending. */
  private static List<Object> ladder(FoldPlan plan, double fpp) {
    Layout layout = plan.layout();
    long[] sizes = FoldPlan.ladder(plan.capacity(), layout.cellBits());
    List<Object> ladder = new ArrayList<>();
    for (int i = Math.max(0, sizes.length - MOST_RUNGS); i < sizes.length; i++) {
      double rate = layout.fppSharp(sizes[i], plan.keys());
      ladder.add(Answer.row(sizes[i], rate, RateRule.judge(rate, fpp).name()));
    }
    return ladder;
  }

  /**
   * Adds the joint rate of a receiver of several foldings, and what to send next. If none are
   * given, they are the first ones that the planner would send.
   */
  private static void addSent(Answer answer, FoldPlan plan, double fpp, Inputs inputs) {
    Long budget = inputs.parsed("budget", Quantities::size);
    BloomPlan shape = new BloomPlan(plan.layout(), plan.capacity(), 0);
    List<Long> sent = new ArrayList<>();
    try {
      sent.addAll(named(plan, inputs));
    } catch (BadInput e) {
      answer.put("faults", Map.of(e.field(), String.valueOf(e.getMessage())));
    }
    boolean room = sent.size() < mostSent(plan);
    Optional<TransmissionPlan> next = next(shape, plan.keys(), sent, room ? budget : null);
    if (!inputs.has("sent")) {
      while (next.isPresent() && sent.size() < proposed(plan)) {
        sent.add(next.get().bits());
        next = next(shape, plan.keys(), sent, budget);
      }
    }
    Layout layout = plan.layout();
    List<Object> joint = new ArrayList<>();
    for (int i = 0; i < sent.size(); i++) {
      long[] first = sent.subList(0, i + 1).stream().mapToLong(Long::longValue).toArray();
      joint.add(
          Answer.row(
              sent.get(i),
              layout.jointFpp(new long[] {sent.get(i)}, plan.keys()),
              layout.jointFpp(first, plan.keys())));
    }
    answer.put("sent", joint);
    if (!sent.isEmpty()) {
      long[] all = sent.stream().mapToLong(Long::longValue).toArray();
      double together = layout.jointFpp(all, plan.keys());
      answer.put("verdict", RateRule.judge(together, fpp).name());
    }
    answer.put("nextVerdict", next.map(p -> RateRule.judge(p.jointFpp(), fpp).name()).orElse(null));
    answer.put("least", least(plan));
    answer.put("full", !room);
    answer.put("next", next.map(p -> PlanFields.transmission(plan.capacity(), p)).orElse(null));
  }

  /**
   * Returns the size and rate of the smallest folding that is useful alone; null if there is none.
   */
  private static @Nullable List<@Nullable Object> least(FoldPlan plan) {
    Layout layout = plan.layout();
    for (long size : FoldPlan.ladder(plan.capacity(), layout.cellBits())) {
      double rate = layout.fppSharp(size, plan.keys());
      if (RateRule.judge(rate, null) != RateRule.Verdict.USELESS) {
        return Answer.row(size, rate);
      }
    }
    return null;
  }

  private static Optional<TransmissionPlan> next(
      BloomPlan shape, long keys, List<Long> sent, @Nullable Long budget) {
    return budget == null || budget == 0
        ? Optional.empty()
        : TransmissionPlan.next(shape, keys, sent, budget);
  }

  /** Returns the foldings that were named. */
  private static List<Long> named(FoldPlan plan, Inputs inputs) {
    int cellBits = plan.layout().cellBits();
    List<Long> sent = new ArrayList<>();
    for (String text : inputs.textOr("sent", "").split("[,;\\s]+")) {
      if (!text.isEmpty()) {
        Long parsed = inputs.parsed("sent", all -> Quantities.count(text));
        long size = Inputs.required("sent", parsed);
        if (size < 1 || plan.capacity() % size != 0 || size % cellBits != 0) {
          throw new BadInput(
              "sent",
              "%d bits is not a folding of %d bits: use sizes of the ladder"
                  .formatted(size, plan.capacity()));
        }
        sent.add(size);
      }
    }
    int most = mostSent(plan);
    if (sent.size() > most) {
      throw new BadInput(
          "sent",
          ("the page combines up to %d foldings of a %s filter; use bellows "
                  + "plan transmission for more")
              .formatted(most, PlanFields.word(plan.layout().family())));
    }
    return sent;
  }

  static Answer capacity(Inputs inputs) {
    inputs.check(
        i -> Inputs.required("range", i.parsed("range", PlanFields::keyRange)),
        i -> i.requiredRate("fpp"),
        i -> i.requiredProbability("tolerance"));
    KeyRange keys = Inputs.required("range", inputs.parsed("range", PlanFields::keyRange));
    Inputs.atMost("range", MOST_BITS / 100, keys.most(), WAIT);
    double fpp = inputs.requiredRate("fpp");
    double tolerance = inputs.requiredProbability("tolerance");
    double memory = inputs.amountOr("memory", CapacityPlan.MEMORY);
    Layout.Family layout = inputs.layout();
    CapacityPlan plan = CapacityPlan.of(keys, fpp, tolerance, memory, layout);
    return new Answer(PlanFields.capacity(plan))
        .command(
            new Answer.Command("capacity")
                .option("keys", keys.fewest() + ".." + keys.most())
                .option("fpp", fpp)
                .option("tolerance", tolerance)
                .option("memory", inputs.has("memory") ? memory : null)
                .layout(layout))
        .java(
            ("ElasticBloomFilter filter = "
                    + "ElasticBloomFilter.builder().capacity(%dL).fpp(%s).tolerance(%s).layout(Layout.Family.%s).build();")
                .formatted(plan.capacity(), fpp, tolerance, layout))
        .put("smallestNeed", plan.smallestNeed())
        .put("largestNeed", plan.largestNeed())
        .put("serving", plan.serving());
  }

  static Answer smooth(Inputs inputs) {
    long from = inputs.requiredCount("from");
    long within = inputs.requiredCount("within");
    long smooth = inputs.requiredCount("smooth");
    Inputs.atMost("within", 1_000_000, within, WAIT);
    Map<String, @Nullable Object> fields =
        PlanFields.smooth(CapacityPlan.smooth(from, within, smooth));
    return new Answer(fields)
        .command(
            new Answer.Command("capacity")
                .option("from", from)
                .option("within", within)
                .option("smooth", smooth));
  }
}
