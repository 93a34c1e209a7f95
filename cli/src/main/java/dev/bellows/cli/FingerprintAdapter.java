package dev.bellows.cli;

import dev.bellows.HashScheme;
import dev.bellows.growth.FingerprintFilter;
import java.io.IOException;

/** Kind fingerprint: needs no number of keys, it grows as they come. */
final class FingerprintAdapter extends MergingAdapter<FingerprintFilter> {
  FingerprintAdapter(FingerprintFilter filter) {
    super(filter);
  }

  static Built build(BuildRequest request) throws IOException {
    Size size = request.size();
    request.refuse(size.bits() != null, "--bits", "it grows: give --fpp");
    request.refuse(size.hashes() != null, "--hashes", "it keeps prefixes: give --fpp");
    request.refuse(size.pattern() != null, "--pattern", "it keeps prefixes: give --fpp");
    request.refuse(size.layout() != null, "--layout", "it keeps prefixes");
    request.refuse(size.capacity() != null, "--capacity", "it grows");
    FingerprintFilter.Builder builder =
        FingerprintFilter.builder().fpp(size.fppOrDefault()).hashScheme(request.scheme());
    FingerprintFilter filter = builder.build();
    long lines = new FingerprintAdapter(filter).put(request.keys(), request.note()).lines();
    return Built.of(filter, lines, filter.approximateElementCount(), Built.Known.NEW_ONES);
  }

  @Override
  HashScheme hashScheme() {
    return filter.hashScheme();
  }

  @Override
  CodedKeys keys(boolean longs) {
    return CodedKeys.ofHashes(hashScheme(), filter::countMightContainHashes)
        .putting(filter::putHashes)
        .removing(GroupChange.each(filter::removeHash));
  }

  @Override
  FingerprintFilter intersection(FingerprintFilter other) {
    return filter.intersection(other, ANY);
  }

  @Override
  FingerprintFilter difference(FingerprintFilter other) {
    return filter.subtract(other);
  }

  @Override
  String rateRemark() {
    return "the sum over its prefixes";
  }
}
