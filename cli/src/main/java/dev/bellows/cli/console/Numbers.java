package dev.bellows.cli.console;

import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.answers.PlanFields;
import dev.bellows.answers.Quantities;
import dev.bellows.internal.base.Prose;
import dev.bellows.plan.CapacityPlan.KeyRange;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The syntax of values on the command line. */
public final class Numbers {
  private Numbers() {}

  /** Registers these converters by type, for options that do not name another one. */
  public static void registerWith(CommandLine line) {
    ITypeConverter<Integer> smallCount = text -> parsed(Quantities::smallCount, text);
    line.registerConverter(Long.class, Numbers::count);
    line.registerConverter(long.class, Numbers::count);
    line.registerConverter(Integer.class, smallCount);
    line.registerConverter(int.class, smallCount);
    line.registerConverter(Double.class, Numbers::probability);
    line.registerConverter(double.class, Numbers::probability);
    line.registerConverter(Layout.Family.class, new LayoutWord());
    line.registerConverter(Pattern.class, Numbers::pattern);
    line.registerConverter(KeyRange.class, text -> parsed(PlanFields::keyRange, text));
    line.registerConverter(
        Duration.class, text -> Duration.ofMillis(parsed(Quantities::span, text)));
  }

  /** A whole number: {@code 10000}, {@code 10k}, {@code 1M}, {@code 2G}, {@code 1e6}. */
  public static long count(String text) {
    return parsed(Quantities::count, text);
  }

  /** A probability: {@code 0.01}, {@code 1%}, {@code 1e-2}, {@code 1/100}. */
  public static double probability(String text) {
    return parsed(Quantities::probability, text);
  }

  /**
   * Returns the cells in this many bytes, i.e. bits, or counters of several bits; of a blocked
   * filter, those of whole blocks.
   */
  public static long bitsOf(long bytes, int cell, Layout.@Nullable Family layout) {
    if (bytes > Long.MAX_VALUE / Byte.SIZE) {
      throw new CommandFailure("--size %d is more bytes than any filter has", bytes);
    }
    long bits = bytes * Byte.SIZE / Math.max(1, cell);
    long block = Layout.Blocked.BLOCK_BITS;
    long kept = layout == Layout.Family.CLASSIC ? bits : bits / block * block;
    if (kept == 0) {
      long least =
          layout == Layout.Family.CLASSIC
              ? Math.max(1, cell / Byte.SIZE)
              : block * cell / Byte.SIZE;
      throw new CommandFailure(
          "--size %d is too small: a filter has at least %s", bytes, Prose.plural(least, "byte"));
    }
    return kept;
  }

  /** Numbers of bits, for verbs with a separate option for bytes. */
  public static final class Bits implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      if (text.strip().toLowerCase(Locale.ROOT).matches("[\\d.]+\\s*[kmgt]?i?b(ytes)?")) {
        throw new TypeConversionException(
            Prose.quote(text) + " is a size in bytes, and this option counts bits: use --size");
      }
      return parsed(Quantities::count, text);
    }
  }

  /** Numbers of ids: a count, or a power of two such as {@code 2^30}, up to 2^63. */
  public static final class Universe implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return parsed(Quantities::universe, text);
    }
  }

  /** Sizes in bytes: {@code 65536}, {@code 64KiB}, {@code 1MiB}. */
  public static final class Size implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return parsed(Quantities::size, text);
    }
  }

  /** Amounts that are not negative: {@code 1}, {@code 2.5}, {@code 1e3}. */
  public static final class Amount implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      return parsed(Quantities::amount, text);
    }
  }

  /** Amounts with the units of counts, not always whole: {@code 10k}, {@code 2.5M}, {@code 0.5}. */
  public static final class Rate implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      return parsed(Quantities::rate, text);
    }
  }

  /** Ids: any 64-bit number but 0, in decimal or as {@code 0x} and up to 16 hex digits. */
  public static final class Id implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return number(
          text, id -> id != 0, "an id: write a 64-bit number other than 0, e.g. 42 or 0xcafe");
    }
  }

  /** Seeds: any long, in decimal or as {@code 0x} and up to 16 hex digits. */
  public static final class Seed implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return number(text, seed -> true, "a seed: write a 64-bit number, e.g. 42, -1 or 0x5eed");
    }
  }

  private static long number(String text, LongPredicate isValid, String what) {
    try {
      long number =
          text.startsWith("0x")
              ? Long.parseUnsignedLong(text.substring(2), 16)
              : Long.parseLong(text);
      if (isValid.test(number)) {
        return number;
      }
    } catch (NumberFormatException e) {
      // refused below
    }
    throw new TypeConversionException(Prose.quote(text) + " is not " + what);
  }

  /**
   * One of a few values by their words, which it lists for completion.
   *
   * @param <T> the type of the values
   */
  public abstract static class Word<T> implements ITypeConverter<T>, Iterable<String> {
    private final String what;
    private final Map<String, T> values = new LinkedHashMap<>();

    /**
     * Words of all values.
     *
     * @param what what each of them is, e.g. "a layout"
     */
    protected Word(String what, T[] values, Function<T, String> word) {
      this.what = what;
      for (T value : values) {
        this.values.put(word.apply(value), value);
      }
    }

    @Override
    public final T convert(String text) {
      T value = values.get(text.toLowerCase(Locale.ROOT));
      if (value == null) {
        throw new TypeConversionException(
            "%s is not %s: use %s"
                .formatted(
                    Prose.quote(text), what, Messages.list(List.copyOf(values.keySet()), "or")));
      }
      return value;
    }

    @Override
    public final Iterator<String> iterator() {
      return values.keySet().iterator();
    }
  }

  /** Layouts by their word. */
  public static final class LayoutWord extends Word<Layout.Family> {
    /** Returns all layouts. */
    public LayoutWord() {
      super("a layout", Layout.Family.values(), PlanFields::word);
    }

    /** Returns the word of a layout; null for null. */
    public static @Nullable String of(Layout.@Nullable Family layout) {
      return layout == null ? null : PlanFields.word(layout);
    }
  }

  private static Pattern pattern(String text) {
    try {
      return Pattern.of(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(
          Prose.quote(text) + " is not a pattern (" + e.getMessage() + ")");
    }
  }

  /** Parses the text with a parser of core; turns its exception into that of a converter. */
  private static <T> T parsed(Function<String, T> parser, String text) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
