package dev.bellows.cli.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.cli.Cli;
import dev.bellows.cli.console.Numbers;
import dev.bellows.plan.BloomPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --pattern} and {@code --like}: filters that merge. */
class PatternTest {
  @TempDir Path folder;

  private Path path(String name) {
    return folder.resolve(name);
  }

  private Map<String, Object> built(String name, String keys, Object... options) {
    return Cli.with(keys, words(name, options)).succeeded().json();
  }

  private Cli.Result refused(Object... options) {
    return Cli.with("1\n", words("refused", options));
  }

  private Object[] words(String name, Object... options) {
    List<Object> words = new ArrayList<>(List.of("build", "--json", "-o", path(name)));
    words.addAll(List.of(options));
    return words.toArray();
  }

  private Map<String, Object> info(String name) {
    return Cli.run("info", path(name), "--json").succeeded().json();
  }

  @ParameterizedTest
  @CsvSource({
    "bloom,1%,2x3",
    "bloom,0.1%,2x3",
    "bloom,1%,8x1",
    "counting,1%,4x2",
    "counting,5%,1x3"
  })
  void thePatternThatIsGivenIsBuilt(String kind, String fpp, String pattern) {
    String keys = Cli.numbers(0, 5000);
    Map<String, Object> counted =
        built("f", keys, "--kind", kind, "--fpp", fpp, "--pattern", pattern);
    double asked = Numbers.probability(fpp);
    assertThat(counted)
        .containsEntry("pattern", pattern)
        .containsEntry("hashes", Pattern.of(pattern).hashes())
        .containsEntry("layout", "blocked")
        .containsEntry("keys", 5000);
    assertThat(Cli.real(counted.get("fpp"))).isLessThanOrEqualTo(asked);
    assertThat(Cli.integer(counted.get("bits")))
        .isGreaterThanOrEqualTo(
            BloomPlan.solve(5000L, asked, null, new Layout.Blocked(Pattern.of(pattern))).bits());
    assertThat(info("f")).containsEntry("pattern", pattern);
    assertThat(Cli.run("info", path("f")).out()).contains("pattern " + pattern);
    for (Object[] size :
        new Object[][] {{"--keys", 5000}, {"--bits", 102_400}, {"--capacity", 102_400}}) {
      List<Object> options = new ArrayList<>(List.of(size));
      options.addAll(List.of("--kind", kind, "--fpp", fpp, "--pattern", pattern));
      assertThat(built("f", keys, options.toArray())).containsEntry("pattern", pattern);
    }
  }

  @ParameterizedTest
  @CsvSource({"10%,2x2", "1%,2x3", "0.1%,4x2", "1e-4,4x3", "1e-6,8x2"})
  void withoutOneItFollowsFromTheRate(String fpp, String pattern) {
    assertThat(built("f", "1\n", "--fpp", fpp)).containsEntry("pattern", pattern);
    assertThat(info("f")).containsEntry("pattern", pattern);
  }

  @Test
  void classicHasNone() {
    assertThat(built("f", "1\n", "--layout", "classic")).containsEntry("pattern", null);
    assertThat(info("f")).containsEntry("pattern", null);
    assertThat(Cli.run("info", path("f")).out()).doesNotContain("pattern");
    assertThat(built("a", "1\n", "--kind", "autoscale", "--bits", 1000, "--hashes", 9))
        .containsEntry("pattern", null);
  }

  @Test
  void growingFiltersNameTheirPattern() {
    assertThat(built("f", "1\n", "--kind", "scalable", "--fpp", "1%").get("pattern"))
        .isEqualTo(info("f").get("pattern"))
        .isEqualTo("4x2");
    assertThat(Cli.run("info", path("f")).out()).contains("pattern 4x2");
  }

  @Test
  void impossiblePatternsAreRefused() {
    refused("--pattern", "3x2").refused("--pattern", "'3x2'", "1, 2, 4 or 8 words");
    refused("--pattern", "two").refused("'two'", "e.g. 2x3");
    refused("--pattern", "2x3", "--layout", "classic").refused("--pattern 2x3", "classic");
    refused("--pattern", "2x3", "--hashes", 8).refused("6 bits per key", "--hashes 8");
    refused("--pattern", "2x3", "--bits", 1000).refused("512", "1000");
    refused("--kind", "scalable", "--pattern", "2x3").refused("--pattern", "follows from --fpp");
    refused("--kind", "partition", "--universe", "1k", "--pattern", "2x3").refused("classic");
    refused("--kind", "autoscale", "--bits", 9, "--hashes", 3, "--pattern", "2x3")
        .refused("classic");
    refused("--kind", "range", "--domain", "a:0:9", "--bits", 512, "--pattern", "2x3")
        .refused("--pattern", "--domain");
    assertThat(path("refused")).doesNotExist();
  }

  @Test
  void filtersOfDifferentRatesMergeIfOneIsBuiltLikeTheOther() {
    long bits = Cli.integer(built("a", Cli.numbers(0, 1000), "--fpp", "1%").get("bits"));
    built("b", Cli.numbers(500, 1500), "--fpp", "0.1%");
    Cli.run("union", path("a"), path("b"), "-o", path("u"))
        .refused(
            "pattern 2x3 here and 4x2 there",
            path("b") + " again with --like " + path("a") + " or --pattern 2x3");
    built("b", Cli.numbers(500, 1500), "--capacity", 2 * bits, "--fpp", "0.1%", "--pattern", "2x3");
    Cli.run("union", path("a"), path("b"), "-o", path("u")).succeeded();
    built("c", Cli.numbers(500, 1500), "--like", path("a"));
    assertThat(Cli.run("union", path("a"), path("c"), "-o", path("u"), "--json").json())
        .containsEntry("factors", List.of(1, 1));
    assertThat(Cli.with(Cli.numbers(0, 1500), "query", path("u"), "--count").out())
        .isEqualTo("1500\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bloom", "counting"})
  void likeTakesEverythingButTheKeys(String kind) throws IOException {
    for (List<Object> shape :
        List.<List<Object>>of(
            List.of("--layout", "classic", "--bits", 9600, "--hashes", 7, "--seed", 5),
            List.of("--pattern", "4x1", "--bits", 51_200, "--seed", -1))) {
      List<Object> options = new ArrayList<>(shape);
      options.addAll(List.of("--kind", kind));
      if (kind.equals("counting")) {
        options.addAll(List.of("--counter-bits", 8));
      }
      built("a", "1\n2\n", options.toArray());
      built("b", "3\n", "--like", path("a"));
      Map<String, Object> one = info("a");
      Map<String, Object> other = info("b");
      for (String field :
          List.of("kind", "layout", "pattern", "bits", "hashes", "scheme", "seed", "bytes")) {
        assertThat(other).as(field).containsEntry(field, one.get(field));
      }
      assertThat(Cli.run("query", path("b"), "1", "3").out()).isEqualTo("3\n");
    }
    if (kind.equals("counting")) {
      assertThat(CountingBloomFilter.readFrom(path("b")).counterBits()).isEqualTo(8);
    }
  }

  @Test
  void likeKnowsSecretKeys() throws IOException {
    Path key = Files.writeString(path("key"), "000102030405060708090a0b0c0d0e0f");
    built("a", "1\n", "--key-file", key);
    refused("--like", path("a")).refused("--key-file");
    built("b", "2\n", "--like", path("a"), "--key-file", key);
    Cli.run("union", path("a"), path("b"), "-o", path("u")).succeeded();
    assertThat(Cli.run("query", path("u"), "--key-file", key, "1", "2", "3").lines())
        .contains("1", "2");
    built("plain", "1\n");
    refused("--like", path("plain"), "--key-file", key).refused(path("plain").toString());
  }

  @Test
  void contradictingOptionsAreRefusedAndRedundantOnesAreNot() throws IOException {
    built("a", "1\n", "--bits", 5120, "--pattern", "2x3", "--seed", 4);
    refused("--like", path("a"), "--bits", 1024).refused("--bits 1024", "5120", "leave out");
    refused("--like", path("a"), "--capacity", 1024).refused("--capacity 1024", "5120");
    refused("--like", path("a"), "--hashes", 8).refused("--hashes 8", "has 6");
    refused("--like", path("a"), "--layout", "classic").refused("--layout classic", "blocked");
    refused("--like", path("a"), "--pattern", "4x2").refused("--pattern 4x2", "2x3");
    refused("--like", path("a"), "--seed", 5).refused("--seed 5", "has 4");
    refused("--like", path("a"), "--kind", "counting").refused("--kind counting", "has bloom");
    refused("--like", path("a"), "--counter-bits", 8).refused("--counter-bits", "--kind counting");
    refused("--like", path("none")).refused("no such file");
    refused("--like", "-").refused("standard input");
    built("s", "1\n", "--kind", "scalable");
    refused("--like", path("s")).refused("kind scalable", "bloom or counting");
    assertThat(path("refused")).doesNotExist();
    built("b", "1\n", "--like", path("a"), "--bits", 5120, "--hashes", 6, "--pattern", "2x3");
    built("b", "1\n", "--like", path("a"), "--kind", "bloom", "--seed", 4, "--layout", "blocked");
    BloomFilter expected =
        BloomFilter.builder()
            .bits(5120)
            .layout(new Layout.Blocked(2, 3))
            .hashScheme(HashScheme.xxh3(4))
            .build();
    expected.put("1");
    assertThat(BloomFilter.readFrom(path("b"))).isEqualTo(expected);
  }

  @Test
  void aRequestedRateIsChecked() {
    built("a", "1\n", "--bits", 512, "--pattern", "2x3");
    Cli.Result full = Cli.with(Cli.numbers(0, 100), words("b", "--like", path("a"), "--fpp", "1%"));
    assertThat(full.succeeded().err())
        .contains("warning", "twice the requested 1.000 %", "--like " + path("a"));
  }

  @Test
  void plansTakePatterns() {
    Map<String, Object> plan =
        Cli.run(
                "plan",
                "bloom",
                "--keys",
                "100k",
                "--fpp",
                "0.1%",
                "--layout",
                "blocked",
                "--pattern",
                "2x3",
                "--json")
            .succeeded()
            .json();
    BloomPlan expected = BloomPlan.solve(100_000L, 0.001, null, new Layout.Blocked(2, 3));
    assertThat(plan)
        .containsEntry("pattern", "2x3")
        .containsEntry("hashes", 6)
        .containsEntry("bits", (int) expected.bits())
        .containsEntry("fpp", expected.fpp());
    assertThat(Cli.integer(plan.get("foldableBits")))
        .isEqualTo(BloomPlan.foldable(100_000, 0.001, new Layout.Blocked(2, 3)).bits());
    assertThat(plan("--layout", "blocked").json()).containsEntry("pattern", "2x3");
    assertThat(plan("--layout", "classic").json()).containsEntry("pattern", null);
    assertThat(
            Cli.run(
                    "plan",
                    "bloom",
                    "--keys",
                    "1k",
                    "--fpp",
                    "1%",
                    "--layout",
                    "blocked",
                    "--pattern",
                    "8x1")
                .succeeded()
                .out())
        .contains("pattern 8x1", ".layout(new Layout.Blocked(8, 1))");
    plan("--pattern", "2x3").refused("--pattern 2x3", "--layout blocked");
    plan("--layout", "blocked", "--pattern", "2x3", "--hashes", 8).refused("--hashes 8", "6");
  }

  private static Cli.Result plan(Object... options) {
    List<Object> words =
        new ArrayList<>(List.of("plan", "bloom", "--keys", "1k", "--fpp", "1%", "--json"));
    words.addAll(List.of(options));
    return Cli.run(words.toArray());
  }
}
