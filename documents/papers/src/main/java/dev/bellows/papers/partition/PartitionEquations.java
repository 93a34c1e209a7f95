package dev.bellows.papers.partition;

import dev.bellows.BloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.partition.IdPartition;
import dev.bellows.papers.Item;
import dev.bellows.papers.Simulation;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import dev.bellows.partition.PartitionPlan;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Partition paper, Eq. 1 and 2, Definition 2.4 and the space formula, with their errata. */
final class PartitionEquations extends Item {
  PartitionEquations() {
    super(
        "002/equations",
        "Equations 1 and 2, the tree's bounds and the space formula",
        """
        Eq. 1 gives the bits of a unit. It promises a rate of at most f, which holds for the
        exponential formula; the true rate is slightly above f (D1). The bound on inner nodes fails
        for consecutive ids, since leaves without a key count in the tree but not in s (D6), and
        the space formula lacks its minus sign (D5). The average rate of a whole filter (D11) was
        simulated with filters of 1024 ids, each with its own hash functions; so was the AND of two
        units (D9), whose rate for ids of neither set is above that of a unit of the common ids.\
        """);
  }

  @Override
  protected void fill() {
    size(4, 2, 0.01);
    size(64, 4, 0.01);
    size(1000, 7, 0.01);
    size(1000, 13, 1e-4);
    number("equation-1/keys-again", "keys of 6 bits, the size by Eq. 1 for 10 keys at 0.99")
        .stated(10, 0)
        .formula(BloomRates.keysFor(BloomRates.bitsFor(10, 3, 0.99), 3, 0.99))
        .erratum("D2");
    unevenParts();
    rootLeaf();
    innerNodes();
    space();
    meanRate();
    intersection();
  }

  private void size(long keys, int hashes, double fpp) {
    long bits = BloomRates.bitsFor(keys, hashes, fpp);
    String place = "equation-1/n=%d/k=%d/f=%s".formatted(keys, hashes, fpp);
    number(place + "/rate", "power-form rate of the %d bits of Eq. 1".formatted(bits))
        .stated(fpp, 0)
        .formula(BloomRates.fppClassic(bits, keys, hashes))
        .erratum("D1");
    number(place + "/bits", "bits that keep the rate; printed: by Eq. 1")
        .stated(bits, 0)
        .formula(BloomRates.classicBitsFor(keys, hashes, fpp))
        .erratum("D1");
  }

  /** A hundred ids in eight parts: twelve or thirteen each. */
  private void unevenParts() {
    IdPartition partition = IdPartition.of(100, 3);
    long smallest = Long.MAX_VALUE;
    long largest = 0;
    for (int part = 0; part < 8; part++) {
      smallest = Math.min(smallest, partition.leafRange(part).size());
      largest = Math.max(largest, partition.leafRange(part).size());
    }
    number("definition-2-1/smallest", "ids of the smallest of 8 parts of 100 ids")
        .stated(12.5, 0)
        .formula(smallest)
        .erratum("D3");
    number("definition-2-1/largest", "ids of the largest part, n_t")
        .stated(12.5, 0)
        .formula(partition.unitKeys())
        .counted(largest)
        .erratum("D3");
  }

  private void rootLeaf() {
    DynamicPartitionBloomFilter filter = exact(32, 3, 1, 9, 17, 25);
    number("definition-2-4/root", "leaves of a tree of 4 keys, units of 4")
        .formula(TreeShape.of(filter.plan(), filter.ids()).leaves().size())
        .counted(StoredTree.of(filter).leaves().size())
        .erratum("D4");
  }

  /** Five ids in a row: two units, but four inner nodes. */
  private void innerNodes() {
    DynamicPartitionBloomFilter filter = exact(64, 4, 0, 1, 2, 3, 4);
    TreeShape tree = StoredTree.of(filter);
    number("space/units", "populated units s of the ids 0 to 4 of 64, depth 4")
        .formula(TreeShape.units(filter.plan(), filter.ids()).size())
        .counted(filter.populatedUnits());
    number("space/inner", "inner nodes; printed: at most s = 2")
        .stated(filter.populatedUnits(), 0)
        .formula(filter.plan().mostInnerNodes(5))
        .counted(tree.innerNodes().size())
        .erratum("D6");
    number("space/leaves", "leaves, three of them empty; printed: at most s = 2")
        .stated(filter.populatedUnits(), 0)
        .counted(tree.leaves().size())
        .erratum("D6");
  }

  /** The space formula on the running example. */
  private void space() {
    RunningExample example = new RunningExample();
    long units = example.filter.populatedUnits();
    double perUnit =
        RunningExample.UNIVERSE
            * RunningExample.HASHES
            / (Math.pow(2, RunningExample.DEPTH)
                * Math.log1p(-Math.pow(RunningExample.FPP, 1.0 / RunningExample.HASHES)));
    number("space/bits", "bits of the s = 6 units of Figure 3; printed: the formula as it stands")
        .stated(units * Math.ceil(perUnit), 0)
        .formula(units * example.plan.unitBits())
        .erratum("D5");
  }

  private void meanRate() {
    PartitionPlan plan = PartitionPlan.of(1024, 4, 0.01, 4);
    SplittableRandom random = new SplittableRandom(11);
    long[] ids = new long[342];
    Arrays.setAll(ids, i -> 3L * i);
    TreeShape tree = StoredTree.of(exact(1024, 4, ids));
    long passed = 0;
    int trials = 4000;
    int absentKeys = 20;
    for (int trial = 0; trial < trials; trial++) {
      DynamicPartitionBloomFilter filter =
          DynamicPartitionBloomFilter.builder()
              .universe(1024)
              .depth(4)
              .fpp(0.01)
              .hashes(4)
              .mode(Mode.PUBLISHED)
              .hashScheme(HashScheme.xxh3(trial))
              .build();
      filter.putIds(ids);
      for (int i = 0; i < absentKeys; i++) {
        long id = random.nextLong(341) * 3 + 1 + random.nextInt(2);
        passed += filter.mightContainId(id) ? 1 : 0;
      }
    }
    number("mean-rate", "mean rate of every third id of 1024, units of 64 at 1 %")
        .formula(tree.averageFpp(plan))
        .measured(passed, (long) trials * absentKeys)
        .erratum("D11");
  }

  /** Two units of 64 ids at 600 bits, 32 of them common. */
  private void intersection() {
    long passed = 0;
    int trials = 4000;
    int absentKeys = 100;
    for (int trial = 0; trial < trials; trial++) {
      BloomFilter and = unit(trial, 0).intersection(unit(trial, 32), 1);
      for (int key = 96; key < 96 + absentKeys; key++) {
        passed += and.mightContain(key) ? 1 : 0;
      }
    }
    number(
            "intersection/neither",
            "rate of the AND of two units for ids of neither set; printed: that of the common ids")
        .stated(BloomRates.fppClassic(600, 32, 4), 0)
        .formula(AndRates.fppOfNeither(600, 4, 64, 64, 32))
        .measured(passed, (long) trials * absentKeys)
        .erratum("D9");
  }

  private static BloomFilter unit(long seed, long from) {
    return Simulation.filter(600, 4, LongStream.range(from, from + 64), seed);
  }

  private static DynamicPartitionBloomFilter exact(long universe, int depth, long... ids) {
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.builder().universe(universe).depth(depth).fpp(0.01).build();
    filter.putIds(ids);
    return filter;
  }
}
