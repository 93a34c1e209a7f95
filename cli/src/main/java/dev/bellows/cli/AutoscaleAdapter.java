package dev.bellows.cli;

import dev.bellows.Layout;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.plan.DetectionRates;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Kind autoscale: bits and hashes as they are given. It gets each key of an input once, because a
 * key that is put twice counts twice.
 */
final class AutoscaleAdapter extends GradedAdapter<AutoscalingBloomFilter> {
  AutoscaleAdapter(AutoscalingBloomFilter filter) {
    super(filter);
  }

  static Built build(BuildRequest request) throws IOException {
    Size size = request.size();
    if (size.bits() == null || size.hashes() == null) {
      throw new CommandFailure(
          "--kind autoscale is for a size that is fixed: give --bits and --hashes (where they are"
              + " free, --kind bloom is better)");
    }
    request.refuse(
        size.fpp() != null, "--fpp", "its rate follows its keys: give --min-tpr or none");
    request.refuse(size.keys() != null, "--keys", "it takes any number of them");
    request.refuse(size.pattern() != null, "--pattern", "it is classic");
    request.refuse(size.capacity() != null, "--capacity", "it does not fold");
    request.refuse(size.layout() == Layout.BLOCKED, "--layout blocked", "it is classic");
    ThresholdOptions own = request.own().thresholds();
    AutoscalingBloomFilter filter =
        AutoscalingBloomFilter.builder()
            .bits(size.bits())
            .hashes(size.hashes())
            .hashScheme(request.scheme())
            .criterion(own.criterion())
            .minTpr(own.minTpr())
            .build();
    long lines = new AutoscaleAdapter(filter).put(request.keys(), request.note()).lines();
    return Built.counted(filter, lines, filter.approximateElementCount());
  }

  @Override
  CodedKeys keys(boolean longs) {
    return super.keys(longs)
        .putting(filter::putHashes)
        .removing(GroupChange.each(filter::removeHash));
  }

  @Override
  long forEach(KeyInput input, KeyCode code, CodeGroup group) throws IOException {
    return input.forEachDistinct(code, group);
  }

  @Override
  DetectionRates rates() {
    return filter.rates();
  }

  /** A key that was put twice cannot be told from two keys. */
  @Override
  @Nullable String doubt(long presentKeys) {
    long counted = filter.approximateElementCount();
    return counted <= presentKeys
        ? null
        : "the filter counted %d keys and %d were given: a key that is put twice counts twice and raises the false positive rate"
            .formatted(counted, presentKeys);
  }
}
