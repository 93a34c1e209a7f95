package dev.bellows.cli.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.cli.Cli;
import dev.bellows.partition.PartitionPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The filters that grow, from the command line. */
class GrowthTest {
  @TempDir Path folder;

  private Path ids(String name, LongStream ids) throws IOException {
    return Files.writeString(
        folder.resolve(name), ids.mapToObj(id -> id + "\n").collect(Collectors.joining()));
  }

  private Path words(String name, int from, int to) throws IOException {
    return Files.writeString(
        folder.resolve(name),
        IntStream.range(from, to).mapToObj(i -> "word " + i + "\n").collect(Collectors.joining()));
  }

  private Path partition(String name, LongStream ids, Object... options) throws IOException {
    Path file = folder.resolve(name);
    Object[] fixed = {
      "build", "--kind", "partition", "--universe", "2^20", "--depth", 14, "--longs", "-o", file
    };
    Object[] all = new Object[fixed.length + options.length + 1];
    System.arraycopy(fixed, 0, all, 0, fixed.length);
    System.arraycopy(options, 0, all, fixed.length, options.length);
    all[all.length - 1] = ids(name + ".txt", ids);
    Cli.run(all).succeeded();
    return file;
  }

  @Test
  void plansTheFiltersThatGrow() {
    Object[] asked = {"plan", "grow", "--keys", "5000", "--fpp", "1%", "--horizon", "1M"};
    assertThat(Cli.run(asked).succeeded().out())
        .contains("5,000 keys", "scalable", "3 levels", "fingerprint", "1 bucket", "1 of 8 leaves");
    Map<String, Object> plan =
        Cli.run("plan", "grow", "--keys", "5000", "--fpp", "1%", "--horizon", "1M", "--json")
            .succeeded()
            .json();
    assertThat((Map<?, ?>) plan.get("scalable")).hasSize(7).extracting("levels").isEqualTo(3);
    assertThat((Map<?, ?>) plan.get("partition")).extracting("depth").isEqualTo(20);
    assertThat(Cli.run("plan", "grow", "--keys", "9G", "--fpp", "1%", "--json").succeeded().json())
        .containsEntry("partition", null);
    Cli.run("plan", "grow", "--keys", "2e12", "--fpp", "1%").refused("1000000000000");
  }

  @Test
  void plansTheUnitsOfAPartition() {
    Map<String, Object> plan =
        Cli.run(
                "plan",
                "partition",
                "--universe",
                "2^30",
                "--depth",
                20,
                "--fpp",
                "1e-4",
                "--hashes",
                13,
                "--json")
            .succeeded()
            .json();
    PartitionPlan expected = PartitionPlan.of(1 << 30, 20, 1e-4, 13);
    assertThat(Cli.integer(plan.get("unitKeys"))).isEqualTo(1024);
    assertThat(Cli.integer(plan.get("unitBits"))).isEqualTo(expected.unitBits());
    assertThat(Cli.integer(plan.get("allocatedUnitBits"))).isEqualTo(expected.allocatedUnitBits());
    assertThat(Cli.integer(plan.get("leaves"))).isEqualTo(1 << 20);
    assertThat(Cli.run("plan", "partition", "--universe", "1G", "--fpp", "1%").succeeded().out())
        .contains("keys of a unit", "Eq. 1", "DynamicPartitionBloomFilter.builder()");
    Cli.run("plan", "partition", "--universe", "2^63", "--fpp", "1%", "--json").succeeded();
    Cli.run("plan", "partition", "--universe", "2^64", "--fpp", "1%").refused("2^63");
    Cli.run("plan", "partition", "--universe", 8, "--depth", 4, "--fpp", "1%").refused("depth 4");
  }

  @Test
  void aPartitionFilterSupportsEveryVerb() throws IOException {
    Path filter = partition("odd", LongStream.range(0, 3000).map(i -> 2 * i + 1));
    assertThat(Cli.run("query", "--longs", filter, 1, 2, 5999, 6001, 99_999_999_999L).lines())
        .contains("1", "5999")
        .doesNotContain("99999999999");
    Path more = ids("more", LongStream.of(10, 12, 14));
    assertThat(Cli.run("add", "--longs", "--json", filter, more).succeeded().json())
        .containsEntry("new", 3);
    assertThat(Cli.run("remove", "--longs", "--json", filter, more).succeeded().json())
        .containsEntry("removed", 3);
    Map<String, Object> info = Cli.run("info", "--json", filter).succeeded().json();
    assertThat(info)
        .containsEntry("kind", "partition")
        .containsEntry("keys", 3000)
        .containsEntry("depth", 14)
        .containsEntry("unitKeys", 64)
        .containsEntry("mode", "exact")
        .containsKeys("leaves", "innerNodes", "averageFpp", "fppBound", "populatedUnits");
    assertThat(Cli.run("info", filter).succeeded().out()).contains("units of at most 64 keys");
    Path absent = ids("absent", LongStream.range(0, 20_000).map(i -> 2 * i));
    Path present = folder.resolve("odd.txt");
    Map<String, Object> verdict =
        Cli.run("verify", "--longs", "--json", filter, "--absent", absent, "--present", present)
            .succeeded()
            .json();
    assertThat(verdict).containsEntry("consistent", true).containsEntry("missing", 0);
    assertThat(verdict).containsEntry("absent", 20_000);
    Cli.with("1048576\n", "add", "--longs", filter)
        .refused("standard input:1", "outside the universe");
  }

  @Test
  void anEmptyPartitionFilterHasNoInnerNodes() throws IOException {
    Path filter = partition("empty", LongStream.empty());
    assertThat(Cli.run("info", "--json", filter).succeeded().json())
        .containsEntry("keys", 0)
        .containsEntry("leaves", 0)
        .containsEntry("innerNodes", 0);
  }

  @Test
  void viewsAnswerAndMerge() throws IOException {
    Path full = partition("a", LongStream.range(0, 2000));
    Path other = partition("b", LongStream.range(1000, 5000), "--view");
    assertThat(Cli.run("info", "--json", other).json())
        .containsEntry("kind", "partition-view")
        .containsEntry("keys", 4000);
    Path union = folder.resolve("union");
    Path both = folder.resolve("both");
    Cli.run("union", full, other, "-o", union, "--max-fpp", "1%")
        .refused("--max-fpp", "--merges 1");
    Cli.run("union", full, other, "-o", union, "--json").succeeded();
    Cli.run("intersect", full, other, "-o", both, "--json").succeeded();
    Path some = ids("some", LongStream.range(0, 5000));
    assertThat(Cli.with(Files.readString(some), "query", "--longs", "--count", union).out())
        .isEqualTo("5000\n");
    assertThat(
            Cli.with(
                    Files.readString(ids("common", LongStream.range(1000, 2000))),
                    "query",
                    "--longs",
                    "--count",
                    both)
                .out())
        .isEqualTo("1000\n");
    Path absent = ids("absent", LongStream.range(2000, 40_000));
    Cli.run("verify", "--longs", both, "--absent", absent).succeeded();
    Cli.run("add", "--longs", other, some).refused("partition-view", "does not take keys");
    Path exact = folder.resolve("exact");
    Cli.run("union", full, partition("c", LongStream.range(9000, 9100)), "-o", exact).succeeded();
    assertThat(Cli.run("info", "--json", exact).json()).containsEntry("keys", 2100);
    Cli.run("union", full, partition("d", LongStream.of(1), "--mode", "published"), "-o", exact)
        .refused("EXACT_LEAVES here and PUBLISHED there");
  }

  @Test
  void viewsThatWereBuiltForUnionsKeepTheRate() throws IOException {
    for (String mode : List.of("exact", "published")) {
      List<Object> command = new ArrayList<>(List.of("union", "--json", "-o"));
      Path union = folder.resolve("union-" + mode);
      command.add(union);
      for (int i = 0; i < 4; i++) {
        int first = 700 * i;
        command.add(
            partition(
                mode + i,
                LongStream.range(first, first + 1000).map(id -> 5 * id),
                "--mode",
                mode,
                "--view",
                "--merges",
                3));
      }
      Cli.Result merged = Cli.run(command.toArray());
      assertThat(merged.err()).doesNotContain("warning");
      assertThat(Cli.real(merged.json().get("expectedFpp"))).isLessThanOrEqualTo(0.01);
      Path present = ids("present", LongStream.range(0, 3100).map(id -> 5 * id));
      Path absent = ids("absent", LongStream.range(0, 15_000).map(id -> 5 * id / 4 + 1));
      Cli.run("verify", union, "--longs", "--absent", absent, "--present", present).succeeded();
      assertThat(Cli.run("info", union).succeeded().out())
          .containsPattern("keys +at most 3,|keys +at most 4,0");
    }
    Path plain = partition("plain", LongStream.range(0, 1000), "--view");
    Cli.run("union", folder.resolve("exact0"), plain, "-o", folder.resolve("no"))
        .refused("same --merges");
    Cli.run("build", "--kind", "partition", "--universe", 99, "--merges", 3, "-o", plain)
        .refused("--merges 3", "--view");
  }

  @Test
  void aPublishedUnionStatesItsKeysAsABoundAndDoesNotWarnBelowItsRate() throws IOException {
    Path one = partition("one", LongStream.range(0, 9000).map(i -> 3 * i), "--mode", "published");
    Path other =
        partition("other", LongStream.range(0, 9000).map(i -> 2 * i), "--mode", "published");
    Cli.Result union = Cli.run("union", one, other, "-o", folder.resolve("both")).succeeded();
    assertThat(union.err()).isEmpty();
    assertThat(union.out()).containsPattern("keys, estimated +at most ");
    assertThat(Cli.run("info", folder.resolve("both")).out()).containsPattern("keys +at most ");
  }

  @Test
  void publishedFiltersCannotRemove() throws IOException {
    Path filter = partition("p", LongStream.range(0, 500), "--mode", "published");
    assertThat(Cli.run("info", "--json", filter).json()).containsEntry("mode", "published");
    Cli.with("3\n", "remove", "--longs", filter).refused("cannot remove");
  }

  @Test
  void anyKeyGetsAnId() throws IOException {
    Path filter = folder.resolve("words");
    Path words = words("words.txt", 0, 5000);
    Cli.run("build", "--kind", "partition", "--universe", "2^40", "-o", filter, words).succeeded();
    assertThat(Cli.with(Files.readString(words), "query", "--count", filter).out())
        .isEqualTo("5000\n");
    Cli.run("verify", filter, "--absent", words("others", 5000, 60_000), "--present", words)
        .succeeded();
  }

  @Test
  void aScalableFilterGrowsOnAfterEveryReload() throws IOException {
    Path filter = folder.resolve("growing");
    Path first = words("first", 0, 100);
    Map<String, Object> built =
        Cli.run(
                "build",
                "--kind",
                "scalable",
                "--keys",
                100,
                "--fpp",
                "1%",
                "-o",
                filter,
                "--json",
                first)
            .succeeded()
            .json();
    assertThat(built).containsEntry("kind", "scalable").containsEntry("keys", 100);
    for (int i = 1; i <= 5; i++) {
      Cli.run("add", filter, words("next", 100 * i * i, 100 * (i + 1) * (i + 1))).succeeded();
    }
    Map<String, Object> info = Cli.run("info", "--json", filter).succeeded().json();
    assertThat(Cli.real(info.get("fppBound"))).isBetween(0.0099999, 0.0100001);
    assertThat((List<?>) info.get("levels")).hasSizeGreaterThan(4);
    assertThat(Cli.run("info", filter).out()).contains("level 0", "grows by levels");
    Path all = words("all", 0, 3600);
    Cli.run("verify", filter, "--absent", words("absent", 3600, 60_000), "--present", all)
        .succeeded();
    Path merged = folder.resolve("merged");
    Cli.run("union", filter, filter, "-o", merged).succeeded();
    Cli.run("intersect", filter, merged, "-o", merged).succeeded();
    Cli.run("verify", merged, "--absent", words("absent", 3600, 60_000), "--present", all)
        .succeeded();
    Cli.run("union", filter, filter, "--max-fpp", "1e-9", "-o", merged).refused("--max-fpp");
  }

  @Test
  void optionsOfOtherKindsAreRefused() throws IOException {
    Path words = words("w", 0, 5);
    Path out = folder.resolve("out");
    Cli.run("build", "--kind", "partition", "-o", out, words).refused("--universe");
    Cli.run("build", "--universe", 100, "-o", out, words).refused("--universe", "--kind partition");
    Cli.run("build", "--kind", "scalable", "--view", "-o", out, words).refused("--view");
    Cli.run("build", "--kind", "scalable", "--bits", 512, "-o", out, words).refused("--bits");
    Cli.run("build", "--kind", "partition", "--universe", 100, "--keys", 5, "-o", out, words)
        .refused("--keys");
    Cli.run("build", "--kind", "partition", "--universe", 100, "--mode", "x", "-o", out, words)
        .refused("exact", "published");
    assertThat(out).doesNotExist();
  }
}
