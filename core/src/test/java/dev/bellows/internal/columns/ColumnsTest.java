package dev.bellows.internal.columns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.Rates;
import dev.bellows.internal.bits.HeapBits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnsTest {
  private static long[] random(long seed, int count) {
    return new SplittableRandom(seed).longs(count).toArray();
  }

  /** With this many columns on average. */
  private static Columns build(long[] hashes, double columns) {
    return build(hashes, (int) columns, columns - (int) columns);
  }

  private static Columns build(long[] hashes, int whole, double share) {
    return Columns.build(
            hashes,
            hashes.length,
            -1L,
            (layers, keys) -> rung(Columns.groups(layers), whole, share),
            new Rung(whole + 1, 0))
        .columns();
  }

  private static Rung rung(long groups, int whole, double share) {
    long lead = (long) Math.ceil(share * groups);
    return lead == groups && lead > 0 ? new Rung(whole + 1, 0) : new Rung(whole, lead);
  }

  private static void assertAllPass(Columns columns, long[] hashes) {
    assertThat(Arrays.stream(hashes).filter(hash -> !columns.test(hash)).count()).isZero();
  }

  @Test
  void noKeyOfASmallSetIsLost() {
    for (int count = 0; count < 400; count++) {
      long[] hashes = random(count, count);
      assertAllPass(build(hashes, 8.5), hashes);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {999, 1_001, 20_000, 300_000})
  void noKeyIsLostAndTheRateIsTheOneThatIsStated(int count) {
    long[] hashes = random(count, count);
    for (double columns : new double[] {1, 3.3, 8}) {
      Columns built = build(hashes, columns);
      assertAllPass(built, hashes);
      SplittableRandom absent = new SplittableRandom(~count);
      Rates.assertRate(1_000_000, i -> built.test(absent.nextLong()), built.fpp());
      assertThat(built.fpp()).isBetween(Math.pow(2, -columns) * 0.98, Math.pow(2, -columns) * 1.08);
    }
  }

  @Test
  void anEmptySetPassesNothing() {
    Columns empty = build(new long[0], 8);
    assertThat(empty.fpp()).isZero();
    assertThat(Arrays.stream(random(1, 100)).filter(empty::test).count()).isZero();
  }

  @Test
  void neitherOrderNorRepetitionsMatter() {
    long[] hashes = random(7, 5_000);
    long[] again = new long[2 * hashes.length];
    for (int i = 0; i < hashes.length; i++) {
      again[i] = hashes[hashes.length - 1 - i];
      again[hashes.length + i] = hashes[i];
    }
    assertThat(build(again, 5.25)).isEqualTo(build(hashes, 5.25));
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 900, 30_000})
  void foldingEqualsBuildingWithFewerColumns(int count) {
    long[] hashes = random(count, count);
    Columns built = build(hashes, 12, 0.4);
    long groups = built.groups();
    for (int columns : IntStream.of(12, 11, 5, 1).toArray()) {
      for (double share : new double[] {0, 0.1, 0.4}) {
        Columns folded = built.fold(rung(groups, columns, share));
        assertThat(folded).isEqualTo(build(hashes, columns, share));
        assertAllPass(folded, hashes);
      }
    }
  }

  /** Hashes that agree in all bits that choose the start, in steps of one, and in one long run. */
  @Test
  void chosenHashesCostOnlySpace() {
    long[] equalStarts = IntStream.range(0, 50_000).mapToLong(i -> i).toArray();
    long[] fewStarts =
        IntStream.range(0, 50_000).mapToLong(i -> (long) (i % 64) << 58 | i).toArray();
    Stream.of(equalStarts, fewStarts)
        .forEach(
            hashes -> {
              Columns built = build(hashes, 8);
              assertAllPass(built, hashes);
              assertThat(built.groups() * 64).isLessThan(3L * hashes.length);
            });
  }

  /** The smallest sizes that were measured when the constants of the construction were chosen. */
  @ParameterizedTest
  @ValueSource(ints = {1_000, 10_000, 100_000, 1_000_000})
  void itTakesBarelyMoreThanOneRowPerKey(int count) {
    Columns built = build(random(3, count), 1);
    long thresholds = built.layers().stream().mapToLong(layer -> layer.thresholds().length).sum();
    double bits = 8 * (64.0 * built.groups()) + 8.0 * thresholds;
    double most = count <= 1_000 ? 1.05 : count <= 10_000 ? 1.02 : count <= 100_000 ? 1.008 : 1.006;
    assertThat(bits / (8.0 * count)).isLessThan(most);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 64, 1_023, 1_024, 5_000, 400_000})
  void hashesAreSortedAndEachStaysOnce(int count) {
    long[] hashes = random(count, count);
    for (int i = 0; i < count / 3; i++) {
      hashes[i] = hashes[count - 1 - i];
    }
    for (long mask : new long[] {-1, -1L << 50, 0xff}) {
      HashSort sorted = HashSort.of(hashes, count, mask);
      long[] expected =
          Arrays.stream(hashes)
              .map(hash -> hash & mask ^ Long.MIN_VALUE)
              .sorted()
              .distinct()
              .map(hash -> hash ^ Long.MIN_VALUE)
              .toArray();
      assertThat(Arrays.copyOf(sorted.hashes(), sorted.count())).isEqualTo(expected);
    }
  }

  /** More than one segment, whose border no key crosses. */
  @ParameterizedTest
  @ValueSource(ints = {0, 700, 50_000, 300_000})
  void aStreamGivesTheSameColumnsAsAnArray(int count, @TempDir Path folder) throws IOException {
    long[] hashes = random(count, count);
    HashSort sorted = HashSort.of(hashes, count, -1L);
    int[] next = {0};
    Columns streamed =
        Columns.build(
            (into, at, most) -> {
              int length = Math.min(Math.min(most, 1000), sorted.count() - next[0]);
              System.arraycopy(sorted.hashes(), next[0], into, at, length);
              next[0] += length;
              return length;
            },
            sorted.count(),
            new Rung(4, 0),
            folder.resolve("room"));
    assertThat(streamed).isEqualTo(build(hashes, 5));
    assertAllPass(streamed, hashes);
    Columns folded = streamed.fold(new Rung(2, Math.min(1, streamed.groups())));
    assertThat(folded).isEqualTo(build(hashes, 12).fold(folded.rung()));
    assertAllPass(folded, hashes);
  }

  @Test
  void aStreamOfAnotherLengthOrOrderIsRefused(@TempDir Path folder) {
    long[] hashes = HashSort.of(random(1, 3_000), 3_000, -1L).hashes();
    for (int announced : new int[] {10, 2_999, 3_001}) {
      assertThatThrownBy(() -> stream(hashes, announced, folder))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(announced + " hashes were announced");
    }
    long[] equal = new long[2_000_000];
    assertThatThrownBy(() -> stream(equal, equal.length, folder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("secret key");
  }

  private static Columns stream(long[] hashes, int announced, Path folder) throws IOException {
    int[] next = {0};
    return Columns.build(
        (into, at, most) -> {
          int length = Math.min(most, hashes.length - next[0]);
          System.arraycopy(hashes, next[0], into, at, length);
          next[0] += length;
          return length;
        },
        announced,
        new Rung(1, 0),
        folder.resolve("room"));
  }

  @Test
  void batchesAnswerLikeSingleQueries() {
    long[] hashes = random(5, 20_000);
    long[] asked = IntStream.range(0, 9_001).mapToLong(i -> i % 3 == 0 ? hashes[i] : i).toArray();
    for (double columns : new double[] {0.5, 1, 3.7, 8, 13}) {
      Columns built = build(hashes, columns);
      boolean[] hits = new boolean[asked.length];
      int count = built.count(asked, 7, asked.length, -1L, hits);
      for (int i = 7; i < asked.length; i++) {
        assertThat(hits[i]).isEqualTo(built.test(asked[i]));
        count -= hits[i] ? 1 : 0;
      }
      assertThat(count).isZero();
    }
  }

  @Test
  void splitColumnsCanBeReassembled() throws IOException {
    Columns whole = build(random(9, 3_000), 6, 0.3);
    Rung[] rungs = {new Rung(1, 0), new Rung(1, 40), new Rung(4, 0), whole.rung()};
    Columns received = whole.fold(rungs[0]);
    for (int i = 1; i < rungs.length; i++) {
      HeapBits more = whole.between(rungs[i - 1], rungs[i]);
      received = received.with(rungs[i], more);
      assertThat(received).isEqualTo(whole.fold(rungs[i]));
    }
    assertThat(received).isEqualTo(whole);
    assertThat(received.contentHash()).isEqualTo(whole.contentHash());
  }

  private static Rung rung(List<Layer> layers, double fpp) {
    return Columns.rung(layers, fpp, DoubleUnaryOperator.identity());
  }

  @Test
  void theLowestRungThatHasARateIsFound() {
    List<Layer> layers = build(random(2, 40_000), 1).layers();
    for (double fpp : new double[] {0.9, 0.5, 0.3, 0.01, 1.0 / 256, 1e-6, 1e-16}) {
      Rung rung = rung(layers, fpp);
      assertThat(Columns.fpp(layers, rung)).isLessThanOrEqualTo(fpp);
      Rung below =
          rung.lead() > 0
              ? new Rung(rung.columns(), rung.lead() - 1)
              : new Rung(rung.columns() - 1, Columns.groups(layers) - 1);
      assertThat(Columns.fpp(layers, below)).isGreaterThan(fpp);
      assertThat(rung(layers, Columns.fpp(layers, rung))).isEqualTo(rung);
    }
    assertThat(rung(layers, 1.0 / 256)).isEqualTo(new Rung(8, 0));
    assertThatThrownBy(() -> rung(layers, 1e-17)).isInstanceOf(IllegalArgumentException.class);
  }
}
