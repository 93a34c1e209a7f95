package dev.bellows.mapped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.MappedFilter;
import dev.bellows.Pattern;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A mapped filter behaves like the filter in its file, except that it is read-only. */
class MappedFilterTest {
  @TempDir Path folder;

  private Path write(BloomFilter filter) throws IOException {
    Path path = folder.resolve("filter");
    filter.writeTo(path);
    return path;
  }

  private static BloomFilter filled(BloomFilter filter) {
    filter.putAll(LongStream.range(0, filter.bits() / 20).toArray());
    return filter;
  }

  /** Smaller and larger than a piece, with and without a partial last word. */
  static Stream<BloomFilter> filters() {
    Stream<BloomFilter.Builder> blocked =
        Stream.of("1x3", "2x2", "2x3", "4x2", "4x3", "8x1", "8x2")
            .map(
                p ->
                    BloomFilter.builder().bits(512 * 24).layout(new Layout.Blocked(Pattern.of(p))));
    return Stream.concat(
            blocked,
            Stream.of(
                BloomFilter.builder().bits(840).hashes(5).layout(Layout.Family.CLASSIC),
                BloomFilter.builder().bits(64).hashes(2).layout(Layout.Family.CLASSIC),
                BloomFilter.builder().bits(512L * 36_960).hashes(6),
                BloomFilter.builder()
                    .bits(8L * 2_882_880 + 40)
                    .hashes(7)
                    .layout(Layout.Family.CLASSIC)))
        .map(builder -> filled(builder.build()));
  }

  @ParameterizedTest
  @MethodSource("filters")
  void itAnswersAndCountsAsTheFilterThatWasWritten(BloomFilter filter) throws IOException {
    Path path = write(filter);
    try (MappedFilter<BloomFilter> file = BloomFilter.map(path)) {
      BloomFilter mapped = file.filter();
      long[] keys = LongStream.range(0, Math.min(50_000, filter.bits() / 10)).toArray();
      boolean[] expected = new boolean[keys.length];
      boolean[] hits = new boolean[keys.length];
      int count = filter.countMightContain(keys, expected);
      assertThat(mapped.countMightContain(keys, hits)).isEqualTo(count);
      assertThat(hits).isEqualTo(expected);
      long[] hashes = Arrays.stream(keys).map(filter.hashScheme()::hash).toArray();
      Arrays.fill(hits, false);
      assertThat(mapped.countMightContainHashes(hashes, 0, hashes.length, hits)).isEqualTo(count);
      assertThat(hits).isEqualTo(expected);
      for (int i = 0; i < keys.length; i++) {
        assertThat(mapped.mightContain(keys[i])).isEqualTo(expected[i]);
      }
      assertThat(mapped.mightContain("a")).isEqualTo(filter.mightContain("a"));
      assertThat(mapped).isEqualTo(filter).hasSameHashCodeAs(filter);
      assertThat(filter).isEqualTo(mapped);
      assertThat(mapped.stats()).isEqualTo(filter.stats());
      assertThat(mapped.explain()).isEqualTo(filter.explain());
      assertThat(mapped.ladder()).isEqualTo(filter.ladder());
      assertThat(mapped.approximateElementCount()).isEqualTo(filter.approximateElementCount());
      assertThat(mapped.toBytes()).isEqualTo(Files.readAllBytes(path));
      assertThat(file.isStale()).isFalse();
      file.verify();
    }
  }

  @ParameterizedTest
  @MethodSource("filters")
  void itFoldsAndMergesAsTheFilterThatWasWritten(BloomFilter filter) throws IOException {
    Path path = write(filter);
    try (MappedFilter<BloomFilter> file = BloomFilter.map(path);
        MappedFilter<BloomFilter> second = BloomFilter.map(path, ReadOptions.UNLIMITED)) {
      BloomFilter mapped = file.filter();
      BloomFilter again = second.filter();
      for (long factor : new long[] {1, 2, 3, 8}) {
        if (filter.ladder().stream().anyMatch(size -> size.factor() == factor)) {
          assertThat(mapped.foldBy(factor)).isEqualTo(filter.foldBy(factor));
        }
      }
      BloomFilter other = BloomFilter.builder().like(filter).build();
      other.putAll(LongStream.range(-100, 50).toArray());
      BloomFilter union = filter.union(other, 1);
      assertThat(mapped.union(other, 1)).isEqualTo(union);
      assertThat(other.union(mapped, 1)).isEqualTo(union);
      BloomFilter common = filter.intersection(other, 1);
      assertThat(mapped.intersection(other, 1)).isEqualTo(common);
      assertThat(other.intersection(mapped, 1)).isEqualTo(common);
      assertThat(mapped.union(again, 1)).isEqualTo(filter);
      assertThat(mapped.intersection(again, 1)).isEqualTo(filter);
      assertThat(mapped.isSubsetOf(union)).isTrue();
      assertThat(union.isSubsetOf(mapped)).isEqualTo(union.isSubsetOf(filter));
      boolean adds = !filter.isSubsetOf(other);
      assertThat(other.putAll(mapped)).isEqualTo(adds);
      assertThat(other).isEqualTo(union);
    }
  }

  @Test
  void whateverWouldChangeItIsRefused() throws IOException {
    BloomFilter filter = filled(BloomFilter.create(1000, 0.01));
    try (MappedFilter<BloomFilter> file = BloomFilter.map(write(filter))) {
      BloomFilter mapped = file.filter();
      for (Consumer<BloomFilter> change :
          List.<Consumer<BloomFilter>>of(
              f -> f.put(1L),
              f -> f.put("new"),
              f -> f.putHash(7),
              f -> f.putAll(new long[0]),
              f -> f.putAll(new long[] {1}),
              f -> f.putHashes(new long[] {1}, 0, 1),
              f -> f.putAll(filter),
              BloomFilter::clear)) {
        assertThatThrownBy(() -> change.accept(mapped))
            .isInstanceOf(UnsupportedOperationException.class)
            .hasMessageContaining("read-only")
            .hasMessageContaining("copy()");
      }
      assertThat(mapped).isEqualTo(filter);
      BloomFilter copy = mapped.copy();
      copy.put("new");
      assertThat(copy.mightContain("new")).isTrue();
      assertThat(mapped.toBloomFilter()).isEqualTo(filter);
    }
  }

  /** Whether it is an owner or a folding shows in a copy that is changed. */
  @Test
  void idAndStateAreThoseOfTheFile() throws IOException {
    BloomFilter owner = filled(BloomFilter.builder().bits(512 * 60).hashes(6).id(7).build());
    try (MappedFilter<BloomFilter> file = BloomFilter.map(write(owner))) {
      BloomFilter mapped = file.filter();
      assertThat(mapped.filterId()).isEqualTo(7);
      assertThat(mapped.state()).isEqualTo(owner.state());
      assertThat(mapped.foldBy(5).state()).isEqualTo(owner.state());
      assertThat(mapped.toBytes()).isEqualTo(owner.toBytes());
      BloomFilter copy = mapped.copy();
      copy.put(-1L);
      owner.put(-1L);
      assertThat(copy.filterId()).isEqualTo(7);
      assertThat(copy.state()).isEqualTo(owner.state());
    }
    try (MappedFilter<BloomFilter> file = BloomFilter.map(write(owner.foldBy(5)))) {
      BloomFilter mapped = file.filter();
      assertThat(mapped.filterId()).isEqualTo(7);
      assertThat(mapped.state()).isEqualTo(owner.state());
      BloomFilter copy = mapped.copy();
      assertThat(copy.filterId()).isEqualTo(7);
      copy.put(-2L);
      assertThat(copy.filterId()).isZero();
    }
  }

  @Test
  void theSecretKeyComesWithTheOptions() throws IOException {
    HashScheme secret = HashScheme.sipHash("sixteen byte key".getBytes(StandardCharsets.US_ASCII));
    BloomFilter filter =
        filled(BloomFilter.builder().keys(100).fpp(0.01).hashScheme(secret).build());
    Path path = write(filter);
    try (MappedFilter<BloomFilter> file =
        BloomFilter.map(path, ReadOptions.DEFAULT.withHashScheme(secret).withMaxBytes(1))) {
      BloomFilter mapped = file.filter();
      assertThat(mapped.mightContain(3L)).isTrue();
    }
    try (MappedFilter<BloomFilter> file = BloomFilter.map(path)) {
      BloomFilter sealed = file.filter();
      assertThatThrownBy(() -> sealed.mightContain(3L)).hasMessageContaining("secret key");
    }
    ReadOptions wrong = ReadOptions.DEFAULT.withHashScheme(HashScheme.DEFAULT);
    assertThatThrownBy(() -> BloomFilter.map(path, wrong))
        .isInstanceOf(FilterFormatException.class);
  }

  @Test
  void aClosedFilterRefusesQueries() throws IOException {
    BloomFilter filter = filled(BloomFilter.builder().bits(512 * 24).hashes(6).build());
    MappedFilter<BloomFilter> file = BloomFilter.map(write(filter));
    BloomFilter mapped = file.filter();
    assertThat(mapped.mightContain(1L)).isTrue();
    file.close();
    file.close();
    for (Consumer<BloomFilter> question :
        List.<Consumer<BloomFilter>>of(
            f -> f.mightContain(1L),
            f -> f.mightContain(-1L),
            f -> f.countMightContain(new long[] {1}, new boolean[1]),
            BloomFilter::stats,
            BloomFilter::copy,
            BloomFilter::toBytes,
            f -> f.foldBy(2),
            f -> f.union(filter),
            filter::union)) {
      assertThatThrownBy(() -> question.accept(mapped))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("was closed");
    }
    assertThatThrownBy(file::verify).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aReplacedFileKeepsAnsweringAndIsStale() throws IOException {
    BloomFilter filter = filled(BloomFilter.create(100_000, 0.01));
    Path path = write(filter);
    try (MappedFilter<BloomFilter> file = BloomFilter.map(path)) {
      BloomFilter mapped = file.filter();
      write(BloomFilter.create(10, 0.01));
      assertThat(file.isStale()).isTrue();
      assertThat(mapped).isEqualTo(filter);
      file.verify();
      mapped.foldBy(2).writeTo(path);
      assertThat(BloomFilter.readFrom(path)).isEqualTo(filter.foldBy(2));
      mapped.writeTo(path);
      assertThat(BloomFilter.readFrom(path)).isEqualTo(filter);
      Files.delete(path);
      assertThat(file.isStale()).isTrue();
      assertThat(mapped.mightContain(1L)).isTrue();
    }
  }

  @Test
  void onlyRegularFilesOfPlainFiltersAreMapped() throws IOException {
    assertThatThrownBy(() -> BloomFilter.map(folder))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("only a regular file can be mapped");
    assertThatThrownBy(() -> BloomFilter.map(folder.resolve("none")))
        .isInstanceOf(NoSuchFileException.class);
    Path counting = folder.resolve("counting");
    CountingBloomFilter.builder().bits(5120).hashes(8).build().writeTo(counting);
    assertThatThrownBy(() -> BloomFilter.map(counting))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContainingAll("counting", "bloom");
    assertThatThrownBy(() -> BloomFilter.map(null)).hasMessage("path");
    assertThatThrownBy(() -> BloomFilter.map(counting, null)).hasMessage("options");
  }
}
