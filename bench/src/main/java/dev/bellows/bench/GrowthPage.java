package dev.bellows.bench;

import dev.bellows.bench.FingerprintStudy.Results;
import dev.bellows.bench.GrowthCurve.Point;
import dev.bellows.bench.GrowthPauses.Pauses;
import dev.bellows.bench.GrowthTimes.Time;
import dev.bellows.bench.GrowthWire.Size;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.jr.ob.JSON;

/** The results of the study on growth as JSON and as a page. */
final class GrowthPage {
  private final StringBuilder out = new StringBuilder();

  private GrowthPage() {}

  static String json(Results results) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("date", results.date());
    fields.put("maxKeys", results.max());
    fields.put("machine", results.machine());
    fields.put("heap", fields(results.heap()));
    fields.put("fingerprint", results.fingerprint().stream().map(Point::fields).toList());
    fields.put("scalable", results.scalable().stream().map(Point::fields).toList());
    Map<String, Object> peers = new LinkedHashMap<>();
    results.peers().forEach((name, point) -> peers.put(name, point.fields()));
    fields.put("peers", peers);
    fields.put("wire", results.wire().stream().map(GrowthPage::fields).toList());
    fields.put("queries", results.queries().stream().map(GrowthPage::fields).toList());
    fields.put("puts", results.puts().stream().map(GrowthPage::fields).toList());
    fields.put("threads", results.threads().stream().map(GrowthPage::fields).toList());
    fields.put("pauses", results.pauses().stream().map(GrowthPage::fields).toList());
    return JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(fields) + "\n";
  }

  private static Map<String, Object> fields(Record row) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (var component : row.getClass().getRecordComponents()) {
      try {
        var accessor = component.getAccessor();
        accessor.setAccessible(true);
        fields.put(component.getName(), accessor.invoke(row));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
    return fields;
  }

  static String text(Results results) {
    GrowthPage page = new GrowthPage();
    page.head(results);
    page.memory(results);
    page.rates(results);
    page.times("Queries, half of them hits", results.queries());
    page.line(
        "`reads of a chunk alone` is no filter: it reads what a query of a fingerprint filter has");
    page.line("to read, directory, head, counts and slots, and computes next to nothing.");
    page.line("");
    page.times("Puts", results.puts());
    page.times("Puts of two threads", results.threads());
    page.pauses(results.pauses());
    page.wire(results.wire());
    return page.out.toString();
  }

  private void line(String format, Object... values) {
    out.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private static String power(long keys) {
    return String.format(Locale.ROOT, "%.0e", (double) keys).replaceFirst("e\\+0*", "e");
  }

  private void head(Results results) {
    line("# Filters that grow beside one that was told its size");
    line("");
    line("Made by `java -Xmx6g -cp bench/target/launcher/bellows.jar");
    line("dev.bellows.bench.FingerprintStudy --max %s`; every point is in", power(results.max()));
    line(
        "[growth.json](growth.json). Everybody is asked for 0.4 %%. Hadoop's and Commons' filters");
    line(
        "grow by rows made for %,d keys at that rate. Keys are hashed beforehand.",
        Grower.ROW_KEYS);
    line("");
    line("%s, %s.", results.date(), String.join(", ", results.machine().values()));
    line("");
  }

  private void memory(Results results) {
    line("## Bits of heap per key");
    line("");
    line("Over 8 numbers of keys per doubling, from 1e5 to %s. A filter's", power(results.max()));
    line("own account has all its arrays, their headers, the directory and what is free in them;");
    line(
        "at %,d keys it says %.2f bits, the collector %.2f. The scalable filter's bits are",
        results.heap().keys(), results.heap().counted(), results.heap().collected());
    line("those of its levels; `HashSet` is what the collector says.");
    line("");
    line("|  | keys | mean | most |");
    line("|---|---:|---:|---:|");
    grown("FingerprintFilter", results.fingerprint());
    grown("ScalableBloomFilter", results.scalable());
    results
        .peers()
        .forEach((name, p) -> line("| %s | %,d | %.2f | |", name, p.keys(), p.bitsPerKey()));
    line("");
  }

  private void grown(String name, List<Point> points) {
    double mean = GrowthCurve.mean(points);
    line("| %s | grid | %.2f | %.2f |", name, mean, GrowthCurve.most(points));
  }

  private void rates(Results results) {
    line("## False positives of a million absent keys, %%");
    line("");
    line("| keys | FingerprintFilter | its own account | ScalableBloomFilter |");
    line("|---:|---:|---:|---:|");
    for (int i = 0; i < results.fingerprint().size(); i++) {
      Point point = results.fingerprint().get(i);
      if (!Double.isNaN(point.fpp())) {
        line(
            "| %,d | %.4f | %.4f | %.4f |",
            point.keys(),
            100 * point.fpp(),
            100 * point.expectedFpp(),
            100 * results.scalable().get(i).fpp());
      }
    }
    line("");
    results
        .peers()
        .forEach((name, p) -> line("- %s, %,d keys: %.4f", name, p.keys(), 100 * p.fpp()));
    line("");
  }

  private void times(String title, List<Time> times) {
    line("## %s", title);
    line("");
    line("Medians of %d rounds in turns; the ratio is to the first line of", GrowthTimes.ROUNDS);
    line("its kind, the median of the rounds with its interval (96 %%).");
    line("");
    line("|  | keys |  | ns | ratio |");
    line("|---|---:|---|---:|---:|");
    for (Time t : times) {
      line(
          "| %s | %,d | %s | %.1f | %.2f (%.2f to %.2f) |",
          t.what(), t.keys(), t.name(), t.nanos(), t.ratio(), t.low(), t.high());
    }
    line("");
  }

  private void pauses(List<Pauses> decades) {
    line("## Single puts of a fingerprint filter, microseconds");
    line("");
    line(
        "Each put by the wall clock. Of those above 20 microseconds the thread's own time is what");
    line("its clock says of the block of 64 puts less the others in it; the collector and other");
    line("processes are not in that.");
    line("");
    line("| puts | own p99.99 | own maximum | wall p99.99 | wall maximum |");
    line("|---|---:|---:|---:|---:|");
    for (Pauses p : decades) {
      line(
          "| %,d to %,d | %.1f | %.0f | %.1f | %.0f |",
          p.from(), p.to(), p.ownP9999(), p.ownMost(), p.wallP9999(), p.wallMost());
    }
    line("");
  }

  private void wire(List<Size> sizes) {
    line("## Bits per key on the wire, beyond log2(1/fpp)");
    line("");
    line("The payload, without header and checksums. Of a filter that was built for 1e-6 and cut");
    line("to the rate, and of one that grew at the very rate, whose old keys have fewer bits.");
    line("");
    line("| keys | fpp | built for | bits | beyond log2(1/fpp) | target |");
    line("|---:|---:|---|---:|---:|---:|");
    for (Size s : sizes) {
      line(
          "| %,d | %s %% | %s | %.3f | %.3f | %.2f |",
          s.keys(),
          100 * s.fpp(),
          s.aged() ? "the rate" : "1e-6",
          s.bitsPerKey(),
          s.beyond(),
          s.limit());
    }
  }
}
