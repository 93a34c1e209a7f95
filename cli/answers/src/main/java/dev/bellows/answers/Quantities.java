package dev.bellows.answers;

import dev.bellows.internal.base.Prose;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  private static final String PREFIXES = "kmgt";

  private static final List<String> SPAN_UNITS = List.of("ms", "s", "m", "h", "d", "w");

  private static final Pattern SPAN_PART = Pattern.compile("([0-9.]+)([^0-9.]+)");

  private static final long[] SPAN_MILLIS = {1, 1000, 60_000, 3_600_000, 86_400_000, 604_800_000};

  private Quantities() {}

  /** Returns a whole number: {@code 10000}, {@code 10k}, {@code 1M}, {@code 2G}, {@code 1e6}. */
  public static long count(String text) {
    return whole(text, COUNTS, "", 1000);
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
      return whole(text, SIZES, "ib", 1024);
    }
    return whole(text, SIZES, lower.endsWith("b") ? "b" : "", 1000);
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
    return notNegative(text, decimal(text, text, AMOUNTS)).doubleValue();
  }

  /**
   * Returns an amount with the units of counts, not necessarily whole: {@code 10k}, {@code 2.5M}.
   */
  public static double rate(String text) {
    return scaled(text, RATES, "", 1000).doubleValue();
  }

  /**
   * Returns a span of time in milliseconds, at least one: {@code 24h}, {@code 90s}, {@code 1h30m}.
   */
  public static long span(String text) {
    String spans = text.strip().toLowerCase(Locale.ROOT);
    BigDecimal sum = BigDecimal.ZERO;
    int end = 0;
    for (Matcher part = SPAN_PART.matcher(spans); part.find(); end = part.end()) {
      int unit = SPAN_UNITS.indexOf(part.group(2).strip());
      if (unit < 0 || part.start() != end) {
        throw notASpan(text);
      }
      BigDecimal amount = decimal(text, part.group(1), SPANS);
      sum = sum.add(amount.multiply(BigDecimal.valueOf(SPAN_MILLIS[unit])));
    }
    if (end < spans.length()
        || sum.signum() <= 0
        || sum.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw notASpan(text);
    }
    try {
      return sum.longValueExact();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          Prose.quote(text) + " is not a whole number of milliseconds", e);
    }
  }

  private static IllegalArgumentException notASpan(String text) {
    return new IllegalArgumentException(
        Prose.quote(text) + " is not a span of time: write it as " + SPANS);
  }

  private static long whole(String text, String forms, String suffix, int step) {
    BigDecimal value = scaled(text, forms, suffix, step);
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

  /** Returns a number that may end with k, m, g or t and then a suffix. */
  private static BigDecimal scaled(String text, String forms, String suffix, int step) {
    String lower = text.strip().toLowerCase(Locale.ROOT);
    BigDecimal factor = BigDecimal.ONE;
    for (int i = 0; i < PREFIXES.length(); i++) {
      String unit = PREFIXES.charAt(i) + suffix;
      if (lower.endsWith(unit)) {
        factor = BigDecimal.valueOf(step).pow(i + 1);
        lower = lower.substring(0, lower.length() - unit.length());
        break;
      }
    }
    return notNegative(text, decimal(text, lower, forms).multiply(factor));
  }

  private static BigDecimal notNegative(String text, BigDecimal value) {
    if (value.signum() < 0) {
      throw new IllegalArgumentException(Prose.quote(text) + " is negative: it must be 0 or more");
    }
    return value;
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
