package dev.bellows.papers.range;

import dev.bellows.HashScheme;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.papers.Item;
import dev.bellows.papers.Result;
import dev.bellows.range.ProfilePlan;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangePlan;
import dev.bellows.range.RangePlan.Scheme;
import dev.bellows.range.RangeSchema;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/** The numbers in the running text of chapters 2 to 4. */
public final class ThesisProse extends Item {
  private static final int BITS = 512;

  ThesisProse() {
    super(
        "003/prose",
        "Numbers in the text of chapters 2 to 4",
        """
        Examples and claims with numbers outside tables and figures: how many positions an example
        takes, which divide or shift is best for it, where one scheme overtakes another, which k is
        best. Nearly all are right. From 10 to 60 there are 51 numbers, and k = 352 is n times k
        (R9); numbers three apart differ in three positions (R5); Division overtakes Overlapping at
        275, which appears as 260 on the text's grid of twenties (R15).\
        """);
  }

  @Override
  protected void fill() {
    standardFilter();
    divisionExample();
    overlappingExamples();
    bestShapes();
    oneRange();
    profile();
  }

  private Result.Builder count(String name, String what, long printed) {
    return number(name, what).printed(printed, 0);
  }

  private void standardFilter() {
    count("2.1/md5-words", "hash functions from MD5", 8).formula(DigestFilter.Indexes.words("MD5"));
    count("2.1/sha-256-words", "hash functions from SHA-256", 16)
        .formula(DigestFilter.Indexes.words("SHA-256"));
    count("2.1/most-hashes", "hash functions from both", 24).formula(DigestFilter.Indexes.MOST);
    count("2.1/best-k", "best k of 44 keys in 512 bits", 8)
        .formula(BloomRates.bestHashes(BITS, 44));
    count("2.2/concatenations", "numbers from 10 to 60", 61)
        .formula(LongStream.rangeClosed(10, 60).count())
        .erratum("R9");
  }

  private void divisionExample() {
    RangeCover cover = RangeCover.of(2, 12, 5, 8, 8);
    RangePlan plan = RangePlan.of(Scheme.DIVISION, BITS, 8, 1001, 12, 5, 8);
    int filters = 1000;
    int accepted = 0;
    for (int instance = 0; instance < filters; instance++) {
      LongPredicate filter = RangeHolder.library(plan).hold(instance, 2, 13);
      accepted += filter.test(14) ? 1 : 0;
    }
    count("3.1/divisions", "divisions of 5 from 2 to 13", 3).formula(cover.divisions());
    count("3.1/first", "first number of the first division", 0).formula(cover.firstDivision() * 5);
    count("3.1/last", "first number of the last division", 10).formula(cover.lastDivision() * 5);
    count("3.1/14", "chance that 14 passes, in the last division", 1)
        .formula(1)
        .measured(accepted, filters);
    number("3.1/all-divisions", "divisions of 5 from 0 to 1000, about")
        .printed(200, 1)
        .formula(RangeCover.of(0, 1001, 5, 8, 8).divisions());
    count("3.1/no-dividing-errors", "dividing errors if the divide is 1", 0)
        .formula(dividingErrors(100, 1));
    number("3.1/dividing-errors", "mean dividing errors if the divide is 5")
        .formula(5 - 1)
        .counted(dividingErrors(100, 5))
        .erratum("R3");
  }

  /** The mean number of dividing errors over all starts in a division. */
  private static double dividingErrors(long range, int divide) {
    return LongStream.range(0, divide)
        .mapToObj(start -> RangeCover.of(start, range, divide, 8, 8))
        .mapToLong(cover -> cover.leftErrors() + cover.rightErrors())
        .average()
        .orElseThrow();
  }

  private void overlappingExamples() {
    count("3.2/0-and-1", "positions in which 0 and 1 differ, s = 1", 1)
        .formula(Figure33.newPositions(1))
        .counted(ones(0, 1, 1) - ones(0, 0, 1));
    count("3.2/0-and-3", "positions in which 0 and 3 differ, s = 1", 2)
        .formula(Figure33.newPositions(3))
        .counted(ones(0, 3, 1) - ones(0, 0, 1))
        .erratum("R5");
    count("3.3/positions", "positions of 0 to 24 with d = 5, s = 1", 12)
        .formula(RangeCover.of(0, 25, 5, 1, 8).insertionBits())
        .counted(ones(0, 24, 5));
  }

  /** Ones of a range in a filter so large that positions do not coincide, k = 8 and s = 1. */
  private static long ones(long low, long high, long divide) {
    RangeSchema schema =
        RangeSchema.of(
            1L << 24, 8, Attribute.divisionOverlapping("Range", Domain.of(0, 999), 8, divide, 1));
    RangeBloomFilter filter = RangeBloomFilter.create(schema, HashScheme.DEFAULT);
    filter.putRange("Range", low, high);
    return filter.stats().ones();
  }

  private void bestShapes() {
    RangePlan division = OneRange.HUNDRED.best(Scheme.DIVISION);
    RangePlan overlapping = OneRange.HUNDRED.withRange(40).best(Scheme.OVERLAPPING);
    RangePlan both = OneRange.THOUSAND.best();
    number("3.1/best-d", "best divide of 100 numbers in 1000, \"3 or 4\"")
        .printed(3.5, 0.5)
        .formula(division.divide());
    count("3.4.1/best-d", "best divide of 100 numbers in 1000", 3).formula(division.divide());
    number("3.4.1/best-d/rate", "its rate, without approximations")
        .measured(RangeSimulation.of(division, 20_000))
        .printed("0.003")
        .formula(ExactRangeRates.fpp(division));
    count("3.4.1/best-s", "best shift of 40 numbers in 1000", 3).formula(overlapping.shift());
    count("3.4.1/both/d", "best divide of 1000 numbers in 10,000", 6).formula(both.divide());
    count("3.4.1/both/s", "best shift of 1000 numbers in 10,000", 1).formula(both.shift());
  }

  private void oneRange() {
    count("4.1/k", "k of 44 keys in 512 bits, printed as n times k", 352)
        .formula(BloomRates.bestHashes(BITS, 44))
        .erratum("R9");
    count("4.1/insertion-bits", "n times k of 44 keys in 512 bits", 352)
        .formula(44L * BloomRates.bestHashes(BITS, 44));
    number("4.1/best-rate", "rate of 44 keys in 512 bits, k = 8")
        .printed("0.004")
        .formula(BloomRates.fpp(BITS, 44, 8));
    count("4.1/better", "last n of 20, 40, ... where a scheme is no better than plain", 20)
        .formula(
            grid(20)
                .filter(
                    n ->
                        Math.max(rate(Scheme.DIVISION, n), rate(Scheme.OVERLAPPING, n))
                            >= rate(Scheme.PLAIN, n))
                .max()
                .orElse(0));
    count("4.1/overtakes/grid", "last n of 20, 40, ... where Overlapping beats Division", 260)
        .formula(lastOverlapping(20));
    count("4.1/overtakes", "first of all n where Division beats Overlapping", 260)
        .formula(lastOverlapping(1) + 1)
        .erratum("R15");
    columnsWhere(
        "k=12/rate",
        "columns of Table 4-1 where k = 12 has a lower rate than k = 8",
        n -> plan(12, n).fpp() < plan(8, n).fpp());
    columnsWhere(
        "k=12/bits",
        "columns where k = 12 inserts more bits than k = 8",
        n -> plan(12, n).insertionBits() > plan(8, n).insertionBits());
    columnsWhere(
        "s=1",
        "columns where a divide above 1 comes with shift 1, k = 8 and 12",
        n -> onlyOne(plan(8, n)) && onlyOne(plan(12, n)));
    number("4.3/third", "44 of the 120 numbers of Age, \"about 1/3\"")
        .printed(1 / 3.0, 0.05)
        .formula(44 / 120.0)
        .erratum("R16");
  }

  private void columnsWhere(String name, String what, LongPredicate holds) {
    count("4.1/" + name, what, 10)
        .formula(LongStream.rangeClosed(1, 10).map(i -> 100 * i).filter(holds).count());
  }

  private static boolean onlyOne(RangePlan plan) {
    return plan.divide() == 1 || plan.shift() == 1;
  }

  private static LongStream grid(long step) {
    return LongStream.rangeClosed(1, 340 / step).map(i -> i * step);
  }

  /** The last of the ranges at which Overlapping beats Division. */
  static long lastOverlapping(long step) {
    return grid(step)
        .filter(n -> rate(Scheme.OVERLAPPING, n) < rate(Scheme.DIVISION, n))
        .max()
        .orElse(0);
  }

  private static double rate(Scheme scheme, long range) {
    return OneRange.THOUSAND.withRange(range).best(scheme).fpp();
  }

  private static RangePlan plan(int hashes, long range) {
    return OneRange.THOUSAND.withHashes(hashes).withRange(range).best();
  }

  private void profile() {
    ProfilePlan best =
        ProfilePlan.bestUpTo(
            SystemAttributes.PROFILE, Scheme.DIVISION_OVERLAPPING, DigestFilter.Indexes.MOST);
    count("4.2/texts", "attributes that are texts", 5).formula(best.profile().strings());
    count("4.2/numbers", "attributes that are numbers", 5).formula(best.attributes().size());
    count("4.2/best-k", "best k of the ten attributes", 15).formula(best.hashes());
  }
}
