package dev.bellows.parquet;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever the bytes, folding ends in a file with the same pages and keys, or in a {@link
 * ParquetFormatException} and no file. Runs over the samples in a build; {@code JAZZER_FUZZ=1}
 * searches from there.
 */
class FooterFuzzTest {
  static Stream<byte[]> samples() throws IOException {
    Path folder = Files.createTempDirectory("bellows");
    byte[] sample = Hostile.sample(folder);
    delete(folder);
    return Stream.concat(Stream.of(sample), Hostile.claims(sample).stream());
  }

  @MethodSource("samples")
  @FuzzTest(maxDuration = "5m")
  void foldsOrRefuses(byte[] bytes) throws IOException {
    Path folder = Files.createTempDirectory("bellows");
    try {
      Hostile.foldsOrRefuses(Files.write(folder.resolve("file.parquet"), bytes));
    } finally {
      delete(folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
