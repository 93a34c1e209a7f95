package dev.bellows.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.HashScheme;
import dev.bellows.cli.Cli;
import dev.bellows.frozen.FrozenFilter;
import dev.bellows.frozen.FrozenPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A frozen filter on the command line, from its keys to the receiver. */
class FrozenVerbsTest {
  private static final int KEYS = 3_000;

  @TempDir Path folder;
  private Path keys;
  private Path frozen;

  @BeforeEach
  void build() throws IOException {
    keys = Files.writeString(folder.resolve("keys"), Cli.numbers(0, KEYS) + Cli.numbers(0, 50));
    frozen = folder.resolve("keys.frozen");
    Cli.run("build", "--kind", "frozen", "--fpp", "0.1%", "-o", frozen, keys).succeeded();
  }

  private long found(Path filter) {
    return Long.parseLong(
        Cli.with(Cli.numbers(0, KEYS), "query", "--count", filter).succeeded().out().strip());
  }

  @Test
  void theFileIsTheFilterThatJavaBuilds() throws IOException {
    long[] hashes =
        IntStream.range(0, KEYS).mapToLong(i -> HashScheme.DEFAULT.hash("" + i)).toArray();
    FrozenFilter built =
        FrozenFilter.builder()
            .fpp(0.001)
            .hashScheme(FrozenFilter.readFrom(frozen).hashScheme())
            .build(hashes);
    assertThat(Files.readAllBytes(frozen)).isEqualTo(built.toBytes());
  }

  @Test
  void buildAndInfoHaveTheFieldsOfTheContract() {
    Map<String, Object> built =
        Cli.run(
                "build",
                "--kind",
                "frozen",
                "--fpp",
                "1%",
                "-o",
                folder.resolve("x"),
                keys,
                "--json")
            .succeeded()
            .json();
    assertThat(built)
        .containsKeys("file", "layout", "bits", "hashes", "bytes", "bitsPerKey", "columns")
        .containsEntry("kind", "frozen")
        .containsEntry("lines", KEYS + 50)
        .containsEntry("keys", KEYS);
    assertThat(Cli.real(built.get("fpp"))).isLessThanOrEqualTo(0.01);
    Map<String, Object> info = Cli.run("info", frozen, "--json").succeeded().json();
    assertThat((List<?>) info.get("ladder")).hasSize(10);
    assertThat(info).containsKeys("columns", "layers", "hashBits").containsEntry("sentFpp", null);
    assertThat(Cli.run("info", frozen).succeeded().out()).contains("Folds to any rate");
  }

  @Test
  void sizesThatFollowFromTheRateAreRefused() {
    Path out = folder.resolve("out");
    for (Object[] option :
        new Object[][] {
          {"--keys", 10},
          {"--bits", 1024},
          {"--hashes", 3},
          {"--capacity", 1024},
          {"--layout", "classic"}
        }) {
      Cli.run("build", "--kind", "frozen", option[0], option[1], "-o", out, keys)
          .refused(option[0] + "", "not valid with --kind frozen");
    }
    Cli.run("build", "--kind", "frozen", "--fpp", "1e-17", "-o", out, keys).refused("1.0E-17");
    assertThat(out).doesNotExist();
  }

  @Test
  void foldingOnDiskEqualsBuilding() throws IOException {
    Path folded = folder.resolve("folded");
    Path built = folder.resolve("built");
    Map<String, Object> report =
        Cli.run("fold", frozen, "--to-fpp", "3%", "-o", folded, "--json").succeeded().json();
    assertThat(report).containsKeys("bits", "factor", "expectedFpp", "bytes", "columns");
    Cli.run("build", "--kind", "frozen", "--fpp", "3%", "-o", built, keys).succeeded();
    assertThat(folded).hasSameBinaryContentAs(built);
    Cli.run("fold", frozen, "--to-size", "1KiB", "-o", folded).succeeded();
    assertThat(Files.size(folded)).isBetween(900L, 1024L);
    assertThat(found(folded)).isEqualTo(KEYS);
    Cli.run("fold", frozen, "--to-size", 50, "-o", folded).refused("50 bytes");
    Cli.run("fold", frozen, "--to-fpp", "1e-6", "-o", folded).refused("cannot be restored");
    Cli.run("fold", frozen, "--to-fpp", "0.8", "-o", folded).succeeded();
    Cli.run("fold", frozen, "--to-bits", 64, "-o", folded).refused("give --to-fpp or --to-size");
  }

  @Test
  void columnsAreSentAndReceivedOneAfterTheOther() throws IOException {
    Path store = folder.resolve("store");
    Path[] parts = new Path[3];
    for (int i = 0; i < 3; i++) {
      parts[i] = folder.resolve("part" + i);
    }
    Map<String, Object> first =
        Cli.run("ship", frozen, "--budget", 2000, "-o", parts[0], "--json").succeeded().json();
    assertThat(first).containsKeys("bits", "factor", "bytes", "expectedFpp", "jointFpp", "sent");
    assertThat(Files.size(parts[0])).isBetween(1900L, 2000L);
    Cli.run("ship", frozen, "--to-fpp", "1%", "-o", parts[1]).succeeded();
    Cli.run("ship", frozen, "--to-fpp", "2%", "-o", folder.resolve("x")).refused("nothing needs");
    Cli.run("ship", frozen, "--budget", 10, "-o", folder.resolve("x")).refused("--budget");
    Cli.run("ship", frozen, "-o", parts[2]).succeeded();
    Cli.run("ship", frozen, "-o", folder.resolve("x")).refused("nothing new is left");
    assertThat(folder.resolve("x")).doesNotExist();

    Cli.run("receive", store, parts[1]).refused("begins with the first part");
    Cli.run("receive", store, parts[0]).succeeded();
    assertThat(found(store)).isEqualTo(KEYS);
    Cli.run("receive", store, parts[2]).refused("receive the part between them first");
    Map<String, Object> all =
        Cli.run("receive", store, parts[1], parts[2], "--json").succeeded().json();
    assertThat(all).containsEntry("isWhole", true).containsKeys("jointFpp", "bytes", "foldings");
    assertThat(found(store)).isEqualTo(KEYS);
    Path whole = folder.resolve("whole");
    Cli.run("fold", store, "--to-fpp", "0.1%", "-o", whole).succeeded();
    assertThat(FrozenFilter.readFrom(whole)).isEqualTo(FrozenFilter.readFrom(frozen));
    Cli.run("query", parts[1], "1").refused("cannot be queried");
  }

  @Test
  void partsOfAnotherFilterAreRefusedUnlessTheStoreRestarts() throws IOException {
    Path other = folder.resolve("other.frozen");
    Path part = folder.resolve("part");
    Path otherPart = folder.resolve("other.part");
    Path store = folder.resolve("store");
    Cli.with(Cli.numbers(5, KEYS), "build", "--kind", "frozen", "-o", other).succeeded();
    Cli.run("ship", frozen, "-o", part).succeeded();
    Cli.run("ship", other, "-o", otherPart).succeeded();
    Cli.run("receive", store, part).succeeded();
    Cli.run("receive", store, otherPart).refused("different filters", "--restart");
    Cli.run("receive", "--restart", store, otherPart).succeeded();
    Path notes = Files.writeString(folder.resolve("notes"), "not a filter");
    Cli.run("receive", "--restart", notes, otherPart).refused("notes");
    assertThat(notes).hasContent("not a filter");
    Path bloom = folder.resolve("bloom");
    Cli.run("build", "-o", bloom, keys).succeeded();
    Cli.run("receive", bloom, part).refused("not a store of columns");
    Cli.run("receive", store, otherPart, bloom).refused("not a part of a frozen filter");
  }

  /** A part does not know the rate of the whole filter. */
  @Test
  void theWarningOfAFirstPartNamesNoTarget() {
    Path part = folder.resolve("part");
    Cli.run("ship", frozen, "--budget", "300", "-o", part).succeeded();
    assertThat(Cli.run("receive", folder.resolve("store"), part).succeeded().err())
        .contains("warning: ", "receive more parts")
        .doesNotContain("target");
  }

  @Test
  void prefixesAreFrozenAndBitsAreNot() throws IOException {
    Path growing = folder.resolve("growing");
    Path out = folder.resolve("out");
    Cli.run("build", "--kind", "fingerprint", "--fpp", "1e-5", "-o", growing, keys).succeeded();
    Map<String, Object> report =
        Cli.run("freeze", growing, "--fpp", "1%", "-o", out, "--json").succeeded().json();
    assertThat(report)
        .containsKeys("file", "kind", "layout", "bits", "hashes", "keys", "fpp", "bytes")
        .containsKeys("columns", "bitsPerKey");
    assertThat(found(out)).isEqualTo(KEYS);
    Cli.run("freeze", growing, "--fpp", "2e-6", "-o", out).refused("freeze it at ");
    Path bloom = folder.resolve("bloom");
    Cli.run("build", "-o", bloom, keys).succeeded();
    Cli.run("freeze", bloom, "-o", out).refused("kind bloom", "cannot be read", "fingerprint");
    Cli.run("freeze", frozen, "-o", out).refused("already frozen");
    Cli.run("union", frozen, frozen, "-o", out)
        .refused("cannot be merged", "merge filters of kind fingerprint, and freeze the result");
  }

  @Test
  void theMeasuredRateIsTheExpectedOne() throws IOException {
    Path absent = Files.writeString(folder.resolve("absent"), Cli.numbers(KEYS, 60_000));
    assertThat(
            Cli.run("verify", frozen, "--absent", absent, "--present", keys, "--json")
                .succeeded()
                .json())
        .containsEntry("missing", 0)
        .containsEntry("consistent", true);
  }

  @Test
  void thePlanIsThatOfTheLibrary() {
    Map<String, Object> plan =
        Cli.run("plan", "frozen", "--keys", "1M", "--fpp", "0.4%", "--json").succeeded().json();
    FrozenPlan expected = FrozenPlan.of(1_000_000, 0.004);
    assertThat(plan).containsEntry("keys", 1_000_000).containsEntry("fpp", 0.004);
    assertThat(Cli.integer(plan.get("bits"))).isEqualTo(expected.bits());
    assertThat(Cli.real(plan.get("bitsPerKey"))).isEqualTo(expected.bitsPerKey());
    assertThat(Cli.real(plan.get("columns"))).isEqualTo(expected.columns());
    assertThat(Cli.run("plan", "frozen", "--keys", "1M", "--fpp", "0.4%").succeeded().out())
        .contains("8.014", "the least possible: 7.966", "FrozenFilter.builder().fpp(0.004)");
    Cli.run("plan", "frozen", "--keys", "1M", "--fpp", "1e-18").refused("1.0E-18");
    assertThat(Cli.run("plan", "frozen", "--keys", "0", "--fpp", "1%").succeeded().out())
        .doesNotContain("NaN");
  }

  @Test
  void queriesNeedTheSecretKey() throws IOException {
    Path secret =
        Files.write(
            folder.resolve("secret"),
            new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
    Path keyed = folder.resolve("keyed");
    Cli.run("build", "--kind", "frozen", "--key-file", secret, "-o", keyed, keys).succeeded();
    Cli.run("query", keyed, "1").refused("--key-file");
    Cli.run("query", keyed, "1", "--key-file", secret).succeeded();
  }

  /** A filter without keys has no columns: its part alone makes a receiver reject every key. */
  @Test
  void aFilterWithoutKeysIsSentWithoutWarning() {
    Path empty = folder.resolve("empty.frozen");
    Path part = folder.resolve("part");
    Path store = folder.resolve("store");
    Cli.run("build", "--kind", "frozen", "-o", empty).succeeded();
    Cli.Result shipped = Cli.run("ship", empty, "-o", part, "--json").succeeded();
    assertThat(shipped.err()).isEmpty();
    assertThat(Cli.real(shipped.json().get("jointFpp"))).isZero();
    assertThat(Cli.real(shipped.json().get("expectedFpp"))).isZero();
    Map<String, Object> received = Cli.run("receive", store, part, "--json").succeeded().json();
    assertThat(Cli.real(received.get("jointFpp"))).isZero();
    assertThat(Cli.run("query", store, "a").code()).isEqualTo(1);
  }

  /** What is wrong is the part, and the store is not blamed. */
  @Test
  void aFilterIsNotAPart() throws IOException {
    Path part = folder.resolve("part");
    Path store = folder.resolve("store");
    Cli.run("ship", frozen, "-o", part).succeeded();
    Cli.run("receive", store, part).succeeded();
    byte[] before = Files.readAllBytes(store);
    Cli.run("receive", store, frozen).refused(frozen + " is of kind frozen and not a part");
    assertThat(store).hasBinaryContent(before);
  }
}
