package dev.bellows.cli.kinds;

import dev.bellows.FilterStats;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.console.Report;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.elastic.ElasticBloomFilter.FoldPolicy;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.math.HashFloor;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Kind elastic. */
public final class ElasticAdapter extends KindAdapter<ElasticBloomFilter> {
  ElasticAdapter(ElasticBloomFilter filter) {
    super(filter);
  }

  public static Built build(BuildRequest request, Options own, CountingAdapter.Options counting)
      throws IOException {
    Size size = request.size();
    request.refuse(size.bits() != null, "--bits", "its size changes: give --capacity");
    if (size.keys() == null && size.capacity() == null) {
      throw new CommandFailure(
          "--kind elastic needs --keys N, the maximum number of keys there will be, or --capacity"
              + " M");
    }
    double fpp = size.fppOrDefault();
    ElasticBloomFilter.Builder builder =
        ElasticBloomFilter.builder()
            .layout(FoldableBuild.family(request))
            .hashScheme(request.scheme())
            .fpp(fpp)
            .tolerance(own.tolerance == null ? fpp / 2 : own.tolerance);
    size.applyTo(builder);
    Optional.ofNullable(own.policy).ifPresent(builder::policy);
    Optional.ofNullable(own.id).ifPresent(builder::id);
    Optional.ofNullable(counting.counterBits).ifPresent(builder::counting);
    ElasticBloomFilter filter = builder.build();
    long lines = new ElasticAdapter(filter).put(request.keys(), null).lines();
    HashFloor.require(fpp, filter.approximateElementCount());
    return Built.of(filter, lines, filter.approximateElementCount(), Built.Known.FROM_FILL);
  }

  @Override
  public String roomAdvice(FilterStats stats) {
    return "its capacity of %s bits is too small for about %s keys; build it with higher --keys or --capacity"
        .formatted(Prose.count(filter.capacity()), Prose.count(filter.approximateElementCount()));
  }

  /** Keys beyond the capacity are reported even if the rate is within twice the target. */
  @Override
  public @Nullable String complaint() {
    if (!filter.isOverCapacity()) {
      return null;
    }
    List<ElasticBloomFilter.ViewSize> sizes = filter.viewSizes();
    return "it has about %s keys, and a capacity of %s bits keeps its false positive rate in the band up to %s; it is %s now: build it with higher --keys or --capacity"
        .formatted(
            Prose.count(filter.approximateElementCount()),
            Prose.count(filter.capacity()),
            Prose.count(sizes.get(sizes.size() - 1).mostKeys()),
            Prose.rate(filter.expectedFpp()));
  }

  @Override
  @Nullable String refusal(Ability ability, String name) {
    return ability == Ability.REMOVE && filter.counterBits() == 0
        ? "this elastic filter holds bits and cannot remove keys: build it with --counter-bits 4"
        : null;
  }

  @Override
  public void addBuilt(Report report, FileSize size) {
    report.both("capacity", filter.capacity()).both("viewBits", filter.bits());
  }

  @Override
  public void addFields(Map<String, @Nullable Object> fields, FileSize size) {
    fields.put("fpp", filter.stats().targetFpp());
    fields.put("capacity", filter.capacity());
    fields.put("counterBits", filter.counterBits() == 0 ? null : filter.counterBits());
    fields.put("viewBits", filter.bits());
    fields.put("frozen", filter.isFrozen());
    fields.put("bandShare", filter.bandShare());
    fields.put("resizes", filter.resizes());
    fields.put("cellsRead", filter.cellsRead());
    fields.put("sent", filter.sentSizes());
    fields.put("inBand", filter.isInBand());
    fields.put("state", filter.filterId() == 0 ? null : Long.toHexString(filter.state()));
  }

  /** What {@code build --kind elastic} adds. */
  public static final class Options {
    @Option(
        names = "--tolerance",
        paramLabel = "E",
        description = "Keep the rate in --fpp +- E (default: half of --fpp).")
    @Nullable Double tolerance;

    @Option(
        names = "--policy",
        paramLabel = "POLICY",
        converter = PolicyWord.class,
        completionCandidates = PolicyWord.class,
        description =
            "Which size to take inside that band: ${COMPLETION-CANDIDATES} (default: independent,"
                + " the smallest).")
    @Nullable FoldPolicy policy;

    @Option(
        names = "--id",
        paramLabel = "N",
        converter = Numbers.Id.class,
        description =
            "A number, not 0, by which a receiver knows its parts; ship needs it, and can give it.")
    @Nullable Long id;

    /** Policies by their word. */
    static final class PolicyWord extends Numbers.Word<FoldPolicy> {
      PolicyWord() {
        super("a policy", FoldPolicy.values(), policy -> policy.name().toLowerCase(Locale.ROOT));
      }
    }
  }
}
