package dev.bellows.growth;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random sequences of all operations of a fingerprint filter against an exact multiset. */
class FingerprintModelTest {
  @Test
  void someSequences() {
    assertThat(run(0, 400)).isEqualTo(400);
  }

  /** {@code mvn -B verify -Pscale}; the counts are recorded in docs/reliability.md. */
  @Test
  @Tag("scale")
  void tenThousandSequences() {
    int sequences = run(500_000, 10_000);
    System.out.printf("fingerprint model: %,d sequences, no deviation%n", sequences);
    assertThat(sequences).isEqualTo(10_000);
  }

  @Test
  @Tag("scale")
  void aHundredThousandSequences() {
    int sequences = run(1_000_000, 100_000);
    System.out.printf("fingerprint model: %,d sequences, no deviation%n", sequences);
    assertThat(sequences).isEqualTo(100_000);
  }

  private static int run(long firstSeed, int sequences) {
    for (int i = 0; i < sequences; i++) {
      try {
        new FingerprintModel(firstSeed + i).run();
      } catch (IOException | RuntimeException | AssertionError e) {
        throw new AssertionError("sequence of seed " + (firstSeed + i), e);
      }
    }
    return sequences;
  }
}
