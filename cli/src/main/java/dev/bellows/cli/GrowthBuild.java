package dev.bellows.cli;

import dev.bellows.DynamicPartitionBloomFilter;
import dev.bellows.KeyFilter;
import dev.bellows.PartitionBuilder;
import dev.bellows.ScalableBloomFilter;
import dev.bellows.plan.Layout;
import java.io.IOException;

/** Builds the filters that need no number of keys: they grow as the keys come. */
final class GrowthBuild {
  private static final double DEFAULT_FPP = 0.01;

  private GrowthBuild() {}

  static Kind.Built scalable(BuildRequest request, Kind.KeyInput keys) throws IOException {
    refuse(request.bits() != null, "--bits", "scalable", "it grows: give --fpp");
    refuse(request.hashes() != null, "--hashes", "scalable", "they follow from --fpp");
    refuse(request.capacity() != null, "--capacity", "scalable", "it grows");
    ScalableBloomFilter.Builder builder =
        ScalableBloomFilter.builder().fpp(fpp(request)).hashScheme(request.scheme());
    if (request.keys() != null) {
      builder.initialKeys(Math.max(1, request.keys()));
    }
    if (request.layout() != null) {
      builder.layout(request.layout());
    }
    ScalableBloomFilter filter = builder.build();
    long lines = keys.forEach(filter::putHash);
    return new Kind.Built(filter, lines, filter.approximateElementCount(), true, null);
  }

  static Kind.Built partition(BuildRequest request, Kind.KeyInput keys) throws IOException {
    refuse(request.keys() != null, "--keys", "partition", "it takes any number of them");
    refuse(request.bits() != null, "--bits", "partition", "units follow from --depth and --fpp");
    refuse(request.capacity() != null, "--capacity", "partition", "it grows");
    refuse(request.layout() == Layout.BLOCKED, "--layout blocked", "partition", "it is classic");
    GrowthOptions growth = request.growth();
    if (growth.universe == null) {
      throw new CommandFailure(
          "--kind partition needs --universe: how many ids there are, as 2^30 (any key, without"
              + " --longs, gets one of them)");
    }
    PartitionBuilder builder =
        DynamicPartitionBloomFilter.builder()
            .universe(growth.universe)
            .fpp(fpp(request))
            .hashScheme(request.scheme());
    if (growth.depth != null) {
      builder.depth(growth.depth);
    }
    if (request.hashes() != null) {
      builder.hashes(request.hashes());
    }
    if (growth.mode != null) {
      builder.mode(growth.mode);
    }
    DynamicPartitionBloomFilter filter = builder.build();
    KeyFilter ids = (KeyFilter) IdKeys.adapt(filter, request.keyOptions());
    long lines = keys.forEach(ids::putHash);
    return new Kind.Built(growth.view ? filter.view() : filter, lines, filter.keys(), true, null);
  }

  private static double fpp(BuildRequest request) {
    return request.fpp() == null ? DEFAULT_FPP : request.fpp();
  }

  private static void refuse(boolean given, String option, String kind, String why) {
    if (given) {
      throw new CommandFailure(option + " has no place in --kind " + kind + ": " + why);
    }
  }
}
