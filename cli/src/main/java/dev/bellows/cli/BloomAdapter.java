package dev.bellows.cli;

import dev.bellows.BloomFilter;
import java.io.IOException;

/** Kind bloom. */
final class BloomAdapter extends FoldableAdapter<BloomFilter> {
  BloomAdapter(BloomFilter filter) {
    super(filter);
  }

  static Built build(BuildRequest request) throws IOException {
    return FoldableBuild.build(request, BloomFilter::builder, BloomAdapter::new);
  }

  @Override
  BloomFilter intersection(BloomFilter other) {
    return filter.intersection(other, ANY);
  }
}
