package dev.bellows.cli.kinds;

import dev.bellows.cli.console.Numbers;
import dev.bellows.internal.base.Prose;
import dev.bellows.range.RangeSchema.Domain;
import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How numbers, ranges and domains are written: {@code 42}, {@code -1.5}, {@code 10..60}. */
public final class RangeText {
  private static final String NUMBER = "[+-]?\\d{1,40}(?:\\.\\d{1,40})?";
  private static final Pattern RANGE =
      Pattern.compile("(" + NUMBER + ")(?:\\.\\.(" + NUMBER + "))?");

  private static final Pattern SHORT = Pattern.compile("([+-]?)(\\d+(?:\\.\\d+)?[kKmMgGtT])");

  private RangeText() {}

  /** A number, or all numbers from low to high. */
  record Interval(BigDecimal low, BigDecimal high) {
    boolean single() {
      return low.equals(high);
    }
  }

  static boolean isNumbers(String text) {
    return RANGE.matcher(text).matches();
  }

  static Interval interval(String text) {
    Matcher matcher = RANGE.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          Prose.quote(text) + " is neither a number nor a range: write it as 42, -1.5 or 10..60");
    }
    BigDecimal low = new BigDecimal(matcher.group(1));
    return new Interval(low, matcher.group(2) == null ? low : new BigDecimal(matcher.group(2)));
  }

  /** The domain between two ends, with as many decimals as the longer of them is written with. */
  public static Domain domain(String low, String high) {
    BigDecimal from = number(low);
    BigDecimal to = number(high);
    return Domain.of(from, to, Math.max(from.scale(), to.scale()));
  }

  /** Returns a domain as {@code LOW..HIGH}, or as the number of its numbers. */
  public static Domain domain(String text) {
    int dots = text.indexOf("..");
    return dots < 0
        ? Domain.ofSize(Numbers.count(text))
        : domain(text.substring(0, dots), text.substring(dots + 2));
  }

  /** Returns an end of a domain: a number, with its decimals, or one as {@code 5M}. */
  private static BigDecimal number(String text) {
    Matcher shortened = SHORT.matcher(text.strip());
    if (shortened.matches()) {
      BigDecimal size = BigDecimal.valueOf(Numbers.count(shortened.group(2)));
      return shortened.group(1).equals("-") ? size.negate() : size;
    }
    Interval interval = interval(text.strip());
    if (!interval.single()) {
      throw new IllegalArgumentException(
          Prose.quote(text) + " is a range where a number is needed");
    }
    return interval.low;
  }
}
