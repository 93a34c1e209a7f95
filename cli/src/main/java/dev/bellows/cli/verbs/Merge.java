package dev.bellows.cli.verbs;

import dev.bellows.FilterStats;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Output;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.WritingVerb;
import dev.bellows.cli.kinds.Adapters;
import dev.bellows.cli.kinds.FilterFiles;
import dev.bellows.cli.kinds.KindAdapter;
import dev.bellows.cli.kinds.MergeRule;
import dev.bellows.cli.kinds.RateLimit;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.layout.RateRule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * What {@code union}, {@code intersect} and {@code subtract} share: several filters in, one out.
 */
abstract class Merge extends WritingVerb {
  @Parameters(
      arity = "0..*",
      paramLabel = "FILTER",
      description = "The filters, two or more; one of them may be - for standard input.")
  List<String> files = List.of();

  @Mixin RateLimit limit = new RateLimit();

  /** Which keys the result has. */
  private final MergeRule rule;

  Merge(MergeRule rule) {
    this.rule = rule;
  }

  @Override
  public final Integer call() throws IOException {
    check();
    try (Output target = Output.open(console(), output)) {
      merge(target);
    }
    return OK;
  }

  private void merge(Output target) throws IOException {
    List<KindAdapter<?>> inputs = new ArrayList<>();
    for (String file : files) {
      KindAdapter<?> input = Adapters.of(FilterFiles.read(console(), file, null));
      rule.ability().require(input, file);
      inputs.add(input);
    }
    KindAdapter<?> result = inputs.get(0);
    for (int i = 1; i < inputs.size(); i++) {
      result = merge(result, inputs.get(i), files.get(i));
    }
    FilterStats stats = result.filter.stats();
    requireUseful(inputs, result, stats);
    String remark = result.remark(inputs, files.stream().map(NamedFiles::name).toList(), rule);
    if (remark != null) {
      say("warning: " + remark);
    }
    target.write(result.filter::writeTo);
    List<Long> factors = inputs.stream().map(input -> input.foldedBy(stats.bits())).toList();
    report(factors, stats, result.size(stats), result.keysAreBound());
  }

  private KindAdapter<?> merge(KindAdapter<?> one, KindAdapter<?> other, String file) {
    KindAdapter<?> a = one.toMergeWith(other.filter.kind());
    KindAdapter<?> b = other.toMergeWith(one.filter.kind());
    Optional<String> reason =
        a.filter.getClass() == b.filter.getClass()
            ? MergeRule.incompatibility(a.filter, b.filter)
            : Optional.of(
                "kind %s here and %s there"
                    .formatted(one.filter.kind().word(), other.filter.kind().word()));
    if (reason.isPresent()) {
      String first = NamedFiles.name(files.get(0));
      String second = NamedFiles.name(file);
      String wayOut = a.wayOut(b, first, second);
      throw new CommandFailure(
          "%s and %s cannot be merged: %s%s",
          first, second, reason.get(), wayOut.isEmpty() ? b.wayOut(a, second, first) : wayOut);
    }
    try {
      return Adapters.of(rule.merge(a.filter, b.filter)).compacted();
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(NamedFiles.name(file) + ": " + e.getMessage(), e);
    }
  }

  private void check() throws IOException {
    if (files.size() < 2) {
      throw misuse("at least two filters are needed, not " + files.size());
    }
    if (Collections.frequency(files, "-") > 1) {
      throw misuse("standard input (-) can be only one of the filters");
    }
    requireOutput(output, List.of());
  }

  /** Refuses a result above the limit, and warns of one that is above twice its target. */
  private void requireUseful(
      List<KindAdapter<?>> inputs, KindAdapter<?> result, FilterStats stats) {
    double highest = inputs.stream().mapToDouble(i -> i.filter.expectedFpp()).max().orElse(0);
    limit.check(
        console(),
        result,
        new RateLimit.Case(
            result.meeting(inputs, stats.bits()) + "the result",
            stats.expectedFpp(),
            null,
            RateRule.target(stats),
            () -> result.advice(inputs, files, rule, limit.atMost(highest))));
  }

  private void report(
      List<Long> factors, FilterStats result, KindAdapter.FileSize size, boolean isMost)
      throws IOException {
    reportWritten(
        new Report()
            .file(output, size.bytes())
            .both("bits", size.bits(), remark(factors))
            .both("hashes", result.hashes())
            .field("factors", factors)
            .keys(result, isMost)
            .fpp(result.expectedFpp()));
  }

  private static String remark(List<Long> factors) {
    return factors.stream().allMatch(factor -> factor == 1)
        ? "no input was folded"
        : "inputs folded by "
            + factors.stream().map(Prose::count).collect(Collectors.joining(", "));
  }
}
