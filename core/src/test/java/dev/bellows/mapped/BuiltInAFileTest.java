package dev.bellows.mapped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import dev.bellows.MappedFilter;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Filters that are filled in their file equal those that are filled on the heap, byte for byte. */
class BuiltInAFileTest {
  private static final long[] KEYS = LongStream.range(0, 20_000).toArray();

  @TempDir Path folder;

  /** Of one piece, of several and at their borders; of sizes that end inside a word; patterns. */
  static Stream<BloomFilter.Builder> builders() {
    Stream<BloomFilter.Builder> classic =
        LongStream.of(1, 64, 999_983, 8L << 20, (8L << 20) + 1, 40_000_003)
            .mapToObj(bits -> shaped(Layout.Family.CLASSIC, bits, 7));
    Stream<BloomFilter.Builder> blocked =
        LongStream.of(512, 512 * 999, 8L << 20, (16L << 20) + 512)
            .mapToObj(bits -> shaped(Layout.Family.BLOCKED, bits, 8));
    Stream<BloomFilter.Builder> patterns =
        Stream.of(new int[][] {{2, 2}, {2, 3}, {4, 2}, {4, 3}, {8, 1}, {8, 2}, {1, 4}})
            .map(
                of ->
                    BloomFilter.builder().bits(512 * 640).layout(new Layout.Blocked(of[0], of[1])));
    return Stream.of(classic, blocked, patterns).flatMap(all -> all);
  }

  private static BloomFilter.Builder shaped(Layout.Family layout, long bits, int hashes) {
    return BloomFilter.builder().layout(layout).bits(bits).hashes(hashes);
  }

  @ParameterizedTest
  @MethodSource("builders")
  void theFileIsThatOfTheHeap(BloomFilter.Builder builder) throws IOException {
    for (long id : new long[] {0, 77}) {
      builder.id(id);
      BloomFilter heap = builder.buildFrom(KEYS);
      Path expected = folder.resolve("expected");
      heap.writeTo(expected);
      Path path = folder.resolve("path");
      try (BloomFilter.Loader loader = builder.loader(path)) {
        loader.putAll(KEYS);
        BloomFilter built = loader.build();
        assertThat(path).hasSameBinaryContentAs(expected);
        assertThat(built).isEqualTo(heap);
        assertThat(built.state()).isEqualTo(heap.state());
        assertThatThrownBy(() -> built.put(1L)).isInstanceOf(UnsupportedOperationException.class);
      }
    }
  }

  /** Beyond the 1 GiB of a segment: its folding is the filter that is built at the small size. */
  @Tag("scale")
  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void largeFilesHaveEveryKey(Layout.Family layout) throws IOException {
    long bits = 8L * 1100 << 20;
    int factor = 1100;
    Path path = folder.resolve("large");
    try (BloomFilter.Loader loader = shaped(layout, bits, 8).loader(path)) {
      loader.putAll(KEYS);
      BloomFilter built = loader.build();
      try (MappedFilter<BloomFilter> file = BloomFilter.map(path)) {
        file.verify();
        assertThat(built.foldBy(factor))
            .isEqualTo(shaped(layout, bits / factor, 8).buildFrom(KEYS));
        assertThat(LongStream.of(KEYS)).allMatch(built::mightContain);
      }
    }
  }

  @Test
  void everyFormOfPutReachesTheFile() throws IOException {
    Path path = folder.resolve("path");
    BloomFilter.Builder builder =
        BloomFilter.builder()
            .keys(100)
            .fpp(1e-6)
            .secret("sixteen byte key".getBytes(StandardCharsets.US_ASCII));
    BloomFilter heap = builder.build();
    long[] hashes = {3, 4, 5, 6};
    try (BloomFilter.Loader loader = builder.loader(path)) {
      loader.put("text");
      loader.put(7L);
      loader.putHash(2);
      loader.putHashes(hashes, 1, 3);
      heap.put("text");
      heap.put(7L);
      heap.putHash(2);
      heap.putHashes(hashes, 1, 3);
      assertThat(loader.build()).isEqualTo(heap);
      assertThatThrownBy(() -> loader.put(8L))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("create a new loader");
      assertThatThrownBy(loader::build).isInstanceOf(IllegalStateException.class);
    }
    assertThat(
            BloomFilter.FORMAT.readFrom(
                path, ReadOptions.DEFAULT.withHashScheme(heap.hashScheme())))
        .isEqualTo(heap);
  }

  @Test
  void thePathIsUnchangedUntilBuild() throws IOException {
    Path path = folder.resolve("path");
    BloomFilter.Builder builder = BloomFilter.builder().bits(512 * 100).hashes(6);
    try (BloomFilter.Loader loader = builder.loader(path)) {
      loader.putAll(KEYS);
      assertThat(path).doesNotExist();
    }
    assertThat(folder).isEmptyDirectory();
    BloomFilter old = builder.buildFrom(new long[] {1, 2});
    old.writeTo(path);
    try (BloomFilter.Loader loader = builder.loader(path)) {
      loader.putAll(KEYS);
      assertThat(BloomFilter.readFrom(path)).isEqualTo(old);
    }
    assertThat(BloomFilter.readFrom(path)).isEqualTo(old);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(path);
    }
    try (BloomFilter.Loader loader = builder.loader(path)) {
      loader.putAll(KEYS);
      assertThat(loader.build().mightContain(KEYS[0])).isTrue();
    }
    assertThat(BloomFilter.readFrom(path)).isEqualTo(builder.buildFrom(KEYS));
    // not even an abandoned loader holds the lock
    old.writeTo(path);
    assertThat(BloomFilter.readFrom(path)).isEqualTo(old);
  }

  @Test
  void anythingButARegularFileIsRefused() {
    BloomFilter.Builder builder = BloomFilter.builder().bits(512).hashes(6);
    assertThatThrownBy(() -> builder.loader(folder))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("only a regular file");
    assertThatThrownBy(() -> builder.loader(folder.resolve("no/such/file")))
        .isInstanceOf(IOException.class);
    // before a byte of it is written
    BloomFilter.Builder huge = BloomFilter.builder().bits(1L << 46).hashes(6);
    assertThatThrownBy(() -> huge.loader(folder.resolve("huge")))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("takes 8796", "are free");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aThreadThatWouldWaitForItselfIsRefused(@TempDir Path own) throws IOException {
    Path path = own.resolve("f");
    try (BloomFilter.Loader first = BloomFilter.builder().bits(51_200).hashes(8).loader(path)) {
      first.put(1L);
      assertThatThrownBy(() -> BloomFilter.builder().bits(51_200).hashes(8).loader(path))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("would wait for itself");
      assertThatThrownBy(() -> BloomFilter.create(10, 0.01).writeTo(path))
          .isInstanceOf(IllegalStateException.class);
      BloomFilter built = first.build();
      assertThat(built.mightContain(1L)).isTrue();
    }
    BloomFilter.create(10, 0.01).writeTo(path);
  }
}
