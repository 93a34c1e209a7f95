package dev.bellows.papers.autoscaling;

import dev.bellows.papers.MeanInterval;
import dev.bellows.papers.Outcome;
import dev.bellows.papers.Result;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.plan.DetectionRates;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** The rates of one kind of filter over the number of its keys: by formula, and measured. */
final class RateCurve {
  private final String name;
  private final int colour;
  private final long[] keys;
  private final DetectionRates[] rates;
  private final LongFunction<DetectionRates> formula;
  private final Map<Long, Answers> measured = new TreeMap<>();

  private RateCurve(String name, int colour, long[] keys, LongFunction<DetectionRates> formula) {
    this.name = name;
    this.colour = colour;
    this.keys = keys;
    this.formula = formula;
    this.rates = Arrays.stream(keys).mapToObj(formula).toArray(DetectionRates[]::new);
  }

  static RateCurve of(String name, int colour, long[] keys, LongFunction<DetectionRates> formula) {
    return new RateCurve(name, colour, keys, formula);
  }

  /** Adds what real filters with so many keys answered. */
  void measured(long at, Answers answers) {
    measured.put(at, answers);
  }

  /** One of the rates at every number of keys. */
  DoubleStream all(ToDoubleFunction<DetectionRates> rate) {
    return Arrays.stream(rates).mapToDouble(rate);
  }

  /** Adds the formula's rates to the data. */
  void rows(Outcome outcome) {
    for (int i = 0; i < keys.length; i++) {
      outcome.row(name, keys[i], rates[i].tpr(), rates[i].fpr(), rates[i].accuracy());
    }
  }

  /** Adds a result for each rate of each number of keys that was measured. */
  void results(Outcome outcome, String item) {
    measured.forEach(
        (at, answers) -> {
          DetectionRates right = formula.apply(at);
          String place = "%s/n=%d/%s/".formatted(item, at, name.replace(' ', '-'));
          String what = name + ", n = " + at;
          outcome.add(
              answers
                  .stored()
                  .to(Result.of(place + "tpr", "TPR, " + what))
                  .formula(right.tpr())
                  .build());
          outcome.add(
              answers
                  .absent()
                  .to(Result.of(place + "fpr", "FPR, " + what))
                  .formula(right.fpr())
                  .build());
          outcome.add(
              answers
                  .accuracyTo(Result.of(place + "acc", "ACC, " + what))
                  .formula(right.accuracy())
                  .build());
        });
  }

  /** A chart of one rate, tpr, fpr or acc, of several kinds. */
  static Chart chart(String title, Axis across, Axis up, List<RateCurve> curves, String rate) {
    Chart chart = Chart.of(title, across, up);
    curves.forEach(curve -> curve.drawFormula(chart, rate));
    curves.forEach(curve -> curve.drawMeasured(chart, rate));
    return chart;
  }

  private void drawFormula(Chart chart, String rate) {
    double[] xs = Arrays.stream(keys).asDoubleStream().toArray();
    double[] ys =
        all(r -> rate.equals("acc") ? r.accuracy() : rate.equals("fpr") ? r.fpr() : r.tpr())
            .toArray();
    if (measured.isEmpty()) {
      chart.dashed(name, colour, xs, ys);
    } else {
      chart.curve(name, colour, xs, ys);
    }
  }

  private void drawMeasured(Chart chart, String rate) {
    int count = measured.size();
    double[] xs = measured.keySet().stream().mapToDouble(Long::doubleValue).toArray();
    double[] ys = new double[count];
    double[] lows = new double[count];
    double[] highs = new double[count];
    int i = 0;
    for (Answers answers : measured.values()) {
      MeanInterval interval =
          switch (rate) {
            case "tpr" -> answers.stored().interval(Result.ALPHA);
            case "fpr" -> answers.absent().interval(Result.ALPHA);
            default -> answers.accuracy(Result.ALPHA);
          };
      ys[i] = interval.mean();
      lows[i] = interval.low();
      highs[i] = interval.high();
      i++;
    }
    chart.points("", colour, xs, ys, lows, highs);
  }
}
