package dev.bellows.growth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.bellows.Filter;
import dev.bellows.Layout;
import dev.bellows.fuzz.Forgery;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.PackedLongs;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.Filters;
import dev.bellows.io.ReadOptions;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import dev.bellows.partition.PartitionView;
import dev.bellows.scalable.ScalableBloomFilter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Growing filters with correct checksums and invalid content. */
class HostileGrowthTest {
  private static DynamicPartitionBloomFilter partition(Mode mode) {
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.builder().universe(1000).depth(6).mode(mode).build();
    for (long i = 0; i < 30; i++) {
      filter.putId(i * i);
    }
    return filter;
  }

  private static void assertForged(Filter filter, int parameter, long value, String what) {
    byte[] bytes = Forgery.withParameter(filter.toBytes(), parameter, value);
    assertThat(catchThrowable(() -> Filters.fromBytes(bytes)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining(what);
  }

  @Test
  void forgedParametersAreRefusedByName() {
    for (Mode mode : Mode.values()) {
      for (Filter filter : new Filter[] {partition(mode), partition(mode).view()}) {
        assertForged(filter, 0, 1, "layout 1");
        assertForged(filter, 1, 1, "bits of a unit 1");
        assertForged(filter, 2, 300, "at most 256 hashes");
        assertForged(filter, 3, 2, "words of the pattern 2");
        assertForged(filter, 4, 2, "mode 2");
        assertForged(filter, 5, 0, "universe");
        assertForged(filter, 5, -5, "universe");
        assertForged(filter, 5, 1L << 62, "use depth");
        assertForged(filter, 6, 63, "depth 63");
        assertForged(filter, 6, 30, "depth 30");
        assertForged(filter, 7, 0, "fpp 0");
        assertForged(filter, 7, Double.doubleToLongBits(Double.NaN), "fpp");
      }
    }
    ScalableBloomFilter scalable = ScalableBloomFilter.builder().initialKeys(10).build();
    assertForged(scalable, 4, 0, "initial keys 0");
    assertForged(scalable, 5, Double.doubleToLongBits(1.5), "fpp");
    assertForged(scalable, 6, 0, "horizon 0");
  }

  /** The file of a filter with another table, and as many bits as are given. */
  private static byte[] withTable(Filter filter, long bits, long... numbers) throws IOException {
    FilterHeader old =
        FilterReader.open(new ByteArrayInputStream(filter.toBytes()), ReadOptions.DEFAULT).header();
    PackedLongs.Writer table = new PackedLongs.Writer();
    for (long number : numbers) {
      table.put(number);
    }
    byte[] packed = table.toBytes();
    FilterHeader header =
        new FilterHeader(
            old.kind(),
            old.hashScheme(),
            old.hashIdentity(),
            0,
            0,
            0,
            old.parameters(),
            List.of((long) packed.length, 8 * HeapBits.words(bits)));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FilterWriter writer = FilterWriter.begin(out, header);
    writer.bytes(packed);
    writer.bits(HeapBits.aligned(bits));
    writer.end();
    return out.toByteArray();
  }

  private static void assertRefused(byte[] file, String what) {
    assertThat(catchThrowable(() -> Filters.fromBytes(file)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining(what);
  }

  @Test
  void forgedLevelsAreRefusedByName() throws IOException {
    ScalableBloomFilter filter = ScalableBloomFilter.builder().initialKeys(10).build();
    long bits = filter.bits();
    long most = filter.levels().get(0).capacity();
    assertThat(withTable(filter, bits, 1, 1, 0, bits, most, 0)).isEqualTo(filter.toBytes());
    assertRefused(withTable(filter, bits, 0), "number of series must be at least 1: 0");
    assertRefused(withTable(filter, bits, 1, 0), "number of levels of a series");
    assertRefused(withTable(filter, bits, 2, 1, 0, bits, most, 0), "truncated");
    assertRefused(withTable(filter, bits, 1, 2, 0, bits, most, 0), "truncated");
    assertRefused(withTable(filter, bits, 1, 100, 0, bits, most, 0), "exceeds");
    assertRefused(withTable(filter, bits, 1, 1, 5000, bits, most, 0), "exceeds 4096");
    assertRefused(withTable(filter, bits, 1, 1, 0, 0, most, 0), "bits of a level");
    assertRefused(withTable(filter, bits, 1, 1, 0, 513, most, 0), "multiples of 512");
    assertRefused(withTable(filter, bits, 1, 1, 0, 2 * bits, most, 0), "a section of");
    assertRefused(withTable(filter, bits, 1, 1, 0, bits, 0, 0), "capacity of a level");
    assertRefused(withTable(filter, bits, 1, 1, 0, bits, most, most + 1), "exceeds " + most);
    assertRefused(withTable(filter, bits, 1, 1, 0, bits, most, 0, 0), "follow its packed numbers");
    assertRefused(
        withTable(filter, 2 * bits, 1, 2, 0, bits, most, 0, 1, bits, most, 0), "exceeds 0");
  }

  /**
   * Rates that no filter of 64-bit hashes can have: a search for their sizes might not terminate.
   */
  @Test
  void ratesBelowTheHashesAreRefused() {
    ScalableBloomFilter filter = ScalableBloomFilter.builder().initialKeys(10).build();
    for (double fpp : new double[] {Double.MIN_VALUE, 2.5e-321, 1e-300, 0x1p-64}) {
      assertForged(filter, 5, Double.doubleToLongBits(fpp), "cannot be reached");
    }
  }

  @Test
  void theLowestRateIsReadAndUsed() throws IOException {
    for (Layout.Family layout : Layout.Family.values()) {
      ScalableBloomFilter written =
          ScalableBloomFilter.builder()
              .initialKeys(1)
              .fpp(Math.nextUp(0x1p-64))
              .layout(layout)
              .build();
      ScalableBloomFilter read = ScalableBloomFilter.fromBytes(written.toBytes());
      for (long key = 0; key < 100; key++) {
        read.put(key);
      }
      assertThat(ScalableBloomFilter.fromBytes(read.compact().toBytes()).mightContain(99)).isTrue();
      read.clear();
      assertThat(read).isEqualTo(written);
    }
  }

  /** The limit includes what clear() or a put would allocate, not only the content of the file. */
  @Test
  void firstLevelsBeyondTheLimitAreRefused() throws IOException {
    for (Layout.Family layout : Layout.Family.values()) {
      ScalableBloomFilter large =
          ScalableBloomFilter.builder().initialKeys(1_000_000).layout(layout).build().compact();
      byte[] small = large.toBytes();
      assertThat(small.length).isLessThan(1000);
      long first = large.plan().initialBits() / 8;
      Filters.fromBytes(small, ReadOptions.DEFAULT.withMaxBytes(first));
      assertThat(
              catchThrowable(
                  () -> Filters.fromBytes(small, ReadOptions.DEFAULT.withMaxBytes(first - 1))))
          .isInstanceOf(FilterFormatException.class)
          .hasMessageContaining("of memory, more than the limit of");
      byte[] twice = large.intersection(large, 1).toBytes();
      assertThat(
              catchThrowable(
                  () -> Filters.fromBytes(twice, ReadOptions.DEFAULT.withMaxBytes(2 * first - 1))))
          .isInstanceOf(FilterFormatException.class);
    }
  }

  /** A first level that cannot be halved would make the next one of any size. */
  @Test
  void firstLevelsOfPartsOfAUnitAreRefused() {
    ScalableBloomFilter filter =
        ScalableBloomFilter.builder().initialKeys(10).layout(Layout.Family.CLASSIC).build();
    assertForged(filter, 1, (1L << 31) + 1, "is not a multiple of 64");
  }

  /** Full levels so far beyond the horizon that each next one would hold a single key. */
  @Test
  void levelsFarBeyondTheHorizonHoldMoreThanAKeyEach() throws IOException {
    int puts = 100;
    for (Layout.Family layout : Layout.Family.values()) {
      ScalableBloomFilter filter =
          ScalableBloomFilter.builder().initialKeys(10).layout(layout).build();
      long bits = filter.bits();
      for (int index : new int[] {300, 1100, 4096}) {
        byte[] file = withTable(filter, bits, 1, 1, index, bits, 1, 1);
        ScalableBloomFilter read = ScalableBloomFilter.fromBytes(file);
        for (long key = 0; key < puts; key++) {
          read.put(key);
        }
        assertThat(read.bits()).isLessThan(9 * puts * (1L << 20));
        assertThat(ScalableBloomFilter.fromBytes(read.toBytes())).isEqualTo(read);
      }
    }
  }

  /** Units that the first put would allocate. */
  @Test
  void unitsBeyondTheLimitAreRefused() {
    byte[] exact = Forgery.withParameter(partition(Mode.EXACT_LEAVES).toBytes(), 1, 1L << 30);
    assertThat(
            catchThrowable(
                () -> Filters.fromBytes(exact, ReadOptions.DEFAULT.withMaxBytes((1L << 27) - 1))))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("of memory, more than the limit of");
  }

  /** The search for a divisible size near 2^62 bits takes 0.1 s, the formula no time. */
  @Test
  void impossibleUnitsAreRefusedWithoutASearch() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    for (Mode mode : Mode.values()) {
      byte[] universe = Forgery.withParameter(partition(mode).toBytes(), 5, Long.MAX_VALUE - 24);
      byte[] file = Forgery.withParameter(universe, 6, 4);
      long before = threads.getCurrentThreadCpuTime();
      for (int i = 0; i < 500; i++) {
        assertThat(catchThrowable(() -> Filters.fromBytes(file)))
            .isInstanceOf(FilterFormatException.class);
      }
      assertThat(threads.getCurrentThreadCpuTime() - before).isLessThan(10_000_000_000L);
    }
  }

  @Test
  void forgedLeavesAreRefusedByName() throws IOException {
    PartitionView view = partition(Mode.PUBLISHED).view();
    long bits = view.plan().unitBits();
    assertThat(Filters.fromBytes(withTable(view, bits, 1, 1, 0, 0, 9, 1, bits)))
        .isInstanceOf(PartitionView.class);
    assertRefused(withTable(view, bits, 0), "number of trees");
    assertRefused(withTable(view, bits, 2, 1, 0, 0, 9, 1, bits), "truncated");
    assertRefused(withTable(view, bits, 1, 1, 7, 0, 9, 1, bits), "exceeds 6");
    assertRefused(withTable(view, bits, 1, 1, 6, 64, 9, 1, bits), "exceeds 63");
    assertRefused(withTable(view, bits, 1, 1, 2, 1, 9, 1, bits), "no leaf of level 2");
    assertRefused(withTable(view, bits, 1, 1, 0, 0, 9, 0), "no leaf of level 0 with a filter");
    assertRefused(withTable(view, bits, 1, 1, 0, 0, 9, 1, 0), "bits");
    assertRefused(withTable(view, bits, 1, 1, 0, 0, 9, 1, bits + 1), "exceeds " + bits);
    assertRefused(withTable(view, 2 * bits, 1, 1, 0, 0, 9, 1, bits), "a section of");
    assertRefused(withTable(view, bits, 1, 1, 0, 0, 9, 1, bits, 0), "follow its packed numbers");
    assertRefused(
        withTable(view, 2 * bits, 1, 2, 0, 0, 9, 1, bits, 6, 0, 9, 1, bits), "exceeds -1");
  }

  /** A unit of 1000 / 2^6 ids: 16 of them in unit 0. */
  @Test
  void forgedCountsOfUnitsAreRefusedByName() throws IOException {
    DynamicPartitionBloomFilter filter = partition(Mode.PUBLISHED);
    assertThat(filter.plan().unitKeys()).isEqualTo(16);
    assertThat(Filters.fromBytes(withUnits(filter, 1, 0, 3, 13, 1, 7)))
        .isInstanceOf(DynamicPartitionBloomFilter.class);
    assertRefused(withUnits(filter, 1, 0, 17, 0, 1, 7), "exceeds 16");
    assertRefused(withUnits(filter, 1, 0, 3, 14, 1, 7), "exceeds 13");
    assertRefused(withUnits(filter, 1, 0, 0, 3, 1, 7), "unit 0");
  }

  /** The file of a filter with other packed numbers as its only section. */
  private static byte[] withUnits(Filter filter, long... numbers) throws IOException {
    FilterHeader old =
        FilterReader.open(new ByteArrayInputStream(filter.toBytes()), ReadOptions.DEFAULT).header();
    PackedLongs.Writer table = new PackedLongs.Writer();
    for (long number : numbers) {
      table.put(number);
    }
    byte[] packed = table.toBytes();
    FilterHeader header =
        new FilterHeader(
            old.kind(),
            old.hashScheme(),
            old.hashIdentity(),
            0,
            0,
            0,
            old.parameters(),
            List.of((long) packed.length));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FilterWriter writer = FilterWriter.begin(out, header);
    writer.bytes(packed);
    writer.end();
    return out.toByteArray();
  }
}
