package dev.bellows.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.jr.ob.JSON;

/**
 * {@code bellows uniq} compared with an exact set of lines and times: what it prints, and every
 * number that it states.
 */
class UniqOracleTest {
  private static final int LINES = 100_000;
  private static final long WINDOW = 600_000;
  private static final long START = 1_772_323_200_123L;

  /** A line of the log: its time as it is written, and its key. */
  private record Line(String time, String key) {
    String text(boolean csv) {
      return csv ? '"' + key + "\"," + time + ",x" : time + '\t' + key + "\tx";
    }
  }

  private static List<Line> log;

  @TempDir Path folder;

  /** Keys that come again after any time, out of order, with gaps, late lines and bad ones. */
  @BeforeAll
  static void makeLog() {
    SplittableRandom random = new SplittableRandom(53);
    log = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    long clock = START;
    for (int i = 0; i < LINES; i++) {
      clock += random.nextLong(60);
      if (random.nextInt(10_000) == 0) {
        clock += random.nextLong(3 * WINDOW);
      }
      long time = random.nextInt(10) == 0 ? clock - random.nextLong(WINDOW + WINDOW / 5) : clock;
      String key;
      if (keys.isEmpty() || random.nextInt(3) == 0) {
        key = "key, " + i;
        keys.add(key);
      } else {
        // those within the last 25,000 lines, which take more than a window
        key = keys.get(Math.max(0, keys.size() - 1 - random.nextInt(8_000)));
      }
      log.add(new Line(random.nextInt(2_000) == 0 ? "never" : Long.toString(time), key));
    }
  }

  /** What becomes of a line, exactly. */
  private enum Fate {
    NEW,
    EDGE,
    REPEATED,
    LATE,
    BAD
  }

  /** The exact fate of every line, with a window of generations or without one. */
  private static Fate[] fates(int generations) {
    Fate[] fates = new Fate[LINES];
    Map<String, Long> last = new HashMap<>();
    long clock = Long.MIN_VALUE / 2;
    for (int i = 0; i < LINES; i++) {
      Line line = log.get(i);
      if (generations == 0) {
        fates[i] = last.put(line.key, 0L) == null ? Fate.NEW : Fate.REPEATED;
        continue;
      }
      if (line.time.equals("never")) {
        fates[i] = Fate.BAD;
        continue;
      }
      long time = Long.parseLong(line.time);
      if (clock - time > WINDOW) {
        fates[i] = Fate.LATE;
        continue;
      }
      if (time - clock > WINDOW) {
        last.clear();
      }
      clock = Math.max(clock, time);
      Long before = last.get(line.key);
      long age =
          before == null
              ? Long.MAX_VALUE
              : clock * generations / WINDOW - before * generations / WINDOW;
      fates[i] = age > generations ? Fate.NEW : age == generations ? Fate.EDGE : Fate.REPEATED;
      // what the window promises, whatever its generations are
      assertThat(before != null && clock - before < WINDOW && fates[i] == Fate.NEW).isFalse();
      long tolerance = WINDOW / generations + 1;
      assertThat(fates[i] == Fate.REPEATED && clock - before > WINDOW).isFalse();
      assertThat(fates[i] == Fate.EDGE && clock - before > WINDOW + tolerance).isFalse();
      last.merge(line.key, time, Math::max);
    }
    return fates;
  }

  private static long count(Fate[] fates, Fate fate) {
    return Stream.of(fates).filter(one -> one == fate).count();
  }

  static Stream<Object[]> modes() {
    List<Object[]> modes = new ArrayList<>();
    for (String state : List.of("none", "file", "folder")) {
      for (String select : List.of("new", "repeated", "first-repeated")) {
        for (String edge : List.of("none", "drop", "print")) {
          boolean isCsv = modes.size() % 2 == 0;
          if (!select.equals("first-repeated") || edge.equals("none") && !state.equals("folder")) {
            modes.add(new Object[] {state, select, edge, isCsv, 47});
          }
        }
      }
    }
    modes.add(new Object[] {"none", "new", "drop", true, 7});
    modes.add(new Object[] {"folder", "new", "print", false, 3});
    return modes.stream();
  }

  @ParameterizedTest
  @MethodSource("modes")
  void linesAndNumbersAreThoseOfAnExactSet(
      String state, String select, String edge, boolean csv, int generations) throws IOException {
    boolean hasWindow = !edge.equals("none");
    Fate[] fates = fates(hasWindow ? generations : 0);
    List<Object> words = words(edge, csv);
    if (hasWindow && generations != 47) {
      words.addAll(List.of("--generations", generations));
    }
    if (!select.equals("new")) {
      words.add("--" + select);
    }
    if (!state.equals("none")) {
      words.addAll(List.of("--state", folder.resolve("state") + (state.equals("file") ? "" : "/")));
    }
    StringBuilder printed = new StringBuilder();
    Map<String, Long> sums = new HashMap<>();
    int runs = state.equals("none") ? 1 : 4;
    for (int run = 0; run < runs; run++) {
      List<Line> part = log.subList(run * LINES / runs, (run + 1) * LINES / runs);
      Map<String, Object> report = run(words, part, csv, printed);
      for (String field : List.of("lines", "unique", "repeated", "late", "bad", "pastWindow")) {
        sums.merge(field, Cli.integer(report.getOrDefault(field, 0)), Long::sum);
      }
      assertThat(Cli.real(report.get("expectedDropped"))).isBetween(0.0, 1e-3);
    }
    assertThat(printed.toString()).isEqualTo(expected(fates, select, edge, csv));
    boolean isNewAtEdge = edge.equals("print");
    long atEdge = count(fates, Fate.EDGE);
    assertThat(sums)
        .containsEntry("lines", (long) LINES)
        .containsEntry("unique", count(fates, Fate.NEW) + (isNewAtEdge ? atEdge : 0))
        .containsEntry("repeated", count(fates, Fate.REPEATED) + (isNewAtEdge ? 0 : atEdge))
        .containsEntry("late", count(fates, Fate.LATE))
        .containsEntry("bad", count(fates, Fate.BAD))
        .containsEntry("pastWindow", atEdge);
    assertThat(atEdge > 100).isEqualTo(hasWindow);
    assertThat(count(fates, Fate.LATE) > 100).isEqualTo(hasWindow);
  }

  private static List<Object> words(String edge, boolean csv) {
    List<Object> words = new ArrayList<>(List.of("uniq"));
    words.addAll(csv ? List.of("--csv", "--field", 1) : List.of("--field", 2));
    if (!edge.equals("none")) {
      words.addAll(List.of("--within", "10m", "--edge", edge, "--skip-bad"));
      words.addAll(List.of("--time-field", csv ? 2 : 1, "--time-format", "millis"));
    }
    return words;
  }

  private Map<String, Object> run(
      List<Object> words, List<Line> part, boolean csv, StringBuilder printed) throws IOException {
    StringBuilder text = new StringBuilder();
    part.forEach(line -> text.append(line.text(csv)).append('\n'));
    List<Object> all = new ArrayList<>(words);
    Path report = folder.resolve("report");
    all.addAll(List.of("--report", report));
    // a fixed secret, so that false positives are the same in every run
    Path key = folder.resolve("state.key");
    Files.writeString(key, "00112233445566778899aabbccddeeff");
    if (!all.contains("--state")) {
      all.addAll(List.of("--key-file", key));
    }
    if (!all.contains("--fpp") && !Files.exists(folder.resolve("state"))) {
      all.addAll(List.of("--fpp", "1e-12"));
    }
    printed.append(Cli.with(text.toString(), all.toArray()).succeeded().out());
    return JSON.std.mapFrom(Files.readString(report));
  }

  /** The lines that an exact set would print. */
  private static String expected(Fate[] fates, String select, String edge, boolean csv) {
    StringBuilder text = new StringBuilder();
    Set<String> twice = new HashSet<>();
    for (int i = 0; i < LINES; i++) {
      Fate fate = fates[i];
      boolean isNew = fate == Fate.NEW || fate == Fate.EDGE && edge.equals("print");
      boolean isOld = fate == Fate.REPEATED || fate == Fate.EDGE && edge.equals("drop");
      boolean isPrinted =
          switch (select) {
            case "new" -> isNew;
            case "repeated" -> isOld;
            default -> isOld && twice.add(log.get(i).key);
          };
      text.append(isPrinted ? log.get(i).text(csv) + "\n" : "");
    }
    return text.toString();
  }

  /**
   * The expected number of new lines taken for repetitions is that of the run, at a rate at which
   * there are many; with a window it is a bound. A sum of independent events with that mean; six
   * standard deviations have alpha below 1e-8.
   */
  @ParameterizedTest
  @CsvSource({
    "none, none",
    "none, drop",
    "none, print",
    "file, drop",
    "folder, none",
    "folder, print"
  })
  void asManyNewLinesAreDroppedAsStated(String state, String edge) throws IOException {
    boolean hasWindow = !edge.equals("none");
    Fate[] fates = fates(hasWindow ? 47 : 0);
    List<Object> words = words(edge, false);
    words.addAll(List.of("--fpp", "5%"));
    if (!state.equals("none")) {
      words.addAll(List.of("--state", folder.resolve("state") + (state.equals("file") ? "" : "/")));
    }
    Map<String, Object> report = run(words, log, false, new StringBuilder());
    long isNew = count(fates, Fate.NEW) + (edge.equals("print") ? count(fates, Fate.EDGE) : 0);
    double dropped = isNew - Cli.integer(report.get("unique"));
    double expected = Cli.real(report.get("expectedDropped"));
    assertThat(expected).isGreaterThan(100);
    assertThat(dropped).isLessThan(expected + 6 * Math.sqrt(expected));
    // a refreshed line may have several prefixes in a window, so that its rate is a bound
    double least = hasWindow ? 0.8 * expected : expected;
    assertThat(dropped).isGreaterThan(least - 6 * Math.sqrt(least));
  }

  /** The same for the groups of which --first-repeated prints no line. */
  @Test
  void asManyGroupsAreMissedAsStated() throws IOException {
    Fate[] fates = fates(0);
    List<Object> words = words("none", false);
    words.addAll(List.of("--fpp", "5%", "--first-repeated"));
    StringBuilder printed = new StringBuilder();
    Map<String, Object> report = run(words, log, false, printed);
    Set<String> groups = new HashSet<>();
    for (int i = 0; i < LINES; i++) {
      if (fates[i] == Fate.REPEATED) {
        groups.add(log.get(i).key);
      }
    }
    printed.toString().lines().forEach(line -> groups.remove(line.split("\t")[1]));
    double expected = Cli.real(report.get("expectedGroupsMissed"));
    assertThat(expected).isGreaterThan(100);
    assertThat((double) groups.size())
        .isBetween(expected - 6 * Math.sqrt(expected), expected + 6 * Math.sqrt(expected));
  }
}
