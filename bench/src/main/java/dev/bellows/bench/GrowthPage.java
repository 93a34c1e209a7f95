package dev.bellows.bench;

import dev.bellows.bench.FingerprintStudy.Results;
import dev.bellows.bench.GrowthCurve.Point;
import dev.bellows.bench.GrowthPauses.Pauses;
import dev.bellows.bench.GrowthTimes.Time;
import dev.bellows.bench.GrowthWire.Size;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.jr.ob.JSON;

/** The results of the study on growth as JSON and as a page. */
final class GrowthPage {
  private GrowthPage() {}

  /** Unknown values have no field. */
  static String json(Results results) throws IOException {
    return JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(plain(results)) + "\n";
  }

  /** Records as maps, in the order of their components. */
  private static @Nullable Object plain(Object value) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    if (value instanceof List<?> list) {
      return list.stream().map(GrowthPage::plain).toList();
    } else if (value instanceof Map<?, ?> map) {
      map.forEach((name, each) -> fields.put((String) name, plain(each)));
    } else if (value instanceof Record) {
      for (var component : value.getClass().getRecordComponents()) {
        try {
          component.getAccessor().setAccessible(true);
          fields.put(component.getName(), plain(component.getAccessor().invoke(value)));
        } catch (ReflectiveOperationException e) {
          throw new IllegalStateException(e);
        }
      }
    } else {
      return value instanceof Double real && real.isNaN() ? null : value;
    }
    return fields;
  }

  /** Returns the page, whose words are in a resource of its name. */
  static String text(Results results) throws IOException {
    return format(
            RunFolder.resource("growth.txt"),
            power(results.maxKeys()),
            Grower.ROW_KEYS,
            results.date(),
            String.join(", ", results.machine().values()),
            results.heap().keys(),
            results.heap().counted(),
            results.heap().collected(),
            grown("FingerprintFilter", results.fingerprint())
                + grown("ScalableBloomFilter", results.scalable())
                + rows(results.peers().entrySet(), peer -> memory(peer.getKey(), peer.getValue())),
            rates(results),
            rows(results.peers().entrySet(), peer -> rate(peer.getKey(), peer.getValue())),
            GrowthTimes.ROUNDS,
            rows(results.queries(), GrowthPage::time),
            rows(results.puts(), GrowthPage::time),
            rows(results.threads(), GrowthPage::time),
            rows(results.pauses(), GrowthPage::pause),
            rows(results.wire(), GrowthPage::size))
        .strip()
        .concat("\n");
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static <T> String rows(Collection<T> values, Function<T, String> row) {
    return values.stream().map(value -> row.apply(value) + "\n").collect(Collectors.joining());
  }

  private static String power(long keys) {
    return format("%.0e", (double) keys).replaceFirst("e\\+0*", "e");
  }

  private static String grown(String name, List<Point> points) {
    double mean = GrowthCurve.mean(points);
    return format("| %s | grid | %.2f | %.2f |%n", name, mean, GrowthCurve.most(points));
  }

  private static String memory(String name, Point p) {
    return format("| %s | %,d | %.2f | |", name, p.keys(), p.bitsPerKey());
  }

  private static String rates(Results results) {
    Map<Long, Point> scalable = new LinkedHashMap<>();
    results.scalable().forEach(point -> scalable.put(point.keys(), point));
    return rows(
        results.fingerprint().stream().filter(point -> !Double.isNaN(point.fpp())).toList(),
        p ->
            format(
                "| %,d | %.4f | %.4f | %.4f |",
                p.keys(),
                100 * p.fpp(),
                100 * p.expectedFpp(),
                100 * scalable.get(p.keys()).fpp()));
  }

  private static String rate(String name, Point p) {
    return format("- %s, %,d keys: %.4f", name, p.keys(), 100 * p.fpp());
  }

  private static String time(Time t) {
    return format(
        "| %s | %,d | %s | %.1f | %.2f (%.2f to %.2f) |",
        t.what(), t.keys(), t.name(), t.nanos(), t.ratio(), t.low(), t.high());
  }

  private static String pause(Pauses p) {
    return format(
        "| %,d to %,d | %.1f | %.0f | %.1f | %.0f |",
        p.from(), p.to(), p.ownP9999(), p.ownMost(), p.wallP9999(), p.wallMost());
  }

  private static String size(Size s) {
    String built = s.aged() ? "the rate" : "1e-6";
    return format(
        "| %,d | %s %% | %s | %.3f | %.3f | %.3f | %.2f |",
        s.keys(), 100 * s.fpp(), built, s.bitsPerKey(), s.beyond(), s.leastBeyond(), s.limit());
  }
}
