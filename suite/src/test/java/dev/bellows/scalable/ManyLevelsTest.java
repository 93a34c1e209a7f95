package dev.bellows.scalable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.AllKinds;
import java.io.IOException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The longest list of levels. */
class ManyLevelsTest {
  @Test
  void aUnionOfMoreLevelsThanAHeaderHasRoomForIsReadBack() throws IOException {
    ScalableBloomFilter union =
        AllKinds.extremes().stream()
            .filter(example -> example.name().contains("1,380 levels"))
            .map(example -> (ScalableBloomFilter) example.filter())
            .findFirst()
            .orElseThrow();
    assertThat(union.levels()).hasSize(1380);
    ScalableBloomFilter read = ScalableBloomFilter.fromBytes(union.toBytes());
    assertThat(read.equals(union)).isTrue();
    assertThat(LongStream.range(0, 1380)).allMatch(read::mightContain);
  }
}
