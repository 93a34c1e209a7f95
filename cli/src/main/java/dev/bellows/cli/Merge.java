package dev.bellows.cli;

import dev.bellows.Filter;
import dev.bellows.FoldableFilter;
import dev.bellows.plan.BloomPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What {@code union} and {@code intersect} share: several filters in, one out. */
abstract class Merge extends Verb {
  @Parameters(
      arity = "0..*",
      paramLabel = "FILTER",
      description = "The filters, two or more; one of them may be - for standard input.")
  List<String> files = List.of();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The result's file; - is standard output.")
  @SuppressWarnings("NullAway.Init")
  String output;

  @Option(
      names = "--max-fpp",
      paramLabel = "P",
      defaultValue = "0.5",
      converter = Numbers.Probability.class,
      description = "Refuse a result with a higher rate (default: ${DEFAULT-VALUE}).")
  double maxFpp;

  /** Merges without a limit on the rate, or says why it cannot. */
  abstract FoldableFilter<?> merge(Filter one, Filter other, String otherFile);

  /** The most keys the result can hold, from those of the inputs. */
  abstract long mostKeys(LongStream counts);

  @Override
  public final Integer call() throws IOException {
    check();
    List<Long> sizes = new ArrayList<>();
    FoldableFilter<?> result = null;
    for (String file : files) {
      FoldableFilter<?> next =
          FilterFiles.folding(FilterFiles.read(console(), file, null), file);
      sizes.add(next.bits());
      result = result == null ? next : merge(result, next, FilterFiles.name(file));
    }
    requireUseful(result, sizes);
    FilterFiles.write(console(), output, result);
    if (!output.equals("-")) {
      report(result, sizes);
    }
    return Main.OK;
  }

  final CommandFailure incompatible(String otherFile, String reason) {
    return new CommandFailure(
        "%s and %s cannot be merged: %s"
            .formatted(FilterFiles.name(files.get(0)), otherFile, reason));
  }

  private void check() {
    if (files.size() < 2) {
      throw misuse("two filters or more are needed, not " + files.size());
    }
    if (Collections.frequency(files, "-") > 1) {
      throw misuse("standard input (-) can be only one of the filters");
    }
    if (!output.equals("-")) {
      FilterFiles.requireWritable(output);
    } else if (json) {
      throw misuse("-o - and --json both want standard output: name a file");
    }
  }

  private void requireUseful(FoldableFilter<?> result, List<Long> sizes) {
    double fpp = result.expectedFpp();
    if (fpp > maxFpp) {
      throw new CommandFailure(
          "%s bits meet at %d bits, where the result would have fpp %s, above --max-fpp %s: %s%s"
              .formatted(
                  filters.stream().map(f -> "" + f.bits()).collect(Collectors.joining(" and ")),
                  result.bits(),
                  fpp,
                  maxFpp,
                  maxFpp > 0 ? capacity(filters) + ", or " : "",
                  "give a higher --max-fpp"));
    }
    throw new CommandFailure(
        "the result in %d bits would have fpp %s, above --max-fpp %s: %sgive a higher --max-fpp"
            .formatted(result.bits(), fpp, maxFpp, remedy(result, sizes)));
  }

  /** A size at which the inputs would meet with room enough. */
  private String remedy(FoldableFilter<?> result, List<Long> sizes) {
    long smallest = Collections.min(sizes);
    long need =
        maxFpp > 0
            ? BloomPlan.bitsFor(
                result.approximateElementCount(), result.hashes(), maxFpp, result.layout())
            : Long.MAX_VALUE;
    if (result.bits() < smallest && need <= smallest) {
      return "they meet at the greatest common divisor of their sizes; build the larger ones with"
          + " --capacity "
          + smallest * ((Collections.max(sizes) - 1) / smallest + 1)
          + ", or ";
    }
    if (maxFpp == 0) {
      return "";
    }
    long multiple = Math.max(2, (need + smallest - 1) / smallest);
    return "build the inputs with --capacity " + multiple * smallest + ", or ";
  }

  private void report(FoldableFilter<?> result, List<Long> sizes) throws IOException {
    List<Long> factors = sizes.stream().map(bits -> bits / result.bits()).toList();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("file", output);
    fields.put("bits", result.bits());
    fields.put("hashes", result.hashes());
    fields.put("expectedFpp", result.expectedFpp());
    fields.put("factors", factors);
    fields.put("approximateKeys", result.stats().approximateKeys());
    fields.put("bytes", result.stats().bytes());
    report(
        fields,
        new Text.Facts()
            .add("file", output, Text.bytes(result.stats().bytes()))
            .add("bits", Text.count(result.bits()), "inputs folded by " + factors)
            .add("hashes", Text.count(result.hashes()))
            .add("keys, estimated", Text.count(result.approximateElementCount()))
            .add("false positives", Text.rate(result.expectedFpp()))
            .toString());
  }

  private static String join(List<Long> factors) {
    return factors.stream().map(Text::count).collect(Collectors.joining(", "));
  }
}
