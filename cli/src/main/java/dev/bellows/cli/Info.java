package dev.bellows.cli;

import dev.bellows.CountingBloomFilter;
import dev.bellows.ElasticBloomFilter;
import dev.bellows.Filter;
import dev.bellows.FilterStats;
import dev.bellows.FoldSize;
import dev.bellows.FoldableFilter;
import dev.bellows.FoldedFilters;
import dev.bellows.HashScheme;
import dev.bellows.RangeBloomFilter;
import dev.bellows.io.FilterKind;
import dev.bellows.io.foreign.ForeignFilter;
import dev.bellows.io.foreign.ForeignFormat;
import dev.bellows.io.foreign.ForeignStats;
import dev.bellows.plan.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code bellows info}: what a filter file holds. */
@Command(
    name = "info",
    description = "Says what a filter file holds: its size, its fill, its rate, how far it folds.",
    footerHeading = "%nExample:%n",
    footer = {"  bellows info words.bloom", "  bellows info users.guava --format guava"})
final class Info extends Verb {
  private static final int XXH3_ID = 1;

  @Parameters(index = "0", paramLabel = "FILE", description = "The filter; - is standard input.")
  @SuppressWarnings("NullAway.Init")
  String file;

  @Mixin SchemeOptions schemeOptions = new SchemeOptions();
  @Mixin ForeignOptions foreignOptions = new ForeignOptions();

  @Override
  public Integer call() throws IOException {
    foreignOptions.refuseOurs(schemeOptions);
    ForeignFilter foreign = foreignOptions.read(console(), file);
    if (foreign != null) {
      console().print(json ? Json.object(fields(foreign)) : foreign.explain());
      return Main.OK;
    }
    Filter filter = FilterFiles.read(console(), file, schemeOptions.scheme());
    if (!json) {
      console().print(filter.explain());
      return Main.OK;
    }
    Map<String, Object> fields = fields(filter.stats());
    addOwn(filter, fields);
    fields.putAll(ThresholdFacts.of(filter));
    fields.putAll(Growth.facts(filter));
    console().print(Json.object(fields));
    return Main.OK;
  }

  /** What a kind adds. */
  private static void addOwn(Filter filter, Map<String, Object> fields) {
    if (filter instanceof CountingBloomFilter counting) {
      fields.put("counterBits", counting.counterBits());
    }
    fields.put(
        "ladder", filter instanceof FoldableFilter<?> foldable ? ladder(foldable.ladder()) : null);
    if (filter instanceof ElasticBloomFilter elastic) {
      fields.put("capacity", elastic.capacity());
      fields.put("keys", elastic.keys());
      fields.put("frozen", elastic.isFrozen());
    }
    if (filter instanceof FoldedFilters folded) {
      fields.put("sizes", folded.sizes());
    }
    if (filter instanceof RangeBloomFilter range) {
      fields.put("schema", RangeSchemaJson.hash(range.schema()));
      fields.put("comparable", range.schema().comparable());
      fields.put("exactBits", range.schema().exactBits());
      fields.put("attributes", attributes(range));
    }
  }

  private static List<Map<String, Object>> attributes(RangeBloomFilter filter) {
    List<Map<String, Object>> attributes = RangeSchemaJson.attributes(filter.schema());
    for (Map<String, Object> fields : attributes) {
      fields.put("expectedFpp", filter.expectedFpp((String) fields.get("name")));
    }
    return attributes;
  }

  private static Map<String, Object> fields(FilterStats stats) {
    HashScheme scheme = stats.hashScheme();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", stats.kind().word());
    fields.put("layout", Numbers.LayoutWord.of(stats.layout()));
    fields.put("bits", stats.bits());
    fields.put("hashes", stats.hashes());
    fields.put("scheme", scheme.word());
    fields.put("seed", scheme.id() == XXH3_ID ? scheme.identity() : null);
    fields.put("keyTag", scheme.id() == XXH3_ID ? null : Long.toHexString(scheme.identity()));
    fields.put("ones", stats.ones());
    fields.put("fill", stats.fill());
    fields.put("approximateKeys", Json.keys(stats));
    fields.put("expectedFpp", stats.expectedFpp());
    fields.put("bytes", stats.bytes());
    return fields;
  }

  private static Map<String, Object> fields(ForeignFilter filter) {
    ForeignStats stats = filter.stats();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("format", stats.format().word());
    fields.put("kind", FilterKind.BLOOM.word());
    fields.put(
        "layout",
        Numbers.LayoutWord.of(
            stats.format() == ForeignFormat.PARQUET ? Layout.BLOCKED : Layout.CLASSIC));
    fields.put("bits", stats.bits());
    fields.put("hashes", stats.hashes());
    fields.put("scheme", stats.variant());
    fields.put("seed", stats.seed());
    fields.put("ones", stats.ones());
    fields.put("fill", stats.fill());
    fields.put(
        "approximateKeys", stats.ones() == stats.bits() ? null : (Double) stats.approximateKeys());
    fields.put("expectedFpp", stats.expectedFpp());
    fields.put("bytes", stats.bytes());
    fields.put("ladder", ladder(filter.ladder()));
    return fields;
  }

  private static List<Map<String, Object>> ladder(List<FoldSize> sizes) {
    List<Map<String, Object>> steps = new ArrayList<>();
    for (FoldSize step : sizes) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("bits", step.bits());
      fields.put("expectedFpp", step.expectedFpp());
      steps.add(fields);
    }
    return steps;
  }
}
