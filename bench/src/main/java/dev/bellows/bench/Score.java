package dev.bellows.bench;

import dev.bellows.bench.peers.Peer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a contender did in an operation.
 *
 * @param operation its name
 * @param peer the contender
 * @param bytesPerOperation bytes allocated per operation; null where unknown
 * @param forks nanoseconds per key, or per KiB moved, of the iterations of each fork
 */
record Score(
    String operation, Peer peer, @Nullable Double bytesPerOperation, List<List<Double>> forks) {
  /** Returns the times as a sample. */
  Sample sample() {
    return new Sample(
        forks.stream().map(f -> f.stream().mapToDouble(nanos -> nanos).toArray()).toList());
  }

  /** Returns the JSON object, with ratios to a reference. */
  Map<String, Object> fields(Score reference) {
    Sample.Estimate median = sample().medianEstimate();
    Sample.Estimate ratio = sample().ratioTo(reference.sample());
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("operation", operation);
    fields.put("peer", peer.name());
    fields.put("least", sample().least());
    fields.put("median", median.value());
    fields.put("low", median.low());
    fields.put("high", median.high());
    fields.put("ratioTo", reference.peer.name());
    fields.put("ratio", ratio.value());
    fields.put("ratioLow", ratio.low());
    fields.put("ratioHigh", ratio.high());
    fields.put("bytesPerOperation", bytesPerOperation);
    fields.put("forks", forks);
    return fields;
  }
}
