package dev.bellows.cli;

import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.internal.base.Prose;
import dev.bellows.plan.CapacityPlan.KeyRange;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How values are written on the command line. */
final class Numbers {
  private Numbers() {}

  /** Whole numbers: {@code 10000}, {@code 10k}, {@code 1M}, {@code 2G}, {@code 1e6}. */
  static final class Count implements ITypeConverter<Long> {
    static final String FORMS = "10000, 10k, 1M, 2G or 1e6";

    @Override
    public Long convert(String text) {
      return whole(text, FORMS, List.of("k", "m", "g", "t"), 1000);
    }
  }

  /** Numbers of ids: a count, or a power of two as {@code 2^30}, up to 2^63. */
  static final class Universe implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      String digits = text.strip();
      if (!digits.startsWith("2^")) {
        return new Count().convert(text);
      }
      if (!digits.matches("2\\^(\\d|[1-5]\\d|6[0-3])")) {
        throw new TypeConversionException(
            Prose.quote(text) + " is not a universe: write it as 1000000, 1G or 2^0 to 2^63");
      }
      return 1L << Integer.parseInt(digits.substring(2));
    }
  }

  /** Counts that fit an int: numbers of hashes. */
  static final class SmallCount implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      long value = new Count().convert(text);
      if (value > Integer.MAX_VALUE) {
        throw new TypeConversionException(
            Prose.quote(text) + " is too large: at most " + Integer.MAX_VALUE);
      }
      return (int) value;
    }
  }

  /** Sizes in bytes: {@code 65536}, {@code 64KiB}, {@code 1MiB}. */
  static final class Size implements ITypeConverter<Long> {
    static final String FORMS = "65536, 64KiB, 1MiB, 2GiB or 100kB";

    @Override
    public Long convert(String text) {
      String lower = text.toLowerCase(Locale.ROOT);
      if (lower.endsWith("ib")) {
        return whole(text, FORMS, List.of("kib", "mib", "gib", "tib"), 1024);
      }
      return lower.endsWith("b")
          ? whole(text, FORMS, List.of("kb", "mb", "gb", "tb"), 1000)
          : whole(text, FORMS, List.of("k", "m", "g", "t"), 1000);
    }
  }

  /** Probabilities: {@code 0.01}, {@code 1%}, {@code 1e-2}, {@code 1/100}. */
  static final class Probability implements ITypeConverter<Double> {
    static final String FORMS = "0.01, 1%, 1e-2 or 1/100";

    @Override
    public Double convert(String text) {
      double value = parse(text);
      if (!(value >= 0 && value <= 1)) {
        throw new TypeConversionException(
            Prose.quote(text) + " is not between 0 and 1: write it as " + FORMS);
      }
      return value;
    }

    private static double parse(String text) {
      int slash = text.indexOf('/');
      if (slash >= 0) {
        double divisor = decimal(text, text.substring(slash + 1), FORMS).doubleValue();
        return decimal(text, text.substring(0, slash), FORMS).doubleValue() / divisor;
      }
      return text.endsWith("%")
          ? decimal(text, text.substring(0, text.length() - 1), FORMS)
              .movePointLeft(2)
              .doubleValue()
          : decimal(text, text, FORMS).doubleValue();
    }
  }

  /** Amounts that are not negative: {@code 1}, {@code 2.5}, {@code 1e3}. */
  static final class Amount implements ITypeConverter<Double> {
    static final String FORMS = "1, 2.5 or 1e3";

    @Override
    public Double convert(String text) {
      double value = decimal(text, text, FORMS).doubleValue();
      if (!(value >= 0)) {
        throw new TypeConversionException(Prose.quote(text) + " is negative: write it as " + FORMS);
      }
      return value;
    }
  }

  /** Amounts with the units of counts, not always whole: {@code 10k}, {@code 2.5M}, {@code 0.5}. */
  static final class Rate implements ITypeConverter<Double> {
    static final String FORMS = "10000, 10k, 2.5M or 0.5";

    @Override
    public Double convert(String text) {
      BigDecimal value = scaled(text, FORMS, List.of("k", "m", "g", "t"), 1000);
      if (value.signum() < 0) {
        throw new TypeConversionException(Prose.quote(text) + " is negative: write it as " + FORMS);
      }
      return value.doubleValue();
    }
  }

  /** Ranges of key counts, as {@code 1k..1M}. */
  static final class Keys implements ITypeConverter<KeyRange> {
    @Override
    public KeyRange convert(String text) {
      int dots = text.indexOf("..");
      if (dots < 0) {
        throw new TypeConversionException(
            Prose.quote(text) + " is not a range: write it as 1k..1M, both ends included");
      }
      Count count = new Count();
      long fewest = count.convert(text.substring(0, dots));
      long most = count.convert(text.substring(dots + 2));
      if (fewest < 1 || most < fewest) {
        throw new TypeConversionException(
            Prose.quote(text)
                + " is not a range of keys: at least 1, and most keys not below fewest");
      }
      return new KeyRange(fewest, most);
    }
  }

  /** Seeds: any long, in decimal or as {@code 0x} and up to 16 hex digits. */
  static final class Seed implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      try {
        return text.startsWith("0x")
            ? Long.parseUnsignedLong(text.substring(2), 16)
            : Long.parseLong(text);
      } catch (NumberFormatException e) {
        throw new TypeConversionException(
            Prose.quote(text) + " is not a seed: write a 64-bit number, as 42, -1 or 0x5eed");
      }
    }
  }

  /** Layouts by their word. */
  static final class LayoutWord implements ITypeConverter<Layout> {
    @Override
    public Layout convert(String text) {
      for (Layout layout : Layout.values()) {
        if (layout.name().equalsIgnoreCase(text)) {
          return layout;
        }
      }
      throw new TypeConversionException(
          Prose.quote(text) + " is not a layout: take " + String.join(" or ", new Words()));
    }

    /** The words, for completion. */
    static final class Words extends ArrayList<String> {
      private static final long serialVersionUID = 1L;

      Words() {
        super(Arrays.stream(Layout.values()).map(LayoutWord::word).toList());
      }
    }

    static @Nullable String of(@Nullable Layout layout) {
      return layout == null ? null : word(layout);
    }

    static String word(Layout layout) {
      return layout.name().toLowerCase(Locale.ROOT);
    }
  }

  /** Patterns, as {@code 2x3}. */
  static final class PatternWord implements ITypeConverter<Pattern> {
    @Override
    public Pattern convert(String text) {
      try {
        return Pattern.of(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(
            Prose.quote(text) + " is not a pattern (" + e.getMessage() + ")");
      }
    }

    static @Nullable String of(@Nullable Pattern pattern) {
      return pattern == null ? null : pattern.toString();
    }
  }

  private static long whole(String text, String forms, List<String> units, int step) {
    BigDecimal value = scaled(text, forms, units, step);
    if (value.signum() < 0) {
      throw new TypeConversionException(Prose.quote(text) + " is negative: write it as " + forms);
    }
    if (value.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new TypeConversionException(
          Prose.quote(text) + " is too large: at most " + Long.MAX_VALUE);
    }
    try {
      return value.longValueExact();
    } catch (ArithmeticException e) {
      throw new TypeConversionException(
          Prose.quote(text) + " is not a whole number: write it as " + forms);
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
    // a huge exponent is short to write and takes much memory to expand
    if (digits.length() <= 400
        && digits.matches("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,3})?")) {
      return new BigDecimal(digits);
    }
    throw new TypeConversionException(
        Prose.quote(whole) + " is not a number: write it as " + forms);
  }
}
