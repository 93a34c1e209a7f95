package dev.bellows.cli;

import dev.bellows.AutoscalingBloomFilter;
import dev.bellows.plan.Layout;
import java.io.IOException;

/** Builds an autoscaling filter: bits and hashes as they are given, each distinct key put once. */
final class AutoscaleBuild {
  private AutoscaleBuild() {}

  static Kind.Built build(BuildRequest request, Kind.KeyInput keys) throws IOException {
    if (request.bits() == null || request.hashes() == null) {
      throw new CommandFailure(
          "--kind autoscale is for a size that is fixed: give --bits and --hashes (where they are"
              + " free, --kind bloom is better)");
    }
    refuse(request.fpp() != null, "--fpp", "its rate follows its keys: give --min-tpr or none");
    refuse(request.keys() != null, "--keys", "it takes any number of them");
    refuse(request.capacity() != null, "--capacity", "it does not fold");
    refuse(request.layout() == Layout.BLOCKED, "--layout blocked", "it is classic only");
    AutoscalingBloomFilter filter =
        AutoscalingBloomFilter.builder()
            .bits(request.bits())
            .hashes(request.hashes())
            .hashScheme(request.scheme())
            .criterion(request.thresholds().criterion())
            .minTpr(request.thresholds().minTpr())
            .build();
    long lines =
        OnceEach.forEach(
            filter,
            visitor -> keys.forEach(hash -> visitor.visit(new byte[0], 0, 0, hash)),
            filter::putHash);
    return new Kind.Built(filter, lines, filter.keys(), true, null);
  }

  private static void refuse(boolean given, String option, String why) {
    if (given) {
      throw new CommandFailure(option + " has no place in --kind autoscale: " + why);
    }
  }
}
