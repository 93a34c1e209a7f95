package dev.bellows.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.management.ThreadMXBean;
import dev.bellows.AllKinds;
import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.FoldedFilters;
import dev.bellows.Layout;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.Filters;
import dev.bellows.io.ReadOptions;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every wrong byte causes a clear exception, and claimed sizes never allocate memory. */
class HostileBytesTest {
  private static final int BITS_OFFSET = 72;
  private static final int SECTION_OFFSET = 96;

  /** The memory that a tree of a partition filter may take, in total and per byte that is read. */
  private static final long MOST_MEMORY = 1L << 26;

  private static final long MOST_MEMORY_PER_BYTE = 256;

  static List<AllKinds.Example> examples() {
    return AllKinds.examples();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyTruncationIsRefused(AllKinds.Example example) {
    for (byte[] bytes : forms(example.filter())) {
      for (int length = 0; length < bytes.length; length++) {
        assertRefused(Arrays.copyOf(bytes, length), length);
      }
    }
  }

  /** A filter as it is written, and in the full form. */
  private static List<byte[]> forms(Filter filter) {
    byte[] bytes = filter.toBytes();
    return List.of(bytes, Forgery.full(bytes));
  }

  @ParameterizedTest
  @MethodSource("examples")
  void bothFormsAreTheSameFilter(AllKinds.Example example) throws IOException {
    for (byte[] bytes : forms(example.filter())) {
      assertThat(Filters.fromBytes(bytes)).isEqualTo(example.filter());
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyFlippedBitIsRefused(AllKinds.Example example) {
    for (byte[] bytes : forms(example.filter())) {
      for (int i = 0; i < bytes.length; i++) {
        for (int bit = 0; bit < 8; bit++) {
          byte[] flipped = bytes.clone();
          flipped[i] ^= (byte) (1 << bit);
          assertRefused(flipped, bytes.length);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void bytesAfterTheEndAreRefused(AllKinds.Example example) {
    byte[] bytes = example.filter().toBytes();
    assertThatThrownBy(() -> Filters.fromBytes(Arrays.copyOf(bytes, bytes.length + 1)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("bytes follow its end (at byte " + bytes.length + ")");
  }

  @ParameterizedTest
  @MethodSource("examples")
  void anIdIsRefusedIfTheKindHasNone(AllKinds.Example example) {
    byte[] bytes = example.filter().toBytes();
    byte[] identified = Forgery.with(bytes, Forgery.ID, 8, 7);
    if (!(example.filter() instanceof Filter.Identified)) {
      assertForged(identified, Forgery.ID, "a filter of kind " + example.kind().word());
    }
    byte[] anonymous = Forgery.with(bytes, Forgery.ID, 8, 0);
    assertForged(
        Forgery.with(anonymous, Forgery.STATE, 8, 7), Forgery.STATE, "without an id has no state");
  }

  /** Every number in every header, including nested filters, is replaced by hostile values. */
  @ParameterizedTest
  @MethodSource("examples")
  void everyNumberInAHeaderIsReadUnchangedOrRefused(AllKinds.Example example) {
    byte[] bytes = Forgery.full(example.filter().toBytes());
    ByteBuffer numbers = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int header : Forgery.headers(bytes)) {
      for (int field : Forgery.fields(bytes, header)) {
        long old = numbers.getLong(field);
        for (long value : painful(old)) {
          assertReadAsItIsOrRefused(Forgery.with(bytes, field, 8, value));
        }
      }
      for (int field : new int[] {8, 10, 12, 14, 20, 22}) {
        for (int value = -2; value < 20; value++) {
          assertReadAsItIsOrRefused(Forgery.with(bytes, header + field, 2, value));
        }
      }
      for (int length : new int[] {-64, -1, 0, 1, 64, 128, 192, 256, 1 << 16, (1 << 16) + 64}) {
        assertReadAsItIsOrRefused(Forgery.with(bytes, header + 16, 4, length));
      }
    }
  }

  private static long[] painful(long old) {
    return new long[] {
      0,
      1,
      2,
      3,
      4,
      7,
      64,
      512,
      513,
      -1,
      -512,
      old - 1,
      old + 1,
      old + 64,
      old / 2,
      2 * old,
      -old,
      ~old,
      1 << 16,
      (1 << 16) + 1,
      Integer.MAX_VALUE,
      1L << 31,
      1L << 32,
      1L << 36,
      64L * (Integer.MAX_VALUE - 8),
      1L << 62,
      Long.MAX_VALUE,
      Long.MIN_VALUE,
      Double.doubleToLongBits(0.5),
      Double.doubleToLongBits(1),
      Double.doubleToLongBits(2),
      Double.doubleToLongBits(-1),
      Double.doubleToLongBits(1e300),
      Double.doubleToLongBits(Double.MIN_VALUE),
      Double.doubleToLongBits(Double.NaN),
      Double.doubleToLongBits(Double.POSITIVE_INFINITY)
    };
  }

  @ParameterizedTest
  @MethodSource("examples")
  void forgeriesWithAChecksumAreReadUnchangedOrRefused(AllKinds.Example example) {
    SplittableRandom random = new SplittableRandom(17);
    List<byte[]> forms = forms(example.filter());
    int refused = 0;
    for (int round = 0; round < 1000; round++) {
      byte[] bytes = forms.get(round % 2).clone();
      for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
        int place = 7 + random.nextInt(bytes.length - 7);
        bytes[place] = (byte) (random.nextBoolean() ? random.nextInt() : 1 << random.nextInt(8));
      }
      refused += assertReadAsItIsOrRefused(Forgery.sign(bytes)) ? 0 : 1;
    }
    assertThat(refused).isPositive();
  }

  /** Reading ends in a filter that writes the same bytes or in a refusal, in little memory. */
  private static boolean assertReadAsItIsOrRefused(byte[] bytes) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    try {
      Filter read = Filters.fromBytes(bytes, ReadOptions.UNLIMITED);
      assertThat(Arrays.mismatch(Forgery.full(read.toBytes()), Forgery.full(bytes)))
          .as("written as read")
          .isEqualTo(-1);
      return true;
    } catch (FilterFormatException refused) {
      requireInside(refused, bytes.length);
      return false;
    } finally {
      long taken = threads.getCurrentThreadAllocatedBytes() - before;
      if (taken > MOST_MEMORY + MOST_MEMORY_PER_BYTE * bytes.length) {
        throw new AssertionError(bytes.length + " bytes took " + taken + " to read");
      }
    }
  }

  private static void assertRefused(byte[] bytes, long length) {
    try {
      Filters.fromBytes(bytes);
    } catch (FilterFormatException refused) {
      requireInside(refused, length);
      return;
    }
    throw new AssertionError("read from wrong bytes");
  }

  private static void requireInside(FilterFormatException refused, long length) {
    if (refused.offset() < 0 || refused.offset() > length) {
      throw new AssertionError("offset " + refused.offset() + " of " + length, refused);
    }
  }

  private static void assertForged(byte[] bytes, long offset, String what) {
    Throwable thrown = catchThrowable(() -> Filters.fromBytes(bytes));
    assertThat(thrown).isInstanceOf(FilterFormatException.class).hasMessageContaining(what);
    assertThat(((FilterFormatException) thrown).offset()).isEqualTo(offset);
  }

  private static byte[] blocked() {
    BloomFilter filter = BloomFilter.create(100, 0.01);
    filter.putAll(new long[] {1, 2, 3});
    return filter.toBytes();
  }

  /** A header with a correct checksum, so that only its content reveals the forgery. */
  private static byte[] forge(int offset, int width, long value) {
    return Forgery.with(blocked(), offset, width, value);
  }

  @Test
  void forgedHeadersAreRefusedAtTheFieldThatIsWrong() {
    assertForged(forge(8, 2, 2), 8, "format version 2");
    assertForged(forge(10, 2, 999), 10, "unknown kind 999");
    assertForged(forge(12, 2, 9), 12, "unknown hash scheme 9");
    assertForged(forge(14, 2, 9), 14, "unknown key type 9");
    assertForged(forge(14, 2, 0x101), 15, "reserved byte");
    assertForged(forge(20, 2, 5), 20, "5 parameters, but the kind has 4");
    assertForged(forge(20, 2, 60_000), 16, "but its counts require");
    assertForged(forge(48, 8, 1), 48, "reserved byte");
    assertForged(forge(64, 8, 7), 64, "layout 7");
    assertForged(forge(BITS_OFFSET, 8, 0), BITS_OFFSET, "bits 0");
    assertForged(forge(BITS_OFFSET, 8, -512), BITS_OFFSET, "bits -512");
    assertForged(forge(BITS_OFFSET, 8, 513), BITS_OFFSET, "multiples of 512");
    assertForged(forge(BITS_OFFSET, 8, Long.MAX_VALUE), BITS_OFFSET, "bits");
    assertForged(forge(80, 8, 0), 80, "hashes 0");
    assertForged(forge(80, 8, 7), 88, "7 hashes in 2 words");
    assertForged(forge(80, 8, 14), 88, "bits of a pattern must be in [1, 6]: 7");
    assertForged(forge(88, 8, 0), 88, "words of the pattern 0");
    assertForged(forge(88, 8, 3), 88, "3");
    assertForged(forge(88, 8, 16), 88, "words of the pattern 16");
    assertForged(forge(SECTION_OFFSET, 8, -1), SECTION_OFFSET, "impossible");
    assertForged(forge(SECTION_OFFSET, 8, 8), SECTION_OFFSET, "but the parameters need");
    assertForged(
        forge(SECTION_OFFSET, 8, Long.MAX_VALUE / 8), SECTION_OFFSET, "more than the limit");
    assertForged(forge(BITS_OFFSET, 8, 512), SECTION_OFFSET, "but the parameters need 64");
  }

  @Test
  void forgedParametersOfCountersAreRefused() {
    byte[] counting =
        CountingBloomFilter.builder()
            .bits(840)
            .hashes(4)
            .layout(Layout.Family.CLASSIC)
            .build()
            .toBytes();
    assertForged(Forgery.withParameter(counting, 4, 5), 96, "4, 8, 16 or 32");
    assertForged(Forgery.withParameter(counting, 4, 64), 96, "counter bits 64");
    assertForged(Forgery.withParameter(counting, 5, 2), 104, "widening 2");
  }

  @Test
  void foldingsThatDoNotBelongTogetherAreRefused() {
    BloomFilter origin = BloomFilter.builder().bits(3072).hashes(8).id(1).build();
    origin.put(1L);
    BloomFilter other = BloomFilter.builder().bits(3072).hashes(8).id(1).build();
    other.put(2L);
    byte[] folded =
        Forgery.full(FoldedFilters.of(origin.foldBy(2)).with(origin.foldBy(3)).toBytes());
    int first = 128;
    int second = first + Forgery.full(origin.foldBy(2).toBytes()).length;
    byte[] parts = Forgery.full(FoldedFilters.of(origin.foldBy(2), 7).toBytes());
    assertForged(Forgery.withParameter(parts, 1, -1), 72, "version -1");
    assertForged(Forgery.with(parts, 10, 2, 10), 20, "2 parameters");
    assertForged(Forgery.withParameter(folded, 0, 0), 64, "foldings 0");
    assertForged(Forgery.withParameter(folded, 0, 5000), 64, "foldings 5000");
    assertForged(Forgery.withParameter(folded, 0, 3), folded.length, "ends inside the header");
    assertForged(Forgery.with(folded, Forgery.ID, 8, 2), 64, "another filter or state");
    assertForged(Forgery.with(folded, Forgery.STATE, 8, 2), 64, "another filter or state");
    assertForged(Forgery.with(folded, 24, 8, 2), 64, "another filter or state");
    assertForged(Forgery.with(folded, second + Forgery.ID, 8, 2), 64, "different filters");
    assertForged(Forgery.with(folded, second + Forgery.STATE, 8, 2), 64, "different states");
    assertForged(
        Forgery.with(folded, first + 10, 2, 2),
        first + 10,
        "kind counting inside one of kind folded");
    byte[] mixed = folded.clone();
    byte[] foreign = Forgery.full(other.foldBy(3).toBytes());
    System.arraycopy(foreign, 0, mixed, second, foreign.length);
    assertForged(mixed, 64, "different states");
    byte[] twice = Arrays.copyOf(folded, second + second - first);
    System.arraycopy(folded, first, twice, second, second - first);
    assertForged(twice, 64, "descending order");
  }

  @Test
  void forgedParametersOfElasticFiltersAreRefused() {
    ElasticBloomFilter filter = ElasticBloomFilter.builder().capacity(4096).fpp(0.1).id(4).build();
    filter.put(1L);
    byte[] elastic = Forgery.full(filter.toBytes());
    int inside = 256;
    assertForged(Forgery.withParameter(elastic, 4, 0), 96, "view bits 0");
    assertForged(Forgery.withParameter(elastic, 4, 4000), 96, "view bits 4000");
    assertForged(Forgery.withParameter(elastic, 5, bits(Double.NaN)), 104, "NaN");
    assertForged(Forgery.withParameter(elastic, 5, bits(2)), 104, "fpp");
    assertForged(Forgery.withParameter(elastic, 6, bits(-1)), 104, "tolerance");
    assertForged(Forgery.withParameter(elastic, 7, 3), 120, "policy 3");
    assertForged(Forgery.withParameter(elastic, 8, 7), 128, "frozen 7");
    assertForged(Forgery.withParameter(elastic, 8, 1), 96, "the filter inside");
    assertForged(Forgery.with(elastic, Forgery.ID, 8, 9), 96, "the filter inside");
    assertForged(Forgery.with(elastic, Forgery.STATE, 8, 9), Forgery.STATE, "state");
    assertForged(Forgery.with(elastic, inside + 72, 8, 2048), inside + 96, "a section of 512");
  }

  private static long bits(double value) {
    return Double.doubleToLongBits(value);
  }

  /** A filter inside a filter is one of bits or counters, so that nesting has an end. */
  @Test
  void filtersInsideFiltersInsideFiltersAreRefusedAtTheFirst() {
    byte[] elastic =
        Forgery.full(ElasticBloomFilter.builder().capacity(4096).fpp(0.1).build().toBytes());
    byte[] nested = new byte[256 * 50_000];
    for (int at = 0; at < nested.length; at += 256) {
      System.arraycopy(elastic, 0, nested, at, 256);
    }
    assertForged(nested, 256 + 10, "a filter of kind elastic");
    BloomFilter one = BloomFilter.builder().bits(512).hashes(8).id(1).build();
    byte[] folded = Forgery.full(FoldedFilters.of(one).toBytes());
    byte[] inner = Arrays.copyOf(folded, 128 + folded.length);
    System.arraycopy(folded, 0, inner, 128, folded.length);
    assertForged(inner, 128 + 10, "a filter of kind folded");
  }

  @Test
  void onesAfterTheLastBitAreRefused() {
    byte[] bytes =
        BloomFilter.builder().bits(840).hashes(4).layout(Layout.Family.CLASSIC).build().toBytes();
    // the last byte of 14 words; only 840 of 896 bits are real
    assertThatThrownBy(() -> Filters.fromBytes(Forgery.with(bytes, 128 + 111, 1, 0x80)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("after the last of 840 bits");
  }

  @Test
  void aClaimOfManyGigabytesCostsNoMemory() {
    byte[] bytes = forge(BITS_OFFSET, 8, 64L * 2_000_000_000);
    byte[] claim = Forgery.with(bytes, SECTION_OFFSET, 8, 16_000_000_000L);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThatThrownBy(() -> Filters.fromBytes(claim, ReadOptions.UNLIMITED))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("ends inside a section");
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 20);
  }

  @Test
  void anotherKindIsRefusedByName(@TempDir Path folder) throws IOException {
    Path path = folder.resolve("counting");
    CountingBloomFilter.create(100, 0.01).writeTo(path);
    assertThatThrownBy(() -> BloomFilter.readFrom(path))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContainingAll("counting", "bloom");
  }

  @ParameterizedTest
  @MethodSource("examples")
  void aStreamOfSingleBytesIsReadCompletely(AllKinds.Example example) throws IOException {
    Filter filter = example.filter();
    InputStream slow =
        new FilterInputStream(new ByteArrayInputStream(filter.toBytes())) {
          @Override
          public int read(byte[] b, int off, int len) throws IOException {
            return super.read(b, off, Math.min(len, 1));
          }
        };
    assertThat(Filters.readFrom(slow, ReadOptions.DEFAULT)).isEqualTo(filter);
  }
}
