package dev.bellows.papers.range;

import dev.bellows.papers.ClusterCount;
import dev.bellows.papers.Item;
import dev.bellows.papers.Result;
import dev.bellows.range.RangePlan;
import java.util.Arrays;

/** Algorithm 3-1: the simulation, with the library's hash and with the thesis's. */
public final class Algorithm31 extends Item {
  private static final int INSTANCES = 2000;
  private static final RangePlan AGE = new OneRange(512, 8, 120, 44).shape(1, 4);

  Algorithm31() {
    super(
        "003/algorithm-3-1",
        "Algorithm 3-1: the simulation, with our hash and with MD5 and SHA-256",
        """
        The thesis draws a thousand ranges, queries a thousand random numbers for each by comparing
        two filters, and counts those outside that pass. This page does the same with this library's
        filter and with the 16-bit words of MD5 and SHA-256 that the thesis uses as hash functions.
        With hash functions drawn again for each range, both agree with the exact mean. The thesis
        hashes all ranges alike, under one attribute name, and so measures one set of hash functions
        instead of the average over all (R16). This matters on the domain of 120 numbers of Figure
        4-6: over two thousand names, every range and every number, the average is right with either
        hash, but the median is a third below it, more than a quarter of the names have no false
        positive at all, and the worst has many times the average. The numbers queried for one range
        are not independent, so the intervals count them as fewer.\
        """,
        Pace.SLOW);
  }

  @Override
  protected void fill() {
    compare("figure-3-2/d=3", OneRange.HUNDRED.shape(3, 8), "Range");
    compare("figure-3-4/s=2", OneRange.HUNDRED.shape(1, 2), "Range");
    compare("figure-3-6/d=6/s=1", OneRange.THOUSAND.shape(6, 1), "Range");
    compare("figure-4-6/n=44", AGE, "Age");
    spread("names/library", "our hash", RangeHolder.library(AGE), AGE);
    spread("names/thesis", "MD5", RangeHolder.thesis(AGE, "Age"), AGE);
  }

  /** Compares both filters of a figure's shape. */
  private void compare(String place, RangePlan plan, String attribute) {
    double exact = ExactRangeRates.fpp(plan);
    add(place + "/library", "our hash", RangeHolder.compared(plan), plan, exact);
    add(place + "/thesis", "MD5", RangeHolder.thesis(plan, attribute), plan, exact);
  }

  private void add(String place, String hash, RangeHolder holder, RangePlan plan, double exact) {
    number(place + "/anew", "rate, %s, with new hash functions for each range".formatted(hash))
        .measured(RangeSimulation.reseeded(plan, holder))
        .formula(exact);
    number(
            place + "/alike",
            "rate, %s, with the same hash functions for all ranges".formatted(hash))
        .measured(RangeSimulation.oneInstance(plan, holder, 0))
        .formula(exact)
        .erratum("R16");
  }

  /** How the rates of single sets of hash functions lie around their mean. */
  private void spread(String place, String hash, RangeHolder holder, RangePlan plan) {
    number(place + "/first", "rate of the first name, %s, all cases".formatted(hash))
        .formula(ExactRangeRates.fpp(plan))
        .counted(RangeSimulation.everyCase(plan, holder, 0))
        .erratum("R16");
    double[] rates = RangeSimulation.instances(plan, holder, INSTANCES);
    Arrays.sort(rates);
    ClusterCount count = new ClusterCount();
    long cases = (plan.domain() - plan.range() + 1) * (plan.domain() - plan.range());
    for (double rate : rates) {
      count.add(Math.round(rate * cases), cases);
    }
    number(place + "/mean", "mean rate of %d names, %s".formatted(INSTANCES, hash))
        .measured(count.result(1, Result.ALPHA))
        .formula(ExactRangeRates.fpp(plan));
    number(place + "/median", "median rate of these names")
        .counted(rates[INSTANCES / 2])
        .erratum("R16");
    number(place + "/none", "share of names without a false positive")
        .counted(Arrays.stream(rates).filter(r -> r == 0).count() / (double) INSTANCES)
        .erratum("R16");
    number(place + "/greatest", "highest rate of a name")
        .counted(rates[INSTANCES - 1])
        .erratum("R16");
  }
}
