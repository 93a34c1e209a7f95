package dev.bellows.cli.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows from the command line. */
class WindowTest {
  @TempDir Path folder;

  private Path lines(String name, String... lines) throws IOException {
    return Files.writeString(folder.resolve(name), String.join("\n", lines) + "\n");
  }

  private Path log() throws IOException {
    return lines(
        "log.tsv",
        "2026-03-01T00:00:00Z\talice",
        "2026-03-01T06:00:00Z\tbob",
        "2026-03-01T20:00:00Z\talice",
        "2026-03-02T12:00:00Z\talice",
        "2026-03-02T13:00:00Z\tbob",
        "2026-03-01T01:00:00Z\tcarol");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ring", "prefixes"})
  void keysExpire(String store) throws IOException {
    Path file = folder.resolve("seen.window");
    Object[] size = store.equals("ring") ? new Object[] {"--keys", 100} : new Object[] {};
    Object[] all =
        concat(
            size,
            "build",
            "--kind",
            "window",
            "--window",
            "24h",
            "--time-field",
            1,
            "--field",
            2,
            "--drop-late",
            "-o",
            file,
            log(),
            "--json");
    Map<String, Object> built = Cli.run(all).succeeded().json();
    assertThat(built)
        .containsEntry("window", "PT24H")
        .containsEntry("generations", 7)
        .containsEntry("lines", 6)
        .containsEntry("keys", 2);
    assertThat(Cli.run("query", file, "alice", "bob", "carol").succeeded().out())
        .isEqualTo("alice\nbob\n");
    assertThat(Cli.run("query", file, "--at", "2026-03-03T12:30:00Z", "bob").out())
        .isEqualTo("bob\n");
    assertThat(Cli.run("query", file, "--at", "2026-03-09", "alice").code()).isEqualTo(1);
    Cli.run("query", file, "--at", "2026-03-01", "alice")
        .refused("2026-03-02T13:00:00Z", "2026-03-01T00:00:00Z");
    Map<String, Object> info = Cli.run("info", file, "--json").succeeded().json();
    assertThat(info)
        .containsEntry("now", "2026-03-02T13:00:00Z")
        .containsEntry("late", 1)
        .containsEntry("window", "PT24H");
    assertThat((List<?>) info.get("generations")).hasSize(8);
    Map<?, ?> oldest = (Map<?, ?>) ((List<?>) info.get("generations")).get(0);
    assertThat(oldest.keySet().toString()).isEqualTo("[from, to, keys, expectedFpp]");
    Path more = lines("more.tsv", "1772539200\tdave");
    Cli.run("add", file, more, "--time-field", 1, "--time-format", "seconds", "--field", 2)
        .succeeded();
    assertThat(Cli.run("info", file, "--json").json()).containsEntry("now", "2026-03-03T12:00:00Z");
  }

  private static Object[] concat(Object[] first, Object... second) {
    Object[] all = new Object[first.length + second.length];
    System.arraycopy(second, 0, all, 0, second.length);
    System.arraycopy(first, 0, all, second.length, first.length);
    return all;
  }

  @Test
  void uniqForgetsWhatIsOlderThanItsWindow() throws IOException {
    Path state = folder.resolve("state");
    Path report = folder.resolve("report.json");
    assertThat(
            Cli.run(
                    "uniq",
                    "--within",
                    "24h",
                    "--time-field",
                    1,
                    "--field",
                    2,
                    "--state",
                    state,
                    "--report",
                    report,
                    log())
                .succeeded()
                .out())
        .isEqualTo(
            "2026-03-01T00:00:00Z\talice\n2026-03-01T06:00:00Z\tbob\n2026-03-02T13:00:00Z\tbob\n");
    assertThat(Files.readString(report)).contains("\"late\":1", "\"unique\":3", "\"repeated\":2");
    Path next = lines("next.tsv", "2026-03-02T14:00:00Z\tbob", "2026-03-04T13:00:00Z\tbob");
    assertThat(
            Cli.run(
                    "uniq",
                    "--within",
                    "24h",
                    "--time-field",
                    1,
                    "--field",
                    2,
                    "--state",
                    state,
                    next)
                .succeeded()
                .out())
        .isEqualTo("2026-03-04T13:00:00Z\tbob\n");
    Cli.run("uniq", "--within", "12h", "--state", state, next).refused("PT24H", "PT12H");
    Cli.run("uniq", "--time-field", 1, next).refused("--within");
    assertThat(Cli.with("a\nb\na\n", "uniq", "--within", "1h").succeeded().out())
        .isEqualTo("a\nb\n");
  }

  @Test
  void keysAheadAreRefusedAndFirstTimesKeptOnRequest() throws IOException {
    Path file = folder.resolve("seen.window");
    Path far = lines("far.tsv", "2026-03-01T00:00:00Z\ta", "2026-03-09T00:00:00Z\tb");
    Cli.run(build(file, far, "--refuse-ahead"))
        .refused("far.tsv:2", "2026-03-09T00:00:00Z", "2026-03-01T00:00:00Z", "--refuse-ahead");
    Cli.run(build(file, far)).succeeded();
    assertThat(Cli.run("query", file, "a", "b").out()).isEqualTo("b\n");
    Path twice = lines("twice.tsv", "2026-03-01T00:00:00Z\ta", "2026-03-01T20:00:00Z\ta");
    Cli.run(build(file, twice)).succeeded();
    assertThat(Cli.run("query", file, "--at", "2026-03-02T12:00:00Z", "a").out()).isEqualTo("a\n");
    Cli.run(build(file, twice, "--keep-first")).succeeded();
    assertThat(Cli.run("query", file, "--at", "2026-03-02T12:00:00Z", "a").code()).isEqualTo(1);
  }

  private static Object[] build(Path file, Path log, Object... more) {
    return concat(
        more,
        "build",
        "--kind",
        "window",
        "--window",
        "24h",
        "--time-field",
        1,
        "--field",
        2,
        "-o",
        file,
        log);
  }

  @Test
  void badInputIsRefusedWithItsPlace() throws IOException {
    Path out = folder.resolve("out");
    Path log = log();
    Cli.run("build", "--kind", "window", "-o", out, log).refused("--window");
    Cli.run("build", "--kind", "window", "--window", "1x", "-o", out, log).refused("'1x'", "24h");
    Cli.run("build", "--kind", "window", "--window", "24h", "--time-field", 2, "-o", out, log)
        .refused("log.tsv:1", "'alice'");
    Cli.run("build", "--kind", "window", "--window", "24h", "--time-field", 7, "-o", out, log)
        .refused("log.tsv:1", "2 columns, not 7");
    Cli.run("build", "--kind", "window", "--window", "24h", "--time-field", 1, "-o", out, log)
        .refused("log.tsv:6", "2026-03-01T01:00:00Z", "--drop-late");
    Cli.run("build", "--window", "24h", "-o", out, log).refused("--kind window");
    assertThat(out).doesNotExist();
  }

  @Test
  void aWindowIsPlanned() {
    Map<String, Object> plan =
        Cli.run("plan", "window", "--keys", "1M", "--window", "24h", "--fpp", "1%", "--json")
            .succeeded()
            .json();
    assertThat(plan).containsKeys("bits", "bitsPerLiveKey", "generations", "fpp");
    assertThat((double) plan.get("bitsPerLiveKey")).isBetween(18.0, 21.5);
    assertThat((double) plan.get("fpp")).isLessThanOrEqualTo(0.01);
    assertThat(Cli.run("plan", "window", "--keys", "1M", "--window", "24h", "--fpp", "1%").out())
        .contains("WindowFilter.builder()");
  }

  /** Times that no window has are refused with their place, by uniq as by build. */
  @Test
  void timesOutOfRangeAreRefusedWithTheirPlace() throws IOException {
    Path out = folder.resolve("out");
    Path log = folder.resolve("times.tsv");
    for (String time : List.of("NaN", "Infinity", "-Infinity", "1e30", "9223372036854775807")) {
      Files.writeString(log, time + "\ta\n");
      Object[] times = {"--time-field", 1, "--time-format", "seconds", "--field", 2, log};
      Cli.run(with(times, "build", "--kind", "window", "--window", "24h", "-o", out))
          .refused("times.tsv:1", "'" + time + "' is not a time");
      for (Object state : List.of(folder.resolve("file"), folder.resolve("folder") + "/")) {
        Cli.run(with(times, "uniq", "--within", "24h", "--state", state))
            .refused("times.tsv:1", "'" + time + "' is not a time");
      }
    }
    Files.writeString(log, "9223372036854775807\ta\n");
    Cli.run("uniq", "--within", "24h", "--time-field", 1, "--time-format", "millis", log)
        .refused("times.tsv:1", "'9223372036854775807' is not a time");
    assertThat(out).doesNotExist();
  }

  private static Object[] with(Object[] last, Object... first) {
    return Stream.concat(Stream.of(first), Stream.of(last)).toArray();
  }
}
