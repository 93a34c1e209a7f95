package dev.bellows.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.bellows.BloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.cli.Cli;
import dev.bellows.cli.console.Numbers;
import dev.bellows.plan.BloomPlan;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BuildTest {
  @TempDir Path folder;

  private Path path(String name) {
    return folder.resolve(name);
  }

  private Path file(String name, String content) throws IOException {
    return Files.writeString(path(name), content);
  }

  private Map<String, Object> json(String keys, Object... options) {
    List<Object> words = new ArrayList<>(List.of("build", "--json", "-o", path("f")));
    words.addAll(List.of(options));
    return Cli.with(keys, words.toArray()).succeeded().json();
  }

  @ParameterizedTest
  @CsvSource({
    "0,1%,blocked",
    "1,1%,blocked",
    "10,1%,classic",
    "1000,1%,blocked",
    "1000,0.1%,classic",
    "20000,1%,blocked",
    "20000,0.1%,blocked",
    "20000,1%,classic",
    "300000,1%,blocked",
    "300000,10%,classic",
    "300000,1e-6,blocked"
  })
  void countedKeysGiveTheSizeTheyNeedAndTheRate(int distinct, String fpp, String layout) {
    String keys = Cli.numbers(0, distinct) + Cli.numbers(0, distinct / 2);
    Map<String, Object> built =
        Cli.with(keys, "build", "--fpp", fpp, "--layout", layout, "-o", path("f"), "--json")
            .succeeded()
            .json();
    double asked = Numbers.probability(fpp);
    Layout.Family shape = new Numbers.LayoutWord().convert(layout);
    long need = shape.forFpp(asked).bitsFor(Math.max(1, distinct), asked);
    long bits = Cli.integer(built.get("bits"));
    assertThat(built)
        .containsEntry("keys", distinct)
        .containsEntry("lines", distinct + distinct / 2)
        .containsEntry("layout", layout);
    assertThat(bits).isGreaterThanOrEqualTo(need);
    assertThat(bits).isLessThanOrEqualTo(Math.max((long) (1.1 * need), need + 64));
    if (distinct >= 1000) {
      assertThat(Cli.real(built.get("fpp"))).isLessThanOrEqualTo(asked);
    }
  }

  @Test
  void fieldsOfTheContract() throws IOException {
    Path out = path("f");
    Map<String, Object> built =
        Cli.with(Cli.numbers(0, 1000), "build", "-o", out, "--json").succeeded().json();
    assertThat(built)
        .containsKeys("file", "kind", "layout", "bits", "hashes", "lines", "keys", "fpp", "bytes")
        .containsEntry("file", out.toString())
        .containsEntry("kind", "bloom")
        .containsEntry("layout", "blocked")
        .containsEntry("pattern", "2x3")
        .containsEntry("hashes", 6)
        .containsEntry("bytes", (int) Files.size(out));
    assertThat(built.get("fpp")).isEqualTo(BloomFilter.readFrom(out).expectedFpp());
  }

  @Test
  void theFileHoldsWhatTheLibraryWouldBuild() throws IOException {
    Cli.with(
            "größe\n\nb\r\n",
            "build",
            "--bits",
            512,
            "--hashes",
            8,
            "--seed",
            "-5",
            "-o",
            path("f"))
        .succeeded();
    BloomFilter expected =
        BloomFilter.builder().bits(512).hashes(8).hashScheme(HashScheme.xxh3(-5)).build();
    expected.put("größe");
    expected.put("");
    expected.put("b");
    assertThat(BloomFilter.readFrom(path("f"))).isEqualTo(expected);
  }

  @Test
  void bytesThatAreNotTextAreKeysToo() throws IOException {
    byte[] key = {(byte) 0xff, 0, (byte) 0x80};
    Path input = Files.write(path("raw"), key);
    Cli.run("build", "-o", path("f"), input).succeeded();
    assertThat(BloomFilter.readFrom(path("f")).mightContain(key)).isTrue();
    assertThat(Cli.run("query", path("f")).code()).isEqualTo(1);
  }

  @Test
  void longsHashAsLongs() throws IOException {
    Cli.with("-3\n 4 \n+5\n", "build", "--longs", "-o", path("f")).succeeded();
    BloomFilter filter = BloomFilter.readFrom(path("f"));
    assertThat(filter.mightContain(-3L) && filter.mightContain(4L) && filter.mightContain(5L))
        .isTrue();
    assertThat(Cli.run("query", path("f"), "--longs", "4", "6").lines()).containsExactly("4");
    assertThat(Cli.run("query", path("f"), "4").lines())
        .as("the file says so")
        .containsExactly("4");
  }

  @Test
  void columns() throws IOException {
    Path input = file("table", "1,ann,x\n2,bob,y\n");
    Cli.run("build", "--field", 2, "--delimiter", ",", "-o", path("f"), input).succeeded();
    assertThat(Cli.run("query", path("f"), "ann", "bob", "1", "1,ann,x").lines())
        .containsExactly("ann", "bob");
    assertThat(Cli.with("a\tb\nann\tann\n", "query", "--field", 1, path("f")).lines())
        .containsExactly("ann\tann");
    Cli.with("a::bob\n", "query", "--field", 2, "--delimiter", "::", path("f")).succeeded();
    Cli.run("build", "--field", 4, "--delimiter", ",", "-o", path("g"), input)
        .refused(input + ":1:", "3 columns, not 4");
    Cli.run("build", "--field", 0, "-o", path("g"), input).refused("--field counts from 1");
    Cli.run("build", "--delimiter", ",", "-o", path("g"), input).refused("needs --field");
    Cli.run("build", "--field", 1, "--delimiter", "", "-o", path("g"), input).refused("empty");
    assertThat(path("g")).doesNotExist();
  }

  @Test
  void aBadLongIsReportedWithItsLine() throws IOException {
    Path input = file("longs", "1\n2\nthree\n");
    Cli.run("build", "--longs", "-o", path("f"), input).refused(input + ":3:", "'three'");
    Cli.with("1\n\n", "build", "--longs", "-o", path("f")).refused("standard input:2:", "''");
    assertThat(path("f")).doesNotExist();
  }

  @Test
  void severalInputsAndStandardInputAmongThem() throws IOException {
    Path one = file("one", "a\nb");
    Path two = file("two", "c\n");
    Map<String, Object> built =
        Cli.with("d\n", "build", "-o", path("f"), "--json", one, "-", two).succeeded().json();
    assertThat(built).containsEntry("lines", 4).containsEntry("keys", 4);
    assertThat(Cli.run("query", path("f"), "a", "b", "c", "d").lines()).hasSize(4);
    Cli.run("build", "-o", path("f"), "-", "-").refused("only once");
  }

  @Test
  void sizesThatAreGivenAreKept() throws IOException {
    String keys = Cli.numbers(0, 500);
    assertThat(json(keys, "--bits", 9600, "--hashes", 7, "--layout", "classic"))
        .containsEntry("bits", 9600)
        .containsEntry("hashes", 7);
    assertThat(json(keys, "--capacity", "512k"))
        .containsEntry("bits", 512_000)
        .containsEntry("hashes", 6)
        .containsEntry("layout", "blocked");
    assertThat(json(keys, "--capacity", 100_000, "--fpp", "0.1%", "--layout", "classic"))
        .containsEntry("bits", 100_000)
        .containsEntry("hashes", 10);
    assertThat(json(keys, "--keys", "1k"))
        .containsEntry("bits", (int) BloomPlan.foldable(1000, 0.01, Layout.Family.BLOCKED).bits());
    assertThat(json(keys, "--keys", 500, "--bits", 5000, "--layout", "classic"))
        .containsEntry("hashes", 7);
    assertThat(Cli.integer(json(keys, "--keys", 500).get("keys"))).isCloseTo(500, within(50L));
  }

  @Test
  void sizesThatOnlyClassicHasUseClassicWithANote() {
    Cli.Result result =
        Cli.with("a\n", "build", "--bits", 1000, "--hashes", 3, "-o", path("f"), "--json");
    assertThat(result.succeeded().json())
        .containsEntry("layout", "classic")
        .containsEntry("bits", 1000);
    assertThat(result.err()).contains("--layout classic", "1000 bits");
    Cli.with("a\n", "build", "--bits", 1000, "--layout", "blocked", "-o", path("f"))
        .refused("512", "1000");
  }

  @Test
  void aMissedRateIsReported() {
    Cli.Result over =
        Cli.with(Cli.numbers(0, 1200), "build", "--keys", 1000, "-o", path("f"), "--json");
    assertThat(Cli.real(over.succeeded().json().get("fpp"))).isBetween(0.01, 0.02);
    assertThat(over.err()).startsWith("bellows: warning:").contains("above the requested 1.000 %");
    over = Cli.with(Cli.numbers(0, 2000), "build", "--keys", 1000, "-o", path("f"));
    assertThat(over.succeeded().err()).contains("more than twice the requested 1.000 %");
    Cli.Result fine = Cli.with(Cli.numbers(0, 90), "build", "--keys", 1000, "-o", path("f"));
    assertThat(fine.succeeded().err()).isEmpty();
  }

  @Test
  void theKeysOfAFullFilterAreABound() {
    Object[] call = {
      "build", "--bits", 64, "--hashes", 4, "--layout", "classic", "--max-fpp", 1, "-o", path("f")
    };
    Object[] json = Arrays.copyOf(call, call.length + 1);
    json[call.length] = "--json";
    Cli.Result full = Cli.with(Cli.numbers(0, 2000), json);
    assertThat(full.succeeded().json()).containsEntry("keys", null).containsEntry("fpp", 1.0);
    assertThat(Cli.run("info", path("f"), "--json").json()).containsEntry("approximateKeys", null);
    assertThat(full.err())
        .contains("warning: the filter of 64 bits with at least", "100", "more --bits");
    assertThat(Cli.with(Cli.numbers(0, 2000), call).out())
        .containsPattern("keys +at least ")
        .doesNotContain("per key");
  }

  @Test
  void aSizeThatIsFarTooSmallIsReported() {
    Object[] sized = {"build", "--bits", 10_240, "--hashes", 6, "-o", path("f")};
    assertThat(Cli.with(Cli.numbers(0, 1300), sized).succeeded().err()).isEmpty();
    assertThat(Cli.with(Cli.numbers(0, 2000), sized).succeeded().err())
        .contains("warning: the filter of 10,240 bits with about ", "twice its target of 2.500 %");
    Cli.with(Cli.numbers(0, 1000), "build", "-o", path("model")).succeeded();
    Object[] like = {"build", "--like", path("model"), "-o", path("f")};
    assertThat(Cli.with(Cli.numbers(0, 1100), like).succeeded().err()).isEmpty();
    assertThat(Cli.with(Cli.numbers(0, 2000), like).succeeded().err())
        .contains("warning: ", "--like " + path("model") + " is too small", "build both larger");
    Cli.with("a\n", "build", "--like", path("model"), "-o", path("one")).succeeded();
    assertThat(
            Cli.with(Cli.numbers(0, 1000), "build", "--like", path("one"), "-o", path("f"))
                .succeeded()
                .err())
        .isEmpty();
  }

  @Test
  void secretKeys() throws IOException {
    Path hex = file("hex", "000102030405060708090a0b0c0d0e0f\n");
    byte[] key = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    Path raw = Files.write(path("raw"), key);
    Path wrong = file("wrong", "ff0102030405060708090a0b0c0d0e0f");
    Path f = path("f");
    Cli.with("a\n", "build", "--key-file", hex, "-o", f).succeeded();
    Cli.with("b\n", "add", f, "--key-file", raw).succeeded();
    assertThat(Cli.run("query", f, "--key-file", raw, "a", "b", "c").lines())
        .containsExactly("a", "b");
    Cli.run("query", f, "a").refused("secret key", "--key-file");
    Cli.run("query", f, "--key-file", wrong, "a").refused(f.toString(), "key tag");
    assertThat(Cli.run("info", f, "--json").json())
        .containsEntry("scheme", "siphash-2-4")
        .containsEntry("seed", null)
        .containsEntry("keyTag", Long.toHexString(HashScheme.sipHash(key).identity()));
    assertThat(new String(Files.readAllBytes(f), StandardCharsets.ISO_8859_1))
        .doesNotContain(new String(key, StandardCharsets.ISO_8859_1));
    Cli.run("build", "--key-file", file("short", "abc"), "-o", f)
        .refused("3 bytes", "32 hex digits");
    for (String short15 : new String[] {"fifteen letters\n", "14 characters.\r\n"}) {
      Cli.run("build", "--key-file", file("short", short15), "-o", f)
          .refused("short", "end of its line");
    }
    Cli.run("build", "--key-file", file("zeros", "0".repeat(32)), "-o", f).refused("zero");
    Cli.run("build", "--key-file", Files.write(path("zeros"), new byte[16]), "-o", f)
        .refused("zero");
    key[15] = '\n';
    Cli.with("a\n", "build", "--key-file", Files.write(path("raw2"), key), "-o", path("g"))
        .succeeded();
    Cli.run("build", "--key-file", raw, "--seed", 1, "-o", f).refused("--seed", "--key-file");
    Cli.run("build", "--key-file", path("none"), "-o", f).refused("no such file: " + path("none"));
  }

  @Test
  void standardOutput() throws IOException {
    Cli.Result result = Cli.with("a\nb\n", "build", "-o", "-").succeeded();
    BloomFilter filter = BloomFilter.fromBytes(result.bytes());
    assertThat(filter.mightContain("a")).isTrue();
    assertThat(result.err()).contains("false positives");
    Cli.run("build", "-o", "-", "--json").refused("--json", "standard output");
  }

  @Test
  void failuresLeaveOldFilesAloneAndNoNewOnes() throws IOException {
    Path f = file("f", "precious");
    Cli.run("build", "--longs", "-o", f, file("bad", "x\n")).refused("bad:1");
    assertThat(f).hasContent("precious");
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("the cable came out");
          }
        };
    Cli.with(broken, "build", "-o", path("g")).refused("the cable came out");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactlyInAnyOrder(f, path("bad"));
    }
  }

  @Test
  void refusals() throws IOException {
    Path input = file("in", "a\n");
    Cli.run("build", input).refused("--output");
    Cli.run("build", "-o", path("f"), path("none")).refused("no such file: " + path("none"));
    Cli.run("build", "-o", path("f"), folder).refused(folder + " is a directory");
    Cli.run("build", "-o", folder, input).refused(folder + " is a directory");
    Cli.run("build", "-o", path("no/f"), input).refused("no such directory: " + path("no"));
    Cli.run("build", "-o", input, input).refused("one of the inputs");
    Cli.run("build", "--kind", "cuckoo", "-o", path("f"), input).refused("'cuckoo'", "bloom");
    Cli.run("build", "--bits", 512, "--capacity", 512, "-o", path("f")).refused("--capacity");
    Cli.run("build", "--fpp", "0", "-o", path("f"), input).refused("fpp must be between 0 and 1");
    Cli.run("build", "--bits", "1e15", "--hashes", 8, "-o", path("f"), input).refused("bits");
    Cli.run("build", "--seed", "x", "-o", path("f"), input).refused("'x'", "seed");
    assertThat(input).hasContent("a\n");
  }
}
