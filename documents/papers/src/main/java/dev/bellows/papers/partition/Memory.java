package dev.bellows.papers.partition;

import dev.bellows.papers.Heap;
import dev.bellows.papers.Item;
import dev.bellows.papers.Result;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import dev.bellows.papers.partition.GrowthWorkload.Spread;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import dev.bellows.partition.PartitionPlan;
import java.util.Arrays;
import java.util.Locale;

/** Partition paper, Section 2.2: memory of the partition filter in both modes, and of DBF. */
final class Memory extends Item {
  /** The number of standard deviations that a count exceeds with probability 1e-9. */
  private static final double DEVIATIONS = 6.11;

  Memory() {
    super(
        "002/memory",
        "Section 2.2: memory of the partition filter in both modes, compared with DBF",
        """
        The Partition paper expects the number of populated units s to be close to the minimum, so
        that its filter takes little more memory than DBF. This holds for consecutive ids. For
        uniform ids nearly every key populates its own unit, and stored as rows of bits, the map and
        the tree (D13) would take 19,000 bits per key. The library's PUBLISHED mode stores such
        units as lists of positions; its default, EXACT_LEAVES, stores the ids themselves and a
        folded tree. The heap was measured after garbage collection, for a universe of 2^30, depth
        20, 1e-4 and k = 13.\
        """,
        Pace.ALONE);
  }

  /** The heap is measured: nothing else may allocate meanwhile. */
  @Override
  protected void fill() {
    PartitionPlan plan = GrowthWorkload.plan();
    columns("keys, spread, units, fewest units, rows of bits, published, exact leaves, dbf");
    for (Spread spread : Spread.values()) {
      String name = spread.name().toLowerCase(Locale.ROOT);
      Chart chart =
          Chart.of(
              spread == Spread.UNIFORM ? "Uniform ids" : "Consecutive ids",
              Axis.log("keys").between(800, 1.25e6),
              Axis.log("bits per key").between(10, 1e5));
      Points rows = chart.dashed("published, as rows of bits", 3);
      Points published = chart.curve("PUBLISHED", 1);
      Points exact = chart.curve("EXACT_LEAVES", 0);
      Points list = chart.curve("DBF", 2);
      for (int size : new int[] {1000, 10_000, 100_000, 1_000_000}) {
        long[] ids = GrowthWorkload.ids(spread, size);
        double keys = Arrays.stream(ids).distinct().count();
        DynamicPartitionBloomFilter filter = GrowthWorkload.partition(Mode.EXACT_LEAVES, ids);
        long units = filter.populatedUnits();
        double rowsOfBits =
            (units + StoredTree.of(filter).populatedLeaves().size()) * plan.unitBits() / keys;
        double ofPublished = heap(Mode.PUBLISHED, ids) / keys;
        double ofExact = heap(Mode.EXACT_LEAVES, ids) / keys;
        double ofList = 8.0 * Heap.bytes(() -> GrowthWorkload.list(plan, ids)) / keys;
        String place = "%s/keys=%d".formatted(name, size);
        units(place, spread, plan, (long) keys, units);
        bits(place + "/published", ofPublished, "PUBLISHED");
        bits(place + "/exact-leaves", ofExact, "EXACT_LEAVES");
        bits(place + "/dbf", ofList, "DBF");
        row(
            (long) keys,
            name,
            units,
            plan.fewestUnits((long) keys),
            rowsOfBits,
            ofPublished,
            ofExact,
            ofList);
        rows.add(size, rowsOfBits);
        published.add(size, ofPublished);
        exact.add(size, ofExact);
        list.add(size, ofList);
      }
      if (spread != Spread.CLUSTERED) {
        picture("Bits per key, " + name + " ids", chart.toSvg());
      }
    }
  }

  private static double heap(Mode mode, long[] ids) {
    return 8.0 * Heap.bytes(() -> GrowthWorkload.partition(mode, ids));
  }

  /** Returns the units from the first id in a row to the last. */
  private static long inARow(PartitionPlan plan, long keys) {
    long first = GrowthWorkload.UNIVERSE / 3;
    long ids = plan.unitKeys();
    return (first + keys - 1) / ids - first / ids + 1;
  }

  /** The populated units: of consecutive ids by their ends, of uniform ids like balls in boxes. */
  private void units(String place, Spread spread, PartitionPlan plan, long keys, long units) {
    Result.Builder result = number(place + "/units", "populated units, s");
    if (spread == Spread.SORTED) {
      // Eq. 2 is a lower bound: consecutive ids may begin inside a unit
      result.statedAtLeast(plan.fewestUnits(keys)).formula(inARow(plan, keys)).counted(units);
    } else if (spread == Spread.UNIFORM) {
      double load = (double) keys / plan.leaves();
      double empty = Math.exp(-load);
      double spreadOf = Math.sqrt(plan.leaves() * empty * (1 - (1 + load) * empty));
      double slack = DEVIATIONS * spreadOf + 1;
      result
          .formula(-plan.leaves() * Math.expm1(keys * Math.log1p(-1.0 / plan.leaves())))
          .measured(units, units - slack, units + slack, Result.ALPHA);
    } else {
      result.counted(units);
    }
  }

  private void bits(String place, double bits, String what) {
    number(place, "heap of %s in bits per key".formatted(what)).counted(bits);
  }
}
