package dev.bellows.cli;

import dev.bellows.BloomFilter;
import dev.bellows.BloomLoader;
import java.io.IOException;

/** Kind bloom. */
final class BloomAdapter extends FoldableAdapter<BloomFilter> {
  BloomAdapter(BloomFilter filter) {
    super(filter);
  }

  static Built build(BuildRequest request) throws IOException {
    return FoldableBuild.build(request, BloomFilter::builder, BloomAdapter::loading);
  }

  private static FoldableBuild.Loading<BloomFilter> loading(BloomFilter.Builder builder) {
    BloomLoader loader = builder.loader();
    return new FoldableBuild.Loading<>(
        (hashes, count) -> loader.putHashes(hashes, 0, count), loader::build);
  }

  @Override
  BloomFilter intersection(BloomFilter other) {
    return filter.intersection(other, ANY);
  }
}
