package dev.bellows.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.Foldable.FoldSize;
import dev.bellows.cli.console.Console;
import dev.bellows.cli.console.StandardOutput;
import dev.bellows.cli.verbs.ShortLadder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a first-time user of the command encounters. */
class FirstHourTest {
  @TempDir Path folder;

  private Path path(String name) {
    return folder.resolve(name);
  }

  private Path build(String name, String keys, Object... options) {
    Object[] words = new Object[options.length + 3];
    words[0] = "build";
    System.arraycopy(options, 0, words, 1, options.length);
    words[options.length + 1] = "-o";
    words[options.length + 2] = path(name);
    Cli.with(keys, words).succeeded();
    return path(name);
  }

  @Test
  void mergingOrdinaryFiltersNamesTheSizeThatKeepsTheirRate() {
    for (List<String> options :
        List.of(List.<String>of(), List.of("--layout", "classic"), List.of("--fpp", "0.1%"))) {
      Object[] given = options.toArray();
      Path a = build("a", Cli.numbers(0, 10_000), given);
      Path b = build("b", Cli.numbers(10_000, 22_000), given);
      double rate =
          Math.max(
              Cli.real(Cli.run("info", a, "--json").json().get("expectedFpp")),
              Cli.real(Cli.run("info", b, "--json").json().get("expectedFpp")));
      Cli.Result refused = Cli.run("union", a, b, "-o", path("u"), "--max-fpp", "2%");
      refused.refused("two full filters cannot share one size", "--kind fingerprint");
      Matcher advice = Pattern.compile("with (--capacity [^,]*),").matcher(refused.err());
      assertThat(advice.find()).as(refused.err()).isTrue();
      Object[] advised = advice.group(1).split(" ");
      Path wideA = build("wideA", Cli.numbers(0, 10_000), advised);
      Path wideB = build("wideB", Cli.numbers(10_000, 22_000), advised);
      Cli.Result union = Cli.run("union", wideA, wideB, "-o", path("u"), "--json");
      // the advice is a mean over hash functions, for an estimated number of keys
      assertThat(Cli.real(union.succeeded().json().get("expectedFpp"))).isLessThan(1.1 * rate);
      assertThat(union.err()).as("whoever follows the advice is not warned again").isEmpty();
    }
  }

  @Test
  void unionsWithinTheTargetDoNotWarn() {
    for (String layout : List.of("blocked", "classic")) {
      Path a = build("a", Cli.numbers(0, 5000), "--keys", "10k", "--layout", layout);
      Path b = build("b", Cli.numbers(5000, 10_000), "--like", a);
      Cli.Result union = Cli.run("union", a, b, "-o", path("u"), "--json").succeeded();
      assertThat(union.err()).isEmpty();
      assertThat(Cli.real(union.json().get("expectedFpp"))).isLessThan(0.011);
    }
  }

  @Test
  void resultsFarAboveTheirInputsWarn() {
    Path a = build("a", Cli.numbers(0, 1000), "--bits", 10_240, "--hashes", 8);
    Path b = build("b", Cli.numbers(1000, 2000), "--bits", 10_240, "--hashes", 8);
    for (String verb : List.of("union", "intersect")) {
      Cli.Result same = Cli.run(verb, a, a, "-o", path("same"));
      assertThat(same.succeeded().err()).isEmpty();
    }
    assertThat(Cli.run("union", a, b, "-o", path("u"), "--quiet").succeeded().err())
        .startsWith("bellows: warning: ")
        .contains("more than twice", "--capacity", "--kind fingerprint");
    Path folded = build("f", Cli.numbers(0, 100), "--bits", 5120, "--hashes", 8);
    assertThat(Cli.run("intersect", folded, a, "-o", path("i"), "--max-fpp", 1).succeeded().err())
        .isEmpty();
  }

  @Test
  void anEmptyFilterMergesWithAnySize() throws IOException {
    for (String kind : List.of("bloom", "counting")) {
      Path full = build("full", Cli.numbers(0, 10_000), "--kind", kind);
      Path empty = build("empty", "", "--kind", kind);
      for (Path[] pair : new Path[][] {{full, empty}, {empty, full}}) {
        Map<String, Object> union =
            Cli.run("union", pair[0], pair[1], "-o", path("u"), "--json").succeeded().json();
        assertThat(union).containsEntry("factors", List.of(1, 1));
        assertThat(path("u")).hasBinaryContent(Files.readAllBytes(full));
      }
    }
  }

  @Test
  void queryReadsKeysFromAFile() throws IOException {
    Path filter = build("f", "ann\nbob\n", "--fpp", "1e-9");
    Path keys = Files.writeString(path("keys"), "ann\ncid\n");
    assertThat(Cli.run("query", filter, "--from", keys).succeeded().out()).isEqualTo("ann\n");
    assertThat(Cli.run("query", filter, "-f", keys, "-v").succeeded().out()).isEqualTo("cid\n");
    assertThat(Cli.run("query", filter, "-f", keys, "-f", keys, "-c").out()).isEqualTo("2\n");
    assertThat(Cli.with("bob\n", "query", filter, "-f", "-").out()).isEqualTo("bob\n");
    Cli.run("query", filter, "-f", keys, "ann").refused("not both");
    Cli.run("query", "-", "-f", "-").refused("not both");
    Cli.run("query", filter, "-f", path("none")).refused("no such file: " + path("none"));
  }

  @Test
  void aFileNameAmongTheKeysGetsAHint() throws IOException {
    Path filter = build("f", "ann\n", "--fpp", "1e-9");
    Path keys = Files.writeString(path("keys"), "ann\n");
    Cli.Result asked = Cli.run("query", filter, keys);
    assertThat(asked.code()).isEqualTo(1);
    assertThat(asked.err()).contains("--from " + keys).containsOnlyOnce("\n");
    assertThat(Cli.run("query", "--quiet", filter, keys).err()).isEmpty();
    assertThat(Cli.run("--quiet", "query", filter, keys).err()).isEmpty();
    Path known = build("k", keys + "\n");
    assertThat(Cli.run("query", known, keys).succeeded().err()).isEmpty();
  }

  @Test
  void fieldsSelectWholeLines() {
    Path filter = build("f", "ann\nbob\n", "--fpp", "1e-9");
    String table = "1\tann\tx\n2\tcid\ty\n3\tbob\tz\r\n";
    assertThat(Cli.with(table, "query", filter, "--field", 2).succeeded().out())
        .isEqualTo("1\tann\tx\n3\tbob\tz\r\n");
    assertThat(Cli.with(table, "query", filter, "--field", 2, "--only-field").out())
        .isEqualTo("ann\nbob\n");
    assertThat(Cli.with(table, "query", filter, "--field", 2, "--json").json())
        .containsEntry("keys", List.of("1\tann\tx", "3\tbob\tz\r"));
    Cli.run("query", filter, "--only-field", "ann").refused("--only-field needs --field");
  }

  @Test
  void jsonIsWrittenWhileKeysAreQueried() throws IOException {
    Path filter = build("f", Cli.numbers(0, 1000), "--fpp", "1e-9");
    String strange = "a\"b\\c\u0001";
    Cli.with(strange + "\n", "add", filter).succeeded();
    assertThat(Cli.with(strange + "\n", "query", filter, "--json").json())
        .containsEntry("keys", List.of(strange))
        .containsEntry("found", 1);
    assertThat(Cli.run("query", filter, "none", "--json").json())
        .containsEntry("keys", List.of())
        .containsEntry("asked", 1);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int[] before = new int[1];
    Console console =
        new Console(
            new ByteArrayInputStream(
                Cli.numbers(0, 1000).repeat(500).getBytes(StandardCharsets.UTF_8)) {
              @Override
              public synchronized int read(byte[] bytes, int from, int length) {
                int read = super.read(bytes, from, Math.min(length, 1 << 16));
                if (read < 0) {
                  before[0] = out.size();
                }
                return read;
              }
            },
            out,
            new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
            false,
            false,
            false);
    assertThat(Main.run(console, "query", filter.toString(), "--json")).isZero();
    assertThat(before[0]).as("bytes written before the input ended").isGreaterThan(1000);
  }

  @Test
  void presentKeysAloneCanBeVerified() throws IOException {
    Path filter = build("f", Cli.numbers(0, 100), "--fpp", "1e-6");
    Path present = Files.writeString(path("present"), Cli.numbers(0, 100));
    Path other = Files.writeString(path("other"), Cli.numbers(90, 110));
    assertThat(Cli.run("verify", filter, "--present", present, "--json").succeeded().json())
        .containsEntry("missing", 0)
        .containsEntry("present", 100)
        .containsEntry("absent", 0)
        .containsEntry("measuredFpp", null)
        .containsEntry("consistent", null);
    assertThat(Cli.run("verify", filter, "--present", present).succeeded().out())
        .contains("Every present key was found", "give --absent");
    assertThat(Cli.run("verify", filter, "--present", other).code()).isEqualTo(1);
    Cli.run("verify", filter).refused("--absent", "--present");
  }

  @Test
  void planBloomNamesWhatBuildMakes() {
    Map<String, Object> plan =
        Cli.run("plan", "bloom", "--keys", "10k", "--fpp", "1%", "--json").succeeded().json();
    Path made = build("made", Cli.numbers(0, 10_000), "--keys", "10k", "--fpp", "1%");
    Map<String, Object> info = Cli.run("info", made, "--json").json();
    assertThat(plan)
        .containsEntry("layout", "classic")
        .containsEntry("buildBits", info.get("bits"))
        .containsEntry("buildHashes", info.get("hashes"))
        .containsEntry("buildLayout", info.get("layout"))
        .containsEntry("buildPattern", info.get("pattern"));
    assertThat(Cli.run("plan", "bloom", "--keys", "10k", "--fpp", "1%").out())
        .contains("build makes");
    Cli.run(
            "plan",
            "capacity",
            "--now",
            "1k",
            "--arrivals",
            "10k",
            "--horizon",
            "2.5",
            "--fpp",
            "1%",
            "--tolerance",
            "0.5%",
            "--json")
        .succeeded();
  }

  @Test
  void infoShowsTheUsefulSteps() throws IOException {
    Path filter = build("f", Cli.numbers(0, 1000), "--bits", 512 * 5040, "--hashes", 8);
    BloomFilter read = BloomFilter.readFrom(filter);
    List<FoldSize> steps = ShortLadder.of(read.ladder());
    assertThat(steps).hasSize(ShortLadder.MOST).isSubsetOf(read.ladder()).doesNotHaveDuplicates();
    assertThat(steps).allMatch(step -> step.expectedFpp() <= 0.5);
    assertThat(steps.get(steps.size() - 1).bits()).isEqualTo(read.bits());
    assertThat(steps).isSortedAccordingTo((a, b) -> Long.compare(a.bits(), b.bits()));
    String all = Cli.run("info", filter, "--ladder").succeeded().out();
    String some = Cli.run("info", filter).succeeded().out();
    assertThat(some).contains("--ladder");
    assertThat(some.lines().count()).isLessThan(all.lines().count());
    assertThat(all.lines().count()).isGreaterThan(read.ladder().size());
  }

  @Test
  void standardOutputHasAPath() throws IOException {
    Path filter = build("f", "a\n");
    assertThat(Cli.run("union", filter, filter, "-o", "/dev/stdout").succeeded().bytes())
        .isEqualTo(Files.readAllBytes(filter));
    Cli.run("union", filter, filter, "-o", "/dev/stdout", "--json").refused("standard output");
    Cli.Result piped = Cli.with("a\n", "build", "-o", "/dev/stdout", "--quiet").succeeded();
    assertThat(piped.err()).isEmpty();
    assertThat(piped.bytes()).isEqualTo(Files.readAllBytes(filter));
  }

  @Test
  void failuresOfTemporaryFilesNameTheTarget() {
    Path out = path("x".repeat(252)); // with the ending of its lock too long for the file system
    assertThat(Cli.with("a\n", "build", "-o", out).refused(out.toString()).err())
        .doesNotContain(".part", ".lock");
  }

  @Test
  void aFullDiskIsReportedOnce() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Console full =
        new Console(
            new ByteArrayInputStream(Cli.numbers(0, 100_000).getBytes(StandardCharsets.UTF_8)),
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
    assertThat(Main.run(full, "uniq")).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo("bellows: standard output: No space left on device\n");
  }

  @Test
  void aPartThatEndedEarlyPointsToReceive() throws IOException {
    Path whole = build("whole", Cli.numbers(0, 10_000), "--kind", "fingerprint");
    byte[] bytes = Files.readAllBytes(whole);
    byte[] half = java.util.Arrays.copyOf(bytes, bytes.length / 2);
    Path cut = Files.write(path("cut"), half);
    Cli.run("info", cut).refused("receive STORE " + cut);
    Cli.run("query", cut, "1").refused("receive STORE " + cut);
    Cli.with(new ByteArrayInputStream(half), "info", "-").refused("receive STORE -");
  }

  @Test
  void aWrongSecretKeyIsReported() throws IOException {
    Path right = Files.writeString(path("right"), "00112233445566778899aabbccddeeff");
    Path wrong = Files.writeString(path("wrong"), "ff112233445566778899aabbccddee00");
    Path filter = build("f", "a\n", "--key-file", right);
    String refusal = Cli.run("query", filter, "--key-file", wrong, "a").refused("--key-file").err();
    assertThat(refusal).doesNotContain("not a readable filter");
    Cli.run("query", filter, "--key-file", right, "a").succeeded();
  }

  /** What was written is not a result; --json asks for it. */
  @Test
  void quietCommandsPrintNoSummaries() throws IOException {
    Path keys = Files.writeString(path("k.txt"), "a\nb\n");
    Path filter = path("quiet");
    Path prefixes = path("prefixes");
    Object[][] calls = {
      {"build", "-o", filter, keys},
      {"build", "--kind", "fingerprint", "--fpp", "0.01%", "-o", prefixes, keys},
      {"add", filter, keys},
      {"union", "-o", path("union"), filter, filter},
      {"freeze", prefixes, "-o", path("frozen")},
      {"ship", prefixes, "--to-fpp", "1%", "-o", path("part")},
      {"fold", prefixes, "--to-fpp", "1%", "-o", path("folded")}
    };
    for (Object[] call : calls) {
      Object[] quiet = Arrays.copyOf(call, call.length + 1);
      quiet[call.length] = "--quiet";
      Cli.Result result = Cli.run(quiet).succeeded();
      assertThat(result.out()).as(Arrays.toString(call)).isEmpty();
      assertThat(result.err()).as(Arrays.toString(call)).isEmpty();
      Object[] json = Arrays.copyOf(quiet, quiet.length + 1);
      json[quiet.length] = "--json";
      assertThat(Cli.run(json).succeeded().out()).as(Arrays.toString(call)).startsWith("{");
    }
  }

  /** A filter as a file of keys would replace a text, if -o is given the wrong one of the two. */
  @Test
  void aFilterIsNoFileOfKeys() throws IOException {
    Path filter = path("u.bloom");
    Cli.with("a\n", "build", "-o", filter).succeeded();
    Path text = Files.writeString(path("u.txt"), "a\n");
    Cli.run("build", "-o", text, filter).refused("u.bloom is a Bellows filter");
    assertThat(text).hasContent("a\n");
  }

  @Test
  void quietCommandsPrintOnlyWarnings() {
    Path filter = path("f");
    assertThat(Cli.with("a\nb\na\n", "uniq", "--quiet").succeeded())
        .returns("a\nb\n", Cli.Result::out)
        .returns("", Cli.Result::err);
    assertThat(Cli.with("a\n", "build", "--bits", 1001, "--quiet", "-o", filter).succeeded().err())
        .isEmpty();
    assertThat(
            Cli.with(Cli.numbers(0, 2000), "build", "--keys", "1k", "--quiet", "-o", filter)
                .succeeded()
                .err())
        .startsWith("bellows: warning: ");
  }
}
