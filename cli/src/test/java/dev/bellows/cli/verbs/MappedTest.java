package dev.bellows.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.cli.Cli;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verbs that only query map a plain filter file; from a pipe they read it. */
class MappedTest {
  private static final int HEADER = 128;
  private static final int PIECE = 1 << 20;

  @TempDir Path folder;
  private Path file;
  private byte[] bytes;

  /** A filter of more than two pieces. */
  @BeforeEach
  void write() throws IOException {
    BloomFilter filter = BloomFilter.builder().bits(512 * 36_960).hashes(6).build();
    filter.putAll(LongStream.range(0, 1_000_000).toArray());
    file = folder.resolve("large.bloom");
    filter.writeTo(file);
    bytes = Files.readAllBytes(file);
  }

  @Test
  void aFileAnswersAsAPipeDoes() {
    assertThat(Cli.run("info", file, "--json").succeeded().json())
        .isEqualTo(Cli.with(pipe(), "info", "-", "--json").succeeded().json());
    assertThat(Cli.run("info", file).succeeded().lines())
        .isEqualTo(Cli.with(pipe(), "info", "-").succeeded().lines());
    assertThat(Cli.run("query", "--longs", file, "5", "-5", "999999").succeeded().lines())
        .isEqualTo(
            Cli.with(pipe(), "query", "--longs", "-", "5", "-5", "999999").succeeded().lines())
        .contains("5", "999999");
  }

  private ByteArrayInputStream pipe() {
    return new ByteArrayInputStream(bytes);
  }

  @Test
  void aFileFoldsAsAPipeDoesAndOntoItself() throws IOException {
    Path folded = folder.resolve("folded");
    Cli.with(pipe(), "fold", "-", "--factor", 4, "-o", folded).succeeded();
    Cli.run("fold", file, "--factor", 4, "-o", file).succeeded();
    assertThat(file).hasSameBinaryContentAs(folded);
  }

  /**
   * A query reads only its own piece: a flipped bit elsewhere goes unnoticed, but never affects an
   * answer.
   */
  @Test
  void aFlippedBitIsRefusedWhenItIsRead() throws IOException {
    bytes[HEADER + PIECE + 77] ^= 1;
    Files.write(file, bytes);
    Cli.with(
            LongStream.range(0, 100).mapToObj(i -> i + "\n").reduce("", String::concat),
            "query",
            "--longs",
            file)
        .refused(file + " does not match the checksum of its bytes from " + (HEADER + PIECE));
    Cli.run("info", file).refused("does not match the checksum");
    Cli.run("fold", file, "--factor", 4, "-o", folder.resolve("folded"))
        .refused("does not match the checksum");
    assertThat(folder.resolve("folded")).doesNotExist();
    bytes[0] ^= 1;
    Files.write(file, bytes);
    Cli.run("query", file, "x").refused("magic").refused("--format");
  }
}
