package dev.bellows.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.HashScheme;
import dev.bellows.cli.Cli;
import dev.bellows.window.WindowFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.jr.ob.JSON;

/** {@code bellows uniq --within}: its tolerance, wrong times, and lines that cannot be read. */
class UniqWindowTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  @TempDir Path folder;

  private static Object[] uniq(Object... more) {
    return UniqWindowTest.with(more, "uniq", "--within", "10m", "--time-field", 1, "--field", 2);
  }

  private static Object[] with(Object[] last, Object... first) {
    Object[] all = new Object[first.length + last.length];
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(last, 0, all, first.length, last.length);
    return all;
  }

  private static String line(long seconds, String key) {
    return START.plusSeconds(seconds) + "\t" + key + "\n";
  }

  private static String lines(int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) {
      text.append(line(i, "line " + i));
    }
    return text.toString();
  }

  private Map<String, Object> report() throws IOException {
    return JSON.std.mapFrom(Files.readString(folder.resolve("report")));
  }

  /** For any phase of the clock, a line is dropped for ten minutes and no more than 3 % longer. */
  @Test
  void aWindowIsExactToThreePercent() throws IOException {
    StringBuilder log = new StringBuilder();
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      long first = 20_000L * i + 7 * i;
      log.append(line(first, "line"));
      expected.append(line(first, "line"));
      log.append(line(first + 599, "line"));
      log.append(line(first + 599 + 619, "line"));
      expected.append(line(first + 599 + 619, "line"));
    }
    Cli.Result result = Cli.with(log.toString(), uniq("--report", folder.resolve("report")));
    assertThat(result.succeeded().out()).isEqualTo(expected.toString());
    assertThat(result.err()).contains("up to 10m12.8s", "47 generations");
    assertThat(report())
        .containsEntry("generations", 47)
        .containsEntry("window", "PT10M")
        .containsEntry("tolerance", "PT12.766S");
  }

  @Test
  void linesAtTheEdgeArePrintedOrDropped() throws IOException {
    // 2026-03-01 begins with a generation; the line is in the first half of one of 200 s
    String once = line(10, "a") + line(300, "b");
    String log = once + line(650, "a");
    Object[] three = {"--generations", 3, "--report", folder.resolve("report")};
    assertThat(Cli.with(log, uniq(three)).out()).isEqualTo(once);
    assertThat(report()).containsEntry("pastWindow", 1).containsEntry("unique", 2);
    assertThat(Cli.with(log, uniq(with(three, "--edge", "drop"))).out()).isEqualTo(once);
    assertThat(Cli.with(log, uniq(with(three, "--edge", "print"))).out()).isEqualTo(log);
    assertThat(report())
        .containsEntry("pastWindow", 1)
        .containsEntry("unique", 3)
        .containsEntry("repeated", 0)
        .containsEntry("generations", 3);
    assertThat(Cli.with(log, uniq(with(three, "--edge", "print", "--repeated"))).out()).isEmpty();
    Path state = folder.resolve("state");
    Cli.with(log, uniq("--generations", 3, "--state", state)).succeeded();
    Cli.with(log, uniq("--generations", 7, "--state", state)).refused("has 3 generations, not 7");
    Cli.with(log, uniq("--generations", 5)).refused("3, 7, 15, 31 or 47", "5");
    Cli.with(log, uniq("--edge", "keep")).refused("'keep'", "print or drop");
    Cli.with(log, "uniq", "--generations", 7).refused("--within");
    assertThat(Cli.with("a\na\n", "uniq", "--within", "20ms").succeeded().lines()).contains("a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "file", "folder/"})
  void oneWrongTimeIsRefusedOrReported(String state) throws IOException {
    String log = lines(0, 500) + "2099-01-01T00:00:00Z\twrong\n" + lines(500, 1001);
    Object[] words = {"--report", folder.resolve("report"), "--fpp", "1e-12"};
    if (!state.equals("none")) {
      words =
          with(
              words,
              "--state",
              folder.resolve(state).toString() + (state.endsWith("/") ? "/" : ""));
    }
    Cli.Result good = Cli.with(log, uniq(with(words, "--refuse-ahead", "1h", "--skip-bad")));
    assertThat(good.succeeded().out()).isEqualTo(lines(0, 1001));
    assertThat(good.err()).contains("standard input:501", "2099-01-01T00:00:00Z");
    assertThat(report()).containsEntry("bad", 1).containsEntry("late", 0);
    if (!state.equals("none")) {
      assertThat(Cli.with(log, uniq(with(words, "--refuse-ahead", "1h", "--skip-bad"))).out())
          .isEmpty();
    }
    // without the option the clock moves, and a warning says so
    Cli.Result jump = Cli.with(log, uniq(words));
    assertThat(jump.succeeded().err())
        .contains("warning: standard input:501", "2099-01-01T00:00:00Z", "--refuse-ahead");
    assertThat(report()).containsEntry("late", state.equals("none") ? 501 : 901);
    if (!state.equals("none")) {
      // the next run says why nothing is printed; lines as they are read are not late
      assertThat(Cli.with(lines(2000, 2010), uniq(words)).succeeded().err())
          .contains("warning: standard input:1 is late", "2099-01-01T00:00:00Z");
      Object[] now = with(words, "uniq", "--field", 2);
      Cli.Result arrived = Cli.with(lines(2000, 2010), now);
      assertThat(arrived.succeeded().out()).isEqualTo(lines(2000, 2010));
      assertThat(arrived.err()).contains("warning: the clock of", "2099-01-01T00:00:00Z");
      assertThat(report()).containsEntry("late", 0);
      assertThat(Cli.with(lines(2000, 2010), now).succeeded().out()).isEmpty();
    }
  }

  @Test
  void aWrongFirstTimeIsComparedWithTheClockOfTheSystem() {
    String log = "2999-01-01T00:00:00Z\twrong\n" + lines(0, 10);
    assertThat(Cli.with(log, uniq("--refuse-ahead", "1d", "--skip-bad")).succeeded().out())
        .isEqualTo(lines(0, 10));
    Cli.with(log, uniq("--refuse-ahead", "1d")).refused("standard input:1", "2999-01-01T00:00:00Z");
    Cli.with("a\n", "uniq", "--within", "1h", "--refuse-ahead", "1h").refused("--time-field");
    Cli.with("a\n", "uniq", "--refuse-ahead", "1h").refused("--within");
  }

  @Test
  void aGapThatIsRefusedIsReported() {
    Cli.Result result =
        Cli.with(lines(0, 10) + lines(8000, 8010), uniq("--refuse-ahead", "1h", "--skip-bad"));
    assertThat(result.succeeded().out()).isEqualTo(lines(0, 10));
    assertThat(result.err()).contains("the last 10 lines were refused", "a longer --refuse-ahead");
  }

  /** Lines before a bad one are printed, and a second run over the corrected log completes it. */
  @ParameterizedTest
  @ValueSource(strings = {"file", "folder/"})
  void nothingIsLostOnASecondRun(String state) throws IOException {
    // the second line is nearly late when the third has moved the clock, within its generation
    String before =
        line(1205, "new") + line(606, "old") + line(1210, "c") + line(1211, "new") + line(611, "d");
    String name = folder.resolve(state) + (state.endsWith("/") ? "/" : "");
    Cli.Result stopped = Cli.with(before + "x\ty\n" + line(1212, "z"), uniq("--state", name));
    assertThat(stopped.code()).isEqualTo(2);
    String printed = line(1205, "new") + line(606, "old") + line(1210, "c") + line(611, "d");
    assertThat(stopped.out()).isEqualTo(printed);
    assertThat(stopped.err()).contains("standard input:6: 'x' is not a time", "--skip-bad");
    String again = Cli.with(before + line(1212, "z"), uniq("--state", name)).succeeded().out();
    if (state.equals("file")) {
      assertThat(stopped.err()).contains("is unchanged");
      assertThat(again).isEqualTo(printed + line(1212, "z"));
    } else {
      assertThat(stopped.err()).contains("remembered in");
      assertThat(again).isEqualTo(line(1212, "z"));
    }
  }

  @Test
  void badLinesAreSkippedAndCounted() throws IOException {
    Path report = folder.resolve("report");
    Object[] skip = {"--skip-bad", "--report", report};
    String log = line(0, "a") + "x\tb\n" + "short\n" + line(1, "c") + "\n" + line(2, "a");
    Cli.Result result = Cli.with(log, uniq(skip));
    assertThat(result.succeeded().out()).isEqualTo(line(0, "a") + line(1, "c"));
    // a line without the column of the key is found before one without a time
    assertThat(result.err()).containsOnlyOnce("warning: ").contains("standard input:3: the line");
    assertThat(report())
        .containsEntry("lines", 6)
        .containsEntry("bad", 3)
        .containsEntry("unique", 2)
        .containsEntry("repeated", 1);
    assertThat(Cli.with("1\nx\n2\n1\n", with(skip, "uniq", "--longs")).succeeded().out())
        .isEqualTo("1\n2\n");
    assertThat(report()).containsEntry("bad", 1).containsEntry("lines", 4);
    Object[] csv = with(skip, "uniq", "--csv", "--field", 2);
    assertThat(Cli.with("a\nb,\"1\n2\"\nc\n", csv).succeeded().out()).isEqualTo("b,\"1\n2\"\n");
    assertThat(report()).containsEntry("bad", 2).containsEntry("lines", 3);
    assertThat(Cli.with("a\n", csv).succeeded().out()).isEmpty();
    assertThat(report()).containsEntry("bad", 1).containsEntry("lines", 1);
  }

  /** A window that was built with other rules is a state, too. */
  @Test
  void aWindowThatWasBuiltIsAState() throws IOException {
    Path ring = folder.resolve("ring");
    WindowFilter filter =
        WindowFilter.builder()
            .window(Duration.ofMinutes(10))
            .keys(1000)
            .hashScheme(HashScheme.DEFAULT.withKeyType(HashScheme.KeyType.TEXT))
            .build();
    filter.put("line 3", START.plusSeconds(3));
    filter.writeTo(ring);
    assertThat(Cli.with(lines(0, 5) + line(602, "line 0"), uniq("--state", ring)).out())
        .isEqualTo(line(0, "line 0") + line(1, "line 1") + line(2, "line 2") + line(4, "line 4"));
    Cli.Result late = Cli.with(line(900, "x") + lines(0, 1), uniq("--state", ring));
    assertThat(late.code()).isEqualTo(2);
    assertThat(late.err()).contains("standard input:2", "is late");
    Map<String, Object> info = Cli.run("info", ring, "--json").succeeded().json();
    assertThat((List<?>) info.get("generations")).hasSize(8);
  }

  @Test
  void helpStatesTheTolerance() {
    assertThat(Cli.run("uniq", "--help").succeeded().out().replaceAll("\\s+", " "))
        .contains("with --within 10m after 10m to 10m13s");
  }
}
