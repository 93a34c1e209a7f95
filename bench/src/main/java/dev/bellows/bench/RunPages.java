package dev.bellows.bench;

import dev.bellows.bench.peers.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** A run for a reader: a table for each operation. */
final class RunPages {
  private static final String NO_GARBAGE = ".*(put|load|query)-(long|bytes).*";

  private final Run run;

  RunPages(Run run) {
    this.run = run;
  }

  /** For a terminal. */
  String text() {
    StringBuilder out = new StringBuilder(heading()).append('\n');
    for (Operation operation : operations()) {
      out.append('\n').append(operation.title()).append(" (").append(operation.name());
      out.append(")\n").append(table(operation).text());
    }
    return out.append(garbage().map(line -> "\n" + line + "\n").orElse("")).toString();
  }

  /** For docs/bench/index.md. */
  String markdown(String preamble) {
    StringBuilder out = new StringBuilder("# Bellows compared with its peers\n\n");
    out.append(preamble.strip()).append("\n\n").append(heading()).append("\n\n");
    out.append("![Nanoseconds per key, everybody](bench.svg)\n\n");
    out.append(garbage().map(line -> line + "\n").orElse(""));
    for (Operation operation : operations()) {
      out.append("\n## ").append(operation.title()).append("\n\n`./bellows bench --only ");
      out.append(operation.name()).append("`\n\n").append(medians(operation).markdown());
    }
    return out.toString();
  }

  /** Day, machine, versions. */
  String heading() {
    String day = run.date() + (run.quick() ? " (a quick look, one fork each)" : "");
    List<String> libraries = new ArrayList<>();
    run.versions().forEach((library, version) -> libraries.add(library + " " + version));
    return "%s, %s.\n%s."
        .formatted(day, String.join(", ", run.machine().values()), String.join(", ", libraries));
  }

  private List<Operation> operations() {
    return Operations.all(false).stream().filter(o -> !run.scores(o.name()).isEmpty()).toList();
  }

  /**
   * Returns the maximum number of bytes that a put or query of longs or byte[] of ours allocates.
   */
  private Optional<String> garbage() {
    OptionalDouble most =
        run.scores().stream()
            .filter(s -> s.peer().library().equals("Bellows") && s.operation().matches(NO_GARBAGE))
            .filter(s -> s.bytesPerOperation() != null)
            .mapToDouble(Score::bytesPerOperation)
            .max();
    return most.stream()
        .mapToObj(bytes -> String.format(Locale.ROOT, "at most %.1f bytes.", bytes))
        .map("Garbage of Bellows per put and query of longs and byte[]: "::concat)
        .findFirst();
  }

  private ResultTable table(Operation operation) {
    boolean keys = operation.unit() == Operation.Unit.KEY;
    ResultTable table =
        keys
            ? new ResultTable("", "least ns", "median ns", "ratio", "bytes/op", "bits/key", "fpp %")
            : new ResultTable("", "ns/KiB", "median", "ratio", "GB/s", "bits/key");
    List<Score> scores = run.scores(operation.name());
    for (Score score : scores) {
      Sample sample = score.sample();
      Optional<Store> store =
          run.store(operation.role(), score.peer(), operation.keys())
              .filter(s -> !s.peer().floor());
      List<String> cells = new ArrayList<>();
      cells.add(score.peer().label());
      cells.add(number(sample.least()));
      cells.add(interval(sample.medianEstimate()));
      cells.add(score == scores.get(0) ? "1" : interval(sample.ratioTo(scores.get(0).sample())));
      cells.add(keys ? bytes(score.bytesPerOperation()) : number(1024 / sample.least()));
      cells.add(
          store.filter(s -> s.role() != Role.RANGES).map(s -> number(s.bitsPerKey())).orElse(""));
      if (keys) {
        cells.add(store.map(RunPages::rate).orElse(""));
      }
      table.row(cells.toArray(String[]::new));
    }
    return table;
  }

  /** The table of a page: medians, whose intervals are in results.json. */
  private ResultTable medians(Operation operation) {
    boolean keys = operation.unit() == Operation.Unit.KEY;
    ResultTable table = new ResultTable("", keys ? "ns" : "ns/KiB", "ratio", "bits/key", "fpp %");
    List<Score> scores = run.scores(operation.name());
    for (Score score : scores) {
      Sample sample = score.sample();
      Optional<Store> store =
          run.store(operation.role(), score.peer(), operation.keys())
              .filter(s -> !s.peer().floor());
      table.row(
          score.peer().label(),
          number(sample.medianEstimate().value()),
          number(sample.ratioTo(scores.get(0).sample()).value()),
          store.filter(s -> s.role() != Role.RANGES).map(s -> number(s.bitsPerKey())).orElse(""),
          store.filter(s -> s.asked() > 0).map(s -> number(100 * s.fpp())).orElse(""));
    }
    return table;
  }

  private static String rate(Store store) {
    return store.asked() == 0
        ? ""
        : "%.2f (%.2f to %.2f)"
            .formatted(
                100 * store.fpp(), 100 * store.interval().low(), 100 * store.interval().high());
  }

  private static String bytes(@Nullable Double garbage) {
    return garbage == null ? "" : String.format(Locale.ROOT, "%.0f", garbage);
  }

  /** Returns a value with its interval in brackets. */
  static String interval(Sample.Estimate estimate) {
    String value = number(estimate.value());
    return estimate.low() == estimate.high()
        ? value
        : "%s (%s to %s)".formatted(value, number(estimate.low()), number(estimate.high()));
  }

  /** Three digits. */
  static String number(double value) {
    int decimals = value >= 99.5 ? 0 : value >= 9.95 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
