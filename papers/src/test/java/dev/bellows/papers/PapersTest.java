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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The committed pages are what the code computes, and nothing in them disagrees silently. */
class PapersTest {
  private static final Path PAGES =
      Path.of(System.getProperty("bellows.root", "..")).resolve("docs/papers");

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
    List<Result> now = item.compute().results();
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
  void everyItemHasItsPageItsDataAndAPlaceInTheIndex() throws IOException {
    String index = Files.readString(PAGES.resolve("index.md"));
    for (Item item : Catalogue.all()) {
      assertThat(index).contains("(" + item.stem() + ".md)");
      assertThat(PAGES.resolve(item.stem() + ".md")).exists();
      assertThat(PAGES.resolve(item.stem() + ".csv")).exists();
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
  void everyErratumThatIsNamedIsExplained() throws IOException {
    for (Result result : committed()) {
      if (result.erratum() != null) {
        assertThat(Errata.entries()).containsKey(result.erratum());
      }
    }
  }
}
