package dev.bellows.cli.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.CountingBloomFilter;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.BinarizedFilter;
import dev.bellows.autoscale.CountingReading;
import dev.bellows.autoscale.Criterion;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changed thresholds of autoscaling filters, their bits, and their union. */
class ThresholdsTest {
  @TempDir Path folder;

  private Path filter;

  @BeforeEach
  void build() throws IOException {
    filter = build("filter", 0, 500, "--min-tpr", "97%");
  }

  private Path build(String name, int from, int to, Object... options) throws IOException {
    Path keys = Files.writeString(folder.resolve(name + ".txt"), Cli.numbers(from, to));
    Path file = folder.resolve(name);
    Object[] fixed = {
      "build", "--kind", "autoscale", "--bits", 10_000, "--hashes", 100, "-o", file, keys
    };
    Object[] all = Arrays.copyOf(fixed, fixed.length + options.length);
    System.arraycopy(options, 0, all, fixed.length, options.length);
    Cli.run(all).succeeded();
    return file;
  }

  private static AutoscalingBloomFilter read(Path file) throws IOException {
    return AutoscalingBloomFilter.readFrom(file);
  }

  private List<String> accepted(Object... options) {
    Object[] all = Arrays.copyOf(new Object[] {"query", filter}, 2 + options.length);
    System.arraycopy(options, 0, all, 2, options.length);
    return Cli.with(Cli.numbers(0, 3000), all).succeeded().lines();
  }

  private static List<String> accepted(AutoscalingBloomFilter by) {
    return IntStream.range(0, 3000).mapToObj(Integer::toString).filter(by::accepts).toList();
  }

  @Test
  void evidenceIsPrintedAfterEveryKey() throws IOException {
    AutoscalingBloomFilter mine = read(filter);
    List<String> lines = accepted("--evidence");
    assertThat(lines)
        .isEqualTo(accepted(mine).stream().map(key -> key + "\t" + mine.evidence(key)).toList());
    Map<String, Object> json = Cli.run("query", filter, "--evidence", "--json", "1").json();
    assertThat(json.get("keys"))
        .isEqualTo(List.of(Map.of("key", "1", "evidence", (int) mine.evidence("1"))));
    Path plain = folder.resolve("plain");
    Cli.with(Cli.numbers(0, 10), "build", "-o", plain).succeeded();
    Cli.run("query", plain, "--evidence", "1").refused("--evidence", "kind bloom");
  }

  @Test
  void bitsThatWereShippedTakeAnotherDecision() throws IOException {
    Path bits = folder.resolve("bits");
    Cli.run("binarize", filter, "-o", bits).succeeded();
    BinarizedFilter mine = BinarizedFilter.readFrom(bits).withDecision(80);
    assertThat(Cli.with(Cli.numbers(0, 3000), "query", bits, "--decision", 80).lines())
        .isEqualTo(
            IntStream.range(0, 3000).mapToObj(Integer::toString).filter(mine::accepts).toList());
    Map<String, Object> info = Cli.run("info", bits, "--decision", 80, "--json").json();
    assertThat(info).containsEntry("tpr", mine.rates().tpr()).containsEntry("decision", 80);
    Cli.run("query", bits, "--theta", 1, "--decision", 80, "1").refused("only --decision");
  }

  @Test
  void countingFiltersAreReadThroughThresholds() throws IOException {
    Path keys = Files.writeString(folder.resolve("keys.txt"), Cli.numbers(0, 3000));
    Path other = Files.writeString(folder.resolve("other.txt"), Cli.numbers(3000, 9000));
    for (String layout : List.of("classic", "blocked")) {
      Path counting = folder.resolve(layout);
      Cli.run(
              "build",
              "--kind",
              "counting",
              "--layout",
              layout,
              "--keys",
              1500,
              "-o",
              counting,
              keys)
          .succeeded();
      CountingReading mine =
          CountingReading.of(
              CountingBloomFilter.readFrom(counting), new ThresholdPlan.Rule.Fixed(1, 5));
      Object[] thresholds = {"--theta", 1, "--decision", 5};
      assertThat(
              Cli.with(Cli.numbers(0, 4000), "query", counting, "--theta", 1, "--decision", 5)
                  .lines())
          .isEqualTo(
              IntStream.range(0, 4000).mapToObj(Integer::toString).filter(mine::accepts).toList());
      Path bits = folder.resolve(layout + ".bits");
      Map<String, Object> json =
          Cli.run("binarize", counting, thresholds[0], 1, thresholds[2], 5, "-o", bits, "--json")
              .json();
      assertThat(json)
          .containsEntry("theta", 1)
          .containsEntry("decision", 5)
          .containsEntry("tpr", mine.rates().tpr())
          .containsEntry("fpr", mine.rates().fpr());
      assertThat(BinarizedFilter.readFrom(bits)).isEqualTo(mine.binarize());
      Cli.run("verify", bits, "--present", keys, "--absent", other).succeeded();
      Cli.run("verify", counting, "--theta", 1, "--present", keys, "--absent", other).succeeded();
      assertThat(Cli.run("info", bits, "--json").json())
          .containsEntry("kind", "binarized-counting");
      Cli.run("query", counting, "--decision", 5, "1").refused("needs --theta");
    }
  }

  @Test
  void similarityShowsCommonKeysAndTheirUnionDrawsAWarning() throws IOException {
    Path other = build("other", 400, 900);
    Path far = build("far", 5000, 5500);
    Map<String, Object> json = Cli.run("similarity", filter, other, "--json").json();
    assertThat(Cli.real(json.get("similarity"))).isBetween(0.1, 0.3);
    assertThat(Cli.real(json.get("commonKeys"))).isBetween(70.0, 130.0);
    Path one = folder.resolve("one.bits");
    Path two = folder.resolve("two.bits");
    Cli.run("binarize", filter, "-o", one).succeeded();
    Cli.run("binarize", other, "-o", two).succeeded();
    assertThat(Cli.real(Cli.run("similarity", one, two, "--json").json().get("commonKeys")))
        .isBetween(60.0, 140.0);
    Cli.run("similarity", one, other).refused("binarized", "autoscale");
    Path union = folder.resolve("union");
    assertThat(Cli.run("union", filter, filter, "-o", union).succeeded().err())
        .contains("about 500 keys in common");
    assertThat(Cli.run("union", filter, far, "-o", union).succeeded().err())
        .doesNotContain("in common");
  }

  @Test
  void queryReadsWithOtherThresholdsAndLeavesTheFile() throws IOException {
    byte[] before = Files.readAllBytes(filter);
    AutoscalingBloomFilter mine = read(filter);
    assertThat(accepted()).isEqualTo(accepted(mine));
    mine.retune(1, 98);
    assertThat(accepted("--theta", 1, "--decision", 98)).isEqualTo(accepted(mine));
    mine.retune(Criterion.accuracy(), 0.5);
    assertThat(accepted("--min-tpr", "50%")).isEqualTo(accepted(mine));
    mine.retune(Criterion.cost(10, 1, 0.5), 0.97);
    assertThat(accepted("--criterion", "cost", "--cost-fp", 10)).isEqualTo(accepted(mine));
    assertThat(accepted("--theta", 0, "--decision", 0)).hasSize(3000);
    assertThat(filter).hasBinaryContent(before);
  }

  @Test
  void infoReportsTheRatesOfOtherThresholdsAndLeavesTheFile() throws IOException {
    byte[] before = Files.readAllBytes(filter);
    AutoscalingBloomFilter mine = read(filter);
    mine.retune(3, 81);
    assertThat(Cli.run("info", filter, "--theta", 3, "--json").succeeded().json())
        .containsEntry("theta", 3)
        .containsEntry("decision", 81)
        .containsEntry("tpr", mine.rates().tpr())
        .containsEntry("fpr", mine.rates().fpr());
    assertThat(Cli.run("info", filter, "--theta", 3, "--decision", 81).succeeded().out())
        .isEqualTo(mine.explain())
        .contains("fixed thresholds");
    assertThat(filter).hasBinaryContent(before);
  }

  @Test
  void addStoresThem() throws IOException {
    Path more = Files.writeString(folder.resolve("more"), Cli.numbers(500, 700));
    AutoscalingBloomFilter mine = read(filter);
    IntStream.range(500, 700).forEach(i -> mine.put(Integer.toString(i)));
    Cli.run("add", filter, more, "--theta", 5, "--min-tpr", 0.9).succeeded();
    ThresholdPlan best = ThresholdPlan.forTheta(10_000, 100, 700, 5, Criterion.accuracy(), 0.9);
    mine.retune(5, best.decision());
    assertThat(read(filter)).isEqualTo(mine);
    Cli.with("", "add", filter, "--criterion", "f1", "--present-share", 0.1).succeeded();
    assertThat(read(filter).rule()).isEqualTo(new ThresholdPlan.Rule.Tuned(Criterion.f1(0.1), 0));
    Cli.with("", "add", filter, "--min-tpr", 0.8).succeeded();
    assertThat(read(filter).rule()).isEqualTo(new ThresholdPlan.Rule.Tuned(Criterion.f1(0.1), 0.8));
    assertThat(read(filter).approximateElementCount()).isEqualTo(700);
  }

  @Test
  void incompatibleOptionsAreNamed() throws IOException {
    byte[] before = Files.readAllBytes(filter);
    Path bloom = folder.resolve("bloom");
    Cli.with("a\n", "build", "-o", bloom).succeeded();
    Cli.run("verify", bloom, "--theta", 3, "--absent", filter + ".txt")
        .refused(
            "--theta is only valid with filters of kinds autoscale, counting and binarized",
            "of kind bloom");
    for (String verb : List.of("query", "info", "add")) {
      Cli.with("1\n", verb, bloom, "--theta", 3)
          .refused(
              "--theta is only valid with filters of kinds autoscale, counting and binarized",
              "of kind bloom");
      Cli.with("1\n", verb, filter, "--decision", 5).refused("--decision 5 needs --theta");
      Cli.with("1\n", verb, filter, "--theta", 3, "--decision", 101).refused("decision");
      Cli.with("1\n", verb, filter, "--theta", 3, "--decision", 5, "--min-tpr", 0.9)
          .refused("--min-tpr tunes the thresholds", "--theta 3 and --decision 5 fix both");
    }
    for (String verb : List.of("query", "info")) {
      Cli.with("1\n", verb, bloom, "--min-tpr", 0.9, "--format", "guava")
          .refused("--min-tpr is only valid with a filter of kind autoscale, not with --format");
    }
    assertThat(filter).hasBinaryContent(before);
  }

  @Test
  void verifyMeasuresOtherThresholdsAndLeavesTheFile() throws IOException {
    byte[] before = Files.readAllBytes(filter);
    Path absent = Files.writeString(folder.resolve("absent"), Cli.numbers(1000, 20_000));
    AutoscalingBloomFilter mine = read(filter);
    mine.retune(1, 98);
    Object[] call = {
      "verify", filter, "--absent", absent, "--present", filter + ".txt", "--theta", 1, "--decision"
    };
    Object[] all = Arrays.copyOf(call, call.length + 2);
    all[call.length] = 98;
    all[call.length + 1] = "--json";
    assertThat(Cli.run(all).succeeded().json())
        .containsEntry("expectedFpp", mine.rates().fpr())
        .containsEntry("tpr", mine.rates().tpr());
    mine.retune(Criterion.accuracy(), 0.5);
    assertThat(
            Cli.run("verify", filter, "--absent", absent, "--min-tpr", "50%", "--json")
                .succeeded()
                .json())
        .containsEntry("expectedFpp", mine.rates().fpr());
    assertThat(filter).hasBinaryContent(before);
  }

  @Test
  void infoShowsWhatTheFileIsTunedFor() throws IOException {
    assertThat(Cli.run("info", filter, "--json").json())
        .containsEntry("criterion", "accuracy")
        .containsEntry("minTpr", 0.97)
        .doesNotContainKey("presentShare");
    assertThat(Cli.run("info", filter).out())
        .contains("tuned for          accuracy, tpr at least 0.97\n");
    Cli.with("", "add", filter, "--criterion", "cost", "--cost-fp", 5, "--present-share", 0.1)
        .succeeded();
    assertThat(Cli.run("info", filter, "--json").json())
        .containsEntry("criterion", "cost")
        .containsEntry("costFp", 5.0)
        .containsEntry("costFn", 1.0)
        .containsEntry("presentShare", 0.1)
        .containsEntry("minTpr", 0.97);
    assertThat(Cli.run("info", filter).out())
        .contains("cost, costFp 5.0, costFn 1.0, presentShare 0.1, tpr at least 0.97\n");
    Cli.with("", "add", filter, "--criterion", "mcc", "--present-share", 0.2).succeeded();
    assertThat(Cli.run("info", filter).out()).contains("mcc, presentShare 0.2");
    Cli.with("", "add", filter, "--theta", 4, "--decision", 65).succeeded();
    assertThat(Cli.run("info", filter).out()).contains("thresholds         fixed\n");
    assertThat(Cli.run("info", filter, "--json").json()).doesNotContainKey("criterion");
  }

  @Test
  void omittedSettingsStayAsInTheFile() throws IOException {
    Cli.with("", "add", filter, "--cost-fn", 3).refused("--cost-fn needs", "not accuracy");
    Cli.with("", "add", filter, "--criterion", "cost", "--cost-fp", 5, "--present-share", 0.1)
        .succeeded();
    Cli.with("", "add", filter, "--cost-fn", 3).succeeded();
    assertThat(read(filter).rule())
        .isEqualTo(new ThresholdPlan.Rule.Tuned(Criterion.cost(5, 3, 0.1), 0.97));
    Cli.with("", "add", filter, "--present-share", 0.4).succeeded();
    assertThat(read(filter).rule())
        .isEqualTo(new ThresholdPlan.Rule.Tuned(Criterion.cost(5, 3, 0.4), 0.97));
    Cli.with("", "add", filter, "--criterion", "f1").succeeded();
    assertThat(read(filter).rule())
        .isEqualTo(new ThresholdPlan.Rule.Tuned(Criterion.f1(0.5), 0.97));
    Cli.with("", "add", filter, "--cost-fp", 2).refused("--cost-fp needs --criterion cost, not f1");
  }

  /** An empty filter whose saturated counters remain has no bits per key. */
  @Test
  void anEmptyFilterHasNoBitsPerKey() throws IOException {
    Path file = folder.resolve("emptied");
    AutoscalingBloomFilter narrow =
        AutoscalingBloomFilter.builder().bits(100).hashes(10).counterBits(4).build();
    IntStream.range(0, 200).forEach(i -> narrow.put(Integer.toString(i)));
    IntStream.range(0, 200).forEach(i -> narrow.remove(Integer.toString(i)));
    narrow.writeTo(file);
    assertThat(Cli.run("info", file).succeeded().out())
        .contains("bits per key       no keys yet\n")
        .doesNotContain("Infinity");
  }

  /** At 1,477 keys theta is 15, more than counters of 4 bits can exceed; at 1,500 it is 13. */
  @Test
  void theWidthThatIsPlannedIsTheOneThatIsBuilt() {
    for (int keys : new int[] {1400, 1476, 1477, 1500, 5000}) {
      AutoscalingBloomFilter built =
          AutoscalingBloomFilter.builder()
              .bits(10_000)
              .hashes(100)
              .minTpr(0.9)
              .insertOnly(keys)
              .build();
      Object[] call = {
        "plan", "autoscale", "--bits", 10_000, "--hashes", 100, "--keys", keys, "--min-tpr", 0.9
      };
      Object[] json = Arrays.copyOf(call, call.length + 1);
      json[call.length] = "--json";
      assertThat(Cli.run(json).succeeded().json())
          .as("%d keys", keys)
          .containsEntry("counterBits", built.counterBits());
      assertThat(Cli.run(call).out()).contains("of " + built.counterBits() + " bits");
    }
  }

  @Test
  void binarizeWritesTheBits() throws IOException {
    Path bits = folder.resolve("bits");
    Map<String, Object> json = Cli.run("binarize", filter, "-o", bits, "--json").succeeded().json();
    AutoscalingBloomFilter mine = read(filter);
    assertThat(BinarizedFilter.readFrom(bits)).isEqualTo(mine.binarize());
    assertThat(json)
        .containsEntry("theta", 4)
        .containsEntry("decision", 65)
        .containsEntry("tpr", mine.rates().tpr())
        .containsEntry("fpr", mine.rates().fpr())
        .containsEntry("bytes", (int) Files.size(bits));
    assertThat(Cli.with(Cli.numbers(0, 3000), "query", bits).lines()).isEqualTo(accepted(mine));
    assertThat(Cli.run("binarize", filter, "--theta", 1, "--decision", 98, "-o", bits).out())
        .contains("theta", "decision", "98", "tpr", "fpr");
    mine.retune(1, 98);
    assertThat(BinarizedFilter.readFrom(bits)).isEqualTo(mine.binarize());
    Cli.run("binarize", bits, "-o", folder.resolve("again"))
        .refused("is of kind binarized", "kinds autoscale and counting have");
    assertThat(folder.resolve("again")).doesNotExist();
  }

  /** Figure 2 of the document: theta 3 has 81, 0.98 and 0.06. */
  @Test
  void planFindsTheDecisionForATheta() {
    Object[] call = {
      "plan",
      "autoscale",
      "--bits",
      10_000,
      "--hashes",
      100,
      "--keys",
      500,
      "--min-tpr",
      "97%",
      "--theta",
      3
    };
    Object[] json = Arrays.copyOf(call, call.length + 1);
    json[call.length] = "--json";
    Map<String, Object> result = Cli.run(json).succeeded().json();
    assertThat(result).containsEntry("theta", 3).containsEntry("decision", 81);
    assertThat(Cli.real(result.get("tpr"))).isBetween(0.9792, 0.9793);
    assertThat(Cli.real(result.get("fpr"))).isBetween(0.0561, 0.0563);
    assertThat(Cli.run(call).succeeded().out())
        .contains("theta given, the decision tuned for accuracy", ".thresholds(3, 81).build()");
  }

  @Test
  void theUnionOfDisjointFiltersIsTheFilterOfAll() throws IOException {
    Path rest = build("rest", 500, 800);
    Path all = build("all", 0, 800, "--min-tpr", "97%");
    Path out = folder.resolve("out");
    Map<String, Object> json =
        Cli.run("union", filter, rest, "-o", out, "--json").succeeded().json();
    assertThat(read(out)).isEqualTo(read(all));
    assertThat(json)
        .containsEntry("bits", 10_000)
        .containsEntry("factors", List.of(1, 1))
        .containsEntry("approximateKeys", 800.0)
        .containsEntry("expectedFpp", read(all).expectedFpp());
    Path small = folder.resolve("small");
    Cli.with("x\n", "build", "--kind", "autoscale", "--bits", 999, "--hashes", 100, "-o", small)
        .succeeded();
    Cli.run("union", filter, small, "-o", folder.resolve("none"))
        .refused("cannot be merged: 10000 bits here and 999 bits there");
    Cli.run("union", filter, rest, "-o", folder.resolve("none"), "--max-fpp", "0.1%")
        .refused("above --max-fpp 0.001", "tune " + filter);
    Cli.run("intersect", filter, rest, "-o", folder.resolve("none"))
        .refused("is of kind autoscale, which cannot be intersected");
    assertThat(folder.resolve("none")).doesNotExist();
  }
}
