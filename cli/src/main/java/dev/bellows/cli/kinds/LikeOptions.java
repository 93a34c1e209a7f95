package dev.bellows.cli.kinds;

import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.FoldableFilter;
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
   * Returns the filter of the file. Contradicting options are refused; {@code --keys} and {@code
   * --fpp} may state expectations.
   *
   * @param askedKind the kind that was given, or null
   */
  public FoldableFilter<?> model(
      Console console,
      @Nullable FilterKind askedKind,
      Size asked,
      HashingOptions hashing,
      CountingAdapter.Options counting)
      throws IOException {
    String from = Objects.requireNonNull(file);
    SchemeOptions key = new SchemeOptions();
    key.keyFile = hashing.keyFile;
    Filter read = FilterFiles.openMapped(console, from, key).filter;
    if (!(read instanceof FoldableFilter<?> filter)) {
      throw new CommandFailure(
          "--like takes a filter of kind bloom or counting: %s is of kind %s",
          NamedFiles.name(from), read.kind().word());
    }
    BloomPlan plan = filter.plan();
    agree("--kind", askedKind == null ? null : askedKind.word(), filter.kind().word());
    agree("--bits", asked.bits(), plan.bits());
    agree("--capacity", asked.capacity(), plan.bits());
    agree("--hashes", asked.hashes(), plan.hashes());
    agree(
        "--layout",
        Numbers.LayoutWord.of(asked.layout()),
        Numbers.LayoutWord.of(plan.layout().family()));
    agree("--pattern", asked.pattern(), plan.layout().pattern());
    agree("--seed", hashing.seed, filter.hashScheme().identity());
    if (filter instanceof CountingBloomFilter counters && counting.counterBits == null) {
      counting.counterBits = counters.counterBits();
    }
    return filter;
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
