package dev.bellows.papers.folding;

import dev.bellows.Layout;
import dev.bellows.internal.numbers.Divisors;
import dev.bellows.internal.numbers.FoldSteps;
import dev.bellows.internal.rates.BloomRates;
import dev.bellows.papers.Item;
import dev.bellows.papers.Outcome;
import dev.bellows.papers.Result;
import dev.bellows.papers.Simulation;
import dev.bellows.plan.FoldPlan;
import java.util.Arrays;
import java.util.stream.Collectors;

/** 000 Equations 1, 4, 6, 8 and 14, where what is printed and what is right differ. */
final class Equations implements Item {
  @Override
  public String id() {
    return "000/equations";
  }

  @Override
  public String title() {
    return "Equations 1, 4, 6, 8 and 14, printed and corrected";
  }

  @Override
  public String paragraph() {
    return "Four formulas of the document give wrong values as they stand. The printed column is what they"
        + " give to the letter; the formula column is the corrected one, checked by real filters where"
        + " it is a rate. Eq 1 and 4 lack the power k (F1), Eq 6 takes the wrong modulus (F3), Eq 14 has"
        + " an upper end below its lower one (F2), and the next size may be any divisor, not only a"
        + " product of full prime powers (F9).";
  }

  @Override
  public Outcome compute() {
    Outcome outcome = new Outcome();
    rate(outcome, "equation-1", 1000, 1000, 100, 7);
    rate(outcome, "equation-4", 840, 420, 40, 4);
    rate(outcome, "equation-4", 840, 168, 40, 4);
    rate(outcome, "equation-4", 840, 84, 40, 4);
    index(outcome, 37, 50, 5);
    index(outcome, 123_456_789, 5040, 2);
    index(outcome, 123_456_789, 55_440, 11);
    index(outcome, 719, 720, 2, 2, 2);
    index(outcome, 4, 6, 3);
    sizes(outcome, 50);
    sizes(outcome, 360);
    sizes(outcome, 55_440);
    interval(outcome, 100, 2, 0.01, 0.005);
    interval(outcome, 1000, 4, 0.01, 0.002);
    interval(outcome, 5000, 3, 0.05, 0.01);
    interval(outcome, 1_000_000, 10, 1e-4, 5e-5);
    noDivisor(outcome);
    return outcome;
  }

  private void rate(
      Outcome outcome, String equation, long capacity, long bits, long keys, int hashes) {
    String place = "%s/%s/bits=%d".formatted(id(), equation, bits);
    String what = "rate of %d bits, %d keys, %d hashes".formatted(bits, keys, hashes);
    outcome.add(
        Result.of(place + "/exponential", what + ", exponential form")
            .printed(PrintedFormulas.rate(capacity, keys, hashes), 1e-6)
            .formula(BloomRates.fpp(bits, keys, hashes))
            .erratum("F1")
            .build());
    Simulation simulation = Simulation.bloom(bits, hashes, keys, 30_000, 1);
    outcome.add(
        Result.of(place + "/exact", what + ", exact")
            .formula(Simulation.expected(bits, keys, hashes))
            .measured(simulation.passed(), simulation.asked())
            .erratum("C1")
            .build());
  }

  private void index(Outcome outcome, long hash, long capacity, long... factors) {
    String by = Arrays.stream(factors).mapToObj(Long::toString).collect(Collectors.joining("-"));
    outcome.add(
        Result.of(
                "%s/equation-6/hash=%d/%d-by-%s".formatted(id(), hash, capacity, by),
                "cell of hash %d after folding %d by %s".formatted(hash, capacity, by))
            .printed(PrintedFormulas.foldedIndex(hash, factors), 0)
            .formula(FoldSteps.foldedIndex(hash, capacity, factors))
            .erratum("F3")
            .build());
  }

  private void sizes(Outcome outcome, long capacity) {
    outcome.add(
        Result.of(
                "%s/equation-8/%d".formatted(id(), capacity),
                "divisors of %d; counted one by one".formatted(capacity))
            .formula(Divisors.count(capacity))
            .counted(Divisors.of(capacity).length)
            .build());
    outcome.add(
        Result.of(
                "%s/section-4-c/%d".formatted(id(), capacity),
                "sizes that %d folds to; printed: products of full prime powers"
                    .formatted(capacity))
            .printed(1L << Divisors.factorize(capacity).size(), 0)
            .formula(Divisors.count(capacity))
            .erratum("F9")
            .build());
  }

  private void interval(Outcome outcome, long keys, int hashes, double fpp, double tolerance) {
    FoldPlan.Bounds bounds = FoldPlan.bounds(keys, hashes, fpp, tolerance, Layout.CLASSIC);
    String place = "%s/equation-14/keys=%d/k=%d".formatted(id(), keys, hashes);
    String what = "size for %d keys, %s ± %s".formatted(keys, fpp, tolerance);
    outcome.add(
        Result.of(place + "/low", "smallest " + what)
            .printed(PrintedFormulas.sizeAt(keys, hashes, fpp + tolerance, tolerance), 0.01)
            .formula(bounds.low())
            .erratum("F2")
            .build());
    outcome.add(
        Result.of(place + "/high", "largest " + what)
            .printed(PrintedFormulas.sizeAt(keys, hashes, fpp - tolerance, tolerance), 0.01)
            .formula(bounds.high())
            .erratum("F2")
            .build());
  }

  /** A band that no divisor of the capacity meets. */
  private void noDivisor(Outcome outcome) {
    FoldPlan plan = FoldPlan.of(55_440, 2000, 4, 0.01, 0.002);
    outcome.add(
        Result.of(id() + "/no-divisor/admissible", "divisors of 55440 for 2000 keys, 1 % ± 0.2 %")
            .formula(plan.admissible().size())
            .erratum("F10")
            .build());
    outcome.add(
        Result.of(id() + "/no-divisor/target", "size taken: the smallest divisor above the band")
            .formula(plan.target())
            .erratum("F10")
            .build());
  }
}
