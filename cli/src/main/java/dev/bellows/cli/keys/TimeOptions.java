package dev.bellows.cli.keys;

import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.console.OptionGroups;
import dev.bellows.internal.base.Prose;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The time of a key: a column of its line, or the time at which the line is read. */
public final class TimeOptions {
  /** From this number on a time without a format is in milliseconds: the year 5138 in seconds. */
  private static final long FIRST_MILLIS = 100_000_000_000L;

  /** The times of a window filter: 71,000 years around 1970. */
  private static final long MOST_MILLIS = 1L << 51;

  @ArgGroup(validate = false, heading = "%nTimes, with a window:%n", order = OptionGroups.TIMES)
  private Group group = new Group();

  /** The options. */
  public static final class Group {
    @Option(
        names = "--time-field",
        paramLabel = "N",
        description =
            "The time of a key is column N of its line, counted from 1 (default: the time at which"
                + " the line is read).")
    @Nullable Integer field;

    @Option(
        names = "--time-format",
        paramLabel = "FORMAT",
        converter = FormatWord.class,
        completionCandidates = FormatWord.class,
        description =
            "How times are written: ${COMPLETION-CANDIDATES} (default: iso, e.g."
                + " 2026-03-01T12:00:00Z; without an offset it is UTC).")
    @Nullable Format format;
  }

  /** How a time is written. */
  enum Format {
    /** Seconds since 1970, with or without decimals. */
    SECONDS,
    /** Milliseconds since 1970. */
    MILLIS,
    /** ISO 8601. */
    ISO
  }

  /** Formats by their word. */
  static final class FormatWord extends Numbers.Word<Format> {
    FormatWord() {
      super("a format of times", Format.values(), one -> one.name().toLowerCase(Locale.ROOT));
    }
  }

  /** Whether an option of times was given. */
  public boolean isGiven() {
    return group.field != null || group.format != null;
  }

  /** Whether times are those of a column. */
  public boolean hasField() {
    return group.field != null;
  }

  /**
   * The time of a line in milliseconds.
   *
   * @throws Lines.Refused if the line has no such column, or it is not a time
   */
  public long millis(KeyOptions options, Lines lines, int index) {
    Integer field = group.field;
    if (field == null) {
      return System.currentTimeMillis();
    }
    try {
      return parse(
          options.column(lines, index, field), group.format == null ? Format.ISO : group.format);
    } catch (IllegalArgumentException e) {
      throw new Lines.Refused(index, e);
    }
  }

  private static long parse(String text, Format format) {
    String time = text.strip();
    try {
      double millis =
          switch (format) {
            case SECONDS -> 1000 * Double.parseDouble(time);
            case MILLIS -> Long.parseLong(time);
            case ISO -> iso(time).toEpochMilli();
          };
      if (!(Math.abs(millis) <= MOST_MILLIS)) { // also if it is not a number
        throw new DateTimeException("outside the times of a window");
      }
      return Math.round(millis);
    } catch (NumberFormatException | DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "%s is not a time in the format %s: check --time-field and --time-format"
              .formatted(Prose.quote(text), format.name().toLowerCase(Locale.ROOT)),
          e);
    }
  }

  private static Instant iso(String text) {
    String time = text.replace(' ', 'T');
    if (time.indexOf('T') < 0) {
      return LocalDate.parse(time).atStartOfDay(ZoneOffset.UTC).toInstant();
    }
    String clock = time.substring(time.indexOf('T'));
    return clock.endsWith("Z") || clock.contains("+") || clock.contains("-")
        ? OffsetDateTime.parse(time).toInstant()
        : LocalDateTime.parse(time).toInstant(ZoneOffset.UTC);
  }

  /** The time of an option: ISO 8601, {@code now}, or seconds or milliseconds since 1970. */
  public static Instant time(String text, String option) {
    String time = text.strip();
    try {
      if (time.equals("now")) {
        return Instant.now();
      }
      if (time.matches("-?\\d{5,18}")) {
        long number = Long.parseLong(time);
        return Math.abs(number) < FIRST_MILLIS
            ? Instant.ofEpochSecond(number)
            : Instant.ofEpochMilli(number);
      }
      return iso(time);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "%s %s is not a time: write 2026-03-01T12:00:00Z, now, or seconds or milliseconds since 1970"
              .formatted(option, Prose.quote(text)),
          e);
    }
  }
}
