package dev.bellows.mapped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import com.dynatrace.hash4j.hashing.Hashing;
import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import dev.bellows.Repository;
import dev.bellows.fuzz.Forgery;
import dev.bellows.io.FilterFormatException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong bytes of a mapped file are an exception when they are met, never an answer. */
class DamagedFilesTest {
  private static final int HEADER = 128;

  @TempDir Path folder;

  private static BloomFilter filter(Layout layout, long bits, int keys) {
    BloomFilter filter = BloomFilter.builder().bits(bits).hashes(6).layout(layout).build();
    filter.putAll(LongStream.range(0, keys).toArray());
    return filter;
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void aFlipInAnyByteIsFoundAtTheLatestByVerify(Layout layout) throws IOException {
    byte[] bytes = filter(layout, 512 * 3, 60).toBytes();
    Path path = folder.resolve("flipped");
    for (int bit = 0; bit < 8 * bytes.length; bit += 7) {
      byte[] flipped = bytes.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(path, flipped);
      assertThatThrownBy(
              () -> {
                try (BloomFilter mapped = BloomFilter.map(path)) {
                  mapped.verify();
                }
              })
          .as("bit %d", bit)
          .isInstanceOf(FilterFormatException.class);
      assertNoFalseNo(path, 60);
    }
  }

  /** Every key is "yes" or an exception. */
  private static void assertNoFalseNo(Path path, int keys) throws IOException {
    try (BloomFilter mapped = BloomFilter.map(path)) {
      for (long key = 0; key < keys; key++) {
        if (!mapped.mightContain(key)) {
          fail("a stored key is missing");
        }
      }
      fail("a flipped bit was not met");
    } catch (FilterFormatException refusedAtOnce) {
      assertThat(refusedAtOnce.offset()).isNotNegative();
    } catch (UncheckedIOException refusedWhenTouched) {
      assertThat(refusedWhenTouched).hasCauseInstanceOf(FilterFormatException.class);
    }
  }

  /** The pieces are checked one by one: the others go on answering. */
  @ParameterizedTest
  @EnumSource(Layout.class)
  void aFlippedBitIsFoundWhenItsPieceIsTouched(Layout layout) throws IOException {
    int keys = 1000;
    BloomFilter filter = filter(layout, 512L * 36_960, keys);
    byte[] bytes = filter.toBytes();
    int last = (int) (filter.bits() / 8) - Forgery.PIECE;
    SplittableRandom random = new SplittableRandom(3);
    for (int place :
        new int[] {0, Forgery.PIECE - 1, Forgery.PIECE, last + 9, random.nextInt(last)}) {
      byte[] flipped = bytes.clone();
      flipped[HEADER + place] ^= 64;
      Path path = Files.write(folder.resolve("flipped"), flipped);
      try (BloomFilter mapped = BloomFilter.map(path)) {
        int refused = 0;
        for (long key = 0; key < keys; key++) {
          try {
            assertThat(mapped.mightContain(key)).isTrue();
          } catch (UncheckedIOException e) {
            refused++;
            int piece = HEADER + place / Forgery.PIECE * Forgery.PIECE;
            assertThat(e).hasMessageContaining(path + " does not match the checksum");
            assertThat(((FilterFormatException) e.getCause()).offset()).isEqualTo(piece);
          }
        }
        assertThat(refused).isBetween(1, keys - 1);
        assertThatThrownBy(mapped::verify).isInstanceOf(FilterFormatException.class);
        assertThatThrownBy(mapped::stats).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> mapped.foldBy(2)).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> mapped.toBytes()).isInstanceOf(UncheckedIOException.class);
      }
    }
  }

  @Test
  void wrongLengthsAndWrongChecksumsOfChecksumsAreRefusedAtOnce() throws IOException {
    byte[] bytes = filter(Layout.BLOCKED, 512L * 36_960, 10).toBytes();
    int table = HEADER + 512 / 8 * 36_960;
    Path path = folder.resolve("damaged");
    for (int length : new int[] {0, 60, HEADER, table, table + 4, bytes.length - 1}) {
      Files.write(path, Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> BloomFilter.map(path))
          .as("%d bytes", length)
          .isInstanceOf(FilterFormatException.class);
    }
    Files.write(path, Arrays.copyOf(bytes, bytes.length + 1));
    assertThatThrownBy(() -> BloomFilter.map(path))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("bytes follow its end (at byte " + bytes.length + ")");
    for (int place = table; place < bytes.length; place += 3) {
      byte[] flipped = bytes.clone();
      flipped[place] ^= 1;
      Files.write(path, flipped);
      assertThatThrownBy(() -> BloomFilter.map(path))
          .as("byte %d", place)
          .isInstanceOf(FilterFormatException.class);
    }
    Files.write(path, Forgery.with(bytes, bytes.length - 5, 1, 1));
    assertThatThrownBy(() -> BloomFilter.map(path)).hasMessageContaining("padding");
  }

  @Test
  void onesAfterTheLastBitAreRefusedAtOnce() throws IOException {
    byte[] bytes = filter(Layout.CLASSIC, 840, 10).toBytes();
    Path path = folder.resolve("forged");
    Files.write(path, Forgery.with(bytes, HEADER + 105, 1, 1));
    assertThatThrownBy(() -> BloomFilter.map(path))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("ones after the last of 840 bits");
  }

  /**
   * In a process of its own, which must end with an exception that was caught, not with a crash.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "new batch",
        "batch",
        "compiled batch",
        "fold",
        "copy",
        "stats",
        "verify",
        "single"
      })
  void aFileThatIsTruncatedInPlaceIsAnException(String way) throws Exception {
    Path path = folder.resolve("truncated");
    filter(Layout.BLOCKED, 512L * 73_920, Truncated.KEYS).writeTo(path);
    File library =
        new File(Hashing.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    String classes =
        String.join(
            File.pathSeparator,
            Repository.path("core/target/classes").toString(),
            Repository.path("core/target/test-classes").toString(),
            library.toString());
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:-CreateCoredumpOnCrash",
                    "-XX:ErrorFile=" + folder.resolve("crash"),
                    "-cp",
                    classes,
                    Truncated.class.getName(),
                    way,
                    path.toString()))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said).contains("refused: ").contains("was truncated");
  }
}
