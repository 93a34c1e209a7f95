package dev.bellows.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.cli.Cli;
import dev.bellows.cli.Processes;
import dev.bellows.growth.FingerprintFilter;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.jr.ob.JSON;

/** {@code bellows uniq}: streaming, its state, what it prints and what it refuses. */
class UniqTest {
  @TempDir Path folder;

  private Path path(String name) {
    return folder.resolve(name);
  }

  /** A fixed secret, so that false positives are the same in every run. */
  private Path key() throws IOException {
    return Files.writeString(path("secret"), "00112233445566778899aabbccddeeff");
  }

  private static String join(Iterable<String> lines) {
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }

  @Test
  void printsTheDistinctLinesInOrder() throws IOException {
    SplittableRandom random = new SplittableRandom(20);
    List<String> lines = new ArrayList<>();
    List<String> first = new ArrayList<>();
    List<String> others = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 300_000; i++) {
      String line = "line " + random.nextInt(150_000);
      lines.add(line);
      (seen.add(line) ? first : others).add(line);
    }
    assertThat(
            Cli.with(join(lines), "uniq", "--fpp", "1e-9", "--key-file", key()).succeeded().out())
        .isEqualTo(join(first));
    Cli.Result repeated =
        Cli.with(join(lines), "uniq", "--fpp", "1e-9", "--key-file", key(), "--repeated");
    assertThat(repeated.succeeded().out()).isEqualTo(join(others));
    assertThat(repeated.err()).containsPattern("lines +300,000").contains("false positives");
  }

  @Test
  void aMillionLinesFitASmallHeap() throws Exception {
    Path input = path("input");
    try (OutputStream out = Files.newOutputStream(input)) {
      for (int part = 0; part < 10; part++) {
        out.write(
            Cli.numbers(part * 100_000, (part + 1) * 100_000).getBytes(StandardCharsets.UTF_8));
      }
    }
    Process process =
        Processes.withHeap(
                "64m",
                "uniq",
                "--fpp",
                "1e-9",
                "--key-file",
                key(),
                "--report",
                path("report"),
                "-o",
                path("out"),
                input)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(path("out")).hasSameBinaryContentAs(input);
    Map<String, Object> report = JSON.std.mapFrom(Files.readString(path("report")));
    assertThat(report).containsEntry("lines", 1_000_000).containsEntry("unique", 1_000_000);
    assertThat(Cli.real(report.get("expectedDropped"))).isBetween(1e-5, 1e-3);
    assertThat(Cli.integer(report.get("bytes"))).isLessThan(6_000_000);
  }

  @Test
  void dropsAsManyLinesAsReported() throws IOException {
    int count = 200_000;
    Cli.Result result =
        Cli.with(
            Cli.numbers(0, count),
            "uniq",
            "--fpp",
            "1%",
            "--key-file",
            key(),
            "-o",
            path("out"),
            "--json");
    Map<String, Object> numbers = result.succeeded().json();
    double dropped = count - Cli.integer(numbers.get("unique"));
    double expected = Cli.real(numbers.get("expectedDropped"));
    // a sum of independent events with that mean; six standard deviations, alpha below 1e-8
    assertThat(dropped)
        .isBetween(expected - 6 * Math.sqrt(expected), expected + 6 * Math.sqrt(expected));
    assertThat(expected).isBetween(0.0001 * count, 0.01 * count);
  }

  @Test
  void answersBeforeTheInputEnds() throws Exception {
    Process process = Processes.bellows("uniq").start();
    try (OutputStream to = process.getOutputStream();
        BufferedReader from =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      to.write("a\na\nb\n".getBytes(StandardCharsets.UTF_8));
      to.flush();
      assertThat(from.readLine()).isEqualTo("a");
      assertThat(from.readLine()).isEqualTo("b");
    } finally {
      process.destroy();
    }
  }

  @Test
  void linesAreKeptAsTheyAre() {
    assertThat(Cli.with("a\r\na\nb", "uniq").out()).isEqualTo("a\r\nb\n");
    assertThat(Cli.with("\n\nx\n", "uniq").out()).isEqualTo("\nx\n");
    assertThat(Cli.with("", "uniq").succeeded().out()).isEmpty();
  }

  @Test
  void linesMayContainAnyBytes() {
    byte[] binary = new byte[100_000];
    new SplittableRandom(1).nextBytes(binary);
    // latin letters for bytes; a carriage return would belong to the line end
    String text = "x" + new String(binary, StandardCharsets.ISO_8859_1).replace('\r', 'r');
    Set<String> lines = new LinkedHashSet<>(Arrays.asList(text.split("\n")));
    Cli.Result result =
        Cli.with(new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1)), "uniq");
    assertThat(new String(result.succeeded().bytes(), StandardCharsets.ISO_8859_1))
        .isEqualTo(join(lines));
  }

  @Test
  void aFieldIsTheKeyOfAWholeLine() {
    assertThat(Cli.with("x\t1\ny\t1\nz\t2\n", "uniq", "--field", 2).out())
        .isEqualTo("x\t1\nz\t2\n");
    assertThat(Cli.with("1,x\n2,x\r\n3,y", "uniq", "--field", 2, "--delimiter", ",").out())
        .isEqualTo("1,x\n3,y\n");
    assertThat(Cli.with("7\n07\n+7\n8\n", "uniq", "--longs").out())
        .startsWith("7\n")
        .endsWith("8\n");
    Cli.Result few = Cli.with("x\t1\ny\n", "uniq", "--field", 2);
    assertThat(few.code()).isEqualTo(2);
    assertThat(few.out()).isEqualTo("x\t1\n");
    assertThat(few.err()).contains("standard input:2: the line has 1 column, not 2");
  }

  @Test
  void aStateContinuesWhereItEnded() throws IOException {
    Path state = path("state");
    assertThat(Cli.with("a\nb\na\n", "uniq", "--state", state).succeeded().out())
        .isEqualTo("a\nb\n");
    assertThat(Cli.with("b\nc\n", "uniq", "--state", state).succeeded().out()).isEqualTo("c\n");
    assertThat(Cli.with("c\nd\n", "uniq", "--state", state, "--repeated").succeeded().out())
        .isEqualTo("c\n");
    FingerprintFilter seen = FingerprintFilter.readFrom(state);
    assertThat(seen.approximateElementCount()).isEqualTo(4);
    assertThat(seen.plan().fpp()).isEqualTo(1e-6);
    assertThat(Cli.run("query", state, "a", "d", "e").out()).isEqualTo("a\nd\n");
  }

  @Test
  void aFilterThatWasBuiltIsAState() {
    Path known = path("known");
    Cli.with("a\n", "build", "--kind", "fingerprint", "-o", known).succeeded();
    assertThat(Cli.with("a\nb\n", "uniq", "--state", known).succeeded().out()).isEqualTo("b\n");
  }

  @Test
  void aFailedRunLeavesTheStateAsItWas() throws IOException {
    Path state = path("state");
    assertThat(Cli.with("1\nx\n", "uniq", "--longs", "--state", state).code()).isEqualTo(2);
    assertThat(state).doesNotExist();
    Cli.with("1\n", "uniq", "--longs", "--state", state).succeeded();
    byte[] before = Files.readAllBytes(state);
    Path out = path("out");
    Cli.with("2\nx\n", "uniq", "--state", state, "-o", out).refused("standard input:2", "'x'");
    assertThat(state).hasBinaryContent(before);
    assertThat(out).doesNotExist();
    assertThat(Cli.with("2\n", "uniq", "--state", state).succeeded().out()).isEqualTo("2\n");
  }

  @Test
  void anInterruptedRunLeavesTheStateAsItWas() throws Exception {
    Path state = path("state");
    Cli.with("a\n", "uniq", "--state", state).succeeded();
    byte[] before = Files.readAllBytes(state);
    Process process = Processes.interruptible("uniq", "--state", state).start();
    process.getOutputStream().write("b\n".getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    assertThat(process.getInputStream().read()).isEqualTo('b');
    process.toHandle().destroy(); // leaves its standard input open, so that the run cannot end
    process.waitFor();
    assertThat(state).hasBinaryContent(before);
    assertThat(Processes.parts(folder)).isEmpty();
    assertThat(Cli.with("b\n", "uniq", "--state", state).succeeded().out()).isEqualTo("b\n");
  }

  @Test
  void aClosedPipeIsNotAnError() throws Exception {
    Path state = path("state");
    Path input = Files.writeString(path("input"), Cli.numbers(0, 400_000));
    Path said = path("said");
    Process process =
        Processes.bellows("uniq", "--state", state, input)
            .redirectErrorStream(false)
            .redirectError(said.toFile())
            .start();
    try (InputStream out = process.getInputStream()) {
      assertThat(out.read()).isEqualTo('0');
    }
    assertThat(process.waitFor()).isZero();
    assertThat(said).content().contains("is unchanged: not all lines could be printed");
    assertThat(state).doesNotExist();
  }

  @Test
  void twoRunsTakeTurns() throws Exception {
    Path state = path("state");
    Cli.with("a\n", "uniq", "--state", state).succeeded();
    Process first = Processes.bellows("uniq", "--state", state).start();
    OutputStream to = first.getOutputStream();
    to.write("b\n".getBytes(StandardCharsets.UTF_8));
    to.flush();
    assertThat(first.getInputStream().read()).isEqualTo('b');
    Cli.with("c\n", "uniq", "--no-wait", "--state", state).refused("updated by another process");
    to.close();
    first.getInputStream().readAllBytes();
    assertThat(first.waitFor()).isZero();
    assertThat(Cli.with("b\nc\n", "uniq", "--state", state).out()).isEqualTo("c\n");
  }

  @Test
  void statesOfOtherKindsAreRefused() throws IOException {
    Path bloom = path("bloom");
    Cli.with("a\n", "build", "-o", bloom).succeeded();
    Cli.with("a\n", "uniq", "--state", bloom).refused("kind bloom", "kind fingerprint");
    Path removable = path("removable");
    Cli.with("a\n", "build", "--kind", "fingerprint", "--removable", "-o", removable).succeeded();
    Cli.with("a\n", "uniq", "--state", removable).refused("is removable", "without --removable");
    Path state = path("state");
    Cli.with("a\n", "uniq", "--state", state).succeeded();
    Cli.with("a\n", "uniq", "--state", state, "--fpp", "1%").refused("1.0E-6", "0.01", "--fpp");
    Cli.with("1\n", "uniq", "--state", state, "--longs").refused("text, not longs");
    byte[] bytes = Files.readAllBytes(state);
    Path cut = Files.write(path("cut"), Arrays.copyOf(bytes, bytes.length - 1));
    Cli.with("a\n", "uniq", "--state", cut).refused("cut: not a readable filter");
    bytes[bytes.length / 2] ^= 4;
    Path damaged = Files.write(path("damaged"), bytes);
    Cli.with("a\n", "uniq", "--state", damaged).refused("damaged: not a readable filter");
    assertThat(damaged).hasBinaryContent(bytes);
    Cli.with("a\n", "uniq", "--state", Files.createFile(path("empty"))).refused("empty: ");
  }

  @Test
  void aSecretKeyIsRequiredAgain() throws IOException {
    Path key = Files.writeString(path("key"), "00112233445566778899aabbccddeeff");
    Path state = path("state");
    Cli.with("a\n", "uniq", "--key-file", key, "--state", state).succeeded();
    Cli.with("a\n", "uniq", "--state", state).refused("--key-file");
    assertThat(Cli.with("a\nb\n", "uniq", "--key-file", key, "--state", state).out())
        .isEqualTo("b\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--output", "--state", "--report"})
  void theInputCannotBeTheResult(String option) throws IOException {
    Path input = Files.writeString(path("input"), "a\n");
    Cli.run("uniq", option, input, input).refused("is one of the inputs");
    assertThat(input).hasContent("a\n");
  }

  @Test
  void resultsNeedFilesOfTheirOwn() {
    Cli.with("a\n", "uniq", "--json").refused("name a file");
    Cli.with("a\n", "uniq", "--state", "-").refused("name its file");
    Cli.with("a\n", "uniq", "--report", "-").refused("--report needs a file");
    Cli.with("a\n", "uniq", "--state", path("x"), "-o", path("x")).refused("the output too");
    Cli.with("a\n", "uniq", "--report", path("x"), "-o", path("x")).refused("another result");
    assertThat(path("x")).doesNotExist();
  }

  @Test
  void theReportHasTheFieldsOfTheContract() throws IOException {
    Map<String, Object> numbers =
        Cli.with("a\nb\na\n", "uniq", "-o", path("out"), "--report", path("report"), "--json")
            .succeeded()
            .json();
    assertThat(numbers)
        .containsKeys("lines", "unique", "expectedDropped", "bytes")
        .containsEntry("lines", 3)
        .containsEntry("unique", 2)
        .containsEntry("repeated", 1);
    assertThat(JSON.std.mapFrom(Files.readString(path("report")))).isEqualTo(numbers);
    assertThat(path("out")).hasContent("a\nb\n");
  }
}
