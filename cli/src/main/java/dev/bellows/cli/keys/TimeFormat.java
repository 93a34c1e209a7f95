package dev.bellows.cli.keys;

import dev.bellows.internal.base.Prose;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How times are written: one of three words, or a pattern of {@link DateTimeFormatter}. */
public final class TimeFormat {
  /** Seconds since 1970, with or without decimals. */
  static final TimeFormat SECONDS = new TimeFormat("seconds", null);

  /** Milliseconds since 1970. */
  static final TimeFormat MILLIS = new TimeFormat("millis", null);

  /** ISO 8601. */
  static final TimeFormat ISO = new TimeFormat("iso", null);

  private static final List<TimeFormat> WORDS = List.of(SECONDS, MILLIS, ISO);

  /** The times of a window filter: 71,000 years around 1970. */
  private static final long MOST_MILLIS = 1L << 51;

  private static final ZonedDateTime SAMPLE = ZonedDateTime.parse("2026-03-01T12:34:56.789Z[UTC]");

  private final String text;
  private final @Nullable DateTimeFormatter pattern;

  private TimeFormat(String text, @Nullable DateTimeFormatter pattern) {
    this.text = text;
    this.pattern = pattern;
  }

  /**
   * Returns the format that an option names.
   *
   * @throws IllegalArgumentException if it is neither a word nor a pattern of dates
   */
  static TimeFormat of(String text) {
    for (TimeFormat word : WORDS) {
      if (word.text.equalsIgnoreCase(text)) {
        return word;
      }
    }
    try {
      DateTimeFormatter pattern = DateTimeFormatter.ofPattern(text, Locale.ENGLISH);
      instant(pattern.parse(SAMPLE.format(pattern))); // a pattern without a date has no instants
      return new TimeFormat(text, pattern);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new IllegalArgumentException(
          "%s is not a format of times: write seconds, millis, iso or a pattern with a date, e.g. 'yyyy-MM-dd HH:mm:ss,SSS'"
              .formatted(Prose.quote(text)),
          e);
    }
  }

  /**
   * Returns a time in milliseconds since 1970.
   *
   * @throws IllegalArgumentException if it is not written like this, or no window can hold it
   */
  long millis(String written) {
    String time = written.strip();
    try {
      double millis =
          this == SECONDS
              ? 1000 * Double.parseDouble(time)
              : this == MILLIS ? Long.parseLong(time) : instant(time).toEpochMilli();
      if (!(Math.abs(millis) <= MOST_MILLIS)) { // also if it is not a number
        throw new DateTimeException("outside the times of a window");
      }
      return Math.round(millis);
    } catch (NumberFormatException | DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "%s is not a time in the format %s: check --time-field and --time-format"
              .formatted(Prose.quote(written), text),
          e);
    }
  }

  private Instant instant(String time) {
    return pattern == null ? iso(time) : instant(pattern.parse(time));
  }

  /**
   * Returns the instant of a parsed time: without a time of day midnight, without an offset UTC.
   */
  private static Instant instant(TemporalAccessor parsed) {
    LocalDate date = LocalDate.from(parsed);
    LocalTime time = parsed.query(TemporalQueries.localTime());
    ZoneId zone = parsed.query(TemporalQueries.zone());
    return date.atTime(Objects.requireNonNullElse(time, LocalTime.MIDNIGHT))
        .atZone(Objects.requireNonNullElse(zone, ZoneOffset.UTC))
        .toInstant();
  }

  /** Returns the instant of a time by ISO 8601. */
  static Instant iso(String text) {
    String time = text.replace(' ', 'T');
    if (time.indexOf('T') < 0) {
      return LocalDate.parse(time).atStartOfDay(ZoneOffset.UTC).toInstant();
    }
    String clock = time.substring(time.indexOf('T'));
    return clock.endsWith("Z") || clock.contains("+") || clock.contains("-")
        ? OffsetDateTime.parse(time).toInstant()
        : LocalDateTime.parse(time).toInstant(ZoneOffset.UTC);
  }

  /** Reads the value of an option. */
  public static final class Reader implements ITypeConverter<TimeFormat>, Iterable<String> {
    @Override
    public TimeFormat convert(String value) {
      try {
        return of(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }

    /** The words, for completion and help. */
    @Override
    public Iterator<String> iterator() {
      return WORDS.stream().map(word -> word.text).iterator();
    }
  }
}
