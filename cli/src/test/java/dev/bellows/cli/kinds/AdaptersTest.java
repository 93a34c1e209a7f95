package dev.bellows.cli.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.Filter;
import dev.bellows.autoscale.GradedMembership;
import dev.bellows.cli.Cli;
import dev.bellows.io.FilterKind;
import dev.bellows.io.Filters;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every kind of filter, through every verb that depends on the kind. */
class AdaptersTest {
  /** Kinds that are made smaller, but have no ladder of sizes. */
  private static final Set<FilterKind> CUT =
      EnumSet.of(FilterKind.FINGERPRINT, FilterKind.FROZEN, FilterKind.FROZEN_PART);

  private static final Map<FilterKind, List<String>> OWN_FIELDS =
      Map.ofEntries(
          Map.entry(FilterKind.BLOOM, List.of()),
          Map.entry(FilterKind.COUNTING, List.of("counterBits")),
          Map.entry(
              FilterKind.ELASTIC,
              List.of(
                  "fpp",
                  "capacity",
                  "counterBits",
                  "frozen",
                  "viewBits",
                  "inBand",
                  "bandShare",
                  "resizes",
                  "cellsRead",
                  "sent",
                  "state")),
          Map.entry(
              FilterKind.AUTOSCALING,
              List.of(
                  "keys",
                  "puts",
                  "theta",
                  "decision",
                  "counterBits",
                  "saturatedCounters",
                  "criterion",
                  "minTpr",
                  "tpr",
                  "leastTpr",
                  "fpr",
                  "accuracy")),
          Map.entry(
              FilterKind.BINARIZED, List.of("keys", "theta", "decision", "tpr", "fpr", "accuracy")),
          Map.entry(
              FilterKind.BINARIZED_COUNTING,
              List.of("keys", "theta", "decision", "tpr", "fpr", "accuracy")),
          Map.entry(
              FilterKind.PARTITION,
              List.of(
                  "universe",
                  "depth",
                  "unitKeys",
                  "unitBits",
                  "allocatedUnitBits",
                  "fpp",
                  "mode",
                  "keys",
                  "populatedUnits",
                  "innerNodes",
                  "leaves",
                  "averageFpp",
                  "fppBound")),
          Map.entry(
              FilterKind.PARTITION_VIEW,
              List.of(
                  "universe",
                  "depth",
                  "unitKeys",
                  "unitBits",
                  "allocatedUnitBits",
                  "fpp",
                  "keys",
                  "leaves",
                  "averageFpp",
                  "fppBound")),
          Map.entry(
              FilterKind.PARTITION_COMPACT,
              List.of(
                  "universe",
                  "depth",
                  "unitKeys",
                  "unitBits",
                  "allocatedUnitBits",
                  "fpp",
                  "keys",
                  "leaves",
                  "averageFpp",
                  "fppBound")),
          Map.entry(
              FilterKind.SCALABLE, List.of("keys", "fpp", "fppBound", "initialKeys", "levels")),
          Map.entry(
              FilterKind.RANGE, List.of("schema", "exactBits", "attributes", "texts", "open")),
          Map.entry(
              FilterKind.FOLDED,
              List.of("sizes", "informativeSizes", "jointFpp", "filterId", "state")),
          Map.entry(
              FilterKind.PARTS,
              List.of("sizes", "informativeSizes", "jointFpp", "filterId", "state", "version")),
          Map.entry(FilterKind.WINDOW, List.of("window", "fpp", "now", "late", "generations")),
          Map.entry(
              FilterKind.WINDOW_PREFIXES, List.of("window", "fpp", "now", "late", "generations")),
          Map.entry(
              FilterKind.FINGERPRINT,
              List.of(
                  "keys",
                  "fpp",
                  "removable",
                  "prefixes",
                  "shortestPrefix",
                  "longestPrefix",
                  "payloadBytes",
                  "bitsPerKey",
                  "wireBytes")),
          Map.entry(
              FilterKind.DELTA, List.of("sourceKind", "source", "from", "to", "epoch", "whole")),
          Map.entry(
              FilterKind.FROZEN,
              List.of("keys", "columns", "layers", "bitsPerKey", "hashBits", "sentFpp")),
          Map.entry(
              FilterKind.FROZEN_PART,
              List.of("keys", "fromColumns", "columns", "isWhole", "jointFpp", "state")));

  @TempDir Path folder;

  private Path file(FilterKind kind) throws IOException {
    Path file = folder.resolve(kind.word());
    Samples.of(kind).writeTo(file);
    return file;
  }

  private Path lines(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  @ParameterizedTest
  @EnumSource(FilterKind.class)
  void everyKindHasItsAdapter(FilterKind kind) {
    Filter filter = Samples.of(kind);
    KindAdapter<?> adapter = Adapters.of(filter);
    assertThat(adapter.filter.kind()).isEqualTo(kind);
    assertThat(adapter.filter).isSameAs(filter);
    assertThat(adapter.filter.hashScheme()).isEqualTo(filter.stats().hashScheme());
    assertThat(adapter.rates() == null).isEqualTo(!isGraded(kind));
  }

  @ParameterizedTest
  @EnumSource(FilterKind.class)
  void infoHasTheFieldsOfTheContract(FilterKind kind) throws IOException {
    Path file = file(kind);
    Map<String, Object> info = Cli.run("info", file, "--json").succeeded().json();
    assertThat(info)
        .containsKeys(
            "kind", "layout", "bits", "hashes", "scheme", "seed", "keyTag", "ones", "fill")
        .containsKeys("approximateKeys", "expectedFpp", "bytes", "ladder")
        .containsEntry("kind", kind.word())
        .containsEntry("seed", 0)
        .containsEntry("keyTag", null)
        .containsEntry("bytes", (int) Files.size(file));
    assertThat(info.keySet()).containsAll(OWN_FIELDS.get(kind));
    List<?> ladder = (List<?>) info.get("ladder");
    assertThat(ladder).isNotEmpty();
    assertThat(Ability.FOLD.isOf(kind) || kind == FilterKind.FROZEN || ladder.size() == 1).isTrue();
    assertThat((Map<?, ?>) ladder.get(ladder.size() - 1))
        .isEqualTo(Map.of("bits", info.get("bits"), "expectedFpp", info.get("expectedFpp")));
    assertThat(Cli.run("info", file).succeeded().out())
        .startsWith(Filters.readFrom(file, ReadOptions.UNLIMITED).explain());
  }

  @Test
  void rangeAttributesAreDescribed() throws IOException {
    Map<String, Object> info = Cli.run("info", file(FilterKind.RANGE), "--json").json();
    assertThat(info).containsEntry("open", true).containsEntry("texts", List.of());
    assertThat((List<?>) info.get("attributes"))
        .singleElement()
        .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
        .containsOnlyKeys(
            "name", "low", "high", "scale", "scheme", "hashes", "divide", "shift", "expectedFpp")
        .containsEntry("name", "age")
        .containsEntry("high", 120)
        .containsEntry("scheme", "plain");
  }

  @ParameterizedTest
  @EnumSource(
      value = FilterKind.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"RANGE", "DELTA"})
  void everyKindOfKeyIsQueriedAndVerified(FilterKind kind) throws IOException {
    Path file = file(kind);
    Path present = lines("present", Cli.numbers(0, Samples.KEYS));
    long found =
        Long.parseLong(
            Cli.with(Cli.numbers(0, Samples.KEYS), "query", "--count", file)
                .succeeded()
                .out()
                .strip());
    if (!isGraded(kind)) {
      assertThat(found).isEqualTo(Samples.KEYS);
    }
    assertThat(found).isGreaterThan(Samples.KEYS / 2);
    Map<String, Object> verdict =
        Cli.run(
                "verify",
                file,
                "--absent",
                lines("absent", Cli.numbers(1000, 21_000)),
                "--present",
                present,
                "--json")
            .succeeded()
            .json();
    assertThat(verdict)
        .containsKeys("absent", "falsePositives", "measuredFpp", "low", "high", "expectedFpp")
        .containsEntry("consistent", true)
        .containsEntry("missing", (int) (Samples.KEYS - found));
    assertThat(verdict.containsKey("tpr")).isEqualTo(isGraded(kind));
    assertThat(verdict.containsKey("measuredTpr")).isEqualTo(isGraded(kind));
  }

  @Test
  void deltasAreNeitherQueriedNorVerified() throws IOException {
    Path file = file(FilterKind.DELTA);
    Cli.run("query", file, "0").refused("delta", "bellows receive STORE DELTA");
    Cli.run("verify", file, "--absent", lines("absent", "3\n"))
        .refused("delta is of kind delta", "no single keys");
  }

  @Test
  void rangesAreNotVerified() throws IOException {
    Cli.run("verify", file(FilterKind.RANGE), "--absent", lines("absent", "age=3\n"))
        .refused("range is of kind range", "no single keys");
  }

  @ParameterizedTest
  @EnumSource(FilterKind.class)
  void unsupportedOperationsNameTheKindsThatSupportThem(FilterKind kind) throws IOException {
    Path file = file(kind);
    byte[] before = Files.readAllBytes(file);
    Path keys = lines("keys", kind == FilterKind.RANGE ? "name=Ada\n" : "5\n");
    Path out = folder.resolve("out");
    expect(kind, Ability.REMOVE, "cannot remove keys", Cli.run("remove", file, keys));
    expect(kind, Ability.PUT, "does not take keys", Cli.run("add", file, keys));
    Cli.Result fold = Cli.run("fold", file, "--factor", 1, "-o", out);
    if (CUT.contains(kind)) {
      fold.refused("no ladder of sizes: give --to-fpp");
    } else {
      expect(kind, Ability.FOLD, "does not fold", fold);
    }
    expect(kind, Ability.UNION, "cannot be merged", Cli.run("union", file, file, "-o", out));
    expect(
        kind,
        Ability.INTERSECT,
        "cannot be intersected",
        Cli.run("intersect", file, file, "-o", out));
    expect(kind, Ability.SUBTRACT, "cannot subtract", Cli.run("subtract", file, file, "-o", out));
    if (!Ability.PUT.isOf(kind)) {
      assertThat(file).hasBinaryContent(before);
    }
  }

  private static boolean isGraded(FilterKind kind) {
    return GradedMembership.class.isAssignableFrom(Filters.format(kind).type());
  }

  private static void expect(FilterKind kind, Ability ability, String words, Cli.Result result) {
    if (ability.isOf(kind)) {
      result.succeeded();
      return;
    }
    List<String> able =
        Arrays.stream(FilterKind.values())
            .filter(other -> ability.isOf(other))
            .map(FilterKind::word)
            .toList();
    result.refused("is of kind " + kind.word() + ", which " + words + ": kind");
    String named = result.err().replaceAll("(?s).*: kinds? (.*?) can[;\n].*", "$1");
    assertThat(List.of(named.split(", | and "))).isEqualTo(able);
  }

  @ParameterizedTest
  @EnumSource(FilterKind.class)
  void onlyKindsThatNeverMissKeysClaimCertainty(FilterKind kind) throws IOException {
    Path file = file(kind);
    Path keys = lines("keys", kind == FilterKind.RANGE ? "name=Ada\n" : "5\n1000\n");
    StringBuilder said = new StringBuilder();
    for (Cli.Result result :
        List.of(
            Cli.run("info", file),
            Cli.run("query", "--invert", file, "name=x"),
            Cli.run("verify", file, "--absent", lines("absent", Cli.numbers(2000, 3000))),
            Cli.run("verify", file, "--absent", folder.resolve("absent"), "--present", keys),
            Cli.run("add", file, keys),
            Cli.run("remove", file, keys))) {
      said.append(result.out()).append(result.err());
    }
    assertThat(said.toString()).doesNotContainPattern("(?i)surely|definitely");
    if (isGraded(kind)) {
      assertThat(said.toString()).doesNotContainPattern("(?i)certain");
    } else if (Ability.PUT.isOf(kind)) {
      // a removable fingerprint filter stores repeated keys again
      assertThat(said.toString())
          .contains(kind == FilterKind.FINGERPRINT ? "stored" : "certainly new");
    }
  }

  @Test
  void partitionFiltersAndTheirViewsMerge() throws IOException {
    Path out = folder.resolve("out");
    Path full = file(FilterKind.PARTITION);
    Path view = file(FilterKind.PARTITION_VIEW);
    for (Path[] pair : new Path[][] {{full, view}, {view, full}}) {
      assertThat(Cli.run("union", pair[0], pair[1], "-o", out, "--json").succeeded().json())
          .containsEntry("factors", List.of(1, 1));
      assertThat(Cli.run("info", out, "--json").json()).containsEntry("kind", "partition-view");
    }
    Cli.run("union", full, file(FilterKind.BLOOM), "-o", out)
        .refused("kind partition here and bloom there");
  }
}
