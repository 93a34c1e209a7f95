package dev.bellows.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.AllKinds;
import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.FoldedFilters;
import dev.bellows.HashScheme;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.fuzz.Forgery;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.Filters;
import dev.bellows.io.ReadOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What was written can be read by every method, and bytes after it are not consumed. */
class ReadingTest {
  static List<AllKinds.Example> examples() {
    return AllKinds.examples();
  }

  static Stream<AllKinds.Example> all() {
    return AllKinds.all();
  }

  @ParameterizedTest
  @MethodSource("all")
  void writtenFiltersAreReadBackEqual(AllKinds.Example example) throws IOException {
    Filter filter = example.filter();
    byte[] bytes = filter.toBytes();
    HashScheme scheme = filter.stats().hashScheme();
    Filter read = Filters.fromBytes(bytes, ReadOptions.DEFAULT.withHashScheme(scheme));
    assertThat(read.equals(filter)).as("equal").isTrue();
    assertThat(read.hashCode()).isEqualTo(filter.hashCode());
    assertThat(read.getClass()).isEqualTo(filter.getClass());
    assertThat(Arrays.mismatch(read.toBytes(), bytes)).as("bytes").isEqualTo(-1);
    assertThat(read.stats()).isEqualTo(filter.stats());
    assertThat(filter.sizeInBytes()).isEqualTo(bytes.length);
    assertThat(read.expectedFpp()).isEqualTo(filter.expectedFpp());
    assertThat(read.explain()).isEqualTo(filter.explain());
    assertThat(read.toString()).isEqualTo(filter.toString());
  }

  /** Every way to read a kind: by its class, by its format, and as any kind. */
  @ParameterizedTest
  @MethodSource("examples")
  void everyWayOfReadingGivesTheSameFilter(AllKinds.Example example, @TempDir Path folder)
      throws Exception {
    Filter filter = example.filter();
    byte[] bytes = filter.toBytes();
    Path path = folder.resolve("filter");
    filter.writeTo(path);
    assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
    ReadOptions options = ReadOptions.DEFAULT;
    FilterFormat<?> format = Filters.format(example.kind());
    List<Object> read = new ArrayList<>();
    read.add(format.readFrom(new ByteArrayInputStream(bytes), options));
    read.add(format.readFrom(path, options));
    read.add(format.fromBytes(bytes, options));
    read.add(format.type().getMethod("readFrom", Path.class).invoke(null, path));
    read.add(format.type().getMethod("fromBytes", byte[].class).invoke(null, bytes));
    read.add(Filters.readFrom(new ByteArrayInputStream(bytes), options));
    read.add(Filters.readFrom(path, options));
    read.add(Filters.readFrom(path));
    read.add(Filters.fromBytes(bytes, options));
    read.add(Filters.fromBytes(bytes));
    assertThat(read).allMatch(filter::equals);
  }

  @ParameterizedTest
  @EnumSource(FilterKind.class)
  void nullsAreRefusedByName(FilterKind kind) {
    FilterFormat<?> format = Filters.format(kind);
    for (Class<?> type : List.of(Filters.class, FilterFormat.class, format.type())) {
      int ways = 0;
      for (Method method : type.getMethods()) {
        if (method.getName().equals("readFrom") || method.getName().equals("fromBytes")) {
          Object[] nulls = new Object[method.getParameterCount()];
          assertThatThrownBy(() -> method.invoke(format, nulls))
              .isInstanceOf(InvocationTargetException.class)
              .cause()
              .isInstanceOf(NullPointerException.class)
              .message()
              .isIn("in", "path", "bytes");
          ways++;
        }
      }
      assertThat(ways).isEqualTo(type == Filters.class ? 5 : type == FilterFormat.class ? 3 : 2);
    }
  }

  @Test
  void missingOptionsAreRefusedByName() {
    byte[] bytes = BloomFilter.create(1, 0.1).toBytes();
    assertThatThrownBy(() -> BloomFilter.FORMAT.fromBytes(bytes, null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("options");
    assertThatThrownBy(() -> ReadOptions.DEFAULT.withHashScheme(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("hashScheme");
    assertThatThrownBy(() -> ReadOptions.DEFAULT.withMaxBytes(0)).hasMessageContaining("maxBytes");
  }

  @ParameterizedTest
  @MethodSource("examples")
  void consecutiveFiltersAreReadByOneCallEach(AllKinds.Example example) throws IOException {
    Filter first = example.filter();
    BloomFilter second = BloomFilter.create(10, 0.1);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    first.writeTo(out);
    second.writeTo(out);
    first.writeTo(out);
    out.write(77);
    InputStream in = new ByteArrayInputStream(out.toByteArray());
    assertThat(Filters.readFrom(in, ReadOptions.DEFAULT)).isEqualTo(first);
    assertThat(BloomFilter.FORMAT.readFrom(in, ReadOptions.DEFAULT)).isEqualTo(second);
    assertThat(Filters.readFrom(in, ReadOptions.DEFAULT)).isEqualTo(first);
    assertThat(in.read()).isEqualTo(77);
  }

  /** The stream stays open, so that one read too many would block forever. */
  @Timeout(600)
  @ParameterizedTest
  @MethodSource("examples")
  void aStreamThatNeverEndsDoesNotBlock(AllKinds.Example example) throws IOException {
    Filter filter = example.filter();
    byte[] bytes = filter.toBytes();
    try (PipedInputStream in = new PipedInputStream(bytes.length);
        PipedOutputStream out = new PipedOutputStream(in)) {
      for (int round = 0; round < 2; round++) {
        out.write(bytes);
        assertThat(Filters.readFrom(in, ReadOptions.DEFAULT)).isEqualTo(filter);
        assertThat(in.available()).isZero();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void filesAndBytesContainExactlyOneFilter(AllKinds.Example example, @TempDir Path folder)
      throws IOException {
    byte[] bytes = example.filter().toBytes();
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 64);
    Path path = Files.write(folder.resolve("longer"), longer);
    assertThatThrownBy(() -> Filters.readFrom(path))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("bytes follow its end (at byte " + bytes.length + ")");
    assertThatThrownBy(() -> Filters.fromBytes(longer))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("bytes follow its end (at byte " + bytes.length + ")");
  }

  /** The last section of the file claims more than a gibibyte. */
  @ParameterizedTest
  @MethodSource("examples")
  void theDefaultLimitIsOneGibibyte(AllKinds.Example example) {
    byte[] bytes = Forgery.full(example.filter().toBytes());
    List<Integer> headers = Forgery.headers(bytes);
    List<Integer> fields = Forgery.fields(bytes, headers.get(headers.size() - 1));
    int length = fields.get(fields.size() - 1);
    byte[] large = Forgery.with(bytes, length, 8, (1L << 30) + 8);
    assertThatThrownBy(() -> Filters.fromBytes(large))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("more than the limit of")
        .hasMessageContaining("ReadOptions");
    assertThatThrownBy(() -> Filters.fromBytes(large, ReadOptions.UNLIMITED))
        .isInstanceOf(FilterFormatException.class)
        .message()
        .doesNotContain("limit");
    assertThat(ReadOptions.DEFAULT.maxBytes()).isEqualTo(1L << 30);
  }

  @Test
  void theCallersLimitIsRespectedToTheByte() throws IOException {
    BloomFilter filter = BloomFilter.builder().bits(512 * 100).hashes(8).build();
    byte[] bytes = filter.toBytes();
    ReadOptions enough = ReadOptions.DEFAULT.withMaxBytes(6400);
    assertThat(BloomFilter.FORMAT.fromBytes(bytes, enough)).isEqualTo(filter);
    assertThatThrownBy(() -> BloomFilter.FORMAT.fromBytes(bytes, enough.withMaxBytes(6399)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContainingAll("6400 bytes", "6399");
  }

  /** The limit applies to the total: many small parts count like a single large one. */
  @Test
  void theLimitIsForAllPartsTogether() throws IOException {
    BloomFilter owner = BloomFilter.builder().bits(512 * 240).hashes(8).id(1).build();
    FoldedFilters set = FoldedFilters.of(owner);
    long bits = owner.bits();
    for (long factor : new long[] {2, 3, 4, 5, 6, 8}) {
      set = set.with(owner.foldBy(factor));
      bits += owner.bits() / factor;
    }
    byte[] bytes = set.toBytes();
    ReadOptions enough = ReadOptions.DEFAULT.withMaxBytes(bits / 8);
    assertThat(FoldedFilters.FORMAT.fromBytes(bytes, enough)).isEqualTo(set);
    assertThatThrownBy(
            () -> FoldedFilters.FORMAT.fromBytes(bytes, enough.withMaxBytes(enough.maxBytes() - 1)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("more than the limit of");
    ElasticBloomFilter elastic = ElasticBloomFilter.builder().capacity(512 * 100).fpp(0.01).build();
    assertThat(Filters.fromBytes(elastic.toBytes(), enough.withMaxBytes(6401))).isEqualTo(elastic);
    assertThatThrownBy(() -> Filters.fromBytes(elastic.toBytes(), enough.withMaxBytes(6400)))
        .isInstanceOf(FilterFormatException.class);
  }

  @Test
  void theSchemeOfTheOptionsReachesThePartsInside() throws IOException {
    HashScheme secret = HashScheme.sipHash("sixteen byte key".getBytes(StandardCharsets.US_ASCII));
    ReadOptions options = ReadOptions.DEFAULT.withHashScheme(secret);
    ElasticBloomFilter elastic =
        ElasticBloomFilter.builder().keys(100).fpp(0.01).hashScheme(secret).build();
    elastic.put("x");
    assertThat(ElasticBloomFilter.FORMAT.fromBytes(elastic.toBytes(), options).mightContain("x"))
        .isTrue();
    BloomFilter owner = BloomFilter.builder().bits(5120).hashes(8).hashScheme(secret).id(1).build();
    owner.put("x");
    byte[] folded = FoldedFilters.of(owner.foldBy(2)).with(owner.foldBy(5)).toBytes();
    assertThat(FoldedFilters.FORMAT.fromBytes(folded, options).mightContain("x")).isTrue();
    FoldedFilters sealed = FoldedFilters.fromBytes(folded);
    assertThatThrownBy(() -> sealed.mightContain("x")).hasMessageContaining("secret key");
    assertThatThrownBy(
            () ->
                FoldedFilters.FORMAT.fromBytes(
                    folded, ReadOptions.DEFAULT.withHashScheme(HashScheme.DEFAULT)))
        .isInstanceOf(FilterFormatException.class);
  }

  @Test
  void everyTypeExceptFilterRefusesOtherKinds() throws IOException {
    for (AllKinds.Example example : AllKinds.examples()) {
      byte[] bytes = example.filter().toBytes();
      if (example.kind() != FilterKind.COUNTING) {
        assertThatThrownBy(() -> CountingBloomFilter.fromBytes(bytes))
            .isInstanceOf(FilterFormatException.class)
            .hasMessageContaining(
                "a filter of kind " + example.kind().word() + " where counting was expected");
      }
      assertThat(Filters.fromBytes(bytes).kind()).isEqualTo(example.kind());
    }
  }

  /** A column of small filters costs little more than their bits. */
  @Test
  void aSmallFilterIsWrittenWithoutPadding() {
    BloomFilter ten = BloomFilter.create(10, 0.01);
    for (long key = 0; key < 10; key++) {
      ten.put(key);
    }
    assertThat(ten.bits()).isEqualTo(512);
    assertThat(ten.toBytes()).hasSize(88);
    assertThat(ten.sizeInBytes()).isEqualTo(88);
    long last = 0;
    for (int bits = 512; bits < 512 * 40; bits += 512) {
      long size = BloomFilter.builder().bits(bits).hashes(6).build().sizeInBytes();
      assertThat(size).as("%s bits", bits).isGreaterThan(last);
      last = size;
    }
  }
}
