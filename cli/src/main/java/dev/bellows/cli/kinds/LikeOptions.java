package dev.bellows.cli.kinds;

import dev.bellows.CountingBloomFilter;
import dev.bellows.FoldableFilter;
import dev.bellows.HashScheme;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Console;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.keys.HashingOptions;
import dev.bellows.cli.keys.SchemeOptions;
import dev.bellows.io.FilterKind;
import dev.bellows.plan.BloomPlan;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code build --like}: the new filter has all settings of another one. */
public final class LikeOptions {
  @Option(
      names = "--like",
      paramLabel = "FILE",
      description =
          "The kind, size, layout, pattern, hashes and hash scheme of the filter in FILE, so that"
              + " the two merge (kinds bloom and counting).")
  public @Nullable String file;

  /**
   * What is to be built.
   *
   * @param kind the kind
   * @param size how large
   * @param scheme how keys become hashes
   * @param fpp the rate of the other filter
   */
  public record Model(FilterKind kind, Size size, HashScheme scheme, double fpp) {}

  /**
   * Returns the filter of the file in the words of {@code build}. Contradicting options are
   * refused; {@code --keys} and {@code --fpp} may state expectations.
   *
   * @param askedKind the kind that was given, or null
   */
  public Model model(
      Console console,
      @Nullable FilterKind askedKind,
      Size asked,
      HashingOptions hashing,
      CountingAdapter.Options counting)
      throws IOException {
    String from = Objects.requireNonNull(file);
    SchemeOptions key = new SchemeOptions();
    key.keyFile = hashing.keyFile;
    KindAdapter<?> adapter = FilterFiles.openMapped(console, from, key);
    if (!(adapter.filter instanceof FoldableFilter<?> filter)) {
      throw new CommandFailure(
          "--like takes a filter of kind bloom or counting: %s is of kind %s",
          NamedFiles.name(from), adapter.filter.kind().word());
    }
    BloomPlan plan = filter.plan();
    HashScheme scheme = filter.hashScheme();
    agree("--kind", askedKind == null ? null : askedKind.word(), adapter.filter.kind().word());
    agree("--bits", asked.bits(), plan.bits());
    agree("--capacity", asked.capacity(), plan.bits());
    agree("--hashes", asked.hashes(), plan.hashes());
    agree(
        "--layout",
        Numbers.LayoutWord.of(asked.layout()),
        Numbers.LayoutWord.word(plan.layout().family()));
    agree("--pattern", asked.pattern(), plan.layout().pattern());
    agree("--seed", hashing.seed, scheme.identity());
    if (filter instanceof CountingBloomFilter counters && counting.counterBits == null) {
      counting.counterBits = counters.counterBits();
    }
    Size size =
        new Size(
            asked.keys(),
            asked.fpp(),
            plan.bits(),
            plan.hashes(),
            null,
            plan.layout().family(),
            plan.layout().pattern());
    return new Model(adapter.filter.kind(), size, scheme, filter.expectedFpp());
  }

  private void agree(String option, @Nullable Object given, @Nullable Object found) {
    if (given != null && !given.equals(found)) {
      throw new CommandFailure(
          "%s %s contradicts --like: %s has %s; leave out one of the two",
          option,
          given,
          NamedFiles.name(Objects.requireNonNull(file)),
          found == null ? "none" : found);
    }
  }
}
