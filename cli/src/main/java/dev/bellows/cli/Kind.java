package dev.bellows.cli;

import dev.bellows.Filter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The kinds of filter that {@code build} makes, each with the way it is made. */
enum Kind {
  BLOOM(FoldableBuild::bloom),
  COUNTING(FoldableBuild::counting),
  AUTOSCALE(AutoscaleBuild::build),
  RANGE(RangeBuild::build),
  PARTITION(GrowthBuild::partition),
  SCALABLE(GrowthBuild::scalable);

  private final Maker maker;

  Kind(Maker maker) {
    this.maker = maker;
  }

  /** How a kind is built from a request and its keys. */
  @FunctionalInterface
  interface Maker {
    Built build(BuildRequest request, KeyInput keys) throws IOException;
  }

  /** The keys to come; they can be read once. */
  interface KeyInput {
    /** Passes every key's hash and returns how many lines there were. */
    long forEach(HashConsumer consumer) throws IOException;

    /** Passes every key as text and returns how many lines there were. */
    long forEachLine(Consumer<String> consumer) throws IOException;
  }

  /** Takes one key's hash. */
  @FunctionalInterface
  interface HashConsumer {
    void accept(long hash) throws IOException;
  }

  /**
   * A filter with its keys in.
   *
   * @param filter the filter
   * @param lines how many keys came, repetitions included
   * @param keys how many distinct ones there were, as far as is known
   * @param counted whether {@code keys} was counted rather than estimated from the fill
   * @param askedFpp the rate that was asked for, or null if none was
   */
  record Built(
      Filter filter, long lines, double keys, boolean counted, @Nullable Double askedFpp) {}

  Built build(BuildRequest request, KeyInput keys) throws IOException {
    return maker.build(request, keys);
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Kinds by their word. */
  static final class Word implements ITypeConverter<Kind> {
    @Override
    public Kind convert(String text) {
      for (Kind kind : values()) {
        if (kind.word().equals(text)) {
          return kind;
        }
      }
      throw new TypeConversionException(
          Text.quote(text)
              + " is no kind that this version builds; it builds "
              + String.join(", ", new Words()));
    }
  }

  /** The words, for completion. */
  static final class Words extends ArrayList<String> {
    private static final long serialVersionUID = 1L;

    Words() {
      super(words());
    }

    private static List<String> words() {
      return Arrays.stream(Kind.values()).map(Kind::word).toList();
    }
  }
}
