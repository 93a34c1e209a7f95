package dev.bellows.cli.kinds;

import dev.bellows.internal.math.HashFloor;
import dev.bellows.scalable.ScalableBloomFilter;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Kind scalable: needs no number of keys, it grows as they come. */
public final class ScalableAdapter extends KindAdapter<ScalableBloomFilter> {
  ScalableAdapter(ScalableBloomFilter filter) {
    super(filter, FROM_FILL, true);
  }

  public static Built build(BuildRequest request) throws IOException {
    Size size = request.size();
    request.refuse(size.bits() != null, "--bits", "it grows: give --fpp");
    request.refuse(size.hashes() != null, "--hashes", "they follow from --fpp");
    request.refuse(size.pattern() != null, "--pattern", "it follows from --fpp");
    request.refuse(size.capacity() != null, "--capacity", "it grows");
    ScalableBloomFilter.Builder builder =
        ScalableBloomFilter.builder().fpp(size.fppOrDefault()).hashScheme(request.scheme());
    if (size.keys() != null) {
      builder.initialKeys(Math.max(1, size.keys()));
    }
    Optional.ofNullable(size.layout()).ifPresent(builder::layout);
    ScalableBloomFilter filter = builder.build();
    long lines = new ScalableAdapter(filter).put(request.keys(), null).lines();
    long keys = filter.approximateElementCount();
    HashFloor.require(size.fppOrDefault(), keys);
    return Built.of(filter, lines, keys, Built.Known.NEW_ONES);
  }

  @Override
  public void addFields(Map<String, @Nullable Object> fields, FileSize size) {
    fields.put("keys", filter.approximateElementCount());
    fields.put("fpp", filter.plan().fpp());
    fields.put("fppBound", filter.promisedFpp());
    fields.put("initialKeys", filter.plan().initialKeys());
    fields.put("levels", filter.levels().stream().map(ScalableAdapter::fields).toList());
  }

  public static Map<String, Object> fields(ScalableBloomFilter.Level level) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("index", level.index());
    fields.put("bits", level.bits());
    fields.put("capacity", level.capacity());
    fields.put("keys", level.keys());
    fields.put("expectedFpp", level.expectedFpp());
    return fields;
  }
}
