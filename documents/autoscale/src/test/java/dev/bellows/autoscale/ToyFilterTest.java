package dev.bellows.autoscale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.plan.Oracles;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The filter of the Autoscaling paper, Figure 1, built from hashes that happen to choose its
 * positions.
 */
class ToyFilterTest {
  @TestFactory
  @SuppressWarnings("unchecked")
  Stream<DynamicTest> oracle() {
    return Oracles.cases(
        "004_abf",
        "toy_filter",
        (c, whole) -> {
          int bits = c.small("m");
          AutoscalingBloomFilter filter =
              AutoscalingBloomFilter.builder()
                  .bits(bits)
                  .hashes(c.small("k"))
                  .thresholds(c.integer("theta"), 2)
                  .build();
          Map<String, Collection<Number>> positions =
              (Map<String, Collection<Number>>) c.in().get("positions");
          for (String key : (List<String>) c.in().get("stored")) {
            filter.putHash(hashWith(positions.get(key), filter));
          }
          BinarizedFilter shipped = filter.binarize();
          List<Number> counts = (List<Number>) c.expected("cbf");
          List<Number> ones = (List<Number>) c.expected("abf");
          for (int i = 0; i < bits; i++) {
            assertThat(filter.count(i)).isEqualTo(counts.get(i).longValue());
            assertThat(shipped.bit(i)).isEqualTo(ones.get(i).intValue() == 1);
          }
          ((Map<String, Number>) c.expected("dot"))
              .forEach(
                  (key, dot) -> {
                    long hash = hashWith(positions.get(key), filter);
                    assertThat(filter.evidenceHash(hash)).isEqualTo(dot.longValue());
                    assertThat(shipped.evidenceHash(hash)).isEqualTo(dot.longValue());
                    assertThat(filter.acceptsHash(hash)).isEqualTo(dot.longValue() >= 2);
                    assertThat(shipped.acceptsHash(hash)).isEqualTo(dot.longValue() >= 2);
                  });
        });
  }

  private static long hashWith(Collection<Number> wanted, AutoscalingBloomFilter like) {
    Set<Long> positions = new HashSet<>();
    wanted.forEach(position -> positions.add(position.longValue()));
    AutoscalingBloomFilter single = AutoscalingBloomFilter.create(like.bits(), like.hashes());
    return LongStream.range(0, 1_000_000)
        .filter(
            hash -> {
              single.clear();
              single.putHash(hash);
              return positions.stream().allMatch(position -> single.count(position) == 1);
            })
        .findFirst()
        .orElseThrow();
  }
}
