package dev.bellows.cli.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bellows.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times of lines: how they are written, and those at which lines are read. */
class TimesTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "seconds | 1772539200.5 | 2026-03-03T12:00:00.500Z",
        "MILLIS | 1772539200001 | 2026-03-03T12:00:00.001Z",
        "iso | 2026-03-03 12:00:00+01:00 | 2026-03-03T11:00:00Z",
        "yyyy-MM-dd HH:mm:ss,SSS | 2026-03-03 12:00:00,123 | 2026-03-03T12:00:00.123Z",
        "dd/MMM/yyyy:HH:mm:ss Z | 03/Mar/2026:12:00:00 -0700 | 2026-03-03T19:00:00Z",
        "'['dd/MMM/yyyy:HH:mm:ss | [03/Mar/2026:12:00:00 | 2026-03-03T12:00:00Z",
        "EEE MMM d HH:mm:ss VV yyyy | Tue Mar 3 12:00:00 Europe/Berlin 2026 | 2026-03-03T11:00:00Z",
        "yyyyMMdd | 20260303 | 2026-03-03T00:00:00Z",
        "d.M.yyyy hh:mm a | 3.3.2026 01:30 PM | 2026-03-03T13:30:00Z",
      })
  void timesAreReadAsTheyAreWritten(String format, String written, String instant) {
    assertThat(Instant.ofEpochMilli(TimeFormat.of(format).millis(written)))
        .isEqualTo(Instant.parse(instant));
    assertThatIllegalArgumentException().isThrownBy(() -> TimeFormat.of(format).millis("x"));
  }

  /** Among them a pattern without a date, with which all lines would be of one day. */
  @ParameterizedTest
  @ValueSource(
      strings = {"HH:mm:ss", "unix", "epoch", "yyyy", "MM-dd", "", "second", "yyyy-MM-dd'"})
  void otherFormatsAreRefused(String format) {
    assertThatIllegalArgumentException().isThrownBy(() -> TimeFormat.of(format));
    Cli.run("uniq", "--within", "1h", "--time-field", 1, "--time-format", format)
        .refused("is not a format of times");
  }

  @Test
  void everyVerbWithTimesTakesPatterns() throws IOException {
    Path log = Files.writeString(folder.resolve("log"), "03/Mar/2026:12:00:00 +0100\ta\n");
    Path more = Files.writeString(folder.resolve("more"), "04/Mar/2026:10:00:00 +0100\tb\n");
    Path file = folder.resolve("f");
    String format = "dd/MMM/yyyy:HH:mm:ss Z";
    Object[] times = {"--time-field", 1, "--time-format", format, "--field", 2};
    Cli.run(with(times, "build", "--kind", "window", "--window", "24h", "-o", file, log))
        .succeeded();
    assertThat(Cli.run("info", file, "--json").json()).containsEntry("now", "2026-03-03T11:00:00Z");
    Cli.run(with(times, "add", file, more)).succeeded();
    assertThat(Cli.run("info", file, "--json").json()).containsEntry("now", "2026-03-04T09:00:00Z");
    Object[] at = {"query", "--time-format", format, file, "a", "b", "--at"};
    assertThat(Cli.run(with(new Object[] {"04/Mar/2026:11:00:00 +0100"}, at)).out())
        .isEqualTo("a\nb\n");
    assertThat(Cli.run(with(new Object[] {"04/Mar/2026:20:00:00 +0100"}, at)).out())
        .isEqualTo("b\n");
    Cli.run(with(new Object[] {"2026-03-05"}, at)).refused("'2026-03-05' is not a time");
  }

  private static Object[] with(Object[] last, Object... first) {
    Object[] all = new Object[first.length + last.length];
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(last, 0, all, first.length, last.length);
    return all;
  }

  /** The clock of the system is set back by a year, forward, and back again. */
  @Test
  void timesAtWhichLinesAreReadNeverRunBack() {
    long year = 365L * 86_400_000;
    AtomicLong clock = new AtomicLong(10 * year);
    TimeOptions.Arrivals arrivals = new TimeOptions.Arrivals(clock::get);
    assertThat(arrivals.next()).isEqualTo(10 * year);
    clock.addAndGet(5);
    assertThat(arrivals.next()).isEqualTo(10 * year + 5);
    clock.addAndGet(-year);
    assertThat(arrivals.next()).isEqualTo(10 * year + 5);
    clock.addAndGet(7);
    assertThat(arrivals.next()).isEqualTo(10 * year + 12);
    clock.addAndGet(2 * year);
    assertThat(arrivals.next()).isEqualTo(12 * year + 12);
    arrivals.continueFrom(20 * year);
    assertThat(arrivals.next()).isEqualTo(20 * year);
    clock.addAndGet(3);
    assertThat(arrivals.next()).isEqualTo(20 * year + 3);
  }
}
