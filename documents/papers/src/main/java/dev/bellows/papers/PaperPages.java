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

/**
 * The folder of pages: results.json, index.md, a page for each document, and for each item a CSV
 * and its pictures. Items that were not computed in this run keep the files of an earlier one.
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
    int number = 1;
    for (Supplier<String> picture : outcome.pictures().values()) {
      Files.writeString(folder.resolve(svg(item, number++)), picture.get());
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
    Map<String, List<Item>> byDocument =
        items.stream()
            .collect(
                Collectors.groupingBy(
                    item -> item.id().substring(0, 3), TreeMap::new, Collectors.toList()));
    for (Map.Entry<String, List<Item>> document : byDocument.entrySet()) {
      Files.writeString(
          folder.resolve(document.getKey() + ".md"), page(document.getKey(), document.getValue()));
    }
    Files.writeString(folder.resolve("index.md"), index(byDocument, all));
  }

  private String index(Map<String, List<Item>> byDocument, List<Result> all) {
    StringBuilder page = new StringBuilder();
    page.append("# The documents, recomputed\n\n");
    page.append(
        """
        Every table and figure of the five documents: what is printed there, what the formula
        gives, what a simulation with this library measures, and whether they agree. Where a printed number is
        wrong, the [erratum](errata.md) is named. The pages are written by `./bellows papers --out docs/papers`;
        all numbers are in [results.json](results.json), the data of each item in a CSV file.

        """);
    page.append(Verdicts.RULE).append('\n');
    page.append(Verdicts.sentence(all)).append("\n\n");
    byDocument.forEach(
        (document, own) ->
            page.append(
                "- [%s](%s.md): %d items%n"
                    .formatted(DOCUMENTS.get(document), document, own.size())));
    return page.toString();
  }

  /** Returns the page of a document, with a section for each item. */
  private String page(String document, List<Item> items) {
    StringBuilder page = new StringBuilder("# ");
    page.append(DOCUMENTS.get(document)).append("\n\n");
    page.append("Recomputed by `./bellows papers --only ").append(document);
    page.append("`. [How numbers are compared](index.md).\n\n");
    items.forEach(item -> section(page, item));
    return page.toString().stripTrailing() + "\n";
  }

  private void section(StringBuilder page, Item item) {
    page.append("## ").append(item.title()).append("\n\n");
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
    page.append("[Data](%s.csv)%n%n".formatted(item.stem()));
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
}
