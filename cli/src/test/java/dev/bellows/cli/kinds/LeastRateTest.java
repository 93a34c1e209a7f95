package dev.bellows.cli.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.cli.Cli;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No rate below keys / 2^64 is promised, whichever way a filter is built. */
class LeastRateTest {
  private static final Pattern ADVICE = Pattern.compile("an fpp of (\\S+) or more");

  @TempDir Path folder;

  private Cli.Result build(String fpp, String options) {
    List<Object> words = new ArrayList<>(List.of("build", "--fpp", fpp));
    Collections.addAll(words, (Object[]) options.split(" "));
    Collections.addAll(words, "--json", "-o", folder.resolve("f"));
    return Cli.with(Cli.numbers(0, 1000), words.toArray());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--kind bloom",
        "--kind bloom --keys 1000",
        "--kind bloom --layout classic",
        "--kind bloom --pattern 8x2",
        "--kind bloom --capacity 2304000",
        "--kind bloom --bits 2304000",
        "--kind bloom --bits 2304000 --hashes 16",
        "--kind counting",
        "--kind counting --layout classic",
        "--kind counting --keys 1000",
        "--kind elastic --keys 1000",
        "--kind elastic --capacity 2304000",
        "--kind scalable",
        "--kind scalable --keys 1000",
        "--kind scalable --layout classic"
      })
  void aRateBelowTheLeastIsRefusedWithAPossibleOne(String options) {
    for (String fpp : List.of("1e-17", "1e-20", "1e-300")) {
      String said =
          build(fpp, options).refused("cannot be reached: a key is one 64-bit hash").err();
      assertThat(folder.resolve("f")).doesNotExist();
      Matcher advice = ADVICE.matcher(said);
      assertThat(advice.find()).isTrue();
      Cli.Result again = build(advice.group(1), options);
      if (said.contains("1 key alone")) {
        // refused before the keys were counted; now they are known
        Matcher second = ADVICE.matcher(again.refused("use an fpp of").err());
        assertThat(second.find()).isTrue();
        again = build(second.group(1), options);
      }
      assertThat(again.succeeded().err()).doesNotContain("warning");
      assertThat(Files.exists(folder.resolve("f"))).isTrue();
      folder.resolve("f").toFile().delete();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e-16", "5.6e-17"})
  void aRateNearTheLeastIsKept(String fpp) {
    for (String options : List.of("--kind bloom", "--layout classic", "--kind counting")) {
      Cli.Result built = build(fpp, options).succeeded();
      assertThat(built.err()).doesNotContain("warning");
      assertThat(Cli.real(built.json().get("fpp"))).isLessThanOrEqualTo(Double.parseDouble(fpp));
    }
  }

  /** With a given shape, the number of keys is only known afterwards, and no larger size helps. */
  @Test
  void theWarningNearTheLeastRateAdvisesAHigherOne() {
    assertThat(build("6e-17", "--bits 512000 --keys 1000").err()).contains("fpp");
    Cli.Result tooSmall = build("6e-17", "--capacity 512000").succeeded();
    assertThat(tooSmall.err()).contains("warning", "give --fpp 1.1E-16 or more");
  }

  @Test
  void keysAreCalledCountedOnlyIfTheyWere() {
    String keys = Cli.numbers(0, 3000);
    Path file = folder.resolve("f");
    for (String options :
        List.of(
            "--kind scalable",
            "--kind partition --universe 2^20",
            "--kind partition --universe 2^20 --longs --mode published",
            "--keys 3000",
            "--kind elastic --keys 3000")) {
      List<Object> words = new ArrayList<>(List.of("build", "-o", file));
      Collections.addAll(words, (Object[]) options.split(" "));
      assertThat(Cli.with(keys, words.toArray()).succeeded().out())
          .as(options)
          .contains("distinct")
          .doesNotContain("distinct, counted");
    }
    assertThat(Cli.with(keys, "build", "-o", file).succeeded().out()).contains("distinct, counted");
    assertThat(Cli.with(keys, "build", "--kind", "scalable", "-o", file).succeeded().out())
        .contains("false positives are not counted");
    assertThat(
            Cli.with(
                    keys,
                    "build",
                    "--kind",
                    "partition",
                    "--universe",
                    "2^20",
                    "--longs",
                    "-o",
                    file)
                .succeeded()
                .out())
        .contains("distinct, counted");
  }

  @Test
  void aPartitionWithTooManyHashesNamesAPossibleRate() {
    Object[] call = {
      "build",
      "--kind",
      "partition",
      "--universe",
      "2^20",
      "--fpp",
      "1e-300",
      "-o",
      "-",
      "/dev/null"
    };
    Cli.run(call).refused("at most 256 hashes, not 997", "1e-77");
  }

  @Test
  void ratesThatIdsOfTextsCannotHaveAreRefused() {
    build("1e-77", "--kind partition --universe 2^40")
        .refused("cannot be reached", "1,099,511,627,776 ids", "1,000 of them alone give 9.1e-10");
    assertThat(folder.resolve("f")).doesNotExist();
    build("1e-6", "--kind partition --universe 2^40").succeeded();
    build("1e-17", "--kind fingerprint").refused("below 1.0E-15");
  }
}
