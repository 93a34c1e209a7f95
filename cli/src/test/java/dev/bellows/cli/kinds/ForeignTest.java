package dev.bellows.cli.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import dev.bellows.cli.Cli;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Filters of other libraries in files. */
class ForeignTest {
  private static final Funnel<CharSequence> UTF8 = Funnels.stringFunnel(StandardCharsets.UTF_8);

  @TempDir Path folder;

  private <T> Path guava(Funnel<T> funnel, long expected, int keys, IntFunction<? extends T> key)
      throws IOException {
    BloomFilter<T> filter = BloomFilter.create(funnel, expected, 0.01);
    for (int i = 0; i < keys; i++) {
      filter.put(key.apply(i));
    }
    Path file = folder.resolve("old.guava");
    try (OutputStream out = Files.newOutputStream(file)) {
      filter.writeTo(out);
    }
    return file;
  }

  /** Ten times too large, with a word count of many divisors. */
  private Path users() throws IOException {
    return guava(UTF8, 1_000_357, 10_000, i -> "user-" + i);
  }

  private Path hex(String name, String hex) throws IOException {
    return Files.write(folder.resolve(name), HexFormat.of().parseHex(hex.replace(" ", "")));
  }

  @Test
  void infoHasTheFieldsOfOurOwnFiltersAndTheFormat() throws IOException {
    Path old = users();
    Map<String, Object> info = Cli.run("info", old, "--format", "guava", "--json").json();
    assertThat(info)
        .containsEntry("format", "guava")
        .containsEntry("kind", "bloom")
        .containsEntry("layout", "classic")
        .containsEntry("scheme", "MURMUR128_MITZ_64")
        .containsEntry("bits", 64 * 149_820)
        .containsEntry("hashes", 7)
        .containsEntry("bytes", (int) Files.size(old))
        .containsKeys("seed", "ones", "fill", "expectedFpp");
    assertThat(Cli.real(info.get("approximateKeys"))).isBetween(9_950.0, 10_050.0);
    List<?> ladder = (List<?>) info.get("ladder");
    assertThat(ladder).hasSize(48);
    assertThat(((Map<?, ?>) ladder.get(47)).get("bits")).isEqualTo(64 * 149_820);
    assertThat(Cli.run("info", old, "--format", "guava", "--key-type", "utf8").succeeded().out())
        .startsWith("A Bloom filter of Guava (MURMUR128_MITZ_64).\n")
        .contains("2, 3, 4, 5, 6, 10, 11, 12, ... (divisors of its 149,820 words of 64 bits)");
  }

  @Test
  void queryAnswersAsGuavaDoes() throws IOException {
    Path old = users();
    assertThat(
            Cli.run("query", old, "--format", "guava", "--key-type", "utf8", "user-7", "stranger")
                .succeeded()
                .lines())
        .containsExactly("user-7");
    assertThat(
            Cli.with(
                    "user-1\nstranger\nuser-2\n",
                    "query",
                    "--invert",
                    old,
                    "--format",
                    "guava",
                    "--key-type",
                    "bytes")
                .lines())
        .containsExactly("stranger");
    assertThat(Cli.run("query", old, "--format", "guava", "--key-type", "utf16", "user-7").code())
        .as("another type is another key")
        .isEqualTo(1);
  }

  @Test
  void everyTypeOfKeyIsQueried() throws IOException {
    Path file = guava(Funnels.unencodedCharsFunnel(), 100, 10, i -> "ключ" + i);
    assertThat(ask(file, "utf16", "ключ3", "другой")).containsExactly("ключ3");
    file = guava(Funnels.longFunnel(), 100, 10, i -> -1L - i);
    assertThat(ask(file, "long", "--", "-4", "123456")).containsExactly("-4");
    file = guava(Funnels.integerFunnel(), 100, 10, i -> i * 1000);
    assertThat(ask(file, "int", "3000", "123456")).containsExactly("3000");
    file =
        guava(Funnels.byteArrayFunnel(), 100, 10, i -> ("b" + i).getBytes(StandardCharsets.UTF_8));
    assertThat(ask(file, "bytes", "b3", "c3")).containsExactly("b3");
    file = guava(Funnels.longFunnel(), 100, 10, i -> (long) i);
    assertThat(
            Cli.with("5\n77777\n", "query", file, "--format", "guava", "--longs")
                .succeeded()
                .lines())
        .containsExactly("5");
  }

  private static List<String> ask(Path file, String type, String... keys) {
    Object[] words = new Object[6 + keys.length];
    System.arraycopy(
        new Object[] {"query", file, "--format", "guava", "--key-type", type}, 0, words, 0, 6);
    System.arraycopy(keys, 0, words, 6, keys.length);
    return Cli.run(words).succeeded().lines();
  }

  @Test
  void aFoldedFileLoadsInGuavaWithEveryKey() throws IOException {
    Path small = folder.resolve("small.guava");
    Map<String, Object> folded =
        Cli.run("fold", users(), "--format", "guava", "--to-fpp", "1%", "-o", small, "--json")
            .json();
    assertThat(folded).containsEntry("format", "guava").containsKeys("file", "bits", "factor");
    assertThat(Cli.integer(folded.get("bytes"))).isEqualTo(Files.size(small)).isLessThan(20_000);
    assertThat(Cli.real(folded.get("expectedFpp"))).isLessThanOrEqualTo(0.01);
    try (InputStream in = Files.newInputStream(small)) {
      BloomFilter<CharSequence> loaded = BloomFilter.readFrom(in, UTF8);
      for (int i = 0; i < 10_000; i++) {
        assertThat(loaded.mightContain("user-" + i)).isTrue();
      }
      assertThat(loaded.expectedFpp()).isEqualTo(Cli.real(folded.get("expectedFpp")));
    }
    byte[] piped =
        Cli.with(
                new ByteArrayInputStream(Files.readAllBytes(users())),
                "fold",
                "-",
                "--format",
                "guava",
                "--to-size",
                Files.size(small),
                "-o",
                "-")
            .succeeded()
            .bytes();
    assertThat(piped).isEqualTo(Files.readAllBytes(small));
  }

  @Test
  void filtersWithoutUsefulDivisorsAreRefusedWithTheirDivisors() throws IOException {
    Path prime = guava(UTF8, 1_000_000, 100_000, i -> "user-" + i); // 149767 words, a prime
    Path out = folder.resolve("out");
    Object[] fold = {"fold", prime, "--format", "guava", "-o", out};
    fold(fold, "--factor", "2")
        .refused("does not divide its 149767 words of 64 bits (divisors: 149767)");
    Cli.Result itself = fold(fold, "--to-fpp", "5%").succeeded();
    assertThat(itself.err()).contains("stays as it is", "divisors: 149767", "100.0 %");
    assertThat(itself.out()).contains("folded by 1");
    assertThat(out).hasSameBinaryContentAs(prime);
    Files.delete(out);
    fold(fold, "--to-fpp", "1e-9").refused("no folding has fpp 1.0E-9", "even the unfolded");
    fold(fold, "--to-size", "100KiB")
        .refused("no folding is useful", "divisors: 149767", "100.0 %");
    fold(fold, "--to-bits", "1M").refused("nearest sizes on its ladder are 64 and 9585088");
    assertThat(out).doesNotExist();
    Path one = hex("one.parquet", "00".repeat(32));
    Cli.run("fold", one, "--format", "parquet", "--factor", "2", "-o", out)
        .refused("its 1 blocks of 256 bits (divisors: none)");
    assertThat(out).doesNotExist();
  }

  private static Cli.Result fold(Object[] words, Object... request) {
    Object[] all = new Object[words.length + request.length];
    System.arraycopy(words, 0, all, 0, words.length);
    System.arraycopy(request, 0, all, words.length, request.length);
    return Cli.run(all);
  }

  @ParameterizedTest
  @CsvSource({
    "spark,   00000001 00000004 00000002 00000000000000000000000000000001, classic, V1, 128, 2",
    "spark,   00000002 00000004 00000007 00000001 0000000000000001, classic, V2, 64, 1",
    "hadoop,  ffffffff 00000003 01 0000000c ff0f, classic, murmur, 12, 6",
    "hadoop,  00000003 0000000c ff0f, classic, jenkins, 12, 6"
  })
  void everyFormatIsInspected(
      String format, String hex, String layout, String variant, int bits, int sizes)
      throws IOException {
    Map<String, Object> info = Cli.run("info", hex("f", hex), "--format", format, "--json").json();
    assertThat(info)
        .containsEntry("format", format)
        .containsEntry("layout", layout)
        .containsEntry("scheme", variant)
        .containsEntry("bits", bits);
    assertThat((List<?>) info.get("ladder")).hasSize(sizes);
  }

  @Test
  void parquetBitsetsAreInspectedWithAndWithoutTheirHeader() throws IOException {
    Path raw = hex("raw", "01".repeat(64));
    Path framed = hex("framed", "15 8001 1c1c00001c1c00001c1c000000" + "01".repeat(64));
    for (Path file : List.of(raw, framed)) {
      Map<String, Object> info = Cli.run("info", file, "--format", "parquet", "--json").json();
      assertThat(info)
          .containsEntry("layout", "blocked")
          .containsEntry("bits", 512)
          .containsEntry("ones", 64)
          .containsEntry("seed", null);
      assertThat(Cli.real(info.get("expectedFpp"))).isEqualTo(Math.pow(1.0 / 8, 8));
    }
    Path small = folder.resolve("small");
    Cli.run("fold", framed, "--format", "parquet", "--factor", "2", "-o", small).succeeded();
    assertThat(small).hasBinaryContent(bytes("1540 1c1c00001c1c00001c1c000000" + "01".repeat(32)));
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  @Test
  void convertBuildsOursFromTheCandidatesThatPass() throws IOException {
    Path old = users();
    StringBuilder candidates = new StringBuilder();
    for (int i = 5_000; i < 20_000; i++) {
      candidates.append("user-").append(i).append('\n');
    }
    Path keys = Files.writeString(folder.resolve("keys.txt"), candidates);
    Path ours = folder.resolve("ours.bloom");
    Map<String, Object> report =
        Cli.run(
                "convert",
                old,
                "--format",
                "guava",
                "--key-type",
                "utf8",
                "--fpp",
                "0.1%",
                "-o",
                ours,
                keys,
                "--json")
            .json();
    assertThat(report)
        .containsEntry("format", "guava")
        .containsEntry("kind", "bloom")
        .containsEntry("lines", 15_000)
        .containsEntry("passed", 5_000)
        .containsEntry("keys", 5_000)
        .containsKeys("bits", "hashes", "expectedFalse", "oldKeys", "bytes");
    assertThat(Cli.real(report.get("fpp"))).isLessThanOrEqualTo(0.001);
    assertThat(Cli.run("query", ours, "user-5000", "user-9999", "user-10000").succeeded().lines())
        .containsExactly("user-5000", "user-9999");
  }

  @Test
  void convertedNumbersAreOurLongs() throws IOException {
    Path old = guava(Funnels.integerFunnel(), 1000, 100, i -> i);
    Path ours = folder.resolve("ours.bloom");
    assertThat(
            Cli.with(
                    Cli.numbers(0, 200),
                    "convert",
                    old,
                    "--format",
                    "guava",
                    "--key-type",
                    "int",
                    "-o",
                    ours)
                .succeeded()
                .out())
        .contains("candidates", "passed", "false positives of the old filter");
    assertThat(Cli.run("query", ours, "--longs", "42", "4242").lines()).containsExactly("42");
  }

  @Test
  void unsupportedConversionsAreExplained() throws IOException {
    Path old = users();
    Path out = folder.resolve("out");
    Object[] convert = {"convert", old, "--format", "guava", "-o", out};
    fold(convert, "--to", "spark", "--key-type", "utf8")
        .refused("cannot convert to 'spark'", "a filter does not contain its keys");
    fold(convert)
        .refused("a filter of Guava does not record the type of its keys", "--key-type utf8");
    Path keys = Files.writeString(folder.resolve("keys"), "user-1\nuser-2\n");
    fold(convert, "--key-type", "utf16", keys)
        .refused("none of the 2 candidate keys", "check --key-type (utf16 here)");
    fold(convert, "--key-type", "long", keys).refused("keys:1: 'user-1' is not a decimal long");
    Cli.run("convert", old, "-o", out, keys).refused("name the format with --format");
    Cli.run("convert", "-", "--format", "guava", "--key-type", "utf8", "-o", out)
        .refused("standard input can be the filter or the keys, not both");
    fold(convert, "--key-type", "utf8", folder.resolve("none")).refused("no such file");
    assertThat(out).doesNotExist();
  }

  @Test
  void optionsThatMakeNoSenseAreRefused() throws IOException {
    Path old = users();
    Cli.run("info", old)
        .refused("old.guava: not a readable filter", "magic bytes", "with --format");
    Cli.run("info", hex("tiny", "00".repeat(32))).refused("magic bytes", "with --format");
    Cli.run("info", old, "--format", "avro")
        .refused("'avro' is not a format", "guava, spark, parquet or hadoop");
    Cli.run("info", old, "--format", "guava", "--key-type", "text")
        .refused("'text' is not a type of keys", "utf8, utf16, long, int or bytes");
    Cli.run("info", old, "--key-type", "utf8").refused("it needs --format");
    Cli.run("query", old, "--format", "guava", "a").refused("does not record the type of its keys");
    Cli.run("query", old, "--format", "spark", "--key-type", "utf16", "a")
        .refused("Spark does not support keys of type utf16: use utf8, long, int or bytes");
    Cli.run("query", old, "--format", "guava", "--key-type", "utf8", "--longs", "1")
        .refused("--longs and --key-type utf8 exclude each other");
    Cli.run("query", old, "--format", "guava", "--key-type", "utf8", "--intersect", "a")
        .refused("--intersect");
    Cli.run("info", old, "--format", "guava", "--key-file", "k").refused("--key-file");
    Cli.run("info", old, "--format", "spark")
        .refused("old.guava, read as Spark: not a readable filter: version 17235970");
    Cli.run("info", folder, "--format", "spark").refused("is a directory");
    Cli.run("info", folder.resolve("none"), "--format", "spark").refused("no such file");
    Cli.with("12345\nx\n", "query", old, "--format", "guava", "--key-type", "int")
        .refused("standard input:2: 'x' is not a decimal int");
    Cli.run("query", old, "--format", "guava", "--key-type", "int", "99999999999")
        .refused("99999999999 is not an int");
  }

  @Test
  void hostileFilesAreRefusedInOneLine() throws IOException {
    byte[] good = Files.readAllBytes(guava(UTF8, 100, 10, i -> "k" + i));
    for (int length = 0; length < good.length; length++) {
      Cli.with(new ByteArrayInputStream(good, 0, length), "info", "-", "--format", "guava")
          .refused("standard input, read as Guava: not a readable filter", "at byte");
    }
    Cli.run("info", hex("claim", "01 05 7ffffff0"), "--format", "guava").refused("ends inside");
  }
}
