package dev.bellows.papers.folding;

import dev.bellows.Layout;
import dev.bellows.answers.FoldSteps;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.math.Divisors;
import dev.bellows.papers.Item;
import dev.bellows.papers.Measured;
import dev.bellows.papers.Simulation;
import dev.bellows.plan.FoldPlan;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Folding paper, Eq. 1, 4, 6, 8 and 14: as printed and corrected. */
final class FoldingEquations extends Item {
  FoldingEquations() {
    super(
        "000/equations",
        "Equations 1, 4, 6, 8 and 14, printed and corrected",
        """
        Four formulas of the Folding paper are wrong as printed. The printed column shows what they
        give when taken literally; the formula column shows the corrected formula, checked with real
        filters where it is a rate. Eq. 1 and Eq. 4 lack the power k (F1), Eq. 6 uses the wrong
        modulus (F3), Eq. 14 has an upper end below its lower end (F2), and the next size may be any
        divisor, not only a product of full prime powers (F9).\
        """);
  }

  @Override
  protected void fill() {
    rate("equation-1", 1000, 1000, 100, 7);
    rate("equation-4", 840, 420, 40, 4);
    rate("equation-4", 840, 168, 40, 4);
    rate("equation-4", 840, 84, 40, 4);
    index(37, 50, 5);
    index(123_456_789, 5040, 2);
    index(123_456_789, 55_440, 11);
    index(719, 720, 2, 2, 2);
    index(4, 6, 3);
    sizes(50);
    sizes(360);
    sizes(55_440);
    interval(100, 2, 0.01, 0.005);
    interval(1000, 4, 0.01, 0.002);
    interval(5000, 3, 0.05, 0.01);
    interval(1_000_000, 10, 1e-4, 5e-5);
    noDivisor();
  }

  private void rate(String equation, long capacity, long bits, long keys, int hashes) {
    String place = "%s/bits=%d".formatted(equation, bits);
    String what = "rate of %d bits, %d keys, %d hashes".formatted(bits, keys, hashes);
    number(place + "/exponential", what + ", exponential form")
        .stated(PrintedFormulas.rate(capacity, keys, hashes), 1e-6)
        .formula(BloomRates.fpp(bits, keys, hashes))
        .erratum("F1");
    Measured simulation = Simulation.bloom(bits, hashes, keys, 30_000, 1);
    number(place + "/exact", what + ", exact")
        .formula(Simulation.expected(bits, keys, hashes))
        .measured(simulation)
        .erratum("C1");
  }

  private void index(long hash, long capacity, long... factors) {
    String by = Arrays.stream(factors).mapToObj(Long::toString).collect(Collectors.joining("-"));
    number(
            "equation-6/hash=%d/%d-by-%s".formatted(hash, capacity, by),
            "cell of hash %d after folding %d by %s".formatted(hash, capacity, by))
        .stated(PrintedFormulas.foldedIndex(hash, factors), 0)
        .formula(Long.remainderUnsigned(hash, FoldSteps.foldedSize(capacity, factors)))
        .erratum("F3");
  }

  private void sizes(long capacity) {
    number(
            "equation-8/%d".formatted(capacity),
            "divisors of %d; counted one by one".formatted(capacity))
        .formula(Divisors.count(capacity))
        .counted(Divisors.of(capacity).length);
    number(
            "section-4-c/%d".formatted(capacity),
            "sizes that %d folds to; printed: products of full prime powers".formatted(capacity))
        .stated(1L << Divisors.factorize(capacity).size(), 0)
        .formula(Divisors.count(capacity))
        .erratum("F9");
  }

  private void interval(long keys, int hashes, double fpp, double tolerance) {
    FoldPlan.Bounds bounds = FoldPlan.bounds(new Layout.Classic(hashes), keys, fpp, tolerance);
    String place = "equation-14/keys=%d/k=%d".formatted(keys, hashes);
    String what = "size for %d keys, %s ± %s".formatted(keys, fpp, tolerance);
    number(place + "/low", "smallest " + what)
        .stated(PrintedFormulas.sizeAt(keys, hashes, fpp + tolerance, tolerance), 0.01)
        .formula(bounds.low())
        .erratum("F2");
    number(place + "/high", "largest " + what)
        .stated(PrintedFormulas.sizeAt(keys, hashes, fpp - tolerance, tolerance), 0.01)
        .formula(bounds.high())
        .erratum("F2");
  }

  /** A band that no divisor of the capacity meets. */
  private void noDivisor() {
    FoldPlan plan = FoldPlan.of(new Layout.Classic(4), 55_440, 2000, 0.01, 0.002);
    number("no-divisor/admissible", "divisors of 55440 for 2000 keys, 1 % ± 0.2 %")
        .formula(plan.admissible().size())
        .erratum("F10");
    number("no-divisor/target", "chosen size: the smallest divisor above the band")
        .formula(plan.target())
        .erratum("F10");
  }
}
