package dev.bellows.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.cli.Cli;
import dev.bellows.internal.math.BinomialInterval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerifyTest {
  @TempDir Path folder;
  private Path present;
  private Path filter;

  @BeforeEach
  void build() throws IOException {
    present = file("present", Cli.numbers(0, 5000));
    filter = folder.resolve("f");
    Cli.run("build", "-o", filter, present).succeeded();
  }

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  @Test
  void aGoodFilterPasses() throws IOException {
    Path absent = file("absent", Cli.numbers(5000, 55_000));
    Map<String, Object> result =
        Cli.run("verify", filter, "--absent", absent, "--present", present, "--json")
            .succeeded()
            .json();
    BloomFilter asked = BloomFilter.readFrom(filter);
    long hits = 0;
    for (int i = 5000; i < 55_000; i++) {
      hits += asked.mightContain(Integer.toString(i)) ? 1 : 0;
    }
    BinomialInterval interval = BinomialInterval.of(hits, 50_000, 1e-9);
    assertThat(result)
        .containsEntry("absent", 50_000)
        .containsEntry("falsePositives", (int) hits)
        .containsEntry("measuredFpp", hits / 50_000.0)
        .containsEntry("low", interval.low())
        .containsEntry("high", interval.high())
        .containsEntry("expectedFpp", asked.expectedFpp())
        .containsEntry("consistent", true)
        .containsEntry("missing", 0);
    assertThat(Cli.run("verify", filter, "--absent", absent).succeeded().out())
        .contains("Consistent", "Clopper-Pearson");
  }

  @Test
  void repeatedAndPresentKeysDoNotCount() throws IOException {
    Path absent = file("absent", Cli.numbers(4000, 8000) + Cli.numbers(6000, 9000));
    assertThat(
            Cli.run("verify", filter, "--absent", absent, "--present", present, "--json")
                .succeeded()
                .json())
        .containsEntry("absent", 4000)
        .containsEntry("consistent", true);
  }

  @Test
  void missingKeysFail() throws IOException {
    Path absent = file("absent", Cli.numbers(20_000, 30_000));
    Path claimed = file("claimed", Cli.numbers(4900, 6000));
    Cli.Result result =
        Cli.run("verify", filter, "--absent", absent, "--present", claimed, "--json");
    assertThat(result.code()).isEqualTo(1);
    assertThat(Cli.integer(result.json().get("missing"))).isBetween(900L, 1000L);
    Cli.Result text = Cli.run("verify", filter, "--absent", absent, "--present", claimed);
    assertThat(text.code()).isEqualTo(1);
    assertThat(text.out()).contains("NOT a filter of the present keys");
  }

  @Test
  void anInconsistentRateFails() throws IOException {
    Path notAbsent = file("absent", Cli.numbers(4000, 6000));
    Cli.Result result = Cli.run("verify", filter, "--absent", notAbsent, "--json");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.json()).containsEntry("consistent", false).containsEntry("missing", 0);
    assertThat(Cli.run("verify", filter, "--absent", notAbsent).out()).contains("NOT consistent");
  }

  @Test
  void keysComeInAllForms() throws IOException {
    Path longs = folder.resolve("longs");
    Cli.run("build", "--longs", "-o", longs, present).succeeded();
    Path absent = file("absent", Cli.numbers(5000, 9000));
    Cli.run("verify", longs, "--longs", "--absent", absent, "--present", present).succeeded();
    Cli.with(Cli.numbers(5000, 9000), "verify", longs, "--longs", "--absent", "-").succeeded();
  }

  @Test
  void refusals() throws IOException {
    Cli.run("verify", filter).refused("--absent");
    Cli.run("verify", filter, "--absent", folder.resolve("none")).refused("no such file");
    Cli.run("verify", filter, "--absent", file("empty", "")).refused("no absent key is left");
    Cli.run("verify", filter, "--absent", present, "--present", present)
        .refused("no absent key is left");
    Cli.run("verify", filter, "--absent", "-", "--present", "-").refused("only one");
  }
}
