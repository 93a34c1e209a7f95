package dev.bellows.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.bellows.Layout;
import dev.bellows.cli.Cli;
import dev.bellows.plan.BloomPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.jr.ob.JSON;

class PlanBloomTest {
  @TestFactory
  Stream<DynamicTest> fpp() throws IOException {
    return rates("000_folding", "bloom_fpr_exp", "m", "n", "fpp");
  }

  @TestFactory
  Stream<DynamicTest> fppClassic() throws IOException {
    return rates("000_folding", "bloom_fpr_classic", "m", "n", "fppClassic");
  }

  @TestFactory
  Stream<DynamicTest> fppExact() throws IOException {
    return rates("000_folding", "bloom_fpr_exact", "m", "n", "fppExact");
  }

  @TestFactory
  Stream<DynamicTest> rateOfTheNotes() throws IOException {
    return rates("001_notes", "error_rate", "n", "phi", "fpp");
  }

  private static Stream<DynamicTest> rates(
      String document, String group, String bits, String keys, String field) throws IOException {
    return cases(document, group).stream()
        .map(
            c -> {
              Map<String, Object> in = map(c.get("in"));
              return dynamicTest(
                  in.toString(),
                  () ->
                      assertClose(
                          plan(
                                  "--bits",
                                  in.get(bits),
                                  "--keys",
                                  in.get(keys),
                                  "--hashes",
                                  in.get("k"))
                              .get(field),
                          c.get("out")));
            });
  }

  @TestFactory
  Stream<DynamicTest> smallestSize() throws IOException {
    return cases("001_notes", "size_and_k_for_error").stream()
        .map(
            c -> {
              Map<String, Object> in = map(c.get("in"));
              Map<String, Object> out = map(c.get("out"));
              return dynamicTest(
                  in.toString(),
                  () -> {
                    Map<String, Object> plan =
                        plan("--keys", in.get("phi"), "--fpp", in.get("eps"));
                    assertThat(plan.get("bits")).isEqualTo(out.get("smallest_m_meeting_eps"));
                    assertThat(plan.get("hashes")).isEqualTo(out.get("its_k"));
                    assertThat(Cli.real(plan.get("fpp")))
                        .isLessThanOrEqualTo(Cli.real(in.get("eps")));
                  });
            });
  }

  @TestFactory
  Stream<DynamicTest> bestHashes() throws IOException {
    return cases("001_notes", "optimal_k").stream()
        .map(
            c -> {
              Map<String, Object> in = map(c.get("in"));
              Map<String, Object> out = map(c.get("out"));
              return dynamicTest(
                  in.toString(),
                  () -> {
                    Map<String, Object> plan =
                        plan("--keys", in.get("phi"), "--bits", in.get("n_bits"));
                    assertThat(plan.get("hashes")).isEqualTo(out.get("k_best"));
                    assertClose(plan.get("fpp"), out.get("fpr_best"));
                  });
            });
  }

  @Test
  void allFormsOfNumbersMeanTheSame() {
    String expected =
        Cli.run("plan", "bloom", "--keys", "1000000", "--fpp", "0.01", "--json").out();
    for (String keys : List.of("1000k", "1M", "1e6")) {
      for (String fpp : List.of("1%", "1e-2", "1/100")) {
        assertThat(Cli.run("plan", "bloom", "--json", "--keys", keys, "--fpp", fpp).out())
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void everySufficientSubset() {
    assertThat(plan("--keys", "1k", "--fpp", "1%")).containsEntry("bits", 9593);
    assertThat(plan("--keys", "1k", "--fpp", "1%", "--hashes", "4")).containsEntry("hashes", 4);
    assertThat(plan("--keys", "1k", "--bits", "9600")).containsEntry("hashes", 7);
    assertThat(plan("--bits", "9600", "--fpp", "1%")).containsEntry("keys", 1000);
    assertThat(plan("--bits", "9600", "--fpp", "1%", "--hashes", "7")).containsEntry("keys", 1000);
    assertThat(plan("--keys", "1k", "--bits", "10k", "--fpp", "1%")).containsEntry("bits", 10_000);
  }

  @Test
  void fieldsOfTheContractInBothLayouts() {
    assertThat(plan("--keys", "1k", "--fpp", "1%"))
        .containsKeys("keys", "fpp", "bits", "hashes", "bitsPerKey", "fppClassic", "fppExact")
        .containsEntry("layout", "classic")
        .containsEntry("bitsPerKey", 9.593);
    Map<String, Object> blocked = plan("--keys", "100k", "--fpp", "1%", "--layout", "blocked");
    long bits = Cli.integer(blocked.get("bits"));
    Layout cells = new Layout.Blocked(2, 3);
    assertThat(blocked).containsEntry("layout", "blocked").containsEntry("fppExact", null);
    assertThat(blocked.get("fpp")).isEqualTo(cells.fpp(bits, 100_000));
    assertThat(cells.fpp(bits - 512, 100_000)).isGreaterThan(0.01);
    assertThat(Cli.integer(blocked.get("classicBits")))
        .isEqualTo(BloomPlan.smallest(100_000, 0.01, Layout.Family.CLASSIC).bits());
  }

  @Test
  void unknownAndUnboundedValuesAreNull() {
    assertThat(plan("--keys", "1M", "--fpp", "1%")).containsEntry("fppExact", null);
    assertThat(plan("--keys", "0", "--bits", "64"))
        .containsEntry("bitsPerKey", null)
        .containsEntry("fpp", 0.0);
    assertThat(plan("--keys", "9e18", "--bits", "9e18")).containsEntry("foldableBits", null);
  }

  @Test
  void textShowsFormulaAndJava() {
    assertThat(Cli.run("plan", "bloom", "--keys", "1M", "--fpp", "1%").succeeded().out())
        .contains(
            "9,592,955",
            "(1 - e^(-k n / m))^k",
            ".layout(new Layout.Classic(7)).bits(9592955L)",
            ".fpp(0.01)");
    assertThat(Cli.run("plan", "bloom", "--keys", "1M", "--fpp", "1%", "--layout", "blocked").out())
        .contains("CLASSIC needs", "9,592,955 bits", "Layout.Family.BLOCKED");
  }

  @Test
  void refusals() {
    refused("--keys", "5").refused("keys and fpp");
    refused("--fpp", "1%").refused("keys and fpp");
    refused().refused("keys and fpp");
    refused("--keys", "1M", "--bits", "10", "--fpp", "1%").refused("1000000 keys in 10 bits");
    refused("--keys", "1", "--bits", "0").refused("bits must be at least 1: 0");
    refused("--keys", "1", "--bits", "9", "--hashes", "0").refused("hashes must be at least 1: 0");
    refused("--keys", "1", "--fpp", "0").refused("fpp must be between 0 and 1");
    refused("--keys", "1", "--fpp", "1").refused("fpp must be between 0 and 1");
    refused("--keys", "-1", "--fpp", "1%").refused("'-1'", "negative");
    refused("--keys", "1", "--fpp", "150%").refused("'150%'", "1/100");
    refused("--keys", "many", "--fpp", "1%").refused("--keys", "'many'", "10k");
    refused("--keys", "9e18", "--fpp", "1e-9").refused("need");
    refused("--keys", "10", "--bits", "1000", "--layout", "blocked").refused("512", "1000");
    refused("--keys", "10", "--fpp", "1%", "--hashes", "7", "--layout", "blocked")
        .refused("4 (2x2), 6 (2x3), 8 (4x2), 12 (4x3), 16 (8x2)", "7");
    refused("--keys", "10", "--fpp", "1%", "--layout", "round").refused("'round'", "classic");
  }

  private static Cli.Result refused(Object... options) {
    return Cli.run(words(options));
  }

  private static Map<String, Object> plan(Object... options) {
    List<Object> words = new ArrayList<>(List.of(words(options)));
    words.add("--json");
    return Cli.run(words.toArray()).succeeded().json();
  }

  private static Object[] words(Object... options) {
    List<Object> words = new ArrayList<>(List.of("plan", "bloom"));
    words.addAll(List.of(options));
    return words.toArray();
  }

  private static void assertClose(Object actual, Object expected) {
    double value = Cli.real(expected);
    assertThat(Cli.real(actual)).isCloseTo(value, within(Math.max(1e-290, value * 1e-12)));
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> cases(String document, String group) throws IOException {
    String oracles = Files.readString(Cli.ROOT.resolve("core/src/test/resources/oracles.json"));
    Map<String, Object> content = map(map(JSON.std.mapFrom(oracles).get(document)).get(group));
    List<Map<String, Object>> cases = (List<Map<String, Object>>) content.get("cases");
    assertThat(cases).isNotEmpty();
    return cases;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object value) {
    return (Map<String, Object>) value;
  }

  @Test
  void theFoldableSizeKeepsTheHashesThatWereGiven() {
    Map<String, Object> plan =
        Cli.run("plan", "bloom", "--keys", "1M", "--fpp", "1%", "--hashes", 5, "--json").json();
    assertThat(Cli.integer(plan.get("foldableHashes"))).isEqualTo(5);
    assertThat((Double) plan.get("foldableFpp")).isLessThanOrEqualTo(0.01);
    assertThat(Cli.run("plan", "bloom", "--keys", "1M", "--fpp", "1%", "--hashes", 5).out())
        .contains(".layout(new Layout.Classic(5)).keys(1000000L).fpp(0.01).build()");
  }

  /** Larger capacities would overflow the count of cells that foldings read. */
  @Test
  void capacitiesBeyondAnyFilterAreRefused() {
    for (long capacity : new long[] {Long.MAX_VALUE, (1L << 62) + 1}) {
      foldPlan(capacity).refused("--capacity", "too large");
    }
    foldPlan(1L << 62).succeeded();
  }

  private static Cli.Result foldPlan(long capacity) {
    return Cli.run(
        "plan",
        "fold",
        "--capacity",
        capacity,
        "--keys",
        1000,
        "--hashes",
        5,
        "--fpp",
        "1%",
        "--tolerance",
        "0.1%");
  }
}
