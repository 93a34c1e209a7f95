package dev.bellows.frozen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.Filter;
import dev.bellows.HashScheme;
import dev.bellows.HashScheme.KeyType;
import dev.bellows.KeyFilter;
import dev.bellows.KeyHasher;
import dev.bellows.MappedFilter;
import dev.bellows.Mergeable;
import dev.bellows.Rates;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.base.Prose;
import dev.bellows.io.Filters;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrozenFilterTest {
  private static final byte[] SECRET = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

  private static long[] keys(int count) {
    return LongStream.range(0, count).toArray();
  }

  private static FrozenFilter frozen(int count, double fpp) {
    return FrozenFilter.builder().fpp(fpp).buildFrom(keys(count));
  }

  private static void assertHolds(FrozenFilter filter, int count) {
    assertThat(Arrays.stream(keys(count)).filter(key -> !filter.mightContain(key)).count())
        .isZero();
    boolean[] hits = new boolean[count];
    assertThat(filter.countMightContain(keys(count), hits)).isEqualTo(count);
  }

  private static void assertRate(FrozenFilter filter, long trials) {
    SplittableRandom absent = new SplittableRandom(7);
    Rates.assertRate(trials, i -> filter.mightContainHash(absent.nextLong()), filter.expectedFpp());
  }

  @ParameterizedTest
  @CsvSource({"30000, 0.01", "30000, 0.004", "30000, 0.3", "900, 0.0625", "1, 0.02"})
  void holdsEveryKeyAtARateJustBelowTheRequest(int count, double fpp) {
    FrozenFilter filter = frozen(count, fpp);
    assertHolds(filter, count);
    assertThat(filter.keys()).isEqualTo(count);
    assertThat(filter.expectedFpp()).isLessThanOrEqualTo(fpp);
    if (count == 30000) {
      assertThat(filter.expectedFpp()).isGreaterThan(0.99 * fpp);
    }
    assertRate(filter, 1_000_000);
  }

  @Test
  void itAcceptsNeitherPutsNorMerges() {
    assertThat(KeyFilter.class.isAssignableFrom(FrozenFilter.class)).isFalse();
    assertThat(Mergeable.class.isAssignableFrom(FrozenFilter.class)).isFalse();
  }

  @Test
  void allFormsOfKeysGiveTheSameFilter() {
    List<String> texts = IntStream.range(0, 2_000).mapToObj(i -> "key " + i).toList();
    HashScheme scheme = HashScheme.sipHash(SECRET);
    FrozenFilter.Builder builder = FrozenFilter.builder().fpp(0.02).hashScheme(scheme);
    FrozenFilter filter = builder.buildFrom(texts, KeyHasher.TEXT);
    long[] hashes = texts.stream().mapToLong(scheme::hash).toArray();
    assertThat(builder.build(hashes)).isEqualTo(filter);
    long[] twice = new long[2 * hashes.length];
    for (int i = 0; i < hashes.length; i++) {
      twice[i] = hashes[hashes.length - 1 - i];
      twice[hashes.length + i] = hashes[i];
    }
    long[] before = twice.clone();
    assertThat(builder.build(twice).toBytes()).isEqualTo(filter.toBytes());
    assertThat(twice).isEqualTo(before);
    assertThat(texts).allMatch(filter::mightContain);
    assertThat(filter.hashScheme()).isEqualTo(scheme);
  }

  @Test
  void aFileRecordsItsKeyType() throws IOException {
    FrozenFilter filter =
        FrozenFilter.builder().keyType(KeyType.TEXT).buildFrom(List.of("a"), KeyHasher.TEXT);
    assertThat(FrozenFilter.fromBytes(filter.toBytes()).hashScheme().keyType())
        .isEqualTo(KeyType.TEXT);
  }

  /** The fold law: bit for bit, file for file. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 3_000, 40_000})
  void foldedEqualsBuiltForThatRate(int count) {
    FrozenFilter whole = frozen(count, 1e-6);
    FrozenFilter folded = whole;
    for (double fpp : new double[] {2e-6, 1e-4, 0.01, 0.0123, 0.25, 0.7}) {
      folded = folded.foldToFpp(fpp);
      FrozenFilter built = frozen(count, fpp);
      assertThat(folded).isEqualTo(built);
      assertThat(whole.foldToFpp(fpp).toBytes()).isEqualTo(built.toBytes());
      assertThat(folded.expectedFpp()).isLessThanOrEqualTo(fpp);
      assertHolds(folded, count);
    }
  }

  @Test
  void droppedColumnsCannotBeRestored() {
    FrozenFilter filter = frozen(5_000, 0.01);
    assertThatThrownBy(() -> filter.foldToFpp(0.001))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Prose.fpp(filter.expectedFpp()));
    assertThat(filter.foldToFpp(filter.expectedFpp())).isEqualTo(filter);
    assertThat(filter.foldToFpp(Double.parseDouble(Prose.fpp(filter.expectedFpp()))))
        .isEqualTo(filter);
  }

  @Test
  void theLadderHasEveryNumberOfColumns() {
    FrozenFilter filter = frozen(20_000, 0.01);
    List<FrozenFilter.Step> ladder = filter.ladder();
    assertThat(ladder).hasSize(7);
    assertThat(ladder.get(6).columns()).isEqualTo(filter.columns()).isBetween(6.6, 6.8);
    assertThat(ladder.get(6).bits()).isEqualTo(filter.bits()).isEqualTo(filter.stats().bits());
    for (FrozenFilter.Step step : ladder) {
      FrozenFilter folded = filter.foldToFpp(step.expectedFpp());
      assertThat(folded.columns()).isEqualTo(step.columns());
      assertThat(folded.bits()).isEqualTo(step.bits());
      assertThat(folded.expectedFpp()).isEqualTo(step.expectedFpp());
    }
  }

  /** The bars of the size, with header and checksums: the numbers that documents quote. */
  @ParameterizedTest
  @CsvSource({
    "100, 0.01", "100, 0.004", "100, 0.001", "100, 1e-6",
    "10000, 0.01", "10000, 0.004", "10000, 0.001", "10000, 1e-6",
    "100000, 0.01", "100000, 0.004", "100000, 0.001", "100000, 1e-6"
  })
  void itIsBarelyLargerThanItsColumns(int count, double fpp) {
    FrozenFilter filter = frozen(count, fpp);
    double columns = count * filter.columns() / 8;
    double most = count == 100 ? 1.15 * columns + 64 : count == 10_000 ? 1.08 : 1.015;
    assertThat((double) filter.sizeInBytes()).isLessThan(count == 100 ? most : most * columns);
    assertThat(filter.toBytes()).hasSize((int) filter.sizeInBytes());
    if (count == 100_000) {
      double limit = -Math.log(filter.expectedFpp()) / Math.log(2);
      assertThat(8.0 * filter.sizeInBytes() / count / limit).isLessThan(fpp == 0.01 ? 1.025 : 1.02);
    }
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "100", "900", "1200", "5000", "20000", "300000"})
  void thePlanKnowsTheSize(int count) {
    for (double fpp : new double[] {0.3, 0.01, 0.004, 1e-6}) {
      FrozenPlan plan = FrozenPlan.of(count, fpp);
      FrozenFilter filter = frozen(count, fpp);
      double rows = Math.max(192 * plan.columns(), 0.003 * plan.bits());
      if (count > 0) {
        assertThat((double) filter.bits()).isBetween(plan.bits() - rows, plan.bits() + rows);
      }
      if (count >= 20_000) {
        assertThat(filter.columns()).isBetween(plan.columns() - 0.02, plan.columns() + 0.02);
      }
    }
  }

  @Test
  void plansRefuseWhatCannotBeBuilt() {
    for (double fpp : new double[] {0, 1, -1, Double.NaN, 1e-18}) {
      assertThatThrownBy(() -> FrozenPlan.of(1, fpp)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> frozen(1, fpp)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> FrozenPlan.of(-1, 0.1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> FrozenFilter.builder().hashBits(65))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(FrozenPlan.of(1_000_000, 1.0 / 256).columns()).isBetween(8.0, 8.001);
    assertThat(FrozenPlan.of(1_000_000, 0.01).buildBytes()).isBetween(16_000_000L, 24_000_000L);
    assertThat(FrozenPlan.of(0, 0.01).bitsPerKey()).isNaN();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 50, 20_000})
  void aMappedFileAnswersAsTheFilterDoes(int count, @TempDir Path folder) throws IOException {
    Path file = folder.resolve("keys.frozen");
    FrozenFilter filter = frozen(count, 0.01);
    filter.writeTo(file);
    try (MappedFilter<FrozenFilter> mapped = FrozenFilter.map(file)) {
      assertHolds(mapped.filter(), count);
      assertThat(mapped.filter()).isEqualTo(filter);
      assertThat(mapped.filter().foldToFpp(0.2)).isEqualTo(filter.foldToFpp(0.2));
      assertThat(mapped.filter().toBytes()).isEqualTo(filter.toBytes());
      mapped.verify();
      for (long hash = 0; hash < 1000; hash++) {
        long spread = hash * 0x9e3779b97f4a7c15L;
        assertThat(mapped.filter().mightContainHash(spread))
            .isEqualTo(filter.mightContainHash(spread));
      }
    }
  }

  @Test
  void aDamagedPieceOfAMappedFileGivesNoAnswer(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("keys.frozen");
    frozen(300_000, 1e-10).writeTo(file);
    byte[] bytes = Files.readAllBytes(file);
    bytes[100_000] ^= 1;
    Files.write(file, bytes);
    try (MappedFilter<FrozenFilter> mapped = FrozenFilter.map(file)) {
      assertThatThrownBy(() -> assertHolds(mapped.filter(), 300_000))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("checksum");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 700, 30_000, 200_000})
  void aFileBuiltFromAStreamIsTheOneBuiltFromAnArray(int count, @TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("keys.frozen");
    HashScheme scheme = HashScheme.sipHash(SECRET);
    long[] hashes =
        Arrays.stream(keys(count))
            .map(key -> scheme.hash(key) ^ Long.MIN_VALUE)
            .sorted()
            .map(hash -> hash ^ Long.MIN_VALUE)
            .toArray();
    int[] next = {0};
    FrozenFilter.Builder builder = FrozenFilter.builder().fpp(0.013).hashScheme(scheme);
    try (MappedFilter<FrozenFilter> built =
        builder.build(
            file,
            count,
            (into, at, most) -> {
              int length = Math.min(most, count - next[0]);
              System.arraycopy(hashes, next[0], into, at, length);
              next[0] += length;
              return length;
            })) {
      assertThat(built.filter()).isEqualTo(builder.build(hashes));
      assertHolds(built.filter(), count);
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(builder.build(hashes).toBytes());
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactly(file);
    }
    assertThatThrownBy(() -> builder.build(file, count + 1, (into, at, most) -> 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(FrozenFilter.FORMAT.readFrom(file, ReadOptions.DEFAULT.withHashScheme(scheme)))
        .isEqualTo(builder.build(hashes));
  }

  @Test
  void everyReceivedSetOfLeadingColumnsHoldsEveryKey() throws IOException {
    int count = 4_000;
    FrozenFilter source = frozen(count, 0.001);
    double[] rates = {1, 0.5, 0.2, 0.1, 0.01, 0.001};
    FrozenPart received = source.part(1, 0.5);
    for (int i = 1; i < rates.length; i++) {
      FrozenPart part = source.part(rates[i - 1], rates[i]);
      FrozenPart arrived = FrozenPart.fromBytes(part.toBytes());
      assertThat(arrived).isEqualTo(part);
      received = i == 1 ? arrived : received.with(arrived);
      assertThat(received.filter()).isEqualTo(source.foldToFpp(rates[i]));
      assertHolds(received.filter(), count);
      assertThat(FrozenPart.fromBytes(received.toBytes())).isEqualTo(received);
      assertThat(received.isLast()).isEqualTo(i == rates.length - 1);
    }
    assertThat(received.filter()).isEqualTo(source);
    assertThat(received.with(source.part(0.1, 0.01))).isSameAs(received);
  }

  @Test
  void partsOfOtherFiltersAndPartsThatAreNotNextAreRefused() {
    FrozenFilter source = frozen(500, 0.001);
    FrozenPart first = source.part(1, 0.5);
    assertThatThrownBy(() -> first.with(frozen(501, 0.001).part(0.5, 0.1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("different filters");
    assertThatThrownBy(() -> first.with(source.part(0.25, 0.1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("between them");
    assertThatThrownBy(() -> source.part(0.25, 0.1).filter())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("first part");
    assertThatThrownBy(() -> source.part(0.25, 0.1).with(source.part(0.1, 0.01)))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> source.part(0.1, 0.2)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 90, 10_000})
  void aBudgetIsUsedButNotExceeded(int count) {
    FrozenFilter source = frozen(count, 0.001);
    double from = 1;
    for (long budget : new long[] {20, 300, 3_000, 5_000, 1 << 20}) {
      double to = source.fppWithin(from, budget);
      if (to < from) {
        FrozenPart part = source.part(from, to);
        assertThat(part.sizeInBytes()).isLessThanOrEqualTo(budget);
        if (!part.isLast()) {
          // the next group needs one word, and numbers may need more bytes
          assertThat(part.sizeInBytes()).isGreaterThan(budget - 9 - 64);
        }
        from = to;
      }
    }
    assertThat(from).isEqualTo(count == 0 ? 1 : source.expectedFpp());
  }

  @Test
  void aFileRemembersWhatWasSent() throws IOException {
    FrozenFilter source = frozen(2_000, 0.001);
    assertThat(source.sentFpp()).isEqualTo(1);
    FrozenFilter sent = source.withSentFpp(0.1);
    assertThat(sent.sentFpp()).isLessThanOrEqualTo(0.1).isGreaterThan(0.09);
    FrozenFilter read = FrozenFilter.fromBytes(sent.toBytes());
    assertThat(read.sentFpp()).isEqualTo(sent.sentFpp());
    assertThat(read.withSentFpp(1).toBytes()).isEqualTo(source.toBytes());
    assertThat(read.part(read.sentFpp(), 0.01)).isEqualTo(source.part(0.1, 0.01));
    assertThat(sent.foldToFpp(0.3).sentFpp()).isEqualTo(sent.foldToFpp(0.3).expectedFpp());
  }

  @ParameterizedTest
  @CsvSource({"20000, 1e-4, 0.01", "2000, 1e-5, 0.001", "5, 0.001, 0.1", "0, 0.01, 0.1"})
  void prefixesAreFrozenWithoutTheKeys(int count, double sourceFpp, double fpp) {
    FingerprintFilter source = FingerprintFilter.create(sourceFpp);
    source.putAll(keys(count));
    FrozenFilter filter = source.freeze(fpp);
    assertHolds(filter, count);
    assertThat(filter.expectedFpp()).isLessThanOrEqualTo(fpp);
    assertThat(filter.keys()).isLessThanOrEqualTo((long) (1.05 * count));
    assertRate(filter, 1_000_000);
    assertThat(FrozenPlan.of(count, fpp).bits()).isLessThanOrEqualTo(filter.bits() + 64);
  }

  @Test
  void foldedPrefixesFreezeNearTheirOwnRate() {
    FingerprintFilter source = FingerprintFilter.create(1e-6);
    source.putAll(keys(30_000));
    FingerprintFilter folded = source.foldToFpp(0.001);
    FrozenFilter filter = folded.freeze(0.004);
    assertHolds(filter, 30_000);
    assertThat(filter.hashBits()).isLessThan(30);
    assertRate(filter, 2_000_000);
  }

  @Test
  void anUnreachableRateOfPrefixesIsRefusedWithAReachableOne() {
    FingerprintFilter source = FingerprintFilter.create(0.01);
    source.putAll(keys(100_000));
    assertThatThrownBy(() -> source.freeze(0.001))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "the fpp of the source is already " + Prose.fpp(source.expectedFpp()));
    String message = "";
    try {
      source.freeze(1.5 * source.expectedFpp());
    } catch (IllegalArgumentException e) {
      message = e.getMessage();
    }
    assertThat(message).contains("freeze it at ");
    double advised = Double.parseDouble(message.replaceAll(".*freeze it at ([^ ]+) .*", "$1"));
    FrozenFilter filter = source.freeze(advised);
    assertHolds(filter, 100_000);
    assertThat(filter.expectedFpp()).isLessThanOrEqualTo(advised);
  }

  @Test
  void anEmptySetHasNoBitsAndNoKeys() throws IOException {
    FrozenFilter empty = frozen(0, 0.01);
    assertThat(empty.isEmpty()).isTrue();
    assertThat(empty.expectedFpp()).isZero();
    assertThat(empty.bits()).isZero();
    assertThat(empty.mightContain("anything")).isFalse();
    assertThat(empty.foldToFpp(0.5)).isEqualTo(empty);
    assertThat(Filters.fromBytes(empty.toBytes())).isEqualTo(empty);
    Filter part = empty.part(1, 0.1);
    assertThat(Filters.fromBytes(part.toBytes())).isEqualTo(part);
    assertThat(((FrozenPart) part).filter()).isEqualTo(empty);
  }

  @Test
  void theDescriptionNamesSizeColumnsAndLadder() {
    assertThat(frozen(20_000, 0.01).explain())
        .contains("A frozen filter", "columns            6.7", "Folds to any rate", "20,000");
    assertThat(frozen(20_000, 0.01).part(0.5, 0.1).explain())
        .contains("Columns 1.003 to 3.398 of a frozen filter of 6.710");
  }
}
