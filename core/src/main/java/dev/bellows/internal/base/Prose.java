package dev.bellows.internal.base;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Formats numbers and user data for messages, pages and tables. */
public final class Prose {
  private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  private static final int LONGEST_QUOTE = 60;

  /** The lowest rate that is shown as a percentage; lower ones are hard to read that way. */
  private static final double LEAST_PERCENTAGE = 1e-6;

  private Prose() {}

  /** Formats independently of the locale. */
  public static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }

  /** Returns a whole number with thousands separators. */
  public static String count(long count) {
    return format("%,d", count);
  }

  /** Returns a count with a noun in the singular or plural: {@code 1 key}, {@code 2 keys}. */
  public static String plural(long count, String thing) {
    return count(count) + " " + thing + (count == 1 ? "" : "s");
  }

  /**
   * Returns a rate as text: a percentage down to one in a million, a power of ten below that, and
   * "1 in n" if that is clearer.
   */
  public static String rate(double rate) {
    if (Double.isNaN(rate)) {
      return "unknown";
    }
    if (rate == 0) {
      return "none";
    }
    String shown = rate < LEAST_PERCENTAGE ? power(rate) : format("%.4g %%", 100 * rate);
    return rate < 1e-9 || rate >= 0.1 ? shown : shown + format(" (1 in %,.0f)", 1 / rate);
  }

  /**
   * Returns a rate as a number that can be passed to a method or an option: with four digits,
   * rounded up, so that a limit of that number allows the rate.
   */
  public static String fpp(double rate) {
    return digits(rate, RoundingMode.UP);
  }

  /** Returns a limit that a rate exceeds as such a number, rounded down. */
  public static String limit(double rate) {
    return digits(rate, RoundingMode.DOWN);
  }

  private static String digits(double rate, RoundingMode rounding) {
    return Double.toString(
        BigDecimal.valueOf(rate).round(new MathContext(4, rounding)).doubleValue());
  }

  /** Returns a rate as text for a narrow column: a percentage, or a power of ten. */
  public static String shortRate(double rate) {
    return rate > 0 && rate < LEAST_PERCENTAGE ? power(rate) : format("%.3g %%", 100 * rate);
  }

  private static String power(double rate) {
    return format("%.1e", rate).replace("e-0", "e-");
  }

  /** Returns a size in bytes with a binary unit. */
  public static String bytes(long bytes) {
    double size = bytes;
    int unit = 0;
    while (size >= 1024 && unit < UNITS.length - 1) {
      size /= 1024;
      unit++;
    }
    if (unit > 0) {
      return format("%.1f %s", size, UNITS[unit]);
    }
    return bytes == 1 ? "1 byte" : count(bytes) + " bytes";
  }

  /** Returns user data for a message: quoted, shortened, and without control characters. */
  public static String quote(String text) {
    return "'" + escape(text) + "'";
  }

  /**
   * Returns user data for output: shortened, with control characters, which could move a terminal's
   * cursor or hide text, replaced by question marks.
   */
  public static String escape(String text) {
    String shown =
        text.length() > LONGEST_QUOTE ? text.substring(0, LONGEST_QUOTE - 3) + "..." : text;
    return visible(shown);
  }

  /** Returns user data in full length, with control characters replaced by question marks. */
  public static String visible(String text) {
    return text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", "?");
  }
}
