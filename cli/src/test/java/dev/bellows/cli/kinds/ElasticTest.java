package dev.bellows.cli.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.CountingBloomFilter;
import dev.bellows.cli.Cli;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.elastic.ElasticBloomFilter.FoldPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** build --kind elastic and the verbs that change it; subtract. */
class ElasticTest {
  @TempDir Path folder;

  private Path path(String name) {
    return folder.resolve(name);
  }

  private Path numbers(String name, int from, int to) throws IOException {
    return Files.writeString(path(name), Cli.numbers(from, to));
  }

  @Test
  void theViewFollowsTheKeysThatComeAndGo() throws IOException {
    Path f = path("f");
    Map<String, Object> built =
        Cli.with(
                Cli.numbers(0, 2000),
                "build",
                "--kind",
                "elastic",
                "--keys",
                "5k",
                "--fpp",
                "1%",
                "--tolerance",
                "0.4%",
                "--counter-bits",
                4,
                "-o",
                f,
                "--json")
            .succeeded()
            .json();
    assertThat(built).containsEntry("kind", "elastic").containsEntry("lines", 2000);
    long capacity = Cli.integer(built.get("capacity"));
    long view = Cli.integer(built.get("viewBits"));
    assertThat(built.get("bits")).isEqualTo(built.get("viewBits"));
    assertThat(capacity % view).isZero();
    assertThat(capacity).isGreaterThan(4 * view);
    assertThat(Cli.real(built.get("fpp"))).isLessThanOrEqualTo(0.014);

    Path present = numbers("present", 0, 2000);
    assertThat(Cli.with(Cli.numbers(0, 2000), "query", f, "--count").out()).isEqualTo("2000\n");
    Cli.run("verify", f, "--absent", numbers("absent", 5000, 60_000), "--present", present)
        .succeeded();

    Cli.run("add", f, numbers("more", 2000, 4000)).succeeded();
    long grown = Cli.integer(Cli.run("info", f, "--json").json().get("viewBits"));
    assertThat(grown).isGreaterThan(view);
    assertThat(Cli.run("remove", f, numbers("gone", 0, 3500), "--json").succeeded().json())
        .containsEntry("removed", 3500);
    Map<String, Object> info = Cli.run("info", f, "--json").succeeded().json();
    assertThat(Cli.integer(info.get("viewBits"))).isLessThan(view);
    assertThat(info)
        .containsEntry("state", null)
        .containsEntry("counterBits", 4)
        .containsEntry("capacity", (int) capacity);
    assertThat(Cli.real(info.get("expectedFpp"))).isLessThanOrEqualTo(0.014);
    assertThat(Cli.with(Cli.numbers(3500, 4000), "query", f, "--count").out()).isEqualTo("500\n");
  }

  @ParameterizedTest
  @EnumSource(FoldPolicy.class)
  void everyPolicyIsKept(FoldPolicy policy) throws IOException {
    Path f = path("f");
    String word = policy.name().toLowerCase(Locale.ROOT);
    Cli.with(
            Cli.numbers(0, 300),
            "build",
            "--kind",
            "elastic",
            "--capacity",
            512 * 720,
            "--policy",
            word,
            "--id",
            "0xcafe",
            "-o",
            f)
        .succeeded();
    ElasticBloomFilter expected =
        ElasticBloomFilter.builder()
            .capacity(512 * 720)
            .fpp(0.01)
            .policy(policy)
            .id(0xcafe)
            .build();
    for (int i = 0; i < 300; i++) {
      expected.put(Integer.toString(i));
    }
    assertThat(ElasticBloomFilter.readFrom(f)).isEqualTo(expected);
    assertThat(Cli.run("info", f, "--json").json())
        .containsEntry("state", Long.toHexString(expected.state()));
  }

  @Test
  void sizesThatBlocksDoNotHaveAreClassic() throws IOException {
    Path f = path("f");
    Cli.Result built =
        Cli.with(
            Cli.numbers(0, 100),
            "build",
            "--kind",
            "elastic",
            "--capacity",
            55_440,
            "--tolerance",
            "0.2%",
            "-o",
            f);
    assertThat(built.succeeded().err()).contains("using --layout classic: 55440 bits");
    assertThat(built.out()).contains("capacity", "55,440");
    assertThat(Cli.run("info", f, "--json").json()).containsEntry("layout", "classic");
  }

  @Test
  void bitsCannotBeRemoved() throws IOException {
    Path f = path("f");
    Cli.with("a\nb\n", "build", "--kind", "elastic", "--keys", 100, "-o", f).succeeded();
    byte[] before = Files.readAllBytes(f);
    Cli.with("a\n", "remove", f).refused("holds bits", "--counter-bits 4");
    assertThat(f).hasBinaryContent(before);
  }

  @ParameterizedTest
  @CsvSource({
    "'',needs --keys N",
    "--bits 51200,--bits is not valid with --kind elastic",
    "--keys 100 --id 0,is not an id",
    "--keys 100 --id seven,is not an id",
    "--keys 100 --policy lazy,'is not a policy: use independent, greedy or entropy'",
    "--keys 100 --tolerance 99.5%,fpp + tolerance below 1",
    "--keys 100 --tolerance 0,tolerance must be above 0",
    "--keys 100 --counter-bits 5,5",
    "--keys 100 --layout classic --pattern 2x3,only blocks have patterns"
  })
  void optionsThatMakeNoElasticFilterAreRefused(String options, String message) {
    Path f = path("f");
    String words = "build --kind elastic -o " + f + " " + options;
    Cli.with("a\n", (Object[]) words.strip().split(" ")).refused(message);
    assertThat(f).doesNotExist();
  }

  @Test
  void moreKeysThanPlannedDrawAWarning() {
    Cli.Result built =
        Cli.with(
            Cli.numbers(0, 1000),
            "build",
            "--kind",
            "elastic",
            "--capacity",
            512 * 12,
            "-o",
            path("f"));
    assertThat(built.succeeded().err())
        .contains("warning: it has about ", "in the band up to", "--keys or --capacity")
        .doesNotContain("leave them out")
        .containsOnlyOnce("warning");
    assertThat(Cli.with("one more\n", "add", path("f")).succeeded().err())
        .contains("warning: it has about ")
        .containsOnlyOnce("warning");
    Cli.with(Cli.numbers(0, 3000), "add", path("f"))
        .refused("capacity of 6,144 bits", "--keys or --capacity", "--max-fpp 0.5");
    assertThat(Cli.integer(Cli.run("info", path("f"), "--json").json().get("approximateKeys")))
        .as("a refused update changes nothing")
        .isLessThan(1100);
  }

  /** Within its capacity, a rate that is above the band by chance does not cause a warning. */
  @Test
  void keysThatFitDrawNoWarning() throws IOException {
    Object[] call = {
      "build", "--kind", "elastic", "--capacity", 24_576, "--layout", "classic", "-o", path("f")
    };
    Cli.with("", call).succeeded();
    int above = 0;
    List<ElasticBloomFilter.ViewSize> sizes = ElasticBloomFilter.readFrom(path("f")).viewSizes();
    for (ElasticBloomFilter.ViewSize size : sizes.subList(0, sizes.size() - 1)) {
      int keys = (int) size.mostKeys() - 1;
      assertThat(Cli.with(Cli.numbers(0, keys), call).succeeded().err()).isEmpty();
      above += ElasticBloomFilter.readFrom(path("f")).expectedFpp() > 0.015 ? 1 : 0;
    }
    assertThat(above).as("by chance some are above the band").isPositive();
  }

  private Path counting(String name, String keys) {
    Path f = path(name);
    Cli.with(keys, "build", "--kind", "counting", "--bits", 512 * 24, "--hashes", 6, "-o", f)
        .succeeded();
    return f;
  }

  @Test
  void countingFiltersAreSubtracted() throws IOException {
    Path all = counting("all", Cli.numbers(0, 500));
    Path some = counting("some", Cli.numbers(0, 200));
    Path more = counting("more", Cli.numbers(200, 300));
    Path left = path("left");
    Map<String, Object> result =
        Cli.run("subtract", all, some, more, "-o", left, "--json").succeeded().json();
    assertThat(result).containsEntry("factors", List.of(1, 1, 1));
    assertThat(CountingBloomFilter.readFrom(left))
        .isEqualTo(CountingBloomFilter.readFrom(counting("expected", Cli.numbers(300, 500))));
    Cli.run("fold", some, "--factor", 2, "-o", path("folded")).succeeded();
    assertThat(
            Cli.run("subtract", all, path("folded"), "-o", left, "--json")
                .succeeded()
                .json()
                .get("factors"))
        .isEqualTo(List.of(2, 1));
    assertThat(Cli.with(Cli.numbers(200, 500), "query", left, "--count").out()).isEqualTo("300\n");
  }

  @Test
  void absentKeysCannotBeSubtracted() {
    Path all = counting("all", Cli.numbers(0, 500));
    Path other = counting("other", Cli.numbers(400, 600));
    Path out = path("out");
    Cli.run("subtract", all, other, "-o", out)
        .refused("other: cannot subtract", "some key there is not here");
    Cli.run("subtract", all, "-o", out).refused("at least two filters");
    Cli.with("a\n", "build", "-o", path("bloom")).succeeded();
    Cli.run("subtract", all, path("bloom"), "-o", out)
        .refused("kind bloom, which cannot subtract: kinds counting and fingerprint can");
    Cli.with("1\n", "build", "--kind", "counting", "--seed", 5, "--keys", 9, "-o", path("seed"))
        .succeeded();
    Cli.run("subtract", all, path("seed"), "-o", out).refused("cannot be merged");
    assertThat(out).doesNotExist();
  }
}
