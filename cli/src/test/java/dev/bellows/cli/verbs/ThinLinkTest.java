package dev.bellows.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.bellows.cli.Cli;
import dev.bellows.cli.ExampleRun;
import dev.bellows.pages.PageCode;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The two processes of examples/thin-link, over a real socket. */
class ThinLinkTest {
  private static final Path SOURCES = Cli.ROOT.resolve("examples/thin-link");
  private static final Pattern ROW =
      Pattern.compile(
          "(?m)^(\\S[^\\d\\n]*?) +(\\d[\\d,]*) +([\\d,]+) +([\\d,]+) +([\\d,]+) +([\\d,]+) +([\\d,]+)"
              + " +([\\d,]+) +([\\d,.]+) mJ   both have all ([\\d,]+)$");

  @TempDir static Path classes;

  /** One way to bring both up to date. */
  private record Row(
      long rounds,
      long filters,
      long ids,
      long items,
      long all,
      long cells,
      double millijoules,
      long known) {
    long overhead() {
      return all - items;
    }
  }

  @BeforeAll
  static void compile() throws IOException {
    try (Stream<Path> sources = Files.list(SOURCES)) {
      PageCode.compile(classes, sources.filter(file -> file.toString().endsWith(".java")).toList());
    }
  }

  private Map<String, Row> run(int... numbersGiven) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Duser.language=en",
                "-cp",
                ExampleRun.classPath() + File.pathSeparator + classes,
                "ThinLink"));
    command.addAll(1, ExampleRun.CHEAP);
    IntStream.of(numbersGiven).mapToObj(String::valueOf).forEach(command::add);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    Map<String, Row> rows = new LinkedHashMap<>();
    Matcher matcher = ROW.matcher(output);
    while (matcher.find()) {
      double[] numbers = new double[9];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = Double.parseDouble(matcher.group(i + 2).replace(",", ""));
      }
      rows.put(
          matcher.group(1),
          new Row(
              (long) numbers[0],
              (long) numbers[1],
              (long) numbers[2],
              (long) numbers[4],
              (long) numbers[5],
              (long) numbers[6],
              numbers[7],
              (long) numbers[8]));
    }
    assertThat(rows.keySet())
        .as(output)
        .containsExactly(
            "folding to any divisor",
            "the same, elastic",
            "folding by two only",
            "a filter of fixed size",
            "plain exchange of ids");
    return rows;
  }

  @Test
  void bothSidesHaveAllKeysAndFoldingSendsTheFewestBytes() throws Exception {
    Map<String, Row> rows = run(600, 540, 700, 6000);
    assertThat(rows.values()).extracting(Row::known).containsOnly(660L);
    Row folding = rows.get("folding to any divisor");
    assertThat(folding.filters()).isLessThanOrEqualTo(2 * folding.rounds() * (700 + 4));
    for (String other :
        List.of("folding by two only", "a filter of fixed size", "plain exchange of ids")) {
      assertThat(folding.overhead()).as(other).isLessThan(rows.get(other).overhead());
    }
    // 60 items on each side, and nothing twice: every way sends the same ones
    assertThat(rows.values()).allSatisfy(row -> assertThat(row.items()).isBetween(5000L, 8000L));
  }

  /** Bytes and reads at the prices that were given, and nothing else. */
  @Test
  void energyIsWhatBytesAndCellsCostAtThePricesGiven() throws Exception {
    for (int[] prices : new int[][] {{1700, 1}, {100, 50}}) {
      Map<String, Row> rows = run(600, 540, 700, 6000, prices[0], prices[1]);
      for (Row row : rows.values()) {
        double nanojoules = (double) prices[0] * row.all() + (double) prices[1] * row.cells();
        assertThat(row.millijoules()).isCloseTo(nanojoules / 1e6, within(0.051));
      }
      assertThat(rows.get("plain exchange of ids").cells()).isZero();
      // a folding reads the capacity once, which is up to twice the fixed size
      Row folding = rows.get("folding to any divisor");
      assertThat(folding.cells()).isBetween(57_000L * folding.rounds(), 300_000L);
      // if reads are expensive and bytes are cheap, filters do not pay off
      boolean pays = folding.millijoules() < rows.get("plain exchange of ids").millijoules();
      assertThat(pays).isEqualTo(prices[1] == 1);
    }
  }

  @Test
  void idsAreExchangedIfFoldingsSayTooLittle() throws Exception {
    Map<String, Row> rows = run(600, 540, 100, 6000);
    assertThat(rows.values()).extracting(Row::known).containsOnly(660L);
    assertThat(rows.get("folding to any divisor").ids()).isGreaterThan(8 * 2 * 540L);
  }

  @Test
  void equalAndDisjointSetsTerminate() throws Exception {
    Map<String, Row> equal = run(50, 50, 300, 50);
    assertThat(equal.values()).extracting(Row::known).containsOnly(50L);
    assertThat(equal.values()).allSatisfy(row -> assertThat(row.items()).isLessThan(100L));
    assertThat(run(50, 0, 300, 500).values()).extracting(Row::known).containsOnly(100L);
  }
}
