package dev.bellows.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The two processes of examples/thin-link, over a real socket. */
class ThinLinkTest {
  private static final Path SOURCES = Cli.ROOT.resolve("examples/thin-link");
  private static final Pattern ROW =
      Pattern.compile(
          "(?m)^(\\S[^\\d\\n]*?) +(\\d[\\d,]*) +([\\d,]+) +([\\d,]+) +([\\d,]+) +([\\d,]+) +([\\d,]+)"
              + "   both have all ([\\d,]+)$");

  @TempDir Path classes;

  /** One way to bring both up to date. */
  private record Row(long rounds, long filters, long ids, long items, long all, long known) {
    long overhead() {
      return all - items;
    }
  }

  @BeforeEach
  void compile() throws IOException {
    try (Stream<Path> sources = Files.list(SOURCES)) {
      PageCode.compile(classes, sources.filter(file -> file.toString().endsWith(".java")).toList());
    }
  }

  private Map<String, Row> run(int items, int common, int budget, int most) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Duser.language=en",
                "-cp",
                ExampleRun.classPath() + File.pathSeparator + classes,
                "ThinLink"));
    command.addAll(1, ExampleRun.CHEAP);
    Stream.of(items, common, budget, most).map(String::valueOf).forEach(command::add);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    Map<String, Row> rows = new LinkedHashMap<>();
    Matcher matcher = ROW.matcher(output);
    while (matcher.find()) {
      long[] numbers = new long[7];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = Long.parseLong(matcher.group(i + 2).replace(",", ""));
      }
      rows.put(
          matcher.group(1),
          new Row(numbers[0], numbers[1], numbers[2], numbers[4], numbers[5], numbers[6]));
    }
    assertThat(rows.keySet())
        .as(output)
        .containsExactly(
            "folding to any divisor",
            "folding by two only",
            "a filter of fixed size",
            "plain exchange of ids");
    return rows;
  }

  @Test
  void bothHaveAllAndFoldingTakesTheFewestBytes() throws Exception {
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

  @Test
  void idsAreExchangedWhereFoldingsSayTooLittle() throws Exception {
    Map<String, Row> rows = run(600, 540, 100, 6000);
    assertThat(rows.values()).extracting(Row::known).containsOnly(660L);
    assertThat(rows.get("folding to any divisor").ids()).isGreaterThan(8 * 2 * 540L);
  }

  @Test
  void itEndsWithEqualSetsAndWithNothingInCommon() throws Exception {
    Map<String, Row> equal = run(50, 50, 300, 50);
    assertThat(equal.values()).extracting(Row::known).containsOnly(50L);
    assertThat(equal.values()).allSatisfy(row -> assertThat(row.items()).isLessThan(100L));
    assertThat(run(50, 0, 300, 500).values()).extracting(Row::known).containsOnly(100L);
  }
}
