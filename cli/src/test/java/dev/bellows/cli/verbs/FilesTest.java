package dev.bellows.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.bellows.BloomFilter;
import dev.bellows.cli.Cli;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** add, info, union and intersect. */
class FilesTest {
  @TempDir Path folder;

  private Path path(String name) {
    return folder.resolve(name);
  }

  private Path build(String name, String keys, Object... options) {
    Object[] words = new Object[options.length + 3];
    words[0] = "build";
    words[1] = "-o";
    words[2] = path(name);
    System.arraycopy(options, 0, words, 3, options.length);
    Cli.with(keys, words).succeeded();
    return path(name);
  }

  @Test
  void addUpdatesInPlace() throws IOException {
    Path f = build("f", "a\n", "--keys", 100);
    assertThat(Cli.with("b\na\nc\n", "add", f, "--json").succeeded().json())
        .containsEntry("lines", 3)
        .containsEntry("new", 2)
        .containsEntry("bytes", (int) Files.size(f));
    Path more = Files.writeString(path("more"), "d\ne");
    Cli.run("add", f, more).succeeded();
    assertThat(Cli.run("query", f, "a", "b", "c", "d", "e", "f").lines())
        .containsExactly("a", "b", "c", "d", "e");
  }

  @Test
  void addThroughAPipe() throws IOException {
    Path f = build("f", "a\n", "--keys", 100);
    Path more = Files.writeString(path("more"), "b\n");
    byte[] filter = Files.readAllBytes(f);
    Cli.Result result = Cli.with(new ByteArrayInputStream(filter), "add", "-", more).succeeded();
    assertThat(BloomFilter.fromBytes(result.bytes()).mightContain("b")).isTrue();
    assertThat(f).hasBinaryContent(filter);
    Cli.run("add", "-").refused("not both");
    Cli.run("add", "-", more, "--json").refused("standard output");
  }

  @Test
  void aPipeHoldsOneFilterAndNoMore() throws IOException {
    byte[] filter = Files.readAllBytes(build("f", "a\n", "--keys", 100));
    byte[] more = Arrays.copyOf(filter, filter.length + 1);
    Cli.with(new ByteArrayInputStream(more), "info", "-").refused("more bytes after the filter");
    Path file = Files.write(path("more"), more);
    Cli.run("info", file).refused("bytes follow its end");
  }

  @Test
  void addThatFailsChangesNothing() throws IOException {
    Path f = build("f", "1\n", "--longs");
    byte[] before = Files.readAllBytes(f);
    Cli.with("2\nx\n", "add", f, "--longs").refused("standard input:2");
    Cli.run("add", f, path("none")).refused("no such file");
    Cli.run("add", path("none"), f).refused("no such file: " + path("none"));
    Cli.run("info", "s3a://bucket/f").refused("s3a:/bucket/f", "copy it to this machine first");
    assertThat(f).hasBinaryContent(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "blocked"})
  void infoPrintsTheExplanationOfTheFilter(String layout) throws IOException {
    Path f = build("f", Cli.numbers(0, 5000), "--layout", layout, "--seed", 7);
    BloomFilter filter = BloomFilter.readFrom(f);
    Map<String, Object> info = Cli.run("info", f, "--json").succeeded().json();
    assertThat(info)
        .containsEntry("kind", "bloom")
        .containsEntry("layout", layout)
        .containsEntry("bits", (int) filter.bits())
        .containsEntry("hashes", filter.hashes())
        .containsEntry("scheme", "xxh3-64")
        .containsEntry("seed", 7)
        .containsEntry("ones", filter.stats().ones().intValue())
        .containsEntry("fill", filter.stats().fill())
        .containsEntry("approximateKeys", filter.stats().approximateKeys())
        .containsEntry("expectedFpp", filter.expectedFpp())
        .containsEntry("bytes", (int) Files.size(f));
    assertThat(Cli.run("info", f).out()).startsWith(filter.explain());
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "blocked"})
  @SuppressWarnings("unchecked")
  void theLadderPredictsSmallerFilters(String layout) throws IOException {
    String keys = Cli.numbers(0, 2000);
    Path f = build("f", keys, "--capacity", 512 * 120, "--layout", layout);
    Map<String, Object> info = Cli.run("info", f, "--json").json();
    List<Map<String, Object>> ladder = (List<Map<String, Object>>) info.get("ladder");
    long before = 0;
    for (Map<String, Object> step : ladder) {
      long bits = Cli.integer(step.get("bits"));
      assertThat(bits).isGreaterThan(before);
      assertThat(512 * 120 % bits).isZero();
      before = bits;
      if (bits % 512 == 0) {
        Path small =
            build(
                "s",
                keys,
                "--bits",
                bits,
                "--hashes",
                info.get("hashes"),
                "--layout",
                layout,
                "--max-fpp",
                1);
        double real = BloomFilter.readFrom(small).expectedFpp();
        // a prediction: the fill of a concrete filter scatters around it
        assertThat(Cli.real(step.get("expectedFpp"))).isCloseTo(real, within(0.25 * real + 1e-9));
      }
    }
    assertThat(ladder.get(ladder.size() - 1))
        .containsEntry("bits", info.get("bits"))
        .containsEntry("expectedFpp", info.get("expectedFpp"));
  }

  @Test
  void infoOfAPipeAndOfAnEmptyFilter() throws IOException {
    Path f = build("f", "", "--keys", 100);
    assertThat(Cli.run("info", f, "--json").json())
        .containsEntry("ones", 0)
        .containsEntry("expectedFpp", 0.0)
        .containsEntry("approximateKeys", 0.0);
    Cli.with(new ByteArrayInputStream(Files.readAllBytes(f)), "info", "-").succeeded();
    Cli.run("info", path("none")).refused("no such file");
  }

  @Test
  void unionHoldsAllAndIntersectionTheCommon() throws IOException {
    Path a = build("a", Cli.numbers(0, 100), "--keys", "1k", "--fpp", "1e-6");
    Path b = build("b", Cli.numbers(50, 150), "--keys", "1k", "--fpp", "1e-6");
    Path c = build("c", Cli.numbers(90, 200), "--keys", "1k", "--fpp", "1e-6");
    Map<String, Object> union =
        Cli.run("union", a, b, c, "-o", path("u"), "--json").succeeded().json();
    BloomFilter written = BloomFilter.readFrom(path("u"));
    assertThat(union)
        .containsEntry("bits", (int) written.bits())
        .containsEntry("hashes", written.hashes())
        .containsEntry("expectedFpp", written.expectedFpp())
        .containsEntry("factors", List.of(1, 1, 1));
    assertThat(Cli.with(Cli.numbers(0, 300), "query", path("u")).out())
        .isEqualTo(Cli.numbers(0, 200));
    Cli.run("intersect", a, b, "-o", path("i")).succeeded();
    assertThat(Cli.with(Cli.numbers(0, 300), "query", path("i")).out())
        .isEqualTo(Cli.numbers(50, 100));
  }

  @Test
  void theResultMayReplaceAnInputOrGoToAPipe() throws IOException {
    Path a = build("a", "1\n", "--keys", 100);
    Path b = build("b", "2\n", "--keys", 100);
    Cli.run("union", a, b, "-o", a).succeeded();
    assertThat(Cli.run("query", a, "1", "2").lines()).hasSize(2);
    byte[] piped = Cli.run("union", a, b, "-o", "-").succeeded().bytes();
    assertThat(piped).isEqualTo(Files.readAllBytes(a));
    Cli.with(new ByteArrayInputStream(piped), "intersect", "-", b, "-o", path("i")).succeeded();
    assertThat(Cli.run("query", path("i"), "1", "2").lines()).containsExactly("2");
  }

  @Test
  void uselessResultsAreRefused() {
    Path a = build("a", Cli.numbers(0, 500), "--bits", 5120, "--hashes", 8);
    Path b = build("b", Cli.numbers(500, 1500), "--bits", 5120, "--hashes", 8);
    Cli.run("union", a, b, "-o", path("u"), "--max-fpp", "1%")
        .refused("5120 bits", "--max-fpp 0.01", "--capacity");
    assertThat(path("u")).doesNotExist();
    Path full = build("full", Cli.numbers(0, 5000), "--bits", 5120, "--hashes", 8, "--max-fpp", 1);
    Cli.run("union", a, full, "-o", path("u")).refused("--max-fpp 0.5", "--capacity");
    Cli.run("union", a, full, "-o", path("u"), "--max-fpp", "1").succeeded();
  }

  @Test
  void theSuggestedCapacityWorks() {
    Path a = build("a", Cli.numbers(0, 500), "--bits", 5120, "--hashes", 8);
    Path b = build("b", Cli.numbers(500, 1500), "--bits", 5120, "--hashes", 8);
    String refusal = Cli.run("union", a, b, "-o", path("u"), "--max-fpp", "1%").err();
    String capacity = refusal.replaceAll(".*--capacity (\\d+).*\\R", "$1");
    Path larger = build("larger", Cli.numbers(0, 500), "--bits", capacity, "--hashes", 8);
    Path other = build("other", Cli.numbers(500, 1500), "--bits", capacity, "--hashes", 8);
    Cli.run("union", larger, other, "-o", path("u"), "--max-fpp", "1%").succeeded();
  }

  @Test
  void differentSizesMergeAtTheirGreatestCommonDivisor() throws IOException {
    Path a = build("a", Cli.numbers(0, 100), "--bits", 512 * 12, "--hashes", 8);
    Path b = build("b", Cli.numbers(50, 150), "--bits", 512 * 18, "--hashes", 8);
    assertThat(Cli.run("union", a, b, "-o", path("u"), "--json").succeeded().json())
        .containsEntry("bits", 512 * 6)
        .containsEntry("factors", List.of(2, 3));
    Path direct = build("d", Cli.numbers(0, 150), "--bits", 512 * 6, "--hashes", 8);
    assertThat(path("u")).hasBinaryContent(Files.readAllBytes(direct));
    Cli.run("intersect", a, b, "-o", path("i")).succeeded();
    assertThat(Cli.with(Cli.numbers(50, 100), "query", "--count", path("i")).out())
        .isEqualTo("50\n");
  }

  @Test
  void sizesWithATooSmallCommonDivisorAreRefusedWithACompatibleCapacity() {
    Path a = build("a", Cli.numbers(0, 500), "--bits", 512 * 16, "--hashes", 8);
    Path b = build("b", Cli.numbers(0, 500), "--bits", 512 * 25, "--hashes", 8);
    Cli.run("union", a, b, "-o", path("u"))
        .refused(
            "8192 and 12800 bits can only be merged at 512 bits",
            "build all of them with --capacity 16384");
    build("a", Cli.numbers(0, 500), "--bits", 16_384, "--hashes", 8);
    build("b", Cli.numbers(0, 500), "--bits", 16_384, "--hashes", 8);
    Cli.run("union", a, b, "-o", path("u")).succeeded();
  }

  @Test
  void filtersOfOtherKindsAreNotMerged() {
    Path a = build("a", "1\n", "--bits", 5120, "--hashes", 8);
    Cli.run(
            "union",
            a,
            build("l", "1\n", "--bits", 5120, "--hashes", 8, "--layout", "classic"),
            "-o",
            path("u"))
        .refused("layout BLOCKED here and CLASSIC there");
    Cli.run("union", a, build("h", "1\n", "--bits", 5120, "--hashes", 16), "-o", path("u"))
        .refused(
            "pattern 4x2 here and 8x2 there",
            "build " + path("h") + " again with --like " + a + " or --pattern 4x2");
    Cli.run(
            "union",
            build("c", "1\n", "--bits", 5120, "--hashes", 8, "--layout", "classic"),
            build("d", "1\n", "--bits", 5120, "--hashes", 9, "--layout", "classic"),
            "-o",
            path("u"))
        .refused(
            "8 hashes here and 9 there",
            "(build " + path("d") + " again with --like " + path("c") + ")");
    Cli.run(
            "union",
            a,
            build("s", "1\n", "--bits", 5120, "--hashes", 8, "--seed", 1),
            "-o",
            path("u"))
        .refused("seed 0", "seed 1");
    Cli.run("union", a, "-o", path("u")).refused("two filters");
    Cli.run("union", "-", "-", "-o", path("u")).refused("only one");
    Cli.run("union", a, a).refused("--output");
    Cli.run("union", a, a, "-o", "-", "--json").refused("standard output");
    Cli.run("intersect", a, path("none"), "-o", path("u")).refused("no such file");
    assertThat(path("u")).doesNotExist();
  }

  @Test
  void aFullFilterReportsALowerBoundOfKeys() {
    Path full = build("full", Cli.numbers(0, 5000), "--bits", 512, "--hashes", 8, "--max-fpp", 1);
    assertThat(Cli.run("info", full, "--json").json()).containsEntry("approximateKeys", null);
    assertThat(Cli.run("info", full).out()).contains("keys, estimated    at least ");
  }
}
