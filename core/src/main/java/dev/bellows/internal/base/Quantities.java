package dev.bellows.internal.base;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;

/**
 * Parses numbers as people write them, e.g. {@code 10k}, {@code 1%}, {@code 64KiB} or {@code
 * 1/100}.
 */
public final class Quantities {
  /** Examples of counts, for messages. */
  public static final String COUNTS = "10000, 10k, 1M, 2G or 1e6";

  /** Examples of sizes in bytes, for messages. */
  public static final String SIZES = "65536, 64KiB, 1MiB, 2GiB or 100kB";

  /** Examples of probabilities, for messages. */
  public static final String PROBABILITIES = "0.01, 1%, 1e-2 or 1/100";

  /** Examples of other amounts, for messages. */
  public static final String AMOUNTS = "1, 2.5 or 1e3";

  /** Examples of rates of arrival, for messages. */
  public static final String RATES = "10000, 10k, 2.5M or 0.5";

  /** Examples of spans of time, for messages. */
  public static final String SPANS = "24h, 15m, 90s, 7d, 500ms or 1h30m";

  private static final List<String> SPAN_UNITS = List.of("ms", "s", "m", "h", "d", "w");

  private static final long[] SPAN_MILLIS = {1, 1000, 60_000, 3_600_000, 86_400_000, 604_800_000};

  private Quantities() {}

  /** Returns a whole number: {@code 10000}, {@code 10k}, {@code 1M}, {@code 2G}, {@code 1e6}. */
  public static long count(String text) {
    return whole(text, COUNTS, List.of("k", "m", "g", "t"), 1000);
  }

  /** Returns a number of ids: a count, or a power of two such as {@code 2^30}, up to 2^63. */
  public static long universe(String text) {
    String digits = text.strip();
    if (!digits.startsWith("2^")) {
      return count(text);
    }
    if (!digits.matches("2\\^(\\d|[1-5]\\d|6[0-3])")) {
      throw new IllegalArgumentException(
          Prose.quote(text) + " is not a universe: write it as 1000000, 1G or 2^0 to 2^63");
    }
    return 1L << Integer.parseInt(digits.substring(2));
  }

  /** Returns a count that fits an int. */
  public static int smallCount(String text) {
    long value = count(text);
    if (value > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          Prose.quote(text) + " is too large: at most " + Integer.MAX_VALUE);
    }
    return (int) value;
  }

  /** Returns a size in bytes: {@code 65536}, {@code 64KiB}, {@code 1MiB}. */
  public static long size(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (lower.endsWith("ib")) {
      return whole(text, SIZES, List.of("kib", "mib", "gib", "tib"), 1024);
    }
    return lower.endsWith("b")
        ? whole(text, SIZES, List.of("kb", "mb", "gb", "tb"), 1000)
        : whole(text, SIZES, List.of("k", "m", "g", "t"), 1000);
  }

  /** Returns a probability: {@code 0.01}, {@code 1%}, {@code 1e-2}, {@code 1/100}. */
  public static double probability(String text) {
    double value = share(text);
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException(
          Prose.quote(text) + " is not between 0 and 1: write it as " + PROBABILITIES);
    }
    return value;
  }

  private static double share(String text) {
    int slash = text.indexOf('/');
    if (slash >= 0) {
      double divisor = decimal(text, text.substring(slash + 1), PROBABILITIES).doubleValue();
      return decimal(text, text.substring(0, slash), PROBABILITIES).doubleValue() / divisor;
    }
    return text.endsWith("%")
        ? decimal(text, text.substring(0, text.length() - 1), PROBABILITIES)
            .movePointLeft(2)
            .doubleValue()
        : decimal(text, text, PROBABILITIES).doubleValue();
  }

  /** Returns an amount that is not negative: {@code 1}, {@code 2.5}, {@code 1e3}. */
  public static double amount(String text) {
    double value = decimal(text, text, AMOUNTS).doubleValue();
    if (!(value >= 0)) {
      throw new IllegalArgumentException(Prose.quote(text) + " is negative: it must be 0 or more");
    }
    return value;
  }

  /**
   * Returns an amount with the units of counts, not necessarily whole: {@code 10k}, {@code 2.5M}.
   */
  public static double rate(String text) {
    BigDecimal value = scaled(text, RATES, List.of("k", "m", "g", "t"), 1000);
    if (value.signum() < 0) {
      throw new IllegalArgumentException(Prose.quote(text) + " is negative: it must be 0 or more");
    }
    return value.doubleValue();
  }

  /**
   * Returns a span of time in milliseconds, at least one: {@code 24h}, {@code 90s}, {@code 1h30m}.
   */
  public static long span(String text) {
    String rest = text.strip().toLowerCase(Locale.ROOT);
    BigDecimal sum = BigDecimal.ZERO;
    while (!rest.isEmpty()) {
      int number = 0;
      while (number < rest.length() && "0123456789.".indexOf(rest.charAt(number)) >= 0) {
        number++;
      }
      int unit = number;
      while (unit < rest.length() && "0123456789.".indexOf(rest.charAt(unit)) < 0) {
        unit++;
      }
      int which = SPAN_UNITS.indexOf(rest.substring(number, unit).strip());
      if (number == 0 || which < 0) {
        throw new IllegalArgumentException(
            Prose.quote(text) + " is not a span of time: write it as " + SPANS);
      }
      BigDecimal amount = decimal(text, rest.substring(0, number), SPANS);
      sum = sum.add(amount.multiply(BigDecimal.valueOf(SPAN_MILLIS[which])));
      rest = rest.substring(unit).strip();
    }
    if (sum.signum() <= 0 || sum.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException(
          Prose.quote(text) + " is not a span of time: write it as " + SPANS);
    }
    try {
      return sum.longValueExact();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          Prose.quote(text) + " is not a whole number of milliseconds", e);
    }
  }

  private static long whole(String text, String forms, List<String> units, int step) {
    BigDecimal value = scaled(text, forms, units, step);
    if (value.signum() < 0) {
      throw new IllegalArgumentException(Prose.quote(text) + " is negative: it must be 0 or more");
    }
    if (value.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException(
          Prose.quote(text) + " is too large: at most " + Long.MAX_VALUE);
    }
    try {
      return value.longValueExact();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          Prose.quote(text) + " is not a whole number: write it as " + forms, e);
    }
  }

  private static BigDecimal scaled(String text, String forms, List<String> units, int step) {
    String lower = text.strip().toLowerCase(Locale.ROOT);
    BigDecimal factor = BigDecimal.ONE;
    for (int i = 0; i < units.size(); i++) {
      if (lower.endsWith(units.get(i))) {
        factor = BigDecimal.valueOf(step).pow(i + 1);
        lower = lower.substring(0, lower.length() - units.get(i).length());
        break;
      }
    }
    return decimal(text, lower, forms).multiply(factor);
  }

  private static BigDecimal decimal(String whole, String part, String forms) {
    String digits = part.strip();
    // a number with a huge exponent is short, but takes a lot of memory to expand
    if (digits.length() <= 400
        && digits.matches("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,3})?")) {
      return new BigDecimal(digits);
    }
    throw new IllegalArgumentException(
        Prose.quote(whole) + " is not a number: write it as " + forms);
  }
}
