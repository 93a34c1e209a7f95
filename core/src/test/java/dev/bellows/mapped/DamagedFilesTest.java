package dev.bellows.mapped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import com.dynatrace.hash4j.hashing.Hashing;
import com.google.common.hash.Funnels;
import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import dev.bellows.MappedFilter;
import dev.bellows.Repository;
import dev.bellows.frozen.FrozenFilter;
import dev.bellows.fuzz.Forgery;
import dev.bellows.io.FilterFormatException;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong bytes in a mapped file cause an exception when they are read, never an answer. */
class DamagedFilesTest {
  private static final int HEADER = 128;

  @TempDir Path folder;

  private static BloomFilter filter(Layout.Family layout, long bits, int keys) {
    BloomFilter filter = BloomFilter.builder().bits(bits).hashes(6).layout(layout).build();
    filter.putAll(LongStream.range(0, keys).toArray());
    return filter;
  }

  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void aFlipInAnyByteIsFoundAtTheLatestByVerify(Layout.Family layout) throws IOException {
    byte[] bytes = filter(layout, 512 * 3, 60).toBytes();
    Path path = folder.resolve("flipped");
    for (int bit = 0; bit < 8 * bytes.length; bit += 7) {
      byte[] flipped = bytes.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(path, flipped);
      assertThatThrownBy(
              () -> {
                try (MappedFilter<BloomFilter> file = BloomFilter.map(path)) {
                  BloomFilter mapped = file.filter();
                  file.verify();
                }
              })
          .as("bit %d", bit)
          .isInstanceOf(FilterFormatException.class);
      assertNoFalseNo(path, 60);
    }
  }

  @Test
  void aFileThatWasCutIsRefusedWhereItEnds() throws IOException {
    byte[] bytes = filter(Layout.Family.BLOCKED, 512 * 21, 1000).toBytes();
    for (int length : new int[] {HEADER + 1, 500, bytes.length - 1}) {
      Path path = Files.write(folder.resolve("cut"), Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> BloomFilter.map(path))
          .isInstanceOf(FilterFormatException.class)
          .hasMessageContaining("ends inside a section")
          .hasMessageContaining("at byte " + length);
    }
  }

  /** Every key is "yes" or an exception. */
  private static void assertNoFalseNo(Path path, int keys) throws IOException {
    try (MappedFilter<BloomFilter> file = BloomFilter.map(path)) {
      BloomFilter mapped = file.filter();
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

  /** Pieces are checked one by one: undamaged ones keep answering. */
  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void aFlippedBitIsFoundWhenItsPieceIsTouched(Layout.Family layout) throws IOException {
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
      try (MappedFilter<BloomFilter> file = BloomFilter.map(path)) {
        BloomFilter mapped = file.filter();
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
        assertThatThrownBy(file::verify).isInstanceOf(FilterFormatException.class);
        assertThatThrownBy(mapped::stats).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> mapped.foldBy(2)).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> mapped.toBytes()).isInstanceOf(UncheckedIOException.class);
      }
    }
  }

  @Test
  void wrongLengthsAndWrongChecksumsOfChecksumsAreRefusedAtOnce() throws IOException {
    byte[] bytes = filter(Layout.Family.BLOCKED, 512L * 36_960, 10).toBytes();
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
    byte[] bytes = filter(Layout.Family.CLASSIC, 840, 10).toBytes();
    Path path = folder.resolve("forged");
    Files.write(path, Forgery.with(bytes, HEADER + 105, 1, 1));
    assertThatThrownBy(() -> BloomFilter.map(path))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("ones after the last of 840 bits");
  }

  /** In a separate process, which must catch an exception and not crash. */
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
    filter(Layout.Family.BLOCKED, 512L * 73_920, Truncated.KEYS).writeTo(path);
    String said = runAlone(Truncated.class, way, path.toString());
    assertThat(said).contains("refused: ").contains("was truncated");
  }

  /** Returns the output of the program, which must not crash. */
  private String runAlone(Class<?> main, String... arguments) throws Exception {
    File library =
        new File(Hashing.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    String classes =
        String.join(
            File.pathSeparator,
            Repository.path("core/target/classes").toString(),
            Repository.path("core/target/test-classes").toString(),
            library.toString());
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=" + folder.resolve("crash"),
                "-cp",
                classes,
                main.getName()));
    command.addAll(List.of(arguments));
    // warnings of the JVM are not part of the output
    Path errors = folder.resolve("errors");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(() -> said + read(errors)).isZero();
    return said;
  }

  private static String read(Path path) {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** At every moment at which the JVM may report it, the fault of a read is caught. */
  @Test
  void noFaultOfATruncatedFileEscapes() throws Exception {
    assertThat(runAlone(TruncatedRounds.class, folder.resolve("rounds").toString(), "60"))
        .isEqualToIgnoringNewLines("faults 0, not noticed 0");
  }

  /**
   * Single queries while the file is truncated inside a word, at and inside pages, and by a byte: a
   * key that was put is found, or the query is refused.
   */
  @ParameterizedTest
  @ValueSource(strings = {"BLOCKED", "CLASSIC", "GUAVA", "GUAVA sparse"})
  void noAnswerComesFromBeyondTheEndOfATruncatedFile(String kind) throws Exception {
    Path path = folder.resolve("cut");
    int keys = kind.endsWith("sparse") ? 3 : 30_000;
    String format = "own";
    if (kind.startsWith("GUAVA")) {
      format = "GUAVA";
      writeGuava(path, 100_000, keys);
    } else {
      filter(Layout.Family.valueOf(kind), 512L * 2310, keys).writeTo(path);
    }
    long length = Files.size(path);
    long page = (length - 1) / 4096 * 4096;
    List<String> arguments = new ArrayList<>(List.of(format, path.toString(), "" + keys));
    for (long cut : new long[] {length - 1, page + 5, page, page - 4096 + 2053, 4096, 101, 0}) {
      arguments.add("" + cut);
    }
    assertThat(runAlone(TruncatedAnswers.class, arguments.toArray(String[]::new)))
        .isEqualToIgnoringNewLines("wrong 0, refused true");
  }

  /** A file so large that its first pages are gone long before its last one. */
  @ParameterizedTest
  @ValueSource(strings = {"BLOCKED", "CLASSIC", "GUAVA", "FROZEN"})
  void noAnswerComesFromAFileThatIsBeingTruncated(String kind) throws Exception {
    Path path = folder.resolve("being cut");
    int keys = 1_000_000;
    switch (kind) {
      case "GUAVA" -> writeGuava(path, 8_000_000, keys);
      case "FROZEN" -> {
        keys = 4_000_000;
        FrozenFilter.builder().buildFrom(LongStream.range(0, keys).toArray()).writeTo(path);
      }
      default -> filter(Layout.Family.valueOf(kind), 512L * 131_072, keys).writeTo(path);
    }
    assertThat(runAlone(CutRounds.class, kind, path.toString(), "" + keys))
        .isEqualToIgnoringNewLines("wrong 0, faults 0");
  }

  private static void writeGuava(Path path, int room, int keys) throws IOException {
    var filter = com.google.common.hash.BloomFilter.create(Funnels.longFunnel(), room, 0.01);
    LongStream.range(0, keys).forEach(filter::put);
    try (OutputStream out = Files.newOutputStream(path)) {
      filter.writeTo(out);
    }
  }
}
