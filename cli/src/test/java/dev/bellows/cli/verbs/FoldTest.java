package dev.bellows.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.bellows.BloomFilter;
import dev.bellows.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.jr.ob.JSON;

/** fold, remove, counting filters, plan fold and plan capacity. */
class FoldTest {
  @TempDir Path folder;

  private Path path(String name) {
    return folder.resolve(name);
  }

  @Test
  void aCapacityFoldsByFactorBitsRateAndSize() throws IOException {
    Path big = path("big");
    Cli.with(Cli.numbers(0, 1000), "build", "--capacity", 512 * 720, "--fpp", "1%", "-o", big)
        .succeeded();
    BloomFilter filter = BloomFilter.readFrom(big);
    Map<String, Object> byFactor =
        Cli.run("fold", big, "--factor", 8, "-o", path("f"), "--json").succeeded().json();
    assertThat(byFactor).containsEntry("bits", 512 * 90).containsEntry("factor", 8);
    assertThat(BloomFilter.readFrom(path("f"))).isEqualTo(filter.foldBy(8));
    Cli.run("fold", big, "--to-bits", 512 * 80, "-o", path("b")).succeeded();
    assertThat(BloomFilter.readFrom(path("b"))).isEqualTo(filter.foldBy(9));
    Map<String, Object> byRate =
        Cli.run("fold", big, "--to-fpp", "1/100", "-o", path("p"), "--json").succeeded().json();
    assertThat((Double) byRate.get("expectedFpp")).isLessThanOrEqualTo(0.01);
    assertThat(BloomFilter.readFrom(path("p"))).isEqualTo(filter.foldToFpp(0.01));
    Map<String, Object> bySize =
        Cli.run("fold", big, "--to-size", "2KiB", "-o", path("s"), "--json").succeeded().json();
    assertThat(Files.size(path("s"))).isLessThanOrEqualTo(2048).isGreaterThan(1024);
    assertThat(bySize).containsEntry("bytes", (int) Files.size(path("s")));
    assertThat(Cli.with(Cli.numbers(0, 1000), "query", path("s"), "--count").out())
        .isEqualTo("1000\n");
    assertThat(Cli.run("fold", big, "--factor", 8, "-o", "-").succeeded().bytes())
        .isEqualTo(Files.readAllBytes(path("f")));
  }

  @Test
  void impossibleFoldsNameTheNearestAndLeaveNoFile() {
    Path big = path("big");
    Cli.with("a\n", "build", "--bits", 25024, "--hashes", 4, "--layout", "classic", "-o", big)
        .succeeded();
    Cli.run("fold", big, "--factor", 3, "-o", path("x"))
        .refused("cannot fold 25024 bits by 3", "2 and 4");
    Cli.run("fold", big, "--to-bits", 9000, "-o", path("x")).refused("6256 and 12512");
    Cli.run("fold", big, "--to-size", 30, "-o", path("x")).refused("smallest folding");
    Cli.run("fold", big, "-o", path("x")).refused("--factor");
    Cli.run("fold", big, "--factor", 2, "--to-bits", 12512, "-o", path("x")).refused("exclusive");
    assertThat(path("x")).doesNotExist();
  }

  @Test
  void aFilterWithoutBitsStaysAsItIs() {
    Path empty = path("empty");
    Cli.run("build", "--kind", "window", "--window", "24h", "-o", empty).succeeded();
    Cli.Result folded = Cli.run("fold", empty, "--to-fpp", "10%", "-o", path("x"), "--json");
    assertThat(folded.json()).containsEntry("bits", 0).containsEntry("factor", 1);
    assertThat(folded.err()).contains("0 bits do not fold");
  }

  @Test
  void countingFiltersRemoveKeys() {
    Path f = path("f");
    Map<String, Object> built =
        Cli.with("a\nb\nb\nc\n", "build", "--kind", "counting", "-o", f, "--json")
            .succeeded()
            .json();
    assertThat(built).containsEntry("kind", "counting").containsEntry("lines", 4);
    assertThat(Cli.with("b\nc\nzzz\n", "remove", f, "--json").succeeded().json())
        .containsEntry("removed", 2)
        .containsEntry("absent", 1);
    assertThat(Cli.run("query", f, "a", "b", "c").lines()).containsExactly("a", "b");
    Cli.with("b\n", "remove", f).succeeded();
    assertThat(Cli.run("query", f, "a", "b", "c").lines()).containsExactly("a");
    assertThat(Cli.with("nobody\n", "remove", f).code()).isEqualTo(1);
    assertThat(Cli.run("info", f, "--json").json())
        .containsEntry("kind", "counting")
        .containsEntry("counterBits", 4)
        .containsKey("ladder");
    Path plain = path("plain");
    Cli.with("a\n", "build", "-o", plain).succeeded();
    Cli.with("a\n", "remove", plain).refused("kind bloom", "counting");
    Cli.run("union", f, plain, "-o", path("u")).refused("kind counting here and bloom there");
    Cli.run("intersect", f, f, "-o", path("u")).refused("kind counting");
    Cli.run("union", f, f, "-o", path("u")).succeeded();
    Cli.with("a\n", "build", "--counter-bits", 8, "-o", plain).refused("--kind counting");
    Cli.with("a\n", "build", "--kind", "counting", "--counter-bits", 5, "-o", plain)
        .refused("4, 8, 16 or 32");
  }

  @Test
  void countingFiltersAreSizedByTheirDistinctKeys() {
    String twice = Cli.numbers(0, 3000) + Cli.numbers(0, 3000);
    Map<String, Object> built =
        Cli.with(twice, "build", "--kind", "counting", "-o", path("f"), "--json").json();
    assertThat(built).containsEntry("keys", 3000).containsEntry("lines", 6000);
    assertThat((Double) built.get("fpp")).isLessThanOrEqualTo(0.01);
    Cli.with(Cli.numbers(0, 3000), "remove", path("f")).succeeded();
    Cli.with(Cli.numbers(0, 3000), "remove", path("f")).succeeded();
    assertThat(Cli.run("info", path("f"), "--json").json()).containsEntry("ones", 0);
  }

  @Test
  @SuppressWarnings("unchecked")
  void planFoldGivesTheOracles() throws IOException {
    Map<String, Object> oracles =
        JSON.std.mapFrom(
            Files.readString(Cli.ROOT.resolve("core/src/test/resources/oracles.json")));
    Map<String, Object> group =
        (Map<String, Object>) ((Map<String, Object>) oracles.get("000_folding")).get("fold_plan");
    List<Map<String, Object>> cases = (List<Map<String, Object>>) group.get("cases");
    assertThat(cases).isNotEmpty();
    for (Map<String, Object> c : cases) {
      Map<String, Object> in = (Map<String, Object>) c.get("in");
      Map<String, Object> out = (Map<String, Object>) c.get("out");
      Map<String, Object> json =
          Cli.run(
                  "plan",
                  "fold",
                  "--capacity",
                  in.get("m1"),
                  "--keys",
                  in.get("n"),
                  "--hashes",
                  in.get("k"),
                  "--fpp",
                  in.get("rho"),
                  "--tolerance",
                  in.get("eps"),
                  "--json")
              .succeeded()
              .json();
      assertThat(json.get("admissible")).isEqualTo(out.get("admissible"));
      assertThat(json.get("target")).isEqualTo(out.get("target"));
      assertThat(json.get("factor")).isEqualTo(out.get("factor"));
      assertThat(json.get("status")).isEqualTo(out.get("status"));
      double low = ((Number) out.get("lo")).doubleValue();
      assertThat(((Number) json.get("low")).doubleValue()).isCloseTo(low, within(1e-12 * low));
    }
  }

  @Test
  void planFoldDrawsTheLadder() {
    String page =
        Cli.run(
                "plan",
                "fold",
                "--capacity",
                55440,
                "--keys",
                100,
                "--hashes",
                4,
                "--fpp",
                "1%",
                "--tolerance",
                "0.2%")
            .succeeded()
            .out();
    assertThat(page).contains("1,008", "admissible", "####", "foldTo(1008L)");
    assertThat(
            Cli.run(
                    "plan",
                    "fold",
                    "--capacity",
                    55440,
                    "--keys",
                    100,
                    "--hashes",
                    4,
                    "--fpp",
                    "1%",
                    "--tolerance",
                    "1%",
                    "--json")
                .json()
                .get("high"))
        .isNull();
    Cli.run("plan", "fold", "--capacity", 55440).refused("--keys");
  }

  @Test
  @SuppressWarnings("unchecked")
  void planCapacityListsSmoothNumbers() {
    Map<String, Object> json =
        Cli.run("plan", "capacity", "--from", 1000, "--within", 100, "--smooth", 7, "--json")
            .succeeded()
            .json();
    List<Map<String, Object>> candidates = (List<Map<String, Object>>) json.get("candidates");
    assertThat(candidates)
        .extracting(c -> c.get("bits"))
        .containsExactly(1000, 1008, 1024, 1029, 1050, 1080);
    assertThat((Map<String, Object>) json.get("best")).containsEntry("bits", 1080);
    Cli.run("plan", "capacity", "--from", 0, "--within", 100, "--smooth", 7).refused("1");
    assertThat(
            Cli.run("plan", "capacity", "--from", 1009, "--within", 2, "--smooth", 2)
                .succeeded()
                .out())
        .contains("No 2-smooth number");
  }

  @Test
  @SuppressWarnings("unchecked")
  void planCapacityServesARangeOfKeys() {
    Map<String, Object> json =
        Cli.run(
                "plan",
                "capacity",
                "--keys",
                "1k..100k",
                "--fpp",
                "1%",
                "--tolerance",
                "0.2%",
                "--json")
            .succeeded()
            .json();
    double mean = (Double) json.get("meanOversize");
    Map<String, Object> powers = (Map<String, Object>) json.get("powersOfTwo");
    assertThat(mean).isLessThan(1.1);
    assertThat((Double) powers.get("meanOversize")).isGreaterThan(1.2);
    List<Integer> ladder = (List<Integer>) json.get("ladder");
    assertThat(ladder).contains((Integer) json.get("capacity")).isSorted();
    assertThat(
            Cli.run(
                    "plan",
                    "capacity",
                    "--now",
                    "1k",
                    "--arrivals",
                    100,
                    "--horizon",
                    365,
                    "--fpp",
                    "1%",
                    "--tolerance",
                    "0.2%")
                .succeeded()
                .out())
        .contains("power of two", "ElasticBloomFilter");
    Cli.run("plan", "capacity", "--keys", "5").refused("1k..1M");
    Cli.run("plan", "capacity", "--keys", "5..2", "--fpp", "1%", "--tolerance", "1%")
        .refused("range of keys");
    Cli.run("plan", "capacity", "--keys", "5..20").refused("--tolerance");
  }
}
