package dev.bellows.papers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The folder of pages: results.json, index.md, and for each item a page with its numbers, a CSV and
 * its pictures. Items that were not computed in this run keep the files of an earlier one.
 */
final class PaperPages {
  private static final Map<String, String> DOCUMENTS =
      Map.of(
          "000", "000 Folding paper: folding and unfolding",
          "001", "001 Standard notes: the standard filter",
          "002", "002 Partition paper: the dynamic partition Bloom filter",
          "003", "003 Range thesis: numeric ranges",
          "004", "004 Autoscaling paper: counters and thresholds");

  /** The names of the documents, and ids of errata, e.g. {@code F12}. */
  private static final Pattern NAME =
      Pattern.compile("(?:Folding|Partition|Autoscaling) paper|Standard notes|Range thesis");

  private static final Pattern ERRATUM = Pattern.compile("\\b[A-Z]\\d{1,2}\\b");

  private final Path folder;
  private final Map<String, List<Result>> byItem = new TreeMap<>();

  private PaperPages(Path folder) {
    this.folder = folder;
  }

  static PaperPages of(Path folder) throws IOException {
    Files.createDirectories(folder);
    PaperPages pages = new PaperPages(folder);
    Path file = folder.resolve("results.json");
    if (Files.exists(file)) {
      for (Result result : ResultsFile.read(file)) {
        String[] parts = result.id().split("/", 3);
        pages.byItem.computeIfAbsent(parts[0] + "/" + parts[1], i -> new ArrayList<>()).add(result);
      }
    }
    return pages;
  }

  void add(Item item, Outcome outcome) throws IOException {
    byItem.put(item.id(), outcome.results());
    Files.writeString(folder.resolve(item.stem() + ".csv"), outcome.csv());
    StringBuilder page = new StringBuilder();
    page.append("# ")
        .append(item.title())
        .append("\n\n")
        .append(linked(item.paragraph()))
        .append("\n\n");
    page.append(outcome.table());
    pictures(page, item, outcome);
    if (!outcome.results().isEmpty()) {
      page.append(Verdicts.sentence(outcome.results())).append("\n\n");
      table(page, item, outcome.results());
    }
    page.append(
        "Data: [%s.csv](%s.csv). To recompute: `./bellows papers --only %s`. "
            .formatted(item.stem(), item.stem(), item.id()));
    page.append("[All tables and figures](index.md)\n");
    Files.writeString(folder.resolve(item.stem() + ".md"), page);
  }

  private void pictures(StringBuilder page, Item item, Outcome outcome) throws IOException {
    int number = 1;
    for (Map.Entry<String, Supplier<String>> picture : outcome.pictures().entrySet()) {
      String name = svg(item, number++);
      Files.writeString(folder.resolve(name), picture.getValue().get());
      page.append("![").append(picture.getKey()).append("](").append(name).append(")\n\n");
    }
  }

  /** Returns the file of a picture, counted from 1. */
  private static String svg(Item item, int number) {
    return item.stem() + (number == 1 ? "" : "-" + number) + ".svg";
  }

  void finish() throws IOException {
    List<Result> all = new ArrayList<>();
    List<Item> items = Catalogue.all();
    for (Item item : items) {
      all.addAll(byItem.getOrDefault(item.id(), List.of()));
    }
    ResultsFile.write(folder.resolve("results.json"), all);
    Files.writeString(folder.resolve("errata.md"), Errata.page());
    Files.writeString(folder.resolve("documents.md"), documents());
    Files.writeString(folder.resolve("index.md"), index(items, all));
  }

  /** Returns the page "Document by document", which is written by hand. */
  static String documents() {
    return Errata.text("documents.md");
  }

  private String index(List<Item> items, List<Result> all) {
    StringBuilder page = new StringBuilder();
    page.append("# The documents, recomputed\n\n");
    page.append(
        """
        Every table and figure of the [five documents](../documents.md): what is printed there, what the formula
        gives, what a simulation with this library measures, and whether they agree. Where a printed number is
        wrong, the [erratum](errata.md) is named. The pages are written by `./bellows papers --out docs/papers`;
        all numbers are in [results.json](results.json).

        """);
    page.append(Verdicts.RULE).append('\n');
    page.append(Verdicts.sentence(all)).append("\n\n");
    page.append(
        "[Document by document](documents.md): where the code implements each definition, equation,"
            + " algorithm, table, figure and scenario of the documents.\n");
    Map<String, List<Item>> byDocument =
        items.stream()
            .collect(
                Collectors.groupingBy(
                    item -> DOCUMENTS.get(item.id().substring(0, 3)),
                    TreeMap::new,
                    Collectors.toList()));
    byDocument.forEach(
        (document, own) -> {
          page.append("\n**").append(document).append("**\n\n");
          own.forEach(item -> page.append("- [%s](%s.md)%n".formatted(item.title(), item.stem())));
        });
    byDocument.forEach(
        (document, own) -> {
          page.append("\n## ").append(document).append("\n\n");
          own.forEach(item -> section(page, item));
        });
    return page.toString().stripTrailing() + "\n";
  }

  private void section(StringBuilder page, Item item) {
    page.append("### ").append(item.title()).append("\n\n");
    page.append(linked(item.paragraph())).append("\n\n");
    for (int number = 1; ; number++) {
      String name = svg(item, number);
      if (!Files.exists(folder.resolve(name))) {
        break;
      }
      page.append("![").append(item.title()).append("](").append(name).append(")\n\n");
    }
    List<Result> results = byItem.getOrDefault(item.id(), List.of());
    if (!results.isEmpty()) {
      page.append(Verdicts.sentence(results)).append(' ');
    }
    page.append("[All numbers](%s.md) · [data](%s.csv)%n%n".formatted(item.stem(), item.stem()));
  }

  private static void table(StringBuilder page, Item item, List<Result> results) {
    page.append("| | | printed | formula | measured | interval | |\n");
    page.append("|---|---|---|---|---|---|---|\n");
    for (Result r : results) {
      String place = r.id().equals(item.id()) ? "" : r.id().substring(item.id().length() + 1);
      page.append(
          "| %s | %s | %s | %s | %s | %s | %s |%n"
              .formatted(
                  place,
                  r.what(),
                  printed(r),
                  number(r.formula()),
                  number(r.measured()),
                  r.low() == null || r.low().equals(r.high())
                      ? ""
                      : number(r.low()) + " to " + number(r.high()),
                  judgement(r)));
    }
    boolean intervals = results.stream().anyMatch(r -> r.alpha() != null);
    page.append('\n');
    if (intervals) {
      page.append(
          "Intervals contain the true value except with probability 1e%.0f.%n%n"
              .formatted(Math.log10(Result.ALPHA)));
    }
  }

  /** Returns the printed value, with its rule where the digits do not say it. */
  private static String printed(Result result) {
    String rule = result.rule();
    boolean stated = rule != null && !rule.equals("digits") && !rule.equals("exactly");
    return number(result.printed()) + (stated ? ", " + rule.replace(", exactly", "") : "");
  }

  private static String judgement(Result result) {
    String link = result.erratum() == null ? "" : anchor(result.erratum());
    String see = link.isEmpty() ? "" : ", see " + link;
    return switch (result.verdict()) {
      case AGREES -> "agrees" + see;
      case CORRECTED -> (result.missed() ? "formula misses, " : "corrected, ") + link;
      case DISAGREES -> "**disagrees**";
      case COMPUTED -> (result.isVague() ? "computed, too rare to measure" : "computed") + see;
      case MEASURED -> "measured" + see;
    };
  }

  /** Returns prose whose first name of a document and whose errata are links. */
  static String linked(String prose) {
    String named = NAME.matcher(prose).replaceFirst("[$0](../documents.md)");
    return ERRATUM
        .matcher(named)
        .replaceAll(
            found ->
                Errata.entries().containsKey(found.group())
                    ? Matcher.quoteReplacement(anchor(found.group()))
                    : found.group());
  }

  private static String anchor(String erratum) {
    return "[%s](errata.md#%s)".formatted(erratum, erratum.toLowerCase(Locale.ROOT));
  }

  static String number(@Nullable Double value) {
    if (value == null) {
      return "";
    }
    if (value == Math.rint(value) && Math.abs(value) < 1e9) {
      return String.format(Locale.ROOT, "%,d", value.longValue());
    }
    double size = Math.abs(value);
    return size >= 1e-4 && size < 1e9
        ? String.format(Locale.ROOT, "%.5g", value)
        : String.format(Locale.ROOT, "%.3e", value);
  }
}
