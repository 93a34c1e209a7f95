package dev.bellows.bench;

import dev.bellows.bench.peers.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** A run for a reader: a table for each operation. */
final class Pages {
  private static final String NO_GARBAGE = ".*(put|load|query)-(long|bytes).*";

  private final Run run;

  Pages(Run run) {
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
    StringBuilder out = new StringBuilder("# Bellows beside its peers\n\n");
    out.append(preamble.strip()).append("\n\n").append(heading()).append("\n\n");
    out.append("![Nanoseconds per key, everybody](bench.svg)\n\n");
    out.append(garbage().map(line -> line + "\n").orElse(""));
    for (Operation operation : operations()) {
      out.append("\n## ").append(operation.title()).append("\n\n`./bellows bench --only ");
      out.append(operation.name()).append("`\n\n").append(table(operation).markdown());
    }
    return out.toString();
  }

  /** Day, machine, versions. */
  String heading() {
    List<String> parts = new ArrayList<>();
    parts.add(run.date() + (run.quick() ? " (a quick look, one fork each)" : ""));
    parts.addAll(run.machine().values());
    List<String> libraries = new ArrayList<>();
    for (Map.Entry<String, String> version : run.versions().entrySet()) {
      libraries.add(version.getKey() + " " + version.getValue());
    }
    return String.join(", ", parts) + ".\n" + String.join(", ", libraries) + ".";
  }

  private List<Operation> operations() {
    return Operations.all(false).stream().filter(o -> !run.scores(o.name()).isEmpty()).toList();
  }

  /** The most bytes that a put or query of longs or byte[] of ours allocates. */
  private Optional<String> garbage() {
    OptionalDouble most =
        run.scores().stream()
            .filter(s -> s.peer().library().equals("Bellows") && s.operation().matches(NO_GARBAGE))
            .mapToDouble(Score::garbage)
            .filter(bytes -> !Double.isNaN(bytes))
            .max();
    return most.isEmpty()
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "Garbage of Bellows per put and query of longs and byte[]: at most %.1f bytes.",
                most.getAsDouble()));
  }

  private Table table(Operation operation) {
    boolean keys = operation.unit() == Operation.Unit.KEY;
    Table table =
        keys
            ? new Table("", "least ns", "median ns", "ratio", "bytes/op", "bits/key", "fpp %")
            : new Table("", "ns/KiB", "median", "ratio", "GB/s", "bits/key");
    List<Score> scores = run.scores(operation.name());
    Score reference = scores.get(0);
    for (Score score : scores) {
      Optional<Store> store = run.store(operation.role(), score.peer(), operation.keys());
      String ratio =
          score == reference ? "1" : interval(score.sample().ratioTo(reference.sample()));
      String least = number(score.sample().least());
      String median = interval(score.sample().medianEstimate());
      boolean sized = !score.peer().floor() && operation.role() != Role.RANGES;
      String bits = sized ? store.map(s -> number(s.bitsPerKey())).orElse("") : "";
      if (keys) {
        table.row(
            score.peer().label(),
            least,
            median,
            ratio,
            bytes(score.garbage()),
            bits,
            score.peer().floor() ? "" : store.map(Pages::rate).orElse(""));
      } else {
        table.row(
            score.peer().label(),
            least,
            median,
            ratio,
            number(1024 / score.sample().least()),
            bits);
      }
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

  private static String bytes(double garbage) {
    return Double.isNaN(garbage) ? "" : String.format(Locale.ROOT, "%.0f", garbage);
  }

  /** A value with its interval in brackets. */
  static String interval(Sample.Estimate estimate) {
    return number(estimate.value()) + between(estimate);
  }

  private static String between(Sample.Estimate estimate) {
    return estimate.low() == estimate.high()
        ? ""
        : " (%s to %s)".formatted(number(estimate.low()), number(estimate.high()));
  }

  /** Three digits. */
  static String number(double value) {
    int decimals = value >= 99.5 ? 0 : value >= 9.95 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
