package dev.bellows.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import dev.bellows.Foldable.FoldSize;
import dev.bellows.Means;
import dev.bellows.Rates;
import dev.bellows.Repository;
import dev.bellows.foreign.ForeignFilter.Format;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.math.BinomialInterval;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.math.Divisors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.format.BloomFilterAlgorithm;
import org.apache.parquet.format.BloomFilterCompression;
import org.apache.parquet.format.BloomFilterHash;
import org.apache.parquet.format.BloomFilterHeader;
import org.apache.parquet.format.SplitBlockAlgorithm;
import org.apache.parquet.format.Uncompressed;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.XxHash;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters as other libraries create them in practice, and the documented statements about them. */
class ForeignFilterTest {
  private static final int KEYS = 10_000;

  private static byte[] guava(long expected, double fpp, int keys) throws IOException {
    BloomFilter<CharSequence> filter =
        BloomFilter.create(Funnels.stringFunnel(StandardCharsets.UTF_8), expected, fpp);
    for (int i = 0; i < keys; i++) {
      filter.put("user-" + i);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  private static byte[] parquet(int bytes, int keys) throws IOException {
    BlockSplitBloomFilter filter = new BlockSplitBloomFilter(bytes);
    for (long key = 0; key < keys; key++) {
      filter.insertHash(filter.hash(key));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  @Test
  void anOversizedGuavaFilterFoldsToItsNeedAndLoadsInGuava() throws IOException {
    ForeignFilter filter = ForeignFilter.fromBytes(guava(1_000_357, 0.01, KEYS), Format.GUAVA);
    Means.assertEstimate(
        filter.approximateElementCount(), KEYS, filter.bits(), filter.hashes(), filter.bits());
    ForeignFilter folded = filter.foldToFpp(0.01);
    assertThat(folded.expectedFpp()).isLessThanOrEqualTo(0.01);
    assertThat(folded.bits()).isLessThan(filter.bits() / 20);
    BloomFilter<CharSequence> loaded =
        BloomFilter.readFrom(
            new ByteArrayInputStream(folded.toBytes()),
            Funnels.stringFunnel(StandardCharsets.UTF_8));
    assertThat(loaded.expectedFpp()).isEqualTo(folded.expectedFpp());
    for (int i = 0; i < KEYS; i++) {
      assertThat(loaded.mightContain("user-" + i)).isTrue();
    }
    Rates.assertRate(100_000, i -> loaded.mightContain("other-" + i), folded.expectedFpp());
  }

  private static boolean isDoubleHashing(Owner owner) {
    return owner.format() == Format.GUAVA || owner.format() == Format.SPARK;
  }

  /**
   * For small sizes double hashing has a higher rate than the formula, which stated rates include.
   */
  @ParameterizedTest
  @ValueSource(ints = {20, 50, 300})
  void foldingsKeepTheRequestedRate(int keys) throws IOException {
    for (Owner owner : Owner.all().stream().filter(ForeignFilterTest::isDoubleHashing).toList()) {
      for (double fpp : new double[] {1e-2, 1e-3, 1e-4}) {
        int absent = (int) Math.min(400_000, 200 / fpp);
        int hashes = (int) Math.round(-Math.log(fpp) / Math.log(2));
        List<Object> stored = ForeignKeys.of(Format.KeyType.LONG, keys, keys);
        ForeignFilter filter =
            ForeignFilter.fromBytes(
                owner.built(64L * 27_720, hashes, Format.KeyType.LONG, stored), owner.format());
        ForeignFilter folded = filter.foldToFpp(fpp);
        assertThat(folded.bits()).isLessThan(filter.bits() / 20);
        long passed = Rates.count(absent, i -> folded.mightContain(Long.MIN_VALUE + i));
        assertThat(BinomialInterval.of(passed, absent, Rates.ALPHA).low())
            .as("%s, %d keys at %s: %d of %d", owner, keys, fpp, passed, absent)
            .isLessThanOrEqualTo(fpp);
      }
    }
  }

  /**
   * On average over filters, the excess of double hashing stays below the bound that is added for
   * it.
   */
  @Test
  void doubleHashingAddsNoMoreThanDocumented() throws IOException {
    int absent = 20_000;
    boolean isNeeded = false;
    for (Owner owner : Owner.all().stream().filter(ForeignFilterTest::isDoubleHashing).toList()) {
      for (long words : new long[] {4, 12, 15, 60}) {
        long bits = 64 * words;
        double said = 0;
        double formula = 0;
        long passed = 0;
        int filters = 40;
        for (int seed = 0; seed < filters; seed++) {
          List<Object> stored = ForeignKeys.of(Format.KeyType.LONG, (int) (bits / 19), seed);
          ForeignFilter filter =
              ForeignFilter.fromBytes(
                  owner.built(bits, 13, Format.KeyType.LONG, stored), owner.format());
          double fill = filter.stats().fill();
          formula += filter.expectedFpp();
          said += filter.expectedFpp() + BloomRates.doubleHashingExcess(bits, fill, 13);
          long from = Long.MIN_VALUE + (long) seed * absent;
          passed += Rates.count(absent, i -> filter.mightContain(from + i));
        }
        BinomialInterval interval =
            BinomialInterval.of(passed, (long) filters * absent, Rates.ALPHA);
        assertThat(interval.low())
            .as("%s, %d bits: %s", owner, bits, interval)
            .isLessThanOrEqualTo(said / filters);
        isNeeded |= interval.low() > formula / filters;
      }
    }
    assertThat(isNeeded).as("the formula alone would promise too much").isTrue();
  }

  /** The number of words that Guava allocates, taken from its own filters. */
  private static long guavaWords(long keys, double fpp) {
    long bits = (long) (-keys * Math.log(fpp) / (Math.log(2) * Math.log(2)));
    return (bits + 63) / 64;
  }

  /** The fractions that the guide states. */
  @Test
  void theGuideSaysHowOftenNaturalSizesFold() throws IOException {
    assertThat(guavaWords(1_000_357, 0.01)).isEqualTo(guava(1_000_357, 0.01, 1).length / 8);
    assertThat(guavaWords(10_000, 0.001)).isEqualTo(guava(10_000, 0.001, 1).length / 8);
    List<Long> round = new ArrayList<>();
    for (long power = 1000; power <= 10_000_000; power *= 10) {
      for (long first : new long[] {1, 2, 5}) {
        for (double fpp : new double[] {0.03, 0.01, 0.001}) {
          if (first * power <= 10_000_000) {
            round.add(guavaWords(first * power, fpp));
          }
        }
      }
    }
    assertThat(round).hasSize(39);
    long fold = round.stream().filter(ForeignFilterTest::foldsByLittle).count();
    long never = round.stream().filter(words -> Divisors.count(words) == 2).count();
    long steps =
        LongStream.rangeClosed(1, 3000)
            .filter(thousands -> Divisors.count(guavaWords(1000 * thousands, 0.03)) == 2)
            .count();
    String guide =
        Files.readString(Repository.path("docs/shrink-the-filters-you-already-have.md"))
            .replaceAll("\\s+", " ");
    assertThat(guide)
        .contains(
            "%.0f %% fold by some factor from 2 to 10, and %.0f %% by none"
                .formatted(100.0 * fold / 39, 100.0 * never / 39))
        .contains("only %.0f %% do not fold".formatted(100.0 * steps / 3000));
  }

  private static boolean foldsByLittle(long words) {
    return LongStream.rangeClosed(2, 10).anyMatch(factor -> words % factor == 0);
  }

  @Test
  void ratesOfSparkFiltersFollowSparksFormula() throws IOException {
    org.apache.spark.util.sketch.BloomFilter filter =
        org.apache.spark.util.sketch.BloomFilter.create(KEYS, 0.03);
    for (long key = 0; key < KEYS; key++) {
      filter.putLong(key);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    ForeignFilter read = ForeignFilter.fromBytes(out.toByteArray(), Format.SPARK);
    assertThat(read.expectedFpp()).isEqualTo(filter.expectedFpp());
    assertThat(read.stats().variant()).isEqualTo("V2");
    assertThat(read.stats().seed()).isZero();
    assertThat(read.explain()).contains("A Bloom filter of Spark (V2, seed 0).");
    assertThat(read.stats().ones()).isEqualTo(filter.cardinality());
    Rates.assertRate(100_000, i -> read.mightContain(KEYS + i), read.expectedFpp());
  }

  @Test
  void aCharacterIsTextAndNotANumber() throws IOException {
    BloomFilter<CharSequence> guava = BloomFilter.create(Funnels.unencodedCharsFunnel(), 100, 1e-6);
    guava.put("c");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    guava.writeTo(out);
    ForeignFilter read = ForeignFilter.fromBytes(out.toByteArray(), Format.GUAVA);
    assertThat(read.mightContain('c', Format.KeyType.UTF16)).isTrue();
    assertThat(read.mightContain('c', Format.KeyType.UTF8)).isFalse();
    assertThat(read.mightContain('c')).isFalse();
  }

  @Test
  void everyRungOfAParquetLadderHasItsStatedRate() throws IOException {
    ForeignFilter filter = ForeignFilter.fromBytes(parquet(1 << 18, 50_000), Format.PARQUET);
    Means.assertEstimate(filter.approximateElementCount(), 50_000, filter.bits(), 8, 256);
    List<FoldSize> ladder = filter.ladder();
    assertThat(ladder).hasSize(14);
    for (FoldSize size : ladder) {
      ForeignFilter folded = filter.foldTo(size.bits());
      assertThat(folded.expectedFpp()).isEqualTo(size.expectedFpp());
      BlockSplitBloomFilter theirs = new BlockSplitBloomFilter(folded.toBytes());
      Rates.assertRate(200_000, i -> theirs.findHash(theirs.hash(50_000 + i)), size.expectedFpp());
    }
  }

  @Test
  void theHeaderOfAParquetFileIsReadAndWritten() throws IOException {
    for (int bytes : new int[] {32, 64, 96, 4096, 1 << 20}) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      BloomFilterHeader header =
          new BloomFilterHeader(
              bytes,
              BloomFilterAlgorithm.BLOCK(new SplitBlockAlgorithm()),
              BloomFilterHash.XXHASH(new XxHash()),
              BloomFilterCompression.UNCOMPRESSED(new Uncompressed()));
      Util.writeBloomFilterHeader(header, out);
      assertThat(ParquetHeader.encode(bytes)).isEqualTo(out.toByteArray());
      out.writeBytes(Arrays.copyOf(parquet(bytes, 10), bytes));
      ForeignFilter filter = ForeignFilter.fromBytes(out.toByteArray(), Format.PARQUET);
      assertThat(filter.bits()).isEqualTo(8L * bytes);
      assertThat(filter.toBytes()).isEqualTo(out.toByteArray());
      assertThat(filter.stats().variant()).isEqualTo("split blocks, with header");
      ForeignFilter folded = filter.foldBy(bytes / 32);
      ByteArrayInputStream in = new ByteArrayInputStream(folded.toBytes());
      assertThat(Util.readBloomFilterHeader(in).getNumBytes()).isEqualTo(32);
      assertThat(in.readAllBytes()).hasSize(32);
    }
  }

  @Test
  void hadoopsOldFormWithoutAVersionIsRead() throws IOException {
    Owner jenkins = Owner.all().get(6);
    List<Object> keys = ForeignKeys.of(Format.KeyType.LONG, 100, 3);
    byte[] today = jenkins.built(5005, 3, Format.KeyType.LONG, keys);
    ByteBuffer old = ByteBuffer.allocate(today.length - 5).putInt(3).putInt(5005);
    old.put(today, 13, today.length - 13);
    ForeignFilter filter = ForeignFilter.fromBytes(old.array(), Format.HADOOP);
    assertThat(filter.toBytes()).isEqualTo(today);
    assertThat(jenkins.load(old.array(), Format.KeyType.LONG).bytes()).isEqualTo(today);
    assertThat(filter.mightContain(new byte[0])).as("Hadoop takes no empty key").isFalse();
  }

  /** Values of 31 bits leave the rest of a large filter zero, which a plain fill would hide. */
  @Test
  void ratesCountOnlyBitsThatKeysReach() {
    long bits = 1L << 32;
    long[] words = new long[(int) (bits >>> 6)];
    HeapBits store = HeapBits.over(bits, words, 0);
    Arrays.fill(words, 0, 1 << 24, 0x5555555555555555L); // half of half of the reachable bits
    ForeignFilter narrow = new ForeignFilter(new SparkDialect(1, 2, 0), store);
    ForeignFilter wide = new ForeignFilter(new SparkDialect(2, 2, 0), store);
    assertThat(narrow.expectedFpp()).isEqualTo(1.0 / 16);
    assertThat(wide.expectedFpp()).isEqualTo(1.0 / 64);
    List<FoldSize> ladder = narrow.ladder();
    assertThat(ladder.get(ladder.size() - 1).expectedFpp()).isEqualTo(1.0 / 16);
    assertThat(ladder.get(ladder.size() - 2).expectedFpp()).isEqualTo(1.0 / 16);
    // three quarters of the reachable bits are zero; half as many bits leave the square of that
    assertThat(ladder.get(ladder.size() - 3).expectedFpp())
        .isCloseTo(Math.pow(1 - 0.75 * 0.75, 2), Offset.offset(1e-8));
    assertThat(narrow.stats().ones()).isEqualTo(1L << 29);
  }

  @Test
  void unfoldableFiltersNameTheirDivisors() throws IOException {
    ForeignFilter prime =
        ForeignFilter.fromBytes(Owner.all().get(0).empty().bytes(64 * 127, 3), Format.GUAVA);
    assertThatThrownBy(() -> prime.foldBy(2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("8128", "2", "127", "64");
    ForeignFilter one = ForeignFilter.fromBytes(new byte[32], Format.PARQUET);
    assertThatThrownBy(() -> one.foldBy(2)).hasMessageContaining("(divisors: none)");
    assertThatThrownBy(() -> prime.foldTo(4096)).hasMessageContaining("64 and 8128");
    assertThatThrownBy(() -> prime.foldBy(0)).hasMessageContaining("factor must be at least 1: 0");
    ForeignFilter full = ForeignFilter.fromBytes(filled(32), Format.PARQUET);
    assertThat(full.expectedFpp()).isEqualTo(1);
    assertThat(full.approximateElementCount()).isPositive();
    assertThatThrownBy(() -> full.foldToFpp(0.5)).hasMessageContaining("even the unfolded 256");
  }

  private static byte[] filled(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) -1);
    return bytes;
  }

  @Test
  void keysOfATypeThatALibraryDoesNotHaveAreRefused() throws IOException {
    ForeignFilter parquet = ForeignFilter.fromBytes(new byte[32], Format.PARQUET);
    assertThatThrownBy(() -> parquet.mightContain("text", Format.KeyType.UTF16))
        .hasMessageContainingAll("Parquet", "utf16", "utf8, long, int, bytes");
    assertThatThrownBy(() -> parquet.mightContain("text", Format.KeyType.LONG))
        .hasMessageContaining("type long");
    assertThatThrownBy(() -> parquet.mightContain(5, Format.KeyType.UTF8))
        .hasMessageContaining("type utf8");
    assertThatThrownBy(() -> parquet.mightContain(1L << 40, Format.KeyType.INT))
        .hasMessageContaining("1099511627776 is not an int");
  }

  @Test
  void filesAreReadAndWritten(@TempDir Path folder) throws IOException {
    Path path = folder.resolve("users.guava");
    Files.write(path, guava(1000, 0.03, 100));
    ForeignFilter filter = ForeignFilter.readFrom(path, Format.GUAVA);
    Path copy = folder.resolve("copy.guava");
    filter.writeTo(copy);
    assertThat(copy).hasSameBinaryContentAs(path);
    assertThat(filter.explain())
        .contains(
            "A Bloom filter of Guava (MURMUR128_MITZ_64).",
            "5, 23, 115 (divisors of its 115 words");
    assertThat(filter).hasToString("ForeignFilter[Guava MURMUR128_MITZ_64, 7360 bits, 5 hashes]");
  }

  @Test
  void manyBlocksFoldAsNeighbors() throws IOException {
    byte[] bits = new byte[32 * 720];
    new SplittableRandom(1).nextBytes(bits);
    ForeignFilter filter = ForeignFilter.fromBytes(bits, Format.PARQUET);
    for (int factor : new int[] {2, 3, 5, 720}) {
      byte[] expected = new byte[bits.length / factor];
      for (int i = 0; i < bits.length; i++) {
        expected[i / 32 / factor * 32 + i % 32] |= bits[i];
      }
      assertThat(filter.foldBy(factor).toBytes()).isEqualTo(expected);
    }
  }
}
