package dev.bellows.cli;

import dev.bellows.Filter;
import dev.bellows.FilterStats;
import dev.bellows.FoldableFilter;
import dev.bellows.RangeBloomFilter;
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

  /** Merges two, whatever the rate of the result, or says why it cannot. */
  abstract FoldableFilter<?> merge(FoldableFilter<?> one, FoldableFilter<?> other, String file);

  /** Merges two range filters, which have one size. */
  abstract RangeBloomFilter merge(RangeBloomFilter one, RangeBloomFilter other);

  /** The most keys the result can hold, from those of the inputs. */
  abstract long mostKeys(LongStream counts);

  @Override
  public final Integer call() throws IOException {
    check();
    List<Filter> read = new ArrayList<>();
    for (String file : files) {
      read.add(FilterFiles.read(console(), file, null));
    }
    if (read.get(0) instanceof RangeBloomFilter range) {
      return mergeRanges(range, read);
    }
    if (Growth.grows(read.get(0))) {
      return mergeGrowing(read);
    }
    List<FoldableFilter<?>> filters = new ArrayList<>();
    for (int i = 0; i < read.size(); i++) {
      filters.add(FilterFiles.folding(read.get(i), files.get(i)));
    }
    FoldableFilter<?> result = filters.get(0);
    for (int i = 1; i < filters.size(); i++) {
      result = merge(result, filters.get(i), files.get(i));
    }
    requireUseful(filters, result);
    FilterFiles.write(console(), output, result);
    if (!output.equals("-")) {
      long bits = result.bits();
      report(filters.stream().map(f -> f.bits() / bits).toList(), result.stats());
    }
    return Main.OK;
  }

  private Integer mergeGrowing(List<Filter> read) throws IOException {
    Filter result = read.get(0);
    for (int i = 1; i < read.size(); i++) {
      String file = files.get(i);
      result =
          Growth.merge(
              result, read.get(i), this instanceof Union, reason -> incompatible(file, reason));
    }
    FilterStats stats = result.stats();
    if (stats.expectedFpp() > maxFpp) {
      throw new CommandFailure(
          "the result would have fpp %s, above --max-fpp %s: build the inputs with a lower --fpp, or give a higher --max-fpp"
              .formatted(stats.expectedFpp(), maxFpp));
    }
    FilterFiles.write(console(), output, result);
    if (!output.equals("-")) {
      report(Collections.nCopies(files.size(), 1L), stats);
    }
    return Main.OK;
  }

  private Integer mergeRanges(RangeBloomFilter first, List<Filter> read) throws IOException {
    RangeBloomFilter result = first;
    for (int i = 1; i < read.size(); i++) {
      if (!(read.get(i) instanceof RangeBloomFilter next)) {
        throw incompatible(
            files.get(i), "kind range here and " + read.get(i).stats().kind().word() + " there");
      }
      result = merge(result, next);
    }
    if (result.expectedFpp() > maxFpp) {
      throw new CommandFailure(
          "the result would have fpp %s, above --max-fpp %s: build the inputs with more bits, or give a higher --max-fpp"
              .formatted(result.expectedFpp(), maxFpp));
    }
    FilterFiles.write(console(), output, result);
    if (!output.equals("-")) {
      report(Collections.nCopies(files.size(), 1L), result.stats());
    }
    return Main.OK;
  }

  /** Refuses filters whose hashing, layout or hashes differ. */
  final <F extends FoldableFilter<F>> F compatible(F one, F other, String file) {
    one.incompatibility(other)
        .ifPresent(
            reason -> {
              throw incompatible(file, reason);
            });
    return one;
  }

  final CommandFailure incompatible(String file, String reason) {
    return new CommandFailure(
        "%s and %s cannot be merged: %s"
            .formatted(FilterFiles.name(files.get(0)), FilterFiles.name(file), reason));
  }

  private void check() throws IOException {
    if (files.size() < 2) {
      throw misuse("two filters or more are needed, not " + files.size());
    }
    if (Collections.frequency(files, "-") > 1) {
      throw misuse("standard input (-) can be only one of the filters");
    }
    requireOutput(output, List.of());
  }

  private void requireUseful(List<FoldableFilter<?>> filters, FoldableFilter<?> result) {
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
  }

  /** A capacity at which the filters would meet without passing the rate. */
  private String capacity(List<FoldableFilter<?>> filters) {
    FoldableFilter<?> smallest =
        Collections.min(filters, Comparator.comparingLong(FoldableFilter::bits));
    long unit = smallest.bits();
    long keys = mostKeys(filters.stream().mapToLong(FoldableFilter::approximateElementCount));
    if (BloomPlan.fpp(unit, keys, smallest.hashes(), smallest.layout()) <= maxFpp) {
      for (int i = 0; i < filters.size(); i++) {
        long bits = filters.get(i).bits();
        if (bits % unit != 0) {
          return "build %s with --capacity %d, which is compatible, instead of %d"
              .formatted(FilterFiles.name(files.get(i)), (bits / unit + 1) * unit, bits);
        }
      }
    }
    long need = BloomPlan.bitsFor(keys, smallest.hashes(), maxFpp, smallest.layout());
    return "build all of them with --capacity " + (need / unit + 1) * unit;
  }

  private void report(List<Long> factors, FilterStats result) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("file", output);
    fields.put("bits", result.bits());
    fields.put("hashes", result.hashes());
    fields.put("expectedFpp", result.expectedFpp());
    fields.put("factors", factors);
    fields.put("approximateKeys", Json.keys(result));
    fields.put("bytes", result.bytes());
    report(
        fields,
        new Text.Facts()
            .add("file", output, Text.bytes(result.bytes()))
            .add("bits", Text.count(result.bits()), "inputs folded by " + join(factors))
            .add("hashes", Text.count(result.hashes()))
            .add("keys, estimated", Text.keys(result))
            .add("false positives", Text.rate(result.expectedFpp()))
            .toString());
  }

  private static String join(List<Long> factors) {
    return factors.stream().map(Text::count).collect(Collectors.joining(", "));
  }
}
