package dev.bellows.cli;

import dev.bellows.CountingBloomFilter;
import java.io.IOException;

/** Kind counting. */
final class CountingAdapter extends FoldableAdapter<CountingBloomFilter> {
  CountingAdapter(CountingBloomFilter filter) {
    super(filter);
  }

  static Built build(BuildRequest request) throws IOException {
    int counterBits = request.own().counting().counterBits();
    return FoldableBuild.build(
        request,
        () -> CountingBloomFilter.builder().counterBits(counterBits),
        CountingAdapter::new);
  }

  @Override
  CodedKeys keys(boolean longs) {
    return super.keys(longs).removing(filter::removeHash);
  }
}
