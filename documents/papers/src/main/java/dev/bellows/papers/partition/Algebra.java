package dev.bellows.papers.partition;

import dev.bellows.papers.Item;
import dev.bellows.papers.Result;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import dev.bellows.papers.partition.AlgebraRun.Queried;
import dev.bellows.papers.partition.AlgebraRun.Side;
import dev.bellows.papers.partition.AlgebraRun.Step;
import dev.bellows.papers.partition.AlgebraRun.Structure;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import dev.bellows.partition.PartitionView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Partition paper, abstract and section 1: many unions and intersections of sets of different
 * sizes.
 */
final class Algebra extends Item {
  private static final int TREES = 3;
  private static final Axis OPERATIONS = Axis.linear("operation in its tree").between(0, 40);

  private final AlgebraRun.Size size;

  Algebra() {
    this(AlgebraRun.Size.FULL);
  }

  Algebra(AlgebraRun.Size size) {
    super(
        "002/algebra",
        "The abstract's claim: unions and intersections of 40 sets, compared with DBF",
        """
        "DPBF ... can efficiently handle a large number of unions and intersections of sets of
        different sizes while controlling the false positive rate", says the abstract of the
        Partition paper; no version of the paper contains the experiment. This page uses 40 sets of
        100 to 100,000 ids, drawn from one population of 250,000, in 2^20 units of 2^30 ids at 1 %,
        k = 7. Three random trees of 39 operations each combine two sets at a time, by a union or
        an intersection, until one is left. After each operation every id of the result is queried
        (in DBF a sample of them), and so are absent ids: from anywhere, and from the population,
        many of which are in one of the two operands (D9). Over all operations both modes stay
        below 1 %. Single operations vary around the average; the highest rate of each mode is
        listed, with its interval. The standard filter is the baseline: it can only be merged at
        one size, here that of the largest set, and has no bound; it is nearly empty after most
        operations and reaches 3 % after the largest union. The AND of two lists needs a filter for
        every pair of their filters, so DBF multiplies in size: it is abandoned beyond 10,000
        filters and not drawn from then on. The operations that it survives cost it less, since it
        only copies filters or ANDs them. Bytes are those of the whole filter's file; for DBF, of
        its filters. A rate of zero is drawn as if half an id had passed.\
        """,
        Pace.ALONE);
    this.size = size;
  }

  @Override
  protected void fill() {
    AlgebraRun run = new AlgebraRun(size);
    run.tree(99); // the first run is slower
    columns(
        "tree, operation, kind, keys, structure, rate anywhere, rate in population, bytes",
        "filters, operation us, query ns");
    List<Step> steps = new ArrayList<>();
    for (int tree = 1; tree <= TREES; tree++) {
      for (Step step : run.tree(tree)) {
        steps.add(step);
        rows(tree, step);
      }
    }
    mode(steps, Structure.PUBLISHED);
    mode(steps, Structure.EXACT_LEAVES);
    worst(steps, Structure.STANDARD, "the standard filter");
    number("standard/rate", "rate of absent ids over all operations, the standard filter")
        .measured(passed(steps, Structure.STANDARD, Side::anywhere).measured());
    list(steps);
    leaves(steps);
    views(run, Mode.PUBLISHED);
    views(run, Mode.EXACT_LEAVES);
    planned(run, Mode.PUBLISHED);
    planned(run, Mode.EXACT_LEAVES);
    Chart rates =
        chart(
            "Rate after each operation: both modes about 1 % at most, a standard filter up to 3 %,"
                + " DBF far above",
            "False positives along the operations", OPERATIONS, Axis.log("rate").between(1e-5, 1));
    rates.dashed("target", 6).level(AlgebraRun.FPP, 0, 40);
    draw(rates, steps, side -> side.anywhere().drawn());
    Axis bytes = Axis.log("bytes").between(100, 1e8);
    draw(
        chart("Bytes after each operation", "Memory along the operations", OPERATIONS, bytes),
        steps,
        Side::bytes);
    Axis nanos = Axis.log("nanoseconds").between(10, 1e6);
    String title = "Time of a query along the operations";
    Chart queries = chart("Time of a query after each operation", title, OPERATIONS, nanos);
    draw(queries, steps, Side::queryTime);
    Axis micros = Axis.log("microseconds").between(1, 1e7);
    String time = "Time of each operation";
    draw(chart(time, time, OPERATIONS, micros), steps, Side::time);
  }

  private void rows(int tree, Step step) {
    step.sides()
        .forEach(
            (structure, side) ->
                row(
                    tree,
                    step.number(),
                    step.isUnion() ? "union" : "intersection",
                    step.keys(),
                    structure.words,
                    side.anywhere().rate(),
                    side.population().rate(),
                    side.bytes(),
                    side.filters(),
                    side.time(),
                    side.queryTime()));
  }

  /** Returns what was measured of a structure, after the operations that it survived. */
  private static Stream<Side> sides(List<Step> steps, Structure structure) {
    return steps.stream().map(step -> step.sides().get(structure)).filter(Objects::nonNull);
  }

  private static Queried passed(
      List<Step> steps, Structure structure, Function<Side, Queried> queried) {
    return sides(steps, structure).map(queried).reduce(Queried.NONE, Queried::plus);
  }

  private void mode(List<Step> steps, Structure mode) {
    missing(steps, mode);
    number(mode.place + "/rate", "rate of absent ids over all operations, " + mode.words)
        .statedAtMost(AlgebraRun.FPP)
        .measured(passed(steps, mode, Side::anywhere).measured());
    number(mode.place + "/rate-population", "rate of absent ids of the population, " + mode.words)
        .statedAtMost(AlgebraRun.FPP)
        .measured(passed(steps, mode, Side::population).measured());
    worst(steps, mode, mode.words);
  }

  private void missing(List<Step> steps, Structure structure) {
    number(
            structure.place + "/missing",
            "ids of a result that %s denies".formatted(structure.words))
        .stated(0, 0)
        .counted(sides(steps, structure).mapToLong(Side::missing).sum());
  }

  /** The operation after which most absent ids of the population passed. */
  private void worst(List<Step> steps, Structure structure, String name) {
    number(structure.place + "/worst", "highest rate after one operation, " + name)
        .measured(
            sides(steps, structure)
                .flatMap(one -> Stream.of(one.anywhere(), one.population()))
                .max(Comparator.comparingDouble(Queried::rate))
                .orElseThrow()
                .measured());
  }

  private void list(List<Step> steps) {
    List<Step> alive = steps.stream().filter(s -> s.sides().containsKey(Structure.DBF)).toList();
    number("dbf/operations", "operations that DBF survives, of " + steps.size())
        .counted(alive.size());
    missing(steps, Structure.DBF);
    number("dbf/rate", "rate of absent ids over those operations, DBF")
        .measured(passed(steps, Structure.DBF, Side::anywhere).measured());
    ratio("query", "time of a query: DBF divided by PUBLISHED, on average", alive, Side::queryTime);
    ratio(
        "operation",
        "time of an operation: DBF divided by PUBLISHED, on average",
        alive,
        Side::time);
  }

  private void ratio(String place, String what, List<Step> alive, ToDoubleFunction<Side> value) {
    double list = sides(alive, Structure.DBF).mapToDouble(value).sum();
    double tree = sides(alive, Structure.PUBLISHED).mapToDouble(value).sum();
    number("dbf/" + place, what).counted(list / tree);
  }

  /** How many leaves an intersection keeps, compressed again under the bound of erratum D10. */
  private void leaves(List<Step> steps) {
    List<Step> both = steps.stream().filter(step -> !step.isUnion()).toList();
    double published = sides(both, Structure.PUBLISHED).mapToDouble(Side::filters).sum();
    double exact = sides(both, Structure.EXACT_LEAVES).mapToDouble(Side::filters).sum();
    number("leaves", "leaves after intersections: PUBLISHED divided by EXACT_LEAVES, on average")
        .counted(published / exact)
        .erratum("D10");
  }

  /** One view of all sets, merged without the ids. */
  private void views(AlgebraRun run, Mode mode) {
    String at = "views/" + mode.word();
    List<DynamicPartitionBloomFilter> filters = run.filters(mode);
    PartitionView union = filters.get(0).view();
    double sum = union.expectedFpp();
    long leaves = union.leaves();
    DynamicPartitionBloomFilter whole = filters.get(0);
    for (DynamicPartitionBloomFilter filter : filters.subList(1, filters.size())) {
      PartitionView view = filter.view();
      sum += view.expectedFpp();
      leaves += view.leaves();
      union = union.union(view, 1);
      whole = whole.union(filter, 1);
    }
    missing(at + "/missing", "ids of the sets that the union of all views denies", run, union);
    measured(number(at + "/rate", "rate of the union of all views"), run, union);
    number(at + "/bound", "bound of that rate, from its fill").formula(union.expectedFpp());
    number(at + "/sum", "sum of the bounds of the 40 views").formula(sum);
    number(at + "/whole", "bound of the union of the whole filters instead")
        .formula(whole.expectedFpp());
    number(at + "/leaves", "leaves of the union; of the 40 views: " + leaves)
        .counted(union.leaves());
  }

  /** The same with views that were planned for these unions. */
  private void planned(AlgebraRun run, Mode mode) {
    String at = "views/" + mode.word() + "/for-unions";
    List<DynamicPartitionBloomFilter> filters = run.filters(mode);
    double fpp = run.plan().viewFpp(filters.size() - 1);
    PartitionView union = filters.get(0).view(fpp);
    for (DynamicPartitionBloomFilter filter : filters.subList(1, filters.size())) {
      union = union.union(filter.view(fpp), 1);
    }
    missing(
        at + "-missing",
        "ids of the sets that the union of views planned for it denies",
        run,
        union);
    measured(
        number(at, "rate of the union of views planned for it").statedAtMost(AlgebraRun.FPP),
        run,
        union);
  }

  private void missing(String at, String what, AlgebraRun run, PartitionView union) {
    number(at, what)
        .stated(0, 0)
        .counted(
            run.ids().stream()
                .flatMapToLong(Arrays::stream)
                .filter(id -> !union.mightContainId(id))
                .count());
  }

  private void measured(Result.Builder rate, AlgebraRun run, PartitionView union) {
    long[] outside = run.outside(10 * size.queries());
    rate.measured(Arrays.stream(outside).filter(union::mightContainId).count(), outside.length);
  }

  private static void draw(Chart chart, List<Step> steps, ToDoubleFunction<Side> value) {
    draw(chart.dots("DBF", 1), steps, Structure.DBF, value);
    draw(chart.dots("standard", 3), steps, Structure.STANDARD, value);
    draw(chart.dots("PUBLISHED", 2), steps, Structure.PUBLISHED, value);
    draw(chart.dots("EXACT_LEAVES", 0), steps, Structure.EXACT_LEAVES, value);
  }

  private static void draw(
      Points points, List<Step> steps, Structure structure, ToDoubleFunction<Side> value) {
    for (Step step : steps) {
      Side side = step.sides().get(structure);
      if (side != null) {
        points.add(step.number(), value.applyAsDouble(side));
      }
    }
  }
}
