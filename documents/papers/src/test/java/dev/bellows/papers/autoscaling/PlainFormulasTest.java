package dev.bellows.papers.autoscaling;

import static dev.bellows.plan.Oracles.CLOSED_FORM;
import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.internal.autoscale.DistinctRates;
import dev.bellows.papers.baseline.RebuiltBloomFilter;
import dev.bellows.plan.Oracles;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Formulas of plain filters that the Autoscaling paper compares with. */
class PlainFormulasTest {
  @TestFactory
  Stream<DynamicTest> emptyShares() {
    return Oracles.cases(
        "004_abf",
        "p0_distinct_and_with_replacement",
        (c, all) -> {
          long m = c.integer("m");
          int k = c.small("k");
          long n = c.integer("n");
          double coinciding = EmptyShare.withReplacement(m, k, n);
          assertClose(coinciding, c.expected("eq10"), CLOSED_FORM);
          assertClose(
              DistinctRates.emptyShare(m, k, n) / coinciding, c.expected("ratio"), CLOSED_FORM);
        });
  }

  @TestFactory
  Stream<DynamicTest> hashesOfTheRebuiltFilter() {
    return Oracles.cases(
        "004_abf",
        "optimised_bf",
        (c, all) -> {
          long m = c.integer("m");
          if (c.in().get("n") instanceof String) {
            Set<Integer> hashes = new TreeSet<>();
            for (int n = 50; n <= 5000; n += 50) {
              hashes.add(RebuiltBloomFilter.hashesFor(m, n));
            }
            assertThat(hashes).hasSize((Integer) c.expected("distinct_k"));
            assertThat(hashes).contains((Integer) c.expected("k_min"));
            assertThat(hashes).contains((Integer) c.expected("k_max"));
            return;
          }
          assertThat(RebuiltBloomFilter.hashesFor(m, c.integer("n"))).isEqualTo(c.expected("k"));
        });
  }
}
