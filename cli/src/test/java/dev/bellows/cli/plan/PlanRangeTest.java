package dev.bellows.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.groups.Tuple.tuple;

import dev.bellows.cli.Cli;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanRangeTest {
  @TempDir Path folder;

  private static Map<String, Object> plan(Object... more) {
    List<Object> words = new ArrayList<>(List.of("plan", "range", "--json"));
    words.addAll(List.of(more));
    return Cli.run(words.toArray()).succeeded().json();
  }

  @Test
  void oneAttributeAsInTheDocument() {
    Map<String, Object> plan =
        plan("--bits", 512, "--hashes", 8, "--domain", 10_000, "--range", 1000);
    assertThat(plan)
        .containsEntry("divide", 6)
        .containsEntry("shift", 1)
        .containsEntry("hashes", 8)
        .containsEntry("insertionBits", 174.5);
    assertThat(Cli.real(plan.get("fpp"))).isCloseTo(1.1448637712246207e-3, within(1e-15));
    assertThat(plan("--bits", 512, "--max-hashes", 24, "--domain", "10k", "--range", 100))
        .containsEntry("hashes", 20)
        .containsEntry("divide", 1)
        .containsEntry("shift", 3);
  }

  @Test
  void everySchemeIsPlanned() {
    double plain = fpp("plain");
    assertThat(plain).isGreaterThan(fpp("division"));
    assertThat(plain).isGreaterThan(fpp("overlapping"));
    assertThat(fpp("overlapping")).isGreaterThan(fpp("both"));
  }

  private static double fpp(String scheme) {
    return Cli.real(
        plan("--bits", 512, "--hashes", 8, "--domain", "10k", "--range", "1k", "--scheme", scheme)
            .get("fpp"));
  }

  private static final Object[] TEN = {
    "--bits",
    512,
    "--strings",
    5,
    "--attribute",
    "Age:120:10",
    "--attribute",
    "Year:201:20",
    "--attribute",
    "Income:5000001:500000",
    "--attribute",
    "Longitude:3600001:100",
    "--attribute",
    "Latitude:1800001:100"
  };

  private static Object[] ten(Object... more) {
    List<Object> words = new ArrayList<>(List.of(TEN));
    words.addAll(List.of(more));
    return words.toArray();
  }

  @Test
  @SuppressWarnings("unchecked")
  void tenAttributesAsInTheDocument() {
    Map<String, Object> plan = plan(ten("--hashes", 8));
    assertThat(Cli.real(plan.get("totalBits"))).isCloseTo(201.9466502463054, within(1e-9));
    assertThat(Cli.real(plan.get("averageFpp"))).isCloseTo(7.358333717e-4, within(1e-12));
    assertThat(Cli.real(plan.get("stringFpp"))).isCloseTo(1.2736e-4, within(1e-8));
    List<Map<String, Object>> attributes = (List<Map<String, Object>>) plan.get("attributes");
    assertThat(attributes)
        .extracting("name", "divide", "shift")
        .containsExactly(
            tuple("Age", 1, 3),
            tuple("Year", 1, 2),
            tuple("Income", 9135, 1),
            tuple("Longitude", 100, 1),
            tuple("Latitude", 81, 1));
    assertThat(plan(ten("--max-hashes", 16))).containsEntry("hashes", 15);
  }

  @Test
  void ownHashesAndWeights() {
    Map<String, Object> plan =
        plan(
            "--bits",
            256,
            "--max-hashes",
            12,
            "--mixed",
            "--attribute",
            "a:120:10:9",
            "--attribute",
            "b:5000:900:0.1");
    assertThat(Cli.real(plan.get("averageFpp")))
        .isLessThanOrEqualTo(Cli.real(plan.get("uniformAverageFpp")));
    assertThat(
            Cli.run(
                    "plan",
                    "range",
                    "--bits",
                    256,
                    "--max-hashes",
                    12,
                    "--mixed",
                    "--attribute",
                    "a:120:10:9",
                    "--attribute",
                    "b:5000:900:0.1")
                .succeeded()
                .out())
        .contains("own hashes gain");
  }

  @Test
  void pagesArePlainAndNameSmallerAlternatives() {
    String page =
        Cli.run(
                "plan",
                "range",
                "--bits",
                512,
                "--hashes",
                8,
                "--domain",
                "10k",
                "--range",
                "1k",
                "--explain")
            .succeeded()
            .out();
    assertThat(page)
        .contains("divide", "shift", "(n - 1) s / d + k", "exactly takes 28 bits", "RangeSchema.of")
        .contains("*            6  1.1449e-03  #\n")
        .contains("*            1  1.1449e-03  #\n");
    assertThat(
            Cli.run(
                    "plan",
                    "range",
                    "--bits",
                    20,
                    "--hashes",
                    2,
                    "--domain",
                    "10k",
                    "--range",
                    "10",
                    "--scheme",
                    "plain",
                    "--explain")
                .succeeded()
                .out())
        .contains("hashes  fpp")
        .doesNotContain("exactly");
    String profile =
        Cli.run(
                "plan",
                "range",
                "--bits",
                512,
                "--hashes",
                8,
                "--strings",
                5,
                "--attribute",
                "Age:1..120:10",
                "--explain")
            .succeeded()
            .out();
    assertThat(profile).contains("Age", "5 texts", "average fpp", "*            8");
  }

  @Test
  void refusals() {
    Cli.run("plan", "range", "--domain", 9, "--range", 1).refused("--bits");
    Cli.run("plan", "range", "--bits", 9).refused("--domain R", "--attribute");
    Cli.run("plan", "range", "--bits", 9, "--domain", 9, "--range", 10).refused("domain", "10");
    Cli.run("plan", "range", "--bits", 9, "--domain", 9, "--range", 1, "--strings", 1)
        .refused("--attribute");
    Cli.run("plan", "range", "--bits", 9, "--domain", 9, "--range", 1, "-o", folder.resolve("x"))
        .refused("names");
    Cli.run("plan", "range", "--bits", 9, "--attribute", "a:9").refused("'a:9'", "NAME:R:N");
    Cli.run("plan", "range", "--bits", 9, "--attribute", "a:9:1", "-o", "-").refused("name a file");
    Cli.run("plan", "range", "--bits", 9, "--attribute", "a:9:1", "--hashes", 2, "--mixed")
        .refused("--max-hashes");
    Cli.run("plan", "range", "--bits", 9, "--attribute", "a:9:1:x").refused("'a:9:1:x'");
    Cli.run("plan", "range", "--bits", 9, "--attribute", "a:9:1", "--attribute", "a:9:1")
        .refused("named 'a'");
  }

  @Test
  void smallRatesAreShortPowersOfTen() {
    Object[] words = {
      "plan", "range", "--bits", 512, "--hashes", 8, "--strings", 2, "--attribute", "age:120:10"
    };
    assertThat(Cli.run(words).succeeded().out()).contains(" 3.008e-7").doesNotContain("e-0");
  }
}
