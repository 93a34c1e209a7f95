package dev.bellows.papers.folding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.papers.Outcome;
import dev.bellows.papers.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the page on the policies says, on a smaller experiment of the same kind. */
class PoliciesTest {
  private static final Path ROOT = Path.of(System.getProperty("bellows.root", ".."));

  /** The data by flow, tolerance and way. */
  private static Map<String, Map<String, Double>> table(Outcome outcome) {
    List<String> lines = outcome.csv().lines().toList();
    String[] header = lines.get(0).split(",");
    Map<String, Map<String, Double>> table = new HashMap<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",");
      Map<String, Double> row = new HashMap<>();
      for (int i = 3; i < cells.length; i++) {
        row.put(header[i], Double.valueOf(cells[i]));
      }
      table.put(cells[0] + "/" + cells[1] + "/" + cells[2], row);
    }
    return table;
  }

  @Test
  void thePoliciesDoWhatTheyAreFor() {
    Outcome outcome = new Policies(1000, 2000).compute();
    assertThat(outcome.results()).hasSize(36).allMatch(Result::agrees);
    assertThat(outcome.pictures()).hasSize(2);
    Map<String, Map<String, Double>> table = table(outcome);
    for (String flow : List.of("growth/± 0.5 %/", "bursts/± 0.5 %/", "day-and-night/± 0.5 %/")) {
      Map<String, Double> independent = table.get(flow + "independent");
      Map<String, Double> greedy = table.get(flow + "greedy");
      Map<String, Double> halving = table.get(flow + "folding by two only");
      Map<String, Double> fixed = table.get(flow + "fixed size");
      assertThat(greedy.get("cells read to follow"))
          .as(flow)
          .isLessThan(0.8 * independent.get("cells read to follow"));
      for (String way : List.of("independent with planned parts", "entropy")) {
        Map<String, Double> another = table.get(flow + way);
        assertThat(another.get("rate of 4"))
            .as(flow + way)
            .isLessThan(another.get("rate of 1") / 10);
        assertThat(another.get("bytes shipped")).isLessThan(halving.get("bytes shipped"));
      }
      assertThat(independent.get("rate of 4")).isEqualTo(independent.get("rate of 1"));
      assertThat(independent.get("bytes shipped"))
          .isLessThan(halving.get("bytes shipped"))
          .isLessThan(fixed.get("bytes shipped"));
      assertThat(independent.get("share in band"))
          .isGreaterThan(0.9)
          .isGreaterThan(2 * halving.get("share in band"))
          .isGreaterThan(2 * fixed.get("share in band"));
    }
  }

  @Test
  void flowsNeverHaveMoreKeysThanPlannedNorFewerThanNone() {
    for (KeyFlow flow : KeyFlow.all(777)) {
      int keys = 0;
      int most = 0;
      for (int i = 0; i < flow.changes(); i++) {
        keys += flow.comes(i) ? 1 : -1;
        most = Math.max(most, keys);
        assertThat(keys).isNotNegative();
      }
      assertThat(most).as(flow.name()).isBetween(770, 777);
    }
  }

  @Test
  void theGuideHasTheNumbersOfThePage() throws IOException {
    String guide = Files.readString(ROOT.resolve("docs/shrink-before-you-ship.md"));
    List<String> page = Files.readAllLines(ROOT.resolve("docs/papers/000-policies.md"));
    List<String> rows =
        guide.lines().filter(line -> line.startsWith("| day-and-night | ± 0.5 % |")).toList();
    assertThat(rows).hasSize(6);
    assertThat(page).containsAll(rows);
  }
}
