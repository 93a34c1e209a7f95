package dev.bellows.cli.kinds;

import dev.bellows.Filter;
import dev.bellows.FilterStats;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Words;
import dev.bellows.cli.keys.CodedKeys;
import dev.bellows.cli.keys.KeyInput;
import dev.bellows.cli.keys.KeyOptions;
import dev.bellows.cli.keys.Lines;
import dev.bellows.internal.answers.RateRule;
import dev.bellows.io.FilterKind;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangeSchema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Kind range: lines are about attributes, {@code NAME=VALUE}. */
public final class RangeAdapter extends KindAdapter<RangeBloomFilter> {
  RangeAdapter(RangeBloomFilter filter) {
    super(filter);
  }

  public static Built build(BuildRequest request, RangeOptions own) throws IOException {
    Size size = request.size();
    String settled = "--domain and --bits, or --schema, determine the filter";
    request.refuse(size.fpp() != null, "--fpp", settled);
    request.refuse(size.keys() != null, "--keys", settled);
    request.refuse(size.capacity() != null, "--capacity", settled);
    request.refuse(size.pattern() != null, "--pattern", settled);
    request.refuse(size.layout() != null, "--layout", settled);
    RangeBloomFilter filter =
        RangeBloomFilter.create(own.schema(size.bits(), size.hashes()), request.scheme());
    long lines = new RangeAdapter(filter).put(request.keys(), request.note()).lines();
    return new Built(filter, lines, null, Built.Known.FROM_FILL, null, false);
  }

  /** Returns the range filter of a file, where a verb takes no other kind. */
  public static RangeBloomFilter require(Filter filter, String file, String verb) {
    if (filter.kind() != FilterKind.RANGE) {
      throw new CommandFailure(
          "%s is of kind %s: %s compares two filters of kind range, or two of kind bloom"
              .formatted(NamedFiles.name(file), filter.kind().word(), verb));
    }
    return (RangeBloomFilter) filter;
  }

  @Override
  public boolean holdsKeys() {
    return false;
  }

  @Override
  public CodedKeys keys(boolean longs) {
    throw new UnsupportedOperationException("ranges and texts are not single keys");
  }

  @Override
  public Changes put(KeyInput input, Consumer<String> note) throws IOException {
    RangeLine line = new RangeLine(filter);
    long[] counts = {0, 0};
    long lines = input.forEachText(text -> counts[line.put(text, note) ? 0 : 1]++);
    return new Changes(lines, counts[0], counts[1]);
  }

  @Override
  public Lines.Query question(KeyOptions options, boolean some) {
    options.requireTexts();
    RangeLine line = new RangeLine(filter);
    return Lines.Query.each(
        (buffer, from, length) ->
            line.ask(new String(buffer, from, length, StandardCharsets.UTF_8), some));
  }

  @Override
  public String advice(
      List<KindAdapter<?>> inputs, List<String> names, MergeRule rule, double maxFpp) {
    return "build the inputs with more --bits";
  }

  /** One attribute may be useless while the mean rate is low. */
  @Override
  public @Nullable String complaint() {
    List<String> useless =
        filter.schema().attributes().stream()
            .map(RangeSchema.Attribute::name)
            .filter(name -> filter.expectedFpp(name) > RateRule.HIGHEST)
            .toList();
    return useless.isEmpty()
        ? null
        : "more than half of all values of %s pass: use more --bits or another scheme (plan range)"
            .formatted(Words.list(useless, "and"));
  }

  @Override
  public String roomAdvice(FilterStats stats) {
    return "%d bits are too few for what was put: use more --bits".formatted(stats.bits());
  }

  @Override
  public String rateRemark() {
    return "for values far from those in it; near them more, see plan range";
  }

  @Override
  public void addFields(Map<String, @Nullable Object> fields, FileSize size) {
    RangeSchema schema = filter.schema();
    fields.put("schema", "%016x".formatted(schema.schemaHash()));
    fields.put("comparable", schema.comparable());
    fields.put("exactBits", schema.exactBits());
    fields.put("attributes", schema.attributes().stream().map(this::fields).toList());
    fields.put("texts", schema.texts());
    fields.put("open", schema.isOpen());
  }

  private Map<String, Object> fields(RangeSchema.Attribute attribute) {
    Map<String, Object> fields = new LinkedHashMap<>(attribute.fields());
    fields.put("expectedFpp", filter.expectedFpp(attribute.name()));
    return fields;
  }
}
