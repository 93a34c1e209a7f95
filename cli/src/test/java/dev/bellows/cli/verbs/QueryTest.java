package dev.bellows.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.cli.Cli;
import dev.bellows.cli.Main;
import dev.bellows.cli.console.Console;
import dev.bellows.cli.console.StandardOutput;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueryTest {
  @TempDir Path folder;
  private Path filter;

  @BeforeEach
  void build() {
    filter = folder.resolve("f");
    Cli.with("ann\nbob\n", "build", "--fpp", "1e-9", "-o", filter).succeeded();
  }

  @Test
  void matchComparesPlainFiltersToo() throws IOException {
    Path few = folder.resolve("few");
    Path all = folder.resolve("all");
    Path other = folder.resolve("other");
    Cli.with(Cli.numbers(0, 100), "build", "--capacity", 102_400, "-o", few).succeeded();
    Cli.with(Cli.numbers(0, 5000), "build", "--capacity", 51_200, "-o", all).succeeded();
    Cli.with(Cli.numbers(90, 200), "build", "--capacity", 102_400, "-o", other).succeeded();
    Map<String, Object> found = Cli.run("match", few, all, "--json").succeeded().json();
    assertThat(found).containsEntry("subset", true).containsKeys("a", "b", "chance");
    assertThat(Cli.real(found.get("chance"))).isLessThan(1e-30);
    assertThat(Cli.run("match", other, few).code()).isEqualTo(1);
    Path classic = folder.resolve("classic");
    Cli.with(Cli.numbers(0, 9), "build", "--layout", "classic", "-o", classic).succeeded();
    Cli.run("match", few, classic).refused("cannot be matched", "layout");
    Path growing = folder.resolve("growing");
    Cli.with(Cli.numbers(0, 9), "build", "--kind", "scalable", "-o", growing).succeeded();
    Cli.run("match", growing, few).refused("kind range, or two of kind bloom");
  }

  @Test
  void printsPossibleMembers() {
    assertThat(Cli.run("query", filter, "ann", "cid").succeeded().out()).isEqualTo("ann\n");
    assertThat(Cli.with("cid\nbob\r\nann", "query", filter).succeeded().out())
        .isEqualTo("bob\nann\n");
  }

  @Test
  void exitCodesAreThoseOfGrep() {
    assertThat(Cli.run("query", filter, "cid")).extracting("code", "err").containsExactly(1, "");
    assertThat(Cli.run("query", filter).code()).isEqualTo(1);
    assertThat(Cli.run("query", "--invert", filter, "ann").code()).isEqualTo(1);
    assertThat(Cli.run("query", "--count", filter, "cid"))
        .returns(1, Cli.Result::code)
        .returns("0\n", Cli.Result::out);
  }

  @Test
  void invertPrintsAbsentKeys() {
    assertThat(Cli.run("query", "--invert", filter, "ann", "cid").succeeded().out())
        .isEqualTo("cid\n");
  }

  @Test
  void countPrintsTheNumberOnly() {
    assertThat(Cli.run("query", "--count", filter, "ann", "bob", "cid").out()).isEqualTo("2\n");
    assertThat(Cli.run("query", "--count", "--invert", filter, "ann", "cid").out())
        .isEqualTo("1\n");
  }

  @Test
  void keysMayLookLikeOptions() throws IOException {
    Cli.with("--json\n", "add", filter).succeeded();
    assertThat(Cli.run("query", filter, "--", "--json").out()).isEqualTo("--json\n");
    Cli.run("query", filter, "--jsn").refused("--jsn");
    Path list = Files.writeString(folder.resolve("list"), "ann");
    assertThat(Cli.run("query", "--invert", filter, "@" + list).out()).isEqualTo("@" + list + "\n");
  }

  @Test
  void json() {
    assertThat(Cli.run("query", filter, "--json", "ann", "cid").succeeded().json())
        .containsEntry("asked", 2)
        .containsEntry("found", 1)
        .containsEntry("keys", List.of("ann"));
    assertThat(Cli.run("query", filter, "--json", "--count", "cid").json())
        .containsEntry("found", 0)
        .doesNotContainKey("keys");
  }

  @Test
  void theFilterMayComeThroughAPipe() throws IOException {
    byte[] bytes = Files.readAllBytes(filter);
    assertThat(Cli.with(new ByteArrayInputStream(bytes), "query", "-", "ann").out())
        .isEqualTo("ann\n");
    Cli.with(new ByteArrayInputStream(bytes), "query", "-").refused("not both");
  }

  @Test
  void refusals() throws IOException {
    Cli.run("query").refused("FILE");
    Cli.run("query", folder.resolve("none"), "a")
        .refused("no such file: " + folder.resolve("none"));
    Cli.run("query", folder, "a").refused("is a directory");
    Cli.run("query", filter, "--longs", "x").refused("are text", "--longs");
    Cli.run("query", filter, "--field", 1, "x").refused("--field");
    Path longs = folder.resolve("longs");
    Cli.with("1\n2\n", "build", "--longs", "-o", longs).succeeded();
    assertThat(
            Cli.run("query", longs, "abc")
                .refused("'abc' is not a decimal long", "file says")
                .err())
        .doesNotContain("any text is a key");
    Path text = Files.writeString(folder.resolve("text"), "hello");
    Cli.run("query", text, "a").refused(text.toString(), "not a readable filter", "at byte 0");
    byte[] bytes = Files.readAllBytes(filter);
    bytes[bytes.length / 2] ^= 1;
    Path flipped = Files.write(folder.resolve("flipped"), bytes);
    Cli.run("query", flipped, "ann").refused(flipped.toString(), "not a readable filter");
    Path empty = Files.write(folder.resolve("empty"), new byte[0]);
    Cli.run("query", empty, "ann").refused(empty.toString(), "not a readable filter");
  }

  @Test
  void aClosedPipeIsNotAnError() {
    Console closed =
        new Console(
            new ByteArrayInputStream("ann\n".repeat(100_000).getBytes(StandardCharsets.UTF_8)),
            new StandardOutput(
                new OutputStream() {
                  @Override
                  public void write(int b) throws IOException {
                    throw new IOException("Broken pipe");
                  }
                }),
            new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8) {
              @Override
              public void println(String line) {
                throw new AssertionError(line);
              }
            },
            false,
            false,
            false);
    assertThat(Main.run(closed, "query", filter.toString())).isZero();
    assertThat(Main.run(closed, "info", filter.toString())).isZero();
    assertThat(Main.run(closed, "--help")).isZero();
  }

  @Test
  void aFullDiskIsAnError() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Console full =
        new Console(
            new ByteArrayInputStream(new byte[0]),
            new StandardOutput(
                new OutputStream() {
                  @Override
                  public void write(int b) throws IOException {
                    throw new IOException("No space left on device");
                  }
                }),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            false,
            false);
    assertThat(Main.run(full, "info", filter.toString())).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo("bellows: standard output: No space left on device\n");
  }

  @Test
  void longsAndTextsAreNotMerged() {
    Path longs = folder.resolve("longs");
    Path texts = folder.resolve("texts");
    Path both = folder.resolve("both");
    Cli.with("5\n", "build", "--longs", "--bits", 5120, "--hashes", 6, "-o", longs).succeeded();
    Cli.with("a\n", "build", "--bits", 5120, "--hashes", 6, "-o", texts).succeeded();
    Cli.run("union", longs, texts, "-o", both).refused("keys are longs here and text there");
    assertThat(both).doesNotExist();
  }
}
