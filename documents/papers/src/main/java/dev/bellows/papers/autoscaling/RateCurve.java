package dev.bellows.papers.autoscaling;

import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.papers.Result;
import dev.bellows.papers.autoscaling.Answers.Rate;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/** The rates of one kind of filter over the number of its keys: by formula, and measured. */
final class RateCurve {
  private final String name;
  private final int colour;
  private final Map<Long, ThresholdPlan.Rates> rates = new TreeMap<>();
  private final Map<Long, Answers> measured = new TreeMap<>();

  RateCurve(String name, int colour, LongStream keys, LongFunction<ThresholdPlan.Rates> formula) {
    this.name = name;
    this.colour = colour;
    keys.forEach(n -> rates.put(n, formula.apply(n)));
  }

  /** Adds what real filters with this many keys answered. */
  void measured(long at, Answers answers) {
    measured.put(at, answers);
  }

  /** Returns the lowest and the highest of a rate. */
  DoubleSummaryStatistics extremes(Rate rate) {
    return rates.values().stream().mapToDouble(rate.formula).summaryStatistics();
  }

  /** Gives the formula's rates as rows of data. */
  void rows(Consumer<Object[]> rowOf) {
    rates.forEach(
        (n, rate) -> rowOf.accept(new Object[] {name, n, rate.tpr(), rate.fpr(), rate.accuracy()}));
  }

  /** Fills in a number for each rate of each number of keys that was measured. */
  void results(BiFunction<String, String, Result.Builder> number) {
    measured.forEach(
        (at, answers) -> {
          String place = "n=%d/%s/".formatted(at, name.replace(' ', '-'));
          answers.compare(number, place, ", " + name + ", n = " + at, rates.get(at));
        });
  }

  /** Draws one rate of several kinds. */
  static void draw(Chart chart, List<RateCurve> curves, Rate rate) {
    curves.forEach(curve -> curve.drawFormula(chart, rate));
    curves.forEach(curve -> curve.drawMeasured(chart, rate));
  }

  private void drawFormula(Chart chart, Rate rate) {
    Points points = measured.isEmpty() ? chart.dashed(name, colour) : chart.curve(name, colour);
    rates.forEach((n, rates) -> points.add(n, rate.formula.applyAsDouble(rates)));
  }

  private void drawMeasured(Chart chart, Rate rate) {
    Points points = chart.points("", colour);
    measured.forEach((at, answers) -> points.add(at, rate.measured.apply(answers)));
  }
}
