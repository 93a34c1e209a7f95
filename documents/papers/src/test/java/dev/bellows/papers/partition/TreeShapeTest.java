package dev.bellows.papers.partition;

import static dev.bellows.plan.Oracles.CLOSED_FORM;
import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.internal.math.BloomRates;
import dev.bellows.papers.baseline.DynamicBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.PartitionPlan;
import dev.bellows.plan.Oracles;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class TreeShapeTest {
  private static final Pattern RANGE = Pattern.compile("range\\((\\d+),(\\d+),(\\d+)\\)");

  @TestFactory
  Stream<DynamicTest> averageRate() {
    return Oracles.cases(
        "002_dpbf",
        "dpbf_average_fpr",
        (c, all) -> {
          PartitionPlan plan = plan(c.integer("U"), c.small("d"), c.integer("m"), c.small("k"));
          TreeShape tree = TreeShape.of(plan, ids(c));
          assertClose(tree.averageFpp(plan), c.out(), CLOSED_FORM);
          assertThat(tree.leaves()).hasSize((int) all.get("leaves"));
          long most = tree.leaves().stream().mapToLong(TreeShape.Node::keys).max().orElseThrow();
          assertClose(
              BloomRates.fppClassic(c.integer("m"), most, c.small("k")),
              all.get("worst_leaf_fpr"),
              CLOSED_FORM);
        });
  }

  @TestFactory
  Stream<DynamicTest> intersectionByAnd() {
    return Oracles.cases(
        "002_dpbf",
        "intersection_by_and",
        (c, all) -> {
          long bits = c.integer("m");
          int hashes = c.small("k");
          long a = c.integer("size_A");
          long b = c.integer("size_B");
          long both = c.integer("size_AandB");
          assertClose(
              AndRates.fill(bits, hashes, a, b, both), c.expected("fill_of_AND"), CLOSED_FORM);
          assertClose(
              AndRates.fppOfNeither(bits, hashes, a, b, both),
              c.expected("fpr_neither"),
              CLOSED_FORM);
        });
  }

  private static PartitionPlan plan(long universe, int depth, long bits, int hashes) {
    PartitionPlan plan = PartitionPlan.of(universe, depth, 0.01, hashes);
    return new PartitionPlan(universe, depth, 0.01, hashes, plan.unitKeys(), bits, bits);
  }

  private static long[] ids(Oracles.Case c) {
    if (c.in().get("A") instanceof List<?> list) {
      return list.stream().mapToLong(id -> ((Number) id).longValue()).toArray();
    }
    Matcher range = RANGE.matcher((String) c.in().get("A"));
    assertThat(range.matches()).isTrue();
    long to = Long.parseLong(range.group(2));
    long step = Long.parseLong(range.group(3));
    return LongStream.iterate(Long.parseLong(range.group(1)), id -> id < to, id -> id + step)
        .toArray();
  }

  @TestFactory
  Stream<DynamicTest> listRate() {
    return Oracles.cases(
        "002_dpbf",
        "dbf_fpr",
        (c, all) -> {
          long bits = c.integer("m");
          long unitKeys = BloomRates.keysFor(bits, c.small("k"), c.real("f"));
          assertClose(
              DynamicBloomFilter.fpp(c.integer("n_A"), unitKeys, bits, c.small("k")),
              c.expected("f_DBF"),
              CLOSED_FORM);
        });
  }

  @Test
  void aFullUniverseHasNoAbsentId() {
    PartitionPlan plan = plan(8, 1, 64, 3);
    assertThat(TreeShape.of(plan, 0, 1, 2, 3, 4, 5, 6, 7).averageFpp(plan)).isZero();
  }

  /** The tree of the definition is the one that a filter builds. */
  @Test
  void filtersHaveTheShape() {
    SplittableRandom random = new SplittableRandom(10);
    for (int trial = 0; trial < 100; trial++) {
      double density = random.nextDouble();
      long[] ids = LongStream.range(0, 500).filter(id -> random.nextDouble() < density).toArray();
      DynamicPartitionBloomFilter filter = DynamicPartitionBloomFilter.create(500, 6, 0.01);
      filter.putIds(ids);
      assertThat(StoredTree.of(filter)).isEqualTo(TreeShape.of(filter.plan(), ids));
    }
  }
}
