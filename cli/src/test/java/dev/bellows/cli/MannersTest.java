package dev.bellows.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conventions that hold for all verbs. */
class MannersTest {
  @TempDir Path folder;

  @Test
  void version() {
    assertThat(Cli.run("--version").succeeded().out()).matches("bellows \\d+\\.\\d+\\.\\d+\\S*\n");
    assertThat(Cli.run("build", "--version").succeeded().out()).startsWith("bellows ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plan",
        "plan bloom",
        "plan range",
        "plan transmission",
        "build",
        "add",
        "query",
        "uniq",
        "info",
        "union",
        "intersect",
        "subtract",
        "ship",
        "receive",
        "verify",
        "match",
        "binarize",
        "convert",
        "redis",
        "completion"
      })
  void everyVerbHasHelpWithAnExample(String verb) {
    Object[] words = (verb + " --help").split(" ");
    assertThat(Cli.run(words).succeeded().out())
        .startsWith("Usage: bellows " + verb)
        .contains("Example:\n  ")
        .contains("bellows " + verb.split(" ")[0]);
    assertThat(Cli.run("--help").succeeded().out())
        .contains("\n  " + verb.split(" ")[0] + " ")
        .contains("bellows " + verb.split(" ")[0]);
  }

  @Test
  void unexpectedArgumentsAreNamed() {
    Cli.run("quary", "f").refused("unknown verb 'quary'; did you mean query");
    Cli.run("plan", "blom", "--keys", 9).refused("unknown verb 'blom'; did you mean bloom");
    Cli.run("info", "f", "g").refused("unexpected argument 'g' (see: bellows info --help)");
    Cli.run("parquet", "fold", "f", "-o", "g").refused("bellows: Missing required argument");
    Cli.run("query", "f", "--fild", 2).refused("Unknown option: '--fild'; did you mean --field");
  }

  @ParameterizedTest
  @ValueSource(strings = {"papers", "bench"})
  void longCommandsCheckTheirOutputDirectoryFirst(String verb) throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "kept");
    for (Path out : new Path[] {file, file.resolve("below")}) {
      Cli.Result refused = Cli.run(verb, "--out", out);
      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.err())
          .isEqualTo("bellows: " + file + " is not a folder: --out needs one\n");
    }
    assertThat(file).hasContent("kept");
  }

  @Test
  void helpIsPlainWithoutATerminal() {
    assertThat(Cli.run("--help").out()).doesNotContain("\u001b");
  }

  @Test
  void completionIsAScriptThatBashReads() throws Exception {
    String script = Cli.run("completion").succeeded().out();
    assertThat(script).contains("verify", "--absent", "bloom", "classic");
    Path file = Files.writeString(folder.resolve("script"), script);
    Process bash = new ProcessBuilder("bash", "-n", file.toString()).inheritIO().start();
    assertThat(bash.waitFor()).isZero();
  }

  @Test
  void usageErrorsAreOneLineWithAHint() {
    Cli.run().refused("verb", "plan, build, add", "bellows --help");
    Cli.run("bild").refused("bild", "build", "bellows --help");
    Cli.run("plan").refused("bloom", "bellows plan --help");
    Cli.run("plan", "blom").refused("blom", "bloom");
    Cli.run("build", "-o", "f", "--kys", "1").refused("--kys", "bellows build --help");
    Cli.run("build", "--keys").refused("--keys");
  }

  @Test
  void stackTracesAreShownOnlyOnRequest() {
    assertThat(Cli.run("info", "none").err()).doesNotContain("\tat ");
    assertThat(Cli.run("info", "none", "--debug").err())
        .startsWith("bellows: no such file: none\n")
        .contains("NoSuchFileException", "\tat ");
    assertThat(Cli.run("--debug", "info", "none").err()).contains("\tat ");
  }

  @Test
  void hostileFiltersAreRefusedInOneLine() throws IOException {
    Path f = folder.resolve("f");
    Cli.with("a\n", "build", "-o", f).succeeded();
    byte[] good = Files.readAllBytes(f);
    for (int length = 0; length < good.length; length += 7) {
      Cli.with(new ByteArrayInputStream(good, 0, length), "info", "-")
          .refused("standard input: not a readable filter");
    }
    for (int i = 0; i < good.length; i++) {
      byte[] bad = good.clone();
      bad[i] ^= 0x40;
      Cli.with(new ByteArrayInputStream(bad), "info", "-")
          .refused("standard input: not a readable filter");
    }
  }
}
