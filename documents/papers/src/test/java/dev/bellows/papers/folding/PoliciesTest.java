package dev.bellows.papers.folding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.papers.Outcome;
import dev.bellows.papers.Result;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Svg;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the page on the policies says, on a smaller experiment of the same kind. */
class PoliciesTest {
  private static final Path ROOT = Path.of(System.getProperty("bellows.root", ".."));

  /** The data by workload, tolerance and policy. */
  private static Map<String, Map<String, Double>> table(String csv) {
    List<String> lines = csv.lines().toList();
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
  void eachPolicyServesItsPurpose() {
    Outcome outcome = new Policies(1000, 2000).compute();
    assertThat(outcome.results()).hasSize(36).noneMatch(Result::unexplained);
    assertThat(outcome.pictures()).hasSize(2);
    Map<String, Map<String, Double>> table = table(outcome.csv());
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
      assertThat(independent.get("in band by keys"))
          .isGreaterThan(0.9)
          .isGreaterThan(2 * halving.get("in band by keys"))
          .isGreaterThan(2 * fixed.get("in band by keys"));
    }
  }

  @Test
  void flowsStayBetweenZeroAndThePlannedKeys() {
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

  /** The least and the greatest share in per cent, as the page writes them. */
  private static String range(DoubleStream shares, String greatest) {
    DoubleSummaryStatistics of = shares.summaryStatistics();
    return String.format(
        Locale.ROOT, "%.0f to " + greatest + " %%", 100 * of.getMin(), 100 * of.getMax());
  }

  @Test
  void theProseHasTheNumbersOfTheData() throws IOException {
    Map<String, Map<String, Double>> table =
        table(Files.readString(ROOT.resolve("docs/papers/000-policies.csv")));
    List<String> cases =
        table.keySet().stream().map(row -> row.replaceFirst("[^/]*$", "")).distinct().toList();
    assertThat(cases).hasSize(6);
    BiFunction<String, List<String>, String> band =
        (pattern, ways) ->
            range(
                cases.stream()
                    .flatMap(one -> ways.stream().map(way -> table.get(one + way)))
                    .mapToDouble(row -> row.get("in band by keys")),
                pattern);
    List<String> foldings =
        List.of("independent", "independent with planned parts", "greedy", "entropy");
    String prose = new Policies().paragraph();
    String page = Files.readString(ROOT.resolve("docs/papers/000.md"));
    assertThat(page.replaceAll("\\[([^\\]]+)\\]\\([^)]*\\)", "$1")).contains(prose);
    assertThat(prose)
        .contains("in their band " + band.apply("%.1f", foldings))
        .contains("halving " + band.apply("%.0f", List.of("folding by two only")))
        .contains("the fixed size " + band.apply("%.0f", List.of("fixed size")))
        .contains(
            "ships " + shares(table, cases, "folding by two only") + " of the bytes of halving")
        .contains("and " + shares(table, cases, "fixed size") + " of those of the fixed size");
    assertThat(prose)
        .contains(
            "at ± 0.2 % "
                + range(
                    cases.stream()
                        .filter(one -> one.contains("0.2"))
                        .mapToDouble(one -> 1 - cells(table, one, "greedy", "independent")),
                    "%.0f")
                + " less");
    assertThat(cases)
        .filteredOn(one -> one.contains("0.5"))
        .allMatch(one -> cells(table, one, "greedy", "independent") < 0.645);
    assertThat(prose)
        .contains(
            range(
                    cases.stream()
                        .flatMap(one -> foldings.stream().map(way -> table.get(one + way)))
                        .mapToDouble(row -> row.get("in band by fill")),
                    "%.1f")
                + " inside");
    assertThat(cases)
        .allMatch(one -> table.get(one + "entropy").get("rate of 4") < 11e-6)
        .allMatch(
            one -> table.get(one + "independent with planned parts").get("rate of 4") < 11e-6);
  }

  private static String shares(
      Map<String, Map<String, Double>> table, List<String> cases, String other) {
    return range(
        cases.stream()
            .mapToDouble(
                one ->
                    table.get(one + "independent").get("bytes shipped")
                        / table.get(one + other).get("bytes shipped")),
        "%.0f");
  }

  private static double cells(
      Map<String, Map<String, Double>> table, String one, String way, String other) {
    return table.get(one + way).get("cells read to follow")
        / table.get(one + other).get("cells read to follow");
  }

  @Test
  void theLastLabelOfAnAxisIsInsideThePicture() {
    Chart chart = Chart.of("a title", Axis.linear("across"), Axis.linear("upwards"));
    chart.curve("", 0).add(0, 0).add(100_000, 1);
    Matcher label = Pattern.compile("x=\"([0-9.]+)\"[^>]*>100,000<").matcher(chart.toSvg());
    assertThat(label.find()).isTrue();
    assertThat(Double.parseDouble(label.group(1)) + Svg.widthOf("100,000", 15) / 2).isLessThan(760);
  }

  @Test
  void theGuideHasTheNumbersOfThePage() throws IOException {
    String guide = Files.readString(ROOT.resolve("docs/shrink-before-you-ship.md"));
    List<String> data = Files.readAllLines(ROOT.resolve("docs/papers/000-policies.csv"));
    List<String> rows =
        guide.lines().filter(line -> line.startsWith("| day-and-night | ± 0.5 % |")).toList();
    assertThat(rows).hasSize(6);
    assertThat(rows)
        .isEqualTo(
            data.stream()
                .filter(line -> line.startsWith("day-and-night,± 0.5 %,"))
                .map(PoliciesTest::row)
                .toList());
  }

  /** A row of the CSV file, as the guide writes it. */
  private static String row(String line) {
    return Stream.of(line.split(","))
        .map(cell -> cell.matches("[-0-9.e]+") ? shown(Double.parseDouble(cell)) : cell)
        .collect(Collectors.joining(" | ", "| ", " |"));
  }

  private static String shown(double value) {
    if (value == Math.rint(value)) {
      return String.format(Locale.ROOT, "%,d", (long) value);
    }
    return String.format(Locale.ROOT, value < 1e-4 ? "%.3e" : "%.5g", value);
  }
}
