package dev.bellows.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.cli.Cli;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people type because other tools have it. */
class HabitsTest {
  @TempDir Path folder;

  private Path path(String name) {
    return folder.resolve(name);
  }

  @Test
  void aQuietQueryHasAnExitCodeOnly() {
    Cli.with(Cli.numbers(0, 1000), "build", "--fpp", "1e-6", "-o", path("f")).succeeded();
    Cli.Result found = Cli.run("query", "-q", path("f"), "nothing", "7");
    assertThat(found.succeeded().out() + found.err()).isEmpty();
    Cli.Result missed = Cli.run("query", "-q", path("f"), "nothing");
    assertThat(missed.code()).isEqualTo(1);
    assertThat(missed.out() + missed.err()).isEmpty();
    assertThat(Cli.run("query", "-q", "-v", path("f"), "7").code()).isEqualTo(1);
    assertThat(Cli.with("nothing\nelse\n", "query", "-q", path("f")).code()).isEqualTo(1);
    Cli.run("query", "-q", "--count", path("f"), "7").refused("-q");
    Cli.run("query", "-q", "--json", path("f"), "7").refused("-q");
  }

  /** As grep does, it does not wait for the end of its input. */
  @Test
  void aQuietQueryStopsAtTheFirstHit() {
    Cli.with("a\n", "build", "-o", path("f")).succeeded();
    InputStream endless =
        new InputStream() {
          private final byte[] line = "a\n".getBytes(StandardCharsets.UTF_8);
          private int at;

          @Override
          public int read() {
            return line[at++ % 2];
          }
        };
    assertThat(Cli.with(endless, "query", "-q", path("f")).code()).isZero();
  }

  @Test
  void sizesAreBytes() throws IOException {
    assertThat(
            Cli.run("plan", "bloom", "--keys", "5M", "--size", "10MiB", "--json")
                .succeeded()
                .json())
        .containsEntry("bits", 8 * 10 * 1024 * 1024);
    Cli.with("a\n", "build", "--size", "10KiB", "-o", path("f")).succeeded();
    assertThat(BloomFilter.readFrom(path("f")).bits()).isEqualTo(8 * 10 * 1024);
    Cli.with("a\n", "build", "--size", "1000", "-o", path("f")).succeeded();
    assertThat(BloomFilter.readFrom(path("f")).bits()).as("whole blocks").isEqualTo(15 * 512);
    Cli.with("a\n", "build", "--size", "1000", "--layout", "classic", "-o", path("f")).succeeded();
    assertThat(BloomFilter.readFrom(path("f")).bits()).isEqualTo(8000);
    for (int bits : new int[] {4, 8, 32}) {
      Cli.with(
              "a\n",
              "build",
              "--kind",
              "counting",
              "--counter-bits",
              bits,
              "--size",
              "10KiB",
              "-o",
              path("f"))
          .succeeded();
      assertThat(Files.size(path("f"))).as("%d bits", bits).isBetween(10_240L, 10_240L + 300);
    }
    Cli.run("build", "--kind", "counting", "--size", 200, "-o", path("g"))
        .refused("too small", "256 bytes");
    Cli.run("build", "--bits", "10MiB", "-o", path("g")).refused("size in bytes", "use --size");
    Cli.run("plan", "bloom", "--bits", "1kB", "--fpp", "1%").refused("use --size");
    Cli.run("build", "--size", "10", "-o", path("g")).refused("too small", "64 bytes");
    Cli.run("build", "--size", "1KiB", "--bits", 512, "-o", path("g")).refused("--size excludes");
    Cli.run("plan", "bloom", "--size", 99, "--bits", 9, "--keys", 1).refused("--bits and --size");
  }

  @Test
  void aPlanShowsWhatBuildWouldBuild() throws IOException {
    Map<String, Object> plan =
        Cli.run("plan", "bloom", "--keys", "2000", "--fpp", "1%", "--json").succeeded().json();
    assertThat(plan).containsEntry("layout", "classic").containsEntry("buildLayout", "blocked");
    Cli.with("", "build", "--keys", 2000, "--fpp", "1%", "-o", path("f")).succeeded();
    assertThat(Cli.integer(plan.get("buildBits")))
        .isEqualTo(BloomFilter.readFrom(path("f")).bits());
  }

  @Test
  void aFilterForNoKeysIsRefused() {
    Cli.with("a\n", "build", "--keys", 0, "-o", path("f")).refused("--keys 0", "leave it out");
    assertThat(path("f")).doesNotExist();
  }

  @Test
  void oneLineOfEveryRepeatedGroup() {
    String lines = "a\nb\na\nc\na\nb\nb\nd\n";
    assertThat(Cli.with(lines, "uniq", "--first-repeated", "--quiet").succeeded().out())
        .isEqualTo("a\nb\n");
    assertThat(Cli.with(lines, "uniq", "--repeated", "--quiet").succeeded().out())
        .isEqualTo("a\na\nb\nb\n");
    Cli.with(lines, "uniq", "--repeated", "--first-repeated").refused("use only one of them");
  }

  @Test
  void groupsAreRememberedInASecondFile() {
    Object[] call = {"uniq", "--first-repeated", "--quiet", "--state", path("s")};
    assertThat(Cli.with("a\nb\na\n", call).succeeded().out()).isEqualTo("a\n");
    assertThat(Path.of(path("s") + ".repeated")).exists();
    assertThat(Cli.with("a\nb\nc\n", call).succeeded().out()).isEqualTo("b\n");
    assertThat(Cli.with("a\nb\nc\n", call).succeeded().out()).isEqualTo("c\n");
    Cli.with("a\n", "uniq", "--quiet", "--state", path("t")).succeeded();
    Cli.with("a\n", "uniq", "--first-repeated", "--state", path("t"))
        .refused("without --first-repeated", "another state");
  }

  @Test
  void anOldNameOfAnOptionStillWorks() throws IOException {
    Path schema = path("schema.json");
    Cli.run(
            "plan",
            "range",
            "--bits",
            512,
            "--hashes",
            8,
            "--strings",
            1,
            "--attribute",
            "age:100:10",
            "-o",
            schema)
        .succeeded();
    for (String option : new String[] {"--schema", "--scheme-file"}) {
      Cli.with("age=1..10\n", "build", "--kind", "range", option, schema, "-o", path(option))
          .succeeded();
    }
    assertThat(Files.readAllBytes(path("--schema")))
        .isEqualTo(Files.readAllBytes(path("--scheme-file")));
    assertThat(Cli.run("help", "build").out()).contains("--schema").doesNotContain("--scheme-file");
  }

  @Test
  void misspelledOptionsAreNamedBeforeWhatIsMissing() {
    Cli.run("build", "--kys", 5).refused("Unknown option: '--kys'; did you mean --keys?");
    Cli.run("fold", path("f"), "--to-fp=1%").refused("'--to-fp'", "--to-fpp");
    Cli.run("build", "--nonsense-entirely", "-o", path("f")).refused("Unknown option");
    assertThat(Cli.run("xyz").err()).doesNotContain("did you mean");
  }

  /** A size that the kind does not have is refused by the name of the option that was given. */
  @ParameterizedTest
  @ValueSource(strings = {"elastic", "partition", "scalable", "fingerprint", "frozen", "window"})
  void sizesOfOtherKindsAreRefused(String kind) {
    Cli.with("a\n", "build", "--kind", kind, "--size", "1KiB", "-o", path("f"))
        .refused("--size is not valid with --kind " + kind);
    assertThat(path("f")).doesNotExist();
  }
}
