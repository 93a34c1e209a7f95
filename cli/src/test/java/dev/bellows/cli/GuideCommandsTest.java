package dev.bellows.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.bellows.cli.redis.RedisServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Types the commands of every guide, in order, in an empty directory next to {@code examples}.
 *
 * <p>A block without a language holds commands. A block {@code text} right after it shows what they
 * print on standard output; a line {@code ...} stands for any number of lines. Blocks {@code sh}
 * need what a test does not have (a Spark installation, a release) and are not typed.
 *
 * <p>The shell is bash; {@code ./bellows} is answered by one JVM for all guides, {@code java} has
 * the class path of the tests, and {@code mvn} has nothing left to build.
 */
class GuideCommandsTest {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```([^\\n]*)\\n(.*?)^```$\\n?");

  /** Pages under docs that are not guides: they describe the project, not a problem to solve. */
  private static final List<String> REFERENCE =
      List.of(
          "README.md",
          "api.md",
          "architecture.md",
          "compared.md",
          "documents.md",
          "installing.md",
          "releasing.md",
          "reliability.md",
          "scale.md",
          "testing.md");

  @TempDir static Path folder;
  private static Path work;
  private static Path calls;
  private static Process server;
  private static RedisServer redis;

  /** Commands with the output that the page shows, or null if it shows none. */
  private record Block(String commands, String output) {}

  static List<Path> guides() throws IOException {
    try (Stream<Path> pages = Files.list(Cli.ROOT.resolve("docs"))) {
      return pages
          .filter(page -> page.toString().endsWith(".md"))
          .filter(page -> !REFERENCE.contains(page.getFileName().toString()))
          .sorted()
          .toList();
    }
  }

  @BeforeAll
  static void start() throws IOException {
    work = Files.createDirectory(folder.resolve("work"));
    calls = Files.createDirectory(folder.resolve("calls"));
    Path bin = Files.createDirectory(folder.resolve("bin"));
    script(bin.resolve("mvn"), "#!/bin/bash\n");
    script(bin.resolve("xdg-open"), "#!/bin/bash\n");
    script(
        bin.resolve("java"),
        "#!/bin/bash\nexec '%s' %s -cp '%s' \"${@:3}\"\n"
            .formatted(java(), String.join(" ", ExampleRun.CHEAP), classPath()));
    bash("mkfifo ../calls/requests");
    redis = RedisServer.start(Files.createDirectory(folder.resolve("redis")));
    List<String> command = new ArrayList<>(List.of(java(), RedisServer.PATIENT, "-Xmx512m"));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath()));
    command.addAll(List.of(CommandServer.class.getName(), calls.toString()));
    server = processes(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    assertThat(server.inputReader().readLine()).isEqualTo("ready");
  }

  @AfterAll
  static void stop() {
    server.destroy();
    redis.close();
  }

  @TestFactory
  Stream<DynamicTest> everyCommandWorksAndPrintsWhatTheGuideShows() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path guide : guides()) {
      List<Block> blocks = blocks(Files.readString(guide));
      if (!blocks.isEmpty()) {
        tests.add(dynamicTest(guide.getFileName().toString(), () -> type(blocks)));
      }
    }
    assertThat(tests).hasSizeGreaterThan(9);
    return tests.stream();
  }

  @Test
  void everyGuideBeginsWithItsProblemAndEndsWithItsLimits() throws IOException {
    for (Path guide : guides()) {
      String text = Files.readString(guide);
      Matcher headings = Pattern.compile("(?m)^#+ (.*)$").matcher(withoutBlocks(text));
      List<String> titles = headings.results().map(found -> found.group(1)).toList();
      assertThat(titles.get(titles.size() - 1))
          .as(guide.toString())
          .isEqualTo("When not to use this");
      assertThat(text).as(guide.toString()).matches("(?s)# [^\n]+\n\n[A-Z][^\n]{40}.*");
    }
  }

  private static void type(List<Block> blocks) throws IOException {
    empty(work);
    script(work.resolve("bellows"), CommandServer.CLIENT);
    Files.createSymbolicLink(work.resolve("examples"), Cli.ROOT.resolve("examples").toRealPath());
    for (Block block : blocks) {
      String printed = bash(block.commands.replace("redis://localhost:6379", redis.url()));
      if (block.output != null) {
        assertThat(printed).as(block.commands).matches(pattern(block.output));
      }
    }
  }

  private static List<Block> blocks(String page) {
    List<Block> blocks = new ArrayList<>();
    Matcher found = BLOCK.matcher(page);
    while (found.find()) {
      if (found.group(1).isEmpty()) {
        blocks.add(new Block(found.group(2), null));
      } else if (found.group(1).equals("text")) {
        Block last = blocks.remove(blocks.size() - 1);
        assertThat(last.output).as("two outputs of " + last.commands).isNull();
        blocks.add(new Block(last.commands, found.group(2)));
      }
    }
    return blocks;
  }

  private static String withoutBlocks(String page) {
    return BLOCK.matcher(page).replaceAll("");
  }

  /** The output as a pattern in which a line {@code ...} stands for any lines. */
  private static Pattern pattern(String output) {
    return Pattern.compile(
        output
            .lines()
            .map(
                line -> line.strip().equals("...") ? "(?:[^\n]*\n)*" : Pattern.quote(line) + " *\n")
            .collect(Collectors.joining()));
  }

  private static String bash(String commands) throws IOException {
    Path errors = folder.resolve("errors");
    Process process =
        processes(List.of("bash", "-eu", "-o", "pipefail", "-c", commands))
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectError(errors.toFile())
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      assertThat(process.waitFor())
          .as("%s\n%s%s", commands, printed, Files.readString(errors))
          .isZero();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return printed;
  }

  private static ProcessBuilder processes(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(work.toFile());
    builder.environment().put("BELLOWS_CALLS", calls.toString());
    builder
        .environment()
        .merge("PATH", folder.resolve("bin").toString(), (old, bin) -> bin + ":" + old);
    return builder;
  }

  private static void script(Path path, String text) throws IOException {
    Files.writeString(path, text);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void empty(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        if (!file.equals(directory)) {
          Files.delete(file);
        }
      }
    }
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static String classPath() {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Stream.of(classPath.split(":"))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(":"));
  }
}
