package dev.bellows.cli.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.Criterion;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.cli.Cli;
import dev.bellows.io.Filters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AutoscaleTest {
  private static final Object[] PAPER = {"--bits", 10_000, "--hashes", 100};

  @TempDir Path folder;

  private static Cli.Result plan(Object... options) {
    Object[] all = new Object[options.length + 6];
    System.arraycopy(new Object[] {"plan", "autoscale"}, 0, all, 0, 2);
    System.arraycopy(PAPER, 0, all, 2, 4);
    System.arraycopy(options, 0, all, 6, options.length);
    return Cli.run(all);
  }

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  private Path built(Object... options) throws IOException {
    Path keys = file("keys", Cli.numbers(0, 500));
    Path filter = folder.resolve("filter");
    Object[] all = new Object[options.length + 10];
    Object[] fixed = {"build", "--kind", "autoscale", "-o", filter, keys};
    System.arraycopy(fixed, 0, all, 0, 6);
    System.arraycopy(PAPER, 0, all, 6, 4);
    System.arraycopy(options, 0, all, 10, options.length);
    Cli.run(all).succeeded();
    return filter;
  }

  @Test
  void plansTheExampleOfThePaper() {
    Map<String, Object> result =
        plan("--keys", 500, "--min-tpr", "97%", "--json").succeeded().json();
    assertThat(result).containsEntry("theta", 4).containsEntry("decision", 65);
    assertThat(Cli.real(result.get("tpr"))).isBetween(0.9768, 0.9769);
    assertThat(Cli.real(result.get("fpr"))).isBetween(0.0431, 0.0432);
    assertThat(Cli.real(result.get("accuracy"))).isBetween(0.9668, 0.9669);
    assertThat(plan("--keys", 500).succeeded().out())
        .contains("theta", "decision", "likelihood reading")
        .contains("use a plain filter: 10,000 bits with 14 hashes")
        .contains("AutoscalingBloomFilter.builder()");
  }

  @Test
  void plansByEveryCriterion() {
    Map<Criterion, Object[]> requests =
        Map.of(
            Criterion.accuracy(), new Object[] {"--criterion", "accuracy"},
            Criterion.cost(5, 1, 0.1),
                new Object[] {"--criterion", "cost", "--cost-fp", 5, "--present-share", "10%"},
            Criterion.f1(0.01), new Object[] {"--criterion", "f1", "--present-share", 0.01},
            Criterion.mcc(0.5), new Object[] {"--criterion", "mcc"});
    requests.forEach(
        (criterion, options) -> {
          Object[] all = new Object[options.length + 3];
          System.arraycopy(new Object[] {"--json", "--keys", 3000}, 0, all, 0, 3);
          System.arraycopy(options, 0, all, 3, options.length);
          Map<String, Object> result = plan(all).succeeded().json();
          ThresholdPlan plan = ThresholdPlan.tune(10_000, 100, 3000, criterion, 0);
          assertThat(Cli.integer(result.get("theta"))).isEqualTo(plan.theta());
          assertThat(Cli.integer(result.get("decision"))).isEqualTo(plan.decision());
          assertThat(Cli.real(result.get("fpr"))).isEqualTo(plan.fpr());
        });
  }

  @Test
  void ratesOfAnEmptyFilterAreUnknown() {
    assertThat(plan("--keys", 0, "--json").succeeded().json())
        .containsEntry("theta", 0)
        .containsEntry("decision", 100)
        .containsEntry("tpr", null)
        .containsEntry("accuracy", null);
    assertThat(plan("--keys", 0).succeeded().out()).contains("nothing is stored");
  }

  @Test
  void badRequestsAreRefusedByName() {
    plan("--keys", 5, "--criterion", "luck").refused("'luck' is not a criterion", "accuracy, cost");
    plan("--keys", 5, "--cost-fp", 2).refused("--cost-fp needs --criterion cost, not accuracy");
    plan("--keys", 5, "--present-share", 0.2).refused("--present-share needs");
    plan("--keys", 5, "--criterion", "cost", "--cost-fn", -1).refused("negative");
    plan("--keys", 5, "--min-tpr", 1.5).refused("between 0 and 1");
    Cli.run("plan", "autoscale", "--bits", 5, "--hashes", 6, "--keys", 1).refused("6 hashes");
  }

  @Test
  void repeatedLinesCountOnce() throws IOException {
    Path twice = file("twice", Cli.numbers(0, 300) + Cli.numbers(100, 400));
    Path filter = folder.resolve("f");
    Map<String, Object> result =
        Cli.run(
                "build",
                "--kind",
                "autoscale",
                "--bits",
                "10k",
                "--hashes",
                100,
                "-o",
                filter,
                twice,
                "--json")
            .succeeded()
            .json();
    assertThat(result)
        .containsEntry("kind", "autoscale")
        .containsEntry("lines", 600)
        .containsEntry("keys", 400);
    AutoscalingBloomFilter direct = AutoscalingBloomFilter.create(10_000, 100);
    for (int i = 0; i < 400; i++) {
      direct.put(Integer.toString(i));
    }
    assertThat(Filters.readFrom(filter)).isEqualTo(direct);
  }

  @Test
  void infoShowsTheCurrentThresholdsAsKeysComeAndGo() throws IOException {
    Path filter = built("--min-tpr", 0.97);
    Map<String, Object> before = Cli.run("info", filter, "--json").succeeded().json();
    assertThat(before)
        .containsEntry("kind", "autoscale")
        .containsEntry("keys", 500)
        .containsEntry("theta", 4)
        .containsEntry("decision", 65)
        .containsEntry("minTpr", 0.97);
    assertThat(Cli.real(before.get("tpr"))).isBetween(0.97, 1.0);
    assertThat(before.get("fpr")).isEqualTo(before.get("expectedFpp"));
    assertThat(Cli.run("info", filter).succeeded().out())
        .contains("theta              4", "use a plain filter");
    Path more = file("more", Cli.numbers(500, 1500) + "700\n");
    assertThat(Cli.run("add", filter, more, "--json").succeeded().json())
        .containsEntry("lines", 1001)
        .containsEntry("approximateKeys", 1500.0);
    Map<String, Object> full = Cli.run("info", filter, "--json").json();
    assertThat(Cli.integer(full.get("theta"))).isGreaterThan(9);
    assertThat(Cli.run("remove", filter, more, "--json").succeeded().json())
        .containsEntry("removed", 1000)
        .containsEntry("absent", 0)
        .containsEntry("approximateKeys", 500.0);
    assertThat(Cli.run("info", filter, "--json").json())
        .containsEntry("theta", 4)
        .containsEntry("ones", before.get("ones"))
        .containsEntry("tpr", before.get("tpr"));
    assertThat(Cli.run("remove", filter, more).out())
        .contains("not removed")
        .doesNotContain("surely", "certainly", "definitely");
  }

  @Test
  void queryAnswersThroughTheThresholds() throws IOException {
    Path filter = built();
    AutoscalingBloomFilter read = (AutoscalingBloomFilter) Filters.readFrom(filter);
    long expected = 0;
    for (int i = 0; i < 2000; i++) {
      expected += read.accepts(Integer.toString(i)) ? 1 : 0;
    }
    assertThat(Cli.with(Cli.numbers(0, 2000), "query", "--count", filter).succeeded().out())
        .isEqualTo(expected + "\n");
    assertThat(expected).isBetween(460L, 600L);
  }

  @Test
  void verifyMeasuresBothRates() throws IOException {
    Path filter = built("--min-tpr", 0.9);
    Path present = folder.resolve("keys");
    Path absent = file("absent", Cli.numbers(500, 20_000));
    Map<String, Object> good =
        Cli.run("verify", filter, "--present", present, "--absent", absent, "--json")
            .succeeded()
            .json();
    assertThat(good).containsEntry("consistent", true).containsEntry("absent", 19_500);
    assertThat(Cli.real(good.get("measuredTpr")))
        .isEqualTo((500 - Cli.integer(good.get("missing"))) / 500.0)
        .isBetween(0.9, 1.0);
    assertThat(Cli.real(good.get("tpr"))).isBetween(0.9, 1.0);
    assertThat(
            Cli.run("verify", filter, "--present", present, "--absent", absent).succeeded().out())
        .contains("expected tpr", "measured tpr", "Consistent");
    Path claimed = file("claimed", Cli.numbers(300, 900));
    Cli.Result wrong =
        Cli.run("verify", filter, "--present", claimed, "--absent", absent, "--json");
    assertThat(wrong.code()).isEqualTo(1);
    assertThat(wrong.json()).containsEntry("tprConsistent", false);
    assertThat(Cli.run("verify", filter, "--present", claimed, "--absent", absent).out())
        .contains("NOT consistent: the share of present keys");
    assertThat(Cli.run("verify", filter, "--absent", absent, "--json").succeeded().json())
        .containsEntry("measuredTpr", null);
  }

  @Test
  void binarizedBitsAreQueriedAndVerifiedToo() throws IOException {
    Path filter = built();
    Path bits = folder.resolve("bits");
    ((AutoscalingBloomFilter) Filters.readFrom(filter)).binarize().writeTo(bits);
    Path absent = file("absent", Cli.numbers(500, 20_000));
    assertThat(Cli.run("info", bits, "--json").succeeded().json())
        .containsEntry("kind", "binarized")
        .containsEntry("tpr", Cli.run("info", filter, "--json").json().get("tpr"));
    Cli.run("verify", bits, "--present", folder.resolve("keys"), "--absent", absent).succeeded();
    Cli.run("add", bits, absent).refused("kind binarized", "does not take keys");
    Cli.run("remove", bits, absent).refused("kind binarized", "cannot remove keys");
  }

  @Test
  void buildRefusesUnrelatedOptions() throws IOException {
    Path keys = file("keys", Cli.numbers(0, 10));
    Path out = folder.resolve("out");
    Cli.run("build", "--kind", "autoscale", "--bits", 100, "-o", out, keys)
        .refused("give --bits and --hashes");
    Cli.run(
            "build",
            "--kind",
            "autoscale",
            "--bits",
            100,
            "--hashes",
            5,
            "--fpp",
            0.1,
            "-o",
            out,
            keys)
        .refused("--fpp is not valid with --kind autoscale");
    Cli.run("build", "--min-tpr", 0.9, "-o", out, keys).refused("--min-tpr", "--kind autoscale");
    Cli.run("remove", built(), "-", "-").refused("only once");
    assertThat(out).doesNotExist();
  }

  /** 100 known keys were added four more times: what cannot be stated is null. */
  @Test
  void keysThatAreAddedAgainMakeTheTprUnknown() throws IOException {
    Path filter = built("--min-tpr", "90%");
    Path absent = file("absent", Cli.numbers(1000, 6000));
    Path again = file("again", Cli.numbers(0, 100));
    Path keys = file("all", Cli.numbers(0, 500));
    assertThat(Cli.run("info", filter, "--json").json()).containsEntry("puts", 500);
    for (int round = 0; round < 4; round++) {
      Cli.run("add", filter, again).succeeded();
    }
    assertThat(Cli.run("add", filter, again).succeeded().err()).contains("put repeatedly");
    Map<String, Object> info = Cli.run("info", filter, "--json").succeeded().json();
    assertThat(info).containsEntry("tpr", null).containsEntry("accuracy", null);
    assertThat(info).containsEntry("puts", 1000);
    assertThat(Cli.real(info.get("leastTpr"))).isBetween(0.9, 1.0);
    assertThat(Cli.run("info", filter).out()).contains("at least", "put repeatedly");
    Cli.Result verified =
        Cli.run("verify", filter, "--absent", absent, "--present", keys, "--json").succeeded();
    assertThat(verified.json()).containsEntry("tpr", null).containsEntry("consistent", true);
    assertThat(Cli.real(verified.json().get("measuredTpr")))
        .isGreaterThan(Cli.real(info.get("leastTpr")) - 0.03);
  }

  @Test
  void verifyNotesKeysThatWerePutTwice(@TempDir Path folder) throws IOException {
    Path filter = folder.resolve("f");
    Path keys = folder.resolve("keys");
    Path absent = folder.resolve("absent");
    Files.writeString(keys, Cli.numbers(0, 200));
    Files.writeString(absent, Cli.numbers(1000, 2000));
    Cli.run("build", "--kind", "autoscale", "--bits", 10000, "--hashes", 20, "-o", filter, keys)
        .succeeded();
    assertThat(Cli.run("verify", filter, "--absent", absent, "--present", keys).err())
        .doesNotContain("put twice");
    Cli.run("add", filter, keys).succeeded();
    assertThat(Cli.run("verify", filter, "--absent", absent, "--present", keys).err())
        .contains("counted 400 keys and 200 were given");
  }
}
