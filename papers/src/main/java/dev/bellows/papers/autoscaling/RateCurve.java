package dev.bellows.papers.autoscaling;

import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.papers.Result;
import dev.bellows.papers.autoscaling.Answers.Rate;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** The rates of one kind of filter over the number of its keys: by formula, and measured. */
final class RateCurve {
  private final String name;
  private final int colour;
  private final long[] keys;
  private final ThresholdPlan.Rates[] rates;
  private final LongFunction<ThresholdPlan.Rates> formula;
  private final Map<Long, Answers> measured = new TreeMap<>();

  private RateCurve(
      String name, int colour, long[] keys, LongFunction<ThresholdPlan.Rates> formula) {
    this.name = name;
    this.colour = colour;
    this.keys = keys;
    this.formula = formula;
    this.rates = Arrays.stream(keys).mapToObj(formula).toArray(ThresholdPlan.Rates[]::new);
  }

  static RateCurve of(
      String name, int colour, long[] keys, LongFunction<ThresholdPlan.Rates> formula) {
    return new RateCurve(name, colour, keys, formula);
  }

  /** Adds what real filters with this many keys answered. */
  void measured(long at, Answers answers) {
    measured.put(at, answers);
  }

  /** Returns the lowest and the highest of a rate. */
  DoubleSummaryStatistics extremes(Rate rate) {
    return Arrays.stream(rates).mapToDouble(rate.formula).summaryStatistics();
  }

  /** Gives the formula's rates as rows of data. */
  void rows(Consumer<Object[]> rowOf) {
    for (int i = 0; i < keys.length; i++) {
      ThresholdPlan.Rates rate = rates[i];
      rowOf.accept(new Object[] {name, keys[i], rate.tpr(), rate.fpr(), rate.accuracy()});
    }
  }

  /** Fills in a number for each rate of each number of keys that was measured. */
  void results(BiFunction<String, String, Result.Builder> number) {
    measured.forEach(
        (at, answers) -> {
          String place = "n=%d/%s/".formatted(at, name.replace(' ', '-'));
          answers.compare(number, place, ", " + name + ", n = " + at, formula.apply(at));
        });
  }

  /** Draws one rate of several kinds. */
  static void draw(Chart chart, List<RateCurve> curves, Rate rate) {
    curves.forEach(curve -> curve.drawFormula(chart, rate));
    curves.forEach(curve -> curve.drawMeasured(chart, rate));
  }

  private void drawFormula(Chart chart, Rate rate) {
    Points points = measured.isEmpty() ? chart.dashed(name, colour) : chart.curve(name, colour);
    for (int i = 0; i < keys.length; i++) {
      points.add(keys[i], rate.formula.applyAsDouble(rates[i]));
    }
  }

  private void drawMeasured(Chart chart, Rate rate) {
    Points points = chart.points("", colour);
    measured.forEach((at, answers) -> points.add(at, rate.measured.apply(answers)));
  }
}
