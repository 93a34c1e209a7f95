package dev.bellows.papers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The committed pages are what the code computes, and nothing in them disagrees silently. */
class PapersTest {
  private static final Path PAGES =
      Path.of(System.getProperty("bellows.root", "..")).resolve("docs/papers");

  @TempDir Path folder;

  private static List<Result> committed() throws IOException {
    return ResultsFile.read(PAGES.resolve("results.json"));
  }

  static List<Item> fastItems() {
    return Catalogue.all().stream().filter(item -> item.fast() && !item.timed()).toList();
  }

  @ParameterizedTest
  @MethodSource("fastItems")
  void fastItemsGiveTheCommittedNumbers(Item item) throws IOException {
    Map<String, Result> before = new HashMap<>();
    for (Result result : committed()) {
      if (result.id().startsWith(item.id() + "/") || result.id().equals(item.id())) {
        before.put(result.id(), result);
      }
    }
    Outcome outcome = item.compute();
    assertCommitted(item, outcome);
    List<Result> now = outcome.results();
    assertThat(now).extracting(Result::id).containsExactlyInAnyOrderElementsOf(before.keySet());
    for (Result result : now) {
      assertThat(result.agrees()).as(result.id()).isEqualTo(before.get(result.id()).agrees());
      assertThat(near(result.formula(), before.get(result.id()).formula()))
          .as(result.id())
          .isTrue();
      assertThat(near(result.measured(), before.get(result.id()).measured()))
          .as(result.id())
          .isTrue();
    }
  }

  /** The page and the data in the repository are those of this run. */
  private void assertCommitted(Item item, Outcome outcome) throws IOException {
    PaperPages.of(folder).add(item, outcome);
    assertThat(folder.resolve(item.stem() + ".csv"))
        .as("stale: run ./bellows papers --only %s", item.id())
        .hasSameTextualContentAs(PAGES.resolve(item.stem() + ".csv"));
  }

  static List<Item> slowItems() {
    return Catalogue.all().stream().filter(item -> !item.fast() && !item.timed()).toList();
  }

  @Tag("scale")
  @ParameterizedTest
  @MethodSource("slowItems")
  void slowItemsGiveTheCommittedPages(Item item) throws IOException {
    assertCommitted(item, item.compute());
  }

  static List<Item> timedItems() {
    return Catalogue.all().stream().filter(Item::timed).toList();
  }

  /** Measured values differ from run to run; the measured quantities do not. */
  @Tag("scale")
  @ParameterizedTest
  @MethodSource("timedItems")
  void timedItemsGiveTheCommittedListOfNumbers(Item item) throws IOException {
    assertThat(item.compute().results())
        .extracting(Result::id)
        .containsExactlyInAnyOrderElementsOf(
            committed().stream()
                .map(Result::id)
                .filter(id -> id.startsWith(item.id() + "/") || id.equals(item.id()))
                .toList());
  }

  private static boolean near(Double now, Double before) {
    return now == null
        ? before == null
        : before != null && Math.abs(now - before) <= 1e-9 * Math.abs(before);
  }

  @Test
  void nothingDisagreesWithoutAnErratum() throws IOException {
    assertThat(committed()).isNotEmpty().filteredOn(Result::unexplained).isEmpty();
  }

  @Test
  void onlyNumbersWithTwoSourcesAreCompared() throws IOException {
    List<Result> results = committed();
    assertThat(results).extracting(Result::verdict).contains(Result.Verdict.COMPUTED);
    for (Result result : results) {
      int sources =
          (result.printed() == null ? 0 : 1)
              + (result.formula() == null ? 0 : 1)
              + (result.measured() == null || result.isVague() ? 0 : 1);
      assertThat(result.agrees() == null).as(result.id()).isEqualTo(sources == 1);
      assertThat(result.comparison() == null).as(result.id()).isEqualTo(sources == 1);
    }
  }

  /**
   * An interval counts as a measurement if it excludes ten times the formula and spans at most a
   * factor of 3.
   */
  @Test
  void comparedMeasurementsAreConclusive() throws IOException {
    int measured = 0;
    for (Result result : committed()) {
      if (result.agrees() != null && result.alpha() != null && !result.isVague()) {
        measured++;
        boolean isBound = result.formula() == null;
        assertThat(result.low() < 0 || isBound || result.high() <= 3 * result.low())
            .as(result.id())
            .isTrue();
        if (result.formula() != null && result.formula() > 0 && result.low() >= 0) {
          assertThat(result.high()).as(result.id()).isLessThan(10 * result.formula());
        }
      }
    }
    assertThat(measured).isGreaterThan(500);
  }

  /** The README states the number of printed values that this library confirms. */
  @Test
  void theReadmeQuotesTheCountOfTheIndex() throws IOException {
    List<Result> results = committed();
    long measured = Verdicts.agreeing(results, Result.Comparison.PRINTED_AND_MEASURED);
    long computed = Verdicts.agreeing(results, Result.Comparison.PRINTED_AND_COMPUTED);
    assertThat(Files.readString(PAGES.resolve("../../README.md")))
        .contains(
            "%,d printed numbers confirmed, %,d of them".formatted(measured + computed, measured));
  }

  /** A printed count that is neither a bound nor an estimate equals the computed one. */
  @Test
  void countsThatAgreeAreEqual() throws IOException {
    int counts = 0;
    for (Result result : committed()) {
      Double found = result.formula() == null ? result.measured() : result.formula();
      boolean strict = "digits".equals(result.rule()) || "exactly".equals(result.rule());
      if (Boolean.TRUE.equals(result.agrees())
          && strict
          && isWhole(result.printed())
          && isWhole(found)) {
        assertThat(found).as(result.id()).isEqualTo(result.printed());
        counts++;
      }
    }
    assertThat(counts).isGreaterThan(200);
  }

  private static boolean isWhole(Double value) {
    return value == Math.rint(value);
  }

  @Test
  void theIndexStatesTheRule() throws IOException {
    assertThat(Files.readString(PAGES.resolve("index.md")))
        .contains(Verdicts.RULE, Verdicts.sentence(committed()));
  }

  @Test
  void everyItemHasItsSectionAndItsData() throws IOException {
    for (Item item : Catalogue.all()) {
      Path page = PAGES.resolve(item.id().substring(0, 3) + ".md");
      assertThat(Files.readString(page)).contains("\n## " + item.title() + "\n");
      assertThat(PAGES.resolve(item.stem() + ".csv")).exists();
    }
  }

  /** The pages follow from the descriptions of the items and from results.json. */
  @Test
  void thePagesAreCurrent(@TempDir Path folder) throws IOException {
    try (Stream<Path> files = Files.list(PAGES)) {
      for (Path file : files.filter(f -> !f.toString().endsWith(".md")).toList()) {
        Files.copy(file, folder.resolve(file.getFileName()));
      }
    }
    PaperPages.of(folder).finish();
    if (Boolean.getBoolean("bellows.golden.write")) {
      PaperPages.of(PAGES).finish();
    }
    try (Stream<Path> files = Files.list(PAGES)) {
      List<String> pages =
          files.map(file -> file.getFileName().toString()).filter(f -> f.endsWith(".md")).toList();
      assertThat(pages).hasSize(7);
      for (String page : pages) {
        assertThat(folder.resolve(page)).hasSameTextualContentAs(PAGES.resolve(page));
      }
    }
  }

  @Test
  void idsAreUniqueAndBeginWithTheirItem() throws IOException {
    Set<String> seen = new HashSet<>();
    List<String> items = Catalogue.all().stream().map(Item::id).toList();
    assertThat(items).doesNotHaveDuplicates();
    for (Result result : committed()) {
      assertThat(seen.add(result.id())).as(result.id()).isTrue();
      assertThat(items).anyMatch(item -> (result.id() + "/").startsWith(item + "/"));
    }
  }

  @Test
  void everyNamedErratumIsExplained() throws IOException {
    for (Result result : committed()) {
      if (result.erratum() != null) {
        assertThat(Errata.entries()).containsKey(result.erratum());
      }
    }
  }
}
