package dev.bellows.partition;

import static dev.bellows.plan.Oracles.CLOSED_FORM;
import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.math.Divisors;
import dev.bellows.internal.partition.IdPartition;
import dev.bellows.partition.Trees.Node;
import dev.bellows.plan.Oracles;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class PartitionPlanTest {
  private static final Pattern RANGE = Pattern.compile("range\\((\\d+),(\\d+),(\\d+)\\)");

  @TestFactory
  Stream<DynamicTest> unitBits() {
    return Oracles.cases(
        "002_dpbf",
        "m_of_n_k_f",
        (c, all) -> {
          long keys = c.integer("n");
          int hashes = c.small("k");
          double fpp = c.real("f");
          long bits = ((Number) c.out()).longValue();
          PartitionPlan plan = PartitionPlan.of(keys, 0, fpp, hashes);
          assertThat(plan.unitKeys()).isEqualTo(keys);
          assertThat(plan.unitBits()).isEqualTo(bits);
          assertThat(plan.classicUnitBits())
              .isEqualTo(((Number) all.get("m_from_classic")).longValue());
          assertClose(keys * BloomRates.bitsPerKey(hashes, fpp), all.get("m_real"), CLOSED_FORM);
          assertClose(BloomRates.fpp(bits, keys, hashes), all.get("fpr_exp_at_m"), CLOSED_FORM);
          assertClose(
              BloomRates.fppClassic(bits, keys, hashes), all.get("fpr_classic_at_m"), CLOSED_FORM);
          assertThat(BloomRates.keysFor(bits, hashes, fpp))
              .isEqualTo(((Number) all.get("n_t_at_m")).longValue());
        });
  }

  @TestFactory
  Stream<DynamicTest> keysOfAUnit() {
    return Oracles.cases(
        "002_dpbf",
        "n_t_of_m_k_f",
        (c, all) -> {
          long bits = c.integer("m");
          assertThat(BloomRates.keysFor(bits, c.small("k"), c.real("f")))
              .isEqualTo(((Number) c.expected("n_t")).longValue());
          assertClose(
              bits / BloomRates.bitsPerKey(c.small("k"), c.real("f")),
              c.expected("n_t_real"),
              CLOSED_FORM);
        });
  }

  @TestFactory
  Stream<DynamicTest> leafIndex() {
    return Oracles.cases(
        "002_dpbf",
        "leaf_index",
        (c, all) ->
            assertThat(IdPartition.of(c.integer("U"), c.small("d")).leafIndex(c.integer("x")))
                .isEqualTo(((Number) c.out()).longValue()));
  }

  @TestFactory
  Stream<DynamicTest> nodeRange() {
    return Oracles.cases(
        "002_dpbf",
        "node_range",
        (c, all) -> {
          IdPartition.IdRange range =
              IdPartition.of(c.integer("U"), c.small("i")).nodeRange(c.small("i"), c.integer("j"));
          List<Long> expected =
              ((List<?>) c.out()).stream().map(n -> ((Number) n).longValue()).toList();
          assertThat(List.of(range.from(), range.to())).isEqualTo(expected);
        });
  }

  @TestFactory
  Stream<DynamicTest> shape() {
    return Oracles.cases(
        "002_dpbf",
        "cpbpt_shape",
        (c, all) -> {
          IdPartition partition = IdPartition.of(c.integer("U"), c.small("d"));
          assertThat(partition.unitKeys()).isEqualTo(c.integer("n_t"));
          long[] ids = ids(c);
          Map<String, List<Long>> units = new TreeMap<>();
          for (long id : ids) {
            units
                .computeIfAbsent(Long.toString(partition.leafIndex(id)), i -> new ArrayList<>())
                .add(id);
          }
          assertThat(units.toString()).isEqualTo(new TreeMap<>(map(c, "puBFMap")).toString());
          PartitionPlan plan = PartitionPlan.of(c.integer("U"), c.small("d"), 0.01, 2);
          assertThat(units).hasSize((int) c.expected("s"));
          assertThat(plan.fewestUnits(ids.length))
              .isEqualTo(((Number) c.expected("s_lower_bound")).longValue());
          assertThat((long) units.size())
              .isBetween(plan.fewestUnits(ids.length), (long) ids.length);
          Trees tree = tree(partition, ids);
          assertThat(tree.leaves().stream().map(n -> ints(n.level(), n.index(), n.keys())).toList())
              .isEqualTo(c.expected("cpbpt_leaves_level_index_count"));
          assertThat(tree.innerNodes().stream().map(n -> ints(n.level(), n.index())).toList())
              .isEqualTo(c.expected("cpbpt_internal"));
          assertThat(tree.leaves().stream().filter(leaf -> leaf.keys() > 0))
              .hasSize((int) c.expected("populated_leaves"));
          assertThat((long) tree.innerNodes().size())
              .isLessThanOrEqualTo(plan.mostInnerNodes(ids.length));
        });
  }

  @TestFactory
  Stream<DynamicTest> listRate() {
    return Oracles.cases(
        "002_dpbf",
        "dbf_fpr",
        (c, all) -> {
          long bits = c.integer("m");
          int hashes = c.small("k");
          long unitKeys = BloomRates.keysFor(bits, hashes, c.real("f"));
          assertThat(unitKeys).isEqualTo(((Number) c.expected("n_t")).longValue());
          assertClose(BloomRates.fpp(bits, unitKeys, hashes), c.expected("f_unit"), CLOSED_FORM);
          assertClose(
              BloomRates.fpp(bits, c.integer("n_A") % unitKeys, hashes),
              c.expected("f_last"),
              CLOSED_FORM);
        });
  }

  @TestFactory
  Stream<DynamicTest> intersection() {
    return Oracles.cases(
        "002_dpbf",
        "intersection_by_and",
        (c, all) -> {
          long bits = c.integer("m");
          int hashes = c.small("k");
          // a key of one set alone passes at the rate of the other filter (erratum D9)
          assertClose(
              BloomRates.fppClassic(bits, c.integer("size_B"), hashes),
              c.expected("fpr_A_minus_B"),
              CLOSED_FORM);
          assertClose(
              BloomRates.fppClassic(bits, c.integer("size_A"), hashes),
              c.expected("fpr_B_minus_A"),
              CLOSED_FORM);
          assertClose(
              BloomRates.fppClassic(bits, c.integer("size_AandB"), hashes),
              c.expected("fpr_of_filter_of_true_intersection"),
              CLOSED_FORM);
        });
  }

  /** Figures 3 to 5 of the document. */
  @Test
  void runningExample() {
    IdPartition partition = IdPartition.of(32, 3);
    assertThat(partition.unitKeys()).isEqualTo(4);
    assertThat(partition.leafIndex(10)).isEqualTo(2);
    assertThat(tree(partition, 4, 5, 8, 10, 17, 19, 22, 25, 31))
        .isEqualTo(
            new Trees(
                List.of(new Node(1, 0, 4), new Node(2, 2, 3), new Node(2, 3, 2)),
                List.of(new Node(0, 0, 9), new Node(1, 1, 5))));
  }

  @Test
  void indicesAndRangesAgreeWithBigIntegers() {
    SplittableRandom random = new SplittableRandom(9);
    for (int trial = 0; trial < 20_000; trial++) {
      long universe =
          trial % 50 == 0
              ? IdPartition.MAX_UNIVERSE
              : trial % 7 == 0
                  ? Long.MAX_VALUE - random.nextLong(1000)
                  : random.nextLong(1, Long.MAX_VALUE) >>> random.nextInt(62) | 1;
      BigInteger exact = unsigned(universe);
      int depth = random.nextInt(Math.min(62, exact.bitLength() - 1) + 1);
      IdPartition partition = IdPartition.of(universe, depth);
      long id = exact.subtract(BigInteger.ONE).longValue();
      id = trial % 3 == 0 ? id : random.nextLong() >>> 1;
      id = trial % 5 == 0 || id >= 0 && universe > 0 && id >= universe ? id % universe : id;
      id = Math.max(0, id);
      BigInteger index = BigInteger.valueOf(id).shiftLeft(depth).divide(exact);
      assertThat(partition.leafIndex(id)).isEqualTo(index.longValueExact());
      IdPartition.IdRange range = partition.leafRange(index.longValueExact());
      assertThat(unsigned(range.from())).isEqualTo(border(index, exact, depth));
      assertThat(unsigned(range.to())).isEqualTo(border(index.add(BigInteger.ONE), exact, depth));
      assertThat(range.contains(id)).isTrue();
      assertThat(partition.leafIndex(range.from())).isEqualTo(index.longValueExact());
      assertThat(partition.leafIndex(range.to() - 1)).isEqualTo(index.longValueExact());
      assertThat(unsigned(partition.unitKeys()))
          .isEqualTo(border(BigInteger.ONE, exact, depth))
          .isGreaterThanOrEqualTo(unsigned(range.size()));
    }
  }

  private static BigInteger border(BigInteger index, BigInteger universe, int level) {
    BigInteger[] parts =
        index.multiply(universe).divideAndRemainder(BigInteger.ONE.shiftLeft(level));
    return parts[1].signum() == 0 ? parts[0] : parts[0].add(BigInteger.ONE);
  }

  private static BigInteger unsigned(long number) {
    return new BigInteger(Long.toUnsignedString(number));
  }

  /** Every node of every level of small universes. */
  @Test
  void levelsPartitionTheUniverse() {
    for (long universe = 1; universe <= 70; universe++) {
      for (int depth = 0; 1L << depth <= universe; depth++) {
        IdPartition partition = IdPartition.of(universe, depth);
        for (int level = 0; level <= depth; level++) {
          long next = 0;
          for (long index = 0; index < 1L << level; index++) {
            IdPartition.IdRange range = partition.nodeRange(level, index);
            assertThat(range.from()).isEqualTo(next);
            assertThat(range.size()).isPositive();
            next = range.to();
          }
          assertThat(next).isEqualTo(universe);
        }
      }
    }
  }

  @Test
  void depthMakesUnitsSmallEnoughAndNoSmaller() {
    for (long universe = 1; universe <= 300; universe++) {
      for (long unitKeys = 1; unitKeys <= universe; unitKeys++) {
        int depth = IdPartition.depthFor(universe, unitKeys);
        int log = 0;
        while (unitKeys << log < universe) {
          log++;
        }
        assertThat(depth).isEqualTo(log);
      }
    }
    assertThat(IdPartition.depthFor(IdPartition.MAX_UNIVERSE, 1024)).isEqualTo(53);
    assertThat(IdPartition.depthFor(10, 1000)).isZero();
  }

  /** The definition, node by node, against the recursive construction. */
  @Test
  void treesFollowTheDefinition() {
    SplittableRandom random = new SplittableRandom(10);
    for (int trial = 0; trial < 300; trial++) {
      long universe = random.nextLong(1, 200);
      int depth = random.nextInt(Long.SIZE - Long.numberOfLeadingZeros(universe));
      IdPartition partition = IdPartition.of(universe, depth);
      double density = random.nextDouble();
      long[] ids =
          LongStream.range(0, universe).filter(id -> random.nextDouble() < density).toArray();
      List<Node> leaves = new ArrayList<>();
      for (int level = 0; level <= depth; level++) {
        for (long index = 0; index < 1L << level; index++) {
          long keys = count(partition, level, index, ids);
          boolean parentIsFull =
              level == 0 || count(partition, level - 1, index / 2, ids) > partition.unitKeys();
          if (keys <= partition.unitKeys() && parentIsFull) {
            leaves.add(new Node(level, index, keys));
          }
        }
      }
      Trees tree = tree(partition, ids);
      assertThat(tree.leaves()).containsExactlyInAnyOrderElementsOf(leaves);
      assertThat(tree.innerNodes()).hasSize(tree.leaves().size() - 1);
      assertThat(tree.innerNodes().size())
          .isLessThanOrEqualTo(
              (int) PartitionPlan.of(universe, depth, 0.01, 3).mostInnerNodes(ids.length));
    }
  }

  private static long count(IdPartition partition, int level, long index, long[] ids) {
    IdPartition.IdRange range = partition.nodeRange(level, index);
    return LongStream.of(ids).filter(range::contains).count();
  }

  @Test
  void allocatedUnitsFoldAndKeepTheRate() {
    PartitionPlan plan = PartitionPlan.of(1L << 30, 20, 1e-4, 13);
    assertThat(plan.unitKeys()).isEqualTo(1024);
    assertThat(plan.leaves()).isEqualTo(1 << 20);
    assertThat(plan.allocatedUnitBits()).isBetween(plan.unitBits(), plan.unitBits() * 104 / 100);
    assertThat(Divisors.count(plan.allocatedUnitBits())).isGreaterThanOrEqualTo(40);
    assertThat(BloomRates.fppClassic(plan.allocatedUnitBits(), 1024, 13)).isLessThan(1e-4);
    assertThat(PartitionPlan.ofUnitKeys(1L << 30, 1024, 1e-4, 13)).isEqualTo(plan);
    assertThat(IdPartition.of(plan.universe(), plan.depth()).unitKeys()).isEqualTo(1024);
    assertThat(plan.mostBits(3)).isEqualTo(6.0 * plan.unitBits());
    assertThat(plan.fewestUnits(0)).isZero();
  }

  @Test
  void classicBitsAreTheFewest() {
    for (long keys : new long[] {1, 2, 7, 64, 1000}) {
      for (int hashes = 1; hashes <= 13; hashes += 3) {
        for (double fpp : new double[] {0.7, 0.1, 0.01, 1e-4}) {
          long bits = BloomRates.classicBitsFor(keys, hashes, fpp);
          assertThat(BloomRates.fppClassic(bits, keys, hashes))
              .isLessThanOrEqualTo(fpp * (1 + 1e-12));
          assertThat(bits == 1 || BloomRates.fppClassic(bits - 1, keys, hashes) > fpp).isTrue();
        }
      }
    }
  }

  @Test
  void refusals() {
    assertThatThrownBy(() -> PartitionPlan.of(100, 3, 1, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("fpp", "0", "1", "1.0");
    assertThatThrownBy(() -> PartitionPlan.of(100, 7, 0.01, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("7", "128", "100", "6");
    assertThatThrownBy(() -> PartitionPlan.of(0, 0, 0.01, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("universe", "1", "0");
    assertThatThrownBy(() -> PartitionPlan.of(IdPartition.MAX_UNIVERSE, 0, 0.01, 4))
        .hasMessageContaining("use a depth of at least 43");
    assertThatThrownBy(() -> PartitionPlan.of(Long.MAX_VALUE, 63, 0.01, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("depth", "0", "62", "63");
    assertThatThrownBy(() -> IdPartition.depthFor(IdPartition.MAX_UNIVERSE, 1))
        .hasMessageContaining("[0, 62]: 63");
    assertThatThrownBy(() -> IdPartition.of(100, 3).leafIndex(100))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("100", "0");
    assertThatThrownBy(() -> IdPartition.of(IdPartition.MAX_UNIVERSE, 3).leafIndex(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("-1", "0", "9223372036854775808");
    assertThatThrownBy(() -> IdPartition.of(100, 3).nodeRange(2, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("index", "0", "3", "4");
    assertThatThrownBy(() -> BloomRates.classicBitsFor(Long.MAX_VALUE, 1, 1e-9))
        .hasMessageContaining("fewer keys");
  }

  /** The tree of an actual filter, which is also that of the definition. */
  private static Trees tree(IdPartition partition, long... ids) {
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.create(partition.universe(), partition.depth(), 0.01);
    filter.putIds(ids);
    Trees tree = Trees.of(filter);
    assertThat(tree).isEqualTo(Trees.of(partition, LongStream.of(ids)));
    return tree;
  }

  private static long[] ids(Oracles.Case c) {
    Object ids = c.in().get("A");
    if (ids instanceof List<?> list) {
      return list.stream().mapToLong(id -> ((Number) id).longValue()).toArray();
    }
    Matcher matcher = RANGE.matcher((String) ids);
    assertThat(matcher.matches()).isTrue();
    long from = Long.parseLong(matcher.group(1));
    long to = Long.parseLong(matcher.group(2));
    long step = Long.parseLong(matcher.group(3));
    return LongStream.iterate(from, id -> id < to, id -> id + step).toArray();
  }

  private static List<Integer> ints(long... numbers) {
    return LongStream.of(numbers).mapToObj(n -> (int) n).collect(Collectors.toList());
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Oracles.Case c, String field) {
    return (Map<String, Object>) c.expected(field);
  }
}
