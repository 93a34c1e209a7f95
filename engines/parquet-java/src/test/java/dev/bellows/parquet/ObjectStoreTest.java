package dev.bellows.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.parquetjava.HadoopOpener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.Test;

/** A store that does not replace files, and what its requests cost. */
class ObjectStoreTest extends StoreContract {
  private static final long PAGE_BYTES = 1 << 15;

  private static final Configuration SETTINGS = CountingStore.settings();

  @Override
  String address() {
    return CountingStore.SCHEME + "://" + local + "/store";
  }

  @Override
  Configuration settings() {
    return SETTINGS;
  }

  private Path there(String name) throws IOException {
    return HadoopOpener.path(CountingStore.SCHEME + "://" + local.resolve(name), SETTINGS);
  }

  @Test
  void infoOfAGigabyteReadsFooterAndFilters() throws IOException {
    long hole = 1L << 30;
    ParquetJava.Shape shape =
        new ParquetJava.Shape(CompressionCodecName.UNCOMPRESSED, false, 20_000, 1 << 18, 10_000);
    Path small = ParquetJava.write(local.resolve("small.parquet"), shape);
    Path far =
        Rearranged.of(small, local.resolve("far.parquet"), hole, Rearranged.Filters.AS_THEY_ARE);
    assertThat(Files.size(far)).isGreaterThan(hole);
    CountingStore.reset();
    ParquetFilters read = ParquetFilters.read(there("far.parquet"));
    int filters = read.filters().size();
    assertThat(filters).isGreaterThan(4);
    int groups = 1 + read.filters().get(filters - 1).rowGroup();
    // pages at both ends of the file, and of the filters of each row group
    long pages = 4 + 2L * groups;
    assertThat(CountingStore.BYTES.get())
        .isLessThan(1_000_000)
        .isLessThanOrEqualTo(read.filterBytes() + pages * PAGE_BYTES);
    assertThat(CountingStore.REQUESTS.get())
        .isLessThanOrEqualTo(1 + pages + read.filterBytes() / PAGE_BYTES);
  }

  @Test
  void listingAFolderIsOneRequest() throws IOException {
    Path one = ParquetJava.write(local.resolve("one.parquet"), ParquetJava.Shape.of(10));
    Files.createDirectories(local.resolve("many"));
    for (int i = 0; i < 50; i++) {
      Files.copy(one, local.resolve("many").resolve(i + ".parquet"));
    }
    Path folder = there("many");
    CountingStore.reset();
    assertThat(ParquetFolder.files(folder)).hasSize(50);
    assertThat(CountingStore.REQUESTS.get()).isLessThanOrEqualTo(3); // is it a folder? twice
    ParquetIndex index = ParquetIndex.of(List.of(folder), "id", 0.01);
    CountingStore.reset();
    assertThat(index.refresh().isEmpty()).isTrue();
    assertThat(CountingStore.REQUESTS.get()).isLessThanOrEqualTo(3);
    assertThat(CountingStore.BYTES.get()).isZero();
  }

  @Test
  void aStoreWithoutItsJarsIsRefusedInOneSentence() {
    assertThatThrownBy(() -> HadoopOpener.path("gs://bucket/f.parquet", SETTINGS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("gcs-connector")
        .message()
        .doesNotContain("\n");
    assertThatThrownBy(() -> HadoopOpener.path("s3a://bucket/f.parquet", SETTINGS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("hadoop-aws")
        .message()
        .doesNotContain("\n");
    assertThatThrownBy(() -> RemoteStore.path("nowhere://x/f.parquet"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("connector of nowhere");
  }
}
