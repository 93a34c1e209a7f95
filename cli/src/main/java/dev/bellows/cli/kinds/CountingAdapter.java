package dev.bellows.cli.kinds;

import dev.bellows.CountingBloomFilter;
import dev.bellows.cli.keys.CodedKeys;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Kind counting. */
public final class CountingAdapter extends FoldableAdapter<CountingBloomFilter> {
  CountingAdapter(CountingBloomFilter filter) {
    super(filter);
  }

  public static Built build(BuildRequest request, CountingOptions own) throws IOException {
    int counterBits = own.counterBits();
    return FoldableBuild.build(
        request,
        () -> CountingBloomFilter.builder().counterBits(counterBits),
        CountingAdapter::loading);
  }

  private static FoldableBuild.Loading<CountingBloomFilter> loading(
      CountingBloomFilter.Builder builder) {
    CountingBloomFilter filter = builder.build();
    return new FoldableBuild.Loading<>(
        (hashes, count) -> filter.putHashes(hashes, 0, count),
        () -> filter,
        filter::expectedFpp,
        () -> {},
        false);
  }

  @Override
  public CodedKeys keys(boolean longs) {
    return super.keys(longs).removing(CodedKeys.Change.each(filter::removeHash));
  }

  @Override
  public void addFields(Map<String, @Nullable Object> fields, FileSize size) {
    fields.put("counterBits", filter.counterBits());
  }
}
