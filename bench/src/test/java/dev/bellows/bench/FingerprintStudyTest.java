package dev.bellows.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.bellows.bench.FingerprintStudy.Results;
import dev.bellows.bench.GrowthCurve.Point;
import dev.bellows.bench.GrowthWire.Size;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.jr.ob.JSON;

/** A small run of the study: its results on memory, rates and the wire format, but no times. */
class FingerprintStudyTest {
  private static Results results;

  @BeforeAll
  static void run() throws IOException {
    results = FingerprintStudy.run(150_000);
  }

  @Test
  void aKeyTakesFewBits() {
    assertThat(GrowthCurve.mean(results.fingerprint())).isBetween(12.0, 17.5);
    assertThat(GrowthCurve.most(results.fingerprint())).isBetween(12.0, 19.5);
    assertThat(GrowthCurve.mean(results.fingerprint()))
        .isLessThan(GrowthCurve.mean(results.scalable()));
  }

  @Test
  void theFilterCountsWhatTheCollectorCounts() {
    double collected = results.heap().collected();
    assertThat(results.heap().counted()).isCloseTo(collected, within(0.02 * collected));
  }

  @Test
  void theRateHoldsAtEveryPowerOfTwo() {
    assertThat(results.fingerprint().stream().filter(p -> !Double.isNaN(p.fpp())))
        .hasSize(8)
        .allMatch(p -> p.fpp() >= 1e-6 && p.fpp() <= Grower.FPP)
        .allMatch(p -> p.expectedFpp() <= Grower.FPP);
  }

  @Test
  void rowsOfOneSizeLoseTheirRate() {
    Point hadoop = results.peers().get("Hadoop DynamicBloomFilter");
    assertThat(hadoop.fpp()).isGreaterThan(results.peers().get("pre-sized BLOCKED").fpp());
  }

  @Test
  void theWireTakesLittleMoreThanTheLogarithm() {
    assertThat(results.wire()).hasSize(12).allMatch(size -> size.sentFpp() <= size.fpp());
    for (Size size : results.wire()) {
      if (!size.aged()) {
        assertThat(size.beyond()).as(size.toString()).isBetween(0.0, size.limit());
      }
    }
  }

  @Test
  void bothFilesAreWritten() throws IOException {
    assertThat(JSON.std.mapFrom(GrowthPage.json(results)))
        .containsKeys("fingerprint", "scalable", "peers", "wire", "queries", "puts", "pauses");
    assertThat(GrowthPage.text(results)).contains("--max 2e5", "| FingerprintFilter | grid |");
  }
}
