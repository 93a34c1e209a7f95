package dev.bellows.cli;

import dev.bellows.BloomFilter;
import dev.bellows.Filter;
import dev.bellows.FilterStats;
import dev.bellows.RangeBloomFilter;
import dev.bellows.plan.BloomPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  abstract BloomFilter merge(BloomFilter one, BloomFilter other);

  abstract RangeBloomFilter merge(RangeBloomFilter one, RangeBloomFilter other);

  @Override
  public final Integer call() throws IOException {
    check();
    Filter any = FilterFiles.read(console(), files.get(0), null);
    if (any instanceof RangeBloomFilter range) {
      return mergeRanges(range);
    }
    BloomFilter result = FilterFiles.bits(any, files.get(0));
    for (String file : files.subList(1, files.size())) {
      BloomFilter next = read(file);
      String first = FilterFiles.name(files.get(0));
      BloomFilter merged = result;
      result
          .incompatibility(next)
          .ifPresent(
              reason -> {
                throw new CommandFailure(
                    "%s and %s cannot be merged: %s"
                        .formatted(first, FilterFiles.name(file), reason));
              });
      result = merge(merged, next);
    }
    requireUseful(result);
    FilterFiles.write(console(), output, result);
    if (!output.equals("-")) {
      report(result.stats());
    }
    return Main.OK;
  }

  private Integer mergeRanges(RangeBloomFilter first) throws IOException {
    RangeBloomFilter result = first;
    for (String file : files.subList(1, files.size())) {
      Filter next = FilterFiles.read(console(), file, null);
      if (!(next instanceof RangeBloomFilter range)) {
        throw new CommandFailure(
            "%s is of kind range and %s of kind %s: they cannot be merged"
                .formatted(
                    FilterFiles.name(files.get(0)),
                    FilterFiles.name(file),
                    next.stats().kind().word()));
      }
      result = merge(result, range);
    }
    if (result.expectedFpp() > maxFpp) {
      throw new CommandFailure(
          "the result would have fpp %s, above --max-fpp %s: build the inputs with more bits, or give a higher --max-fpp"
              .formatted(result.expectedFpp(), maxFpp));
    }
    FilterFiles.write(console(), output, result);
    if (!output.equals("-")) {
      report(result.stats());
    }
    return Main.OK;
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

  private BloomFilter read(String file) throws IOException {
    return FilterFiles.bits(FilterFiles.read(console(), file, null), file);
  }

  private void requireUseful(BloomFilter result) {
    double fpp = result.expectedFpp();
    if (fpp <= maxFpp) {
      return;
    }
    String remedy = "";
    if (maxFpp > 0) {
      long need =
          BloomPlan.bitsFor(
              result.approximateElementCount(), result.hashes(), maxFpp, result.layout());
      long multiple = Math.max(2, (need + result.bits() - 1) / result.bits());
      remedy = "build the inputs with --capacity " + multiple * result.bits() + ", or ";
    }
    throw new CommandFailure(
        "the result in %d bits would have fpp %s, above --max-fpp %s: %sgive a higher --max-fpp"
            .formatted(result.bits(), fpp, maxFpp, remedy));
  }

  private void report(FilterStats result) throws IOException {
    List<Long> factors = new ArrayList<>(Collections.nCopies(files.size(), 1L));
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("file", output);
    fields.put("bits", result.bits());
    fields.put("hashes", result.hashes());
    fields.put("expectedFpp", result.expectedFpp());
    fields.put("factors", factors);
    fields.put("approximateKeys", result.approximateKeys());
    fields.put("bytes", result.bytes());
    report(
        fields,
        new Text.Facts()
            .add("file", output, Text.bytes(result.bytes()))
            .add("bits", Text.count(result.bits()))
            .add("hashes", Text.count(result.hashes()))
            .add("keys, estimated", Text.format("%,.0f", result.approximateKeys()))
            .add("false positives", Text.rate(result.expectedFpp()))
            .toString());
  }
}
