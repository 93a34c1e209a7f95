package dev.bellows.cli.keys;

import dev.bellows.cli.console.OptionGroups;
import dev.bellows.internal.base.Prose;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The time of a key: a column of its line, or the time at which the line is read. */
public final class TimeOptions {
  /** From this number on a time without a format is in milliseconds: the year 5138 in seconds. */
  private static final long FIRST_MILLIS = 100_000_000_000L;

  /** What times are written in, for help. */
  public static final String FORMATS =
      "${COMPLETION-CANDIDATES} or a pattern of Java's DateTimeFormatter, e.g."
          + " 'yyyy-MM-dd HH:mm:ss,SSS' or 'dd/MMM/yyyy:HH:mm:ss Z'";

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
        converter = TimeFormat.Reader.class,
        completionCandidates = TimeFormat.Reader.class,
        description =
            "How times are written: "
                + FORMATS
                + " (default: iso, e.g. 2026-03-01T12:00:00Z). Without an offset they are UTC;"
                + " names are English.")
    @Nullable TimeFormat format;
  }

  private final Arrivals arrivals = new Arrivals(System::currentTimeMillis);

  /**
   * The times at which lines are read. They never run back: if the clock of the system is set back,
   * time continues from the latest one.
   */
  static final class Arrivals {
    private final LongSupplier clock;
    private long latest = Long.MIN_VALUE / 2; // a difference to it fits into a long
    private long ahead;

    Arrivals(LongSupplier clock) {
      this.clock = clock;
    }

    /** Continues from a time, if it is later than that of the clock. */
    void continueFrom(long millis) {
      latest = Math.max(latest, millis);
    }

    long next() {
      long millis = clock.getAsLong();
      ahead = Math.max(ahead, latest - millis);
      return latest = millis + ahead;
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
      return arrivals.next();
    }
    try {
      TimeFormat format = group.format == null ? TimeFormat.ISO : group.format;
      return format.millis(options.column(lines, index, field));
    } catch (IllegalArgumentException e) {
      throw new Lines.Refused(index, e);
    }
  }

  /** Makes times at which lines are read continue from this one, if it is in the future. */
  public void continueFrom(Instant time) {
    arrivals.continueFrom(time.toEpochMilli());
  }

  /** The time of an option in a format; null for any of those that {@link #time} knows. */
  public static Instant time(String text, String option, @Nullable TimeFormat format) {
    return format == null ? time(text, option) : Instant.ofEpochMilli(format.millis(text));
  }

  /** The time of an option: ISO 8601, {@code now}, or seconds or milliseconds since 1970. */
  private static Instant time(String text, String option) {
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
      return TimeFormat.iso(time);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "%s %s is not a time: write 2026-03-01T12:00:00Z, now, or seconds or milliseconds since 1970"
              .formatted(option, Prose.quote(text)),
          e);
    }
  }
}
