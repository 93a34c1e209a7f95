package dev.bellows.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.cli.Cli;
import dev.bellows.io.Filters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No verb writes a poor filter in silence, and none writes a useless one unless it is allowed. */
class PoorResultsTest {
  @TempDir Path folder;

  private Path path(String name) {
    return folder.resolve(name);
  }

  private Path built(String name, int from, int to, Object... options) {
    Object[] words = new Object[options.length + 3];
    words[0] = "build";
    words[1] = "-o";
    words[2] = path(name);
    System.arraycopy(options, 0, words, 3, options.length);
    Cli.with(Cli.numbers(from, to), words).succeeded();
    return path(name);
  }

  @ParameterizedTest
  @CsvSource({"bloom, blocked", "bloom, classic", "counting, blocked", "counting, classic"})
  void addRefusesToFillAFilter(String kind, String layout) throws IOException {
    Path filter = built("f", 0, 2000, "--kind", kind, "--layout", layout);
    byte[] before = Files.readAllBytes(filter);
    Cli.with(Cli.numbers(0, 150_001), "add", filter)
        .refused(
            filter + " would have a false positive rate of ",
            "above --max-fpp 0.5",
            "--kind fingerprint");
    assertThat(filter).hasBinaryContent(before);
    Cli.Result poor = Cli.with(Cli.numbers(2000, 4000), "add", filter);
    assertThat(poor.succeeded().err())
        .startsWith("bellows: warning: ")
        .contains("more than twice its target", "bits are designed for about", "--kind fingerprint")
        .containsOnlyOnce("\n");
    Cli.Result full = Cli.with(Cli.numbers(0, 150_001), "add", filter, "--max-fpp", 1, "--json");
    assertThat(Cli.real(full.succeeded().json().get("expectedFpp"))).isGreaterThan(0.9);
    assertThat(full.err()).contains("warning", "more than twice");
  }

  @Test
  void addIsSilentWithinTwiceTheTarget() {
    Path filter = built("f", 0, 2000);
    assertThat(Cli.with(Cli.numbers(2000, 2500), "add", filter).succeeded().err()).isEmpty();
  }

  @Test
  void addOfAPipeRefusesToo() throws IOException {
    Path filter = built("f", 0, 100);
    Path more = path("more");
    Files.writeString(more, Cli.numbers(0, 20_000));
    Cli.with(Files.newInputStream(filter), "add", "-", more).refused("--max-fpp 0.5");
  }

  @Test
  void foldRefusesASizeThatAcceptsEverything() throws IOException {
    Path filter = built("f", 0, 20_000, "--capacity", 512 * 720);
    Cli.Result refused = Cli.run("fold", filter, "--to-size", "1KiB", "-o", path("small"));
    refused.refused("--max-fpp 0.5", "fold less: --to-bits ");
    assertThat(path("small")).doesNotExist();
    String advised = refused.err().replaceAll("(?s).*--to-bits (\\d+).*", "$1");
    Cli.Result good = Cli.run("fold", filter, "--to-bits", advised, "-o", path("small"));
    assertThat(good.succeeded().err()).isEmpty();
    Cli.Result poor = Cli.run("fold", filter, "--factor", 6, "-o", path("small"));
    assertThat(poor.succeeded().err()).contains("warning: ", "more than twice its target");
    Cli.run("fold", filter, "--to-size", "1KiB", "--max-fpp", "100%", "-o", path("small"))
        .succeeded();
    // a rate that was requested draws no warning
    Cli.Result asked = Cli.run("fold", filter, "--to-fpp", "30%", "-o", path("small"));
    assertThat(asked.succeeded().err()).isEmpty();
    assertThat(BloomFilter.readFrom(path("small")).expectedFpp()).isLessThanOrEqualTo(0.3);
  }

  @Test
  void buildRefusesASizeThatIsFarTooSmall() throws IOException {
    Path filter = built("f", 0, 10);
    byte[] before = Files.readAllBytes(filter);
    Cli.with(Cli.numbers(0, 5000), "build", "--keys", 100, "-o", filter)
        .refused("would have a false positive rate of ", "--max-fpp 0.5", "raise --keys");
    assertThat(filter).hasBinaryContent(before);
    Cli.with(Cli.numbers(0, 100), "build", "--fpp", "70%", "-o", filter).succeeded();
    Cli.with(Cli.numbers(0, 5000), "build", "--keys", 100, "--max-fpp", 1, "-o", filter)
        .succeeded();
  }

  @ParameterizedTest
  @ValueSource(strings = {"fingerprint", "scalable"})
  void unionsBelowTheTargetAreSilent(String kind) {
    // few keys: far below the target, and the union has several times their rate
    Path a = built("a", 0, 20, "--kind", kind, "--fpp", "5%");
    Path b = built("b", 20, 1500, "--kind", kind, "--fpp", "5%");
    Cli.Result union = Cli.run("union", a, b, "-o", path("u"), "--json").succeeded();
    assertThat(union.err()).isEmpty();
    double before = Cli.real(Cli.run("info", a, "--json").json().get("expectedFpp"));
    assertThat(Cli.real(union.json().get("expectedFpp"))).isGreaterThan(2 * before);
  }

  @Test
  void unionsOfFingerprintsFarAboveTheTargetWarn() {
    List<Object> words = new ArrayList<>(List.of("union", "-o", path("u")));
    for (int i = 0; i < 24; i++) {
      words.add(built("p" + i, 2000 * i, 2000 * i + 2000, "--kind", "fingerprint"));
    }
    assertThat(Cli.run(words.toArray()).succeeded().err())
        .contains("warning: the result", "its target of 1.000 %");
  }

  @Test
  void filtersThatMayMissKeysWarnIfTheyDistinguishLittle() {
    Path good = built("g", 0, 50, "--kind", "autoscale", "--bits", 2000, "--hashes", 20);
    assertThat(good).exists();
    Cli.Result poor = Cli.with(Cli.numbers(50, 5000), "add", good).succeeded();
    assertThat(poor.err()).contains("warning: the filter accepts", "say little");
    assertThat(Cli.run("binarize", good, "-o", path("bits")).succeeded().err())
        .contains("warning: the filter accepts");
  }

  @Test
  void aRangeFilterThatAcceptsEverythingIsRefused() {
    String[] lines = {"age=1..100\n", "age=0..20\nage=40..60\nage=80..120\n"};
    Cli.with(
            lines[0] + lines[1],
            "build",
            "--kind",
            "range",
            "--domain",
            "age:0:120",
            "--bits",
            32,
            "--hashes",
            4,
            "-o",
            path("r"))
        .refused("--max-fpp 0.5", "more --bits");
    assertThat(path("r")).doesNotExist();
  }

  @Test
  void partsWarnByTheJointRateAndAreNeverRefused() throws IOException {
    Path filter = built("f", 0, 20_000, "--kind", "elastic", "--keys", "20k", "--id", 7);
    Cli.Result first = Cli.run("ship", filter, "--budget", "2KiB", "-o", path("1")).succeeded();
    assertThat(first.err()).contains("warning: a receiver of all parts so far", "--to-fpp 0.01");
    assertThat(Cli.run("receive", path("parts"), path("1")).succeeded().err())
        .contains("warning: " + path("parts"));
    Cli.Result enough = Cli.run("ship", filter, "--to-fpp", "1%", "-o", path("2")).succeeded();
    assertThat(enough.err()).isEmpty();
    assertThat(Cli.run("receive", path("parts"), path("2")).succeeded().err()).isEmpty();
    assertThat(Filters.readFrom(path("parts")).expectedFpp()).isLessThanOrEqualTo(0.01);
  }

  @Test
  void aFoldThatChangesNothingSaysSo() {
    Path filter = built("f", 0, 2000);
    Cli.Result same = Cli.run("fold", filter, "--to-fpp", "1.1%", "-o", path("same")).succeeded();
    assertThat(same.err())
        .contains("stays as it is", "no smaller size keeps fpp 0.011", "the next smaller size is");
    assertThat(path("same")).hasSameBinaryContentAs(filter);
    assertThat(Cli.run("fold", filter, "--to-size", "1MiB", "-o", path("same")).succeeded().err())
        .contains("small enough", "the next smaller size is");
    for (String option : List.of("--factor", "--to-fpp")) {
      assertThat(
              Cli.run(
                      "fold",
                      filter,
                      option,
                      option.equals("--factor") ? 2 : "50%",
                      "-o",
                      path("half"))
                  .succeeded()
                  .err())
          .doesNotContain("stays as it is");
    }
  }

  @Test
  void aWindowWithAllItsKeysAtOnceNamesItsGeneration() {
    String[] advice = {"a generation has room for 3", "the fullest has about 2,0", "--time-field"};
    Object[] window = {"build", "--kind", "window", "--window", "24h", "-o", path("w")};
    Cli.with(Cli.numbers(0, 2000), with(window, "--keys", 2000)).refused(advice);
    Cli.with(Cli.numbers(0, 2000), with(window, "--keys", 20_000)).succeeded();
    Cli.with(Cli.numbers(0, 150_000), "add", path("w")).refused("a generation has room for 3,1");
    Cli.with(Cli.numbers(0, 2000), window).succeeded();
  }

  private static Object[] with(Object[] words, Object... more) {
    return Stream.concat(Arrays.stream(words), Arrays.stream(more)).toArray();
  }

  @Test
  void partitionsOfDifferentRatesNameTheRates() {
    Object[] options = {"--kind", "partition", "--universe", "2^20", "--longs", "--fpp"};
    Path a = built("a", 0, 2000, with(options, "1%"));
    Path b = built("b", 0, 2000, with(options, "10%"));
    Cli.run("union", a, b, "-o", path("u")).refused("cannot be merged: fpp 0.01 here and fpp 0.1");
  }

  /** No counter exceeds such a theta, so that no bit is set, although there are keys. */
  @ParameterizedTest
  @ValueSource(strings = {"autoscale", "counting"})
  void aThetaThatNoCounterExceedsWarns(String kind) {
    Path keys = built("keys", 0, 50, "--kind", kind, "--bits", 2000, "--hashes", 20);
    assertThat(
            Cli.run("binarize", keys, "--theta", 1000, "-o", path("bits"), "--json")
                .succeeded()
                .err())
        .contains("warning: the filter accepts none of its keys", "other thresholds");
    Path empty = built("empty", 0, 0, "--kind", kind, "--bits", 2000, "--hashes", 20);
    assertThat(Cli.run("binarize", empty, "-o", path("bits")).succeeded().err()).isEmpty();
  }
}
