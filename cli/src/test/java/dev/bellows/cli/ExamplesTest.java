package dev.bellows.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExamplesTest {
  private static final Path EXAMPLES = Cli.ROOT.resolve("examples");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"words.txt", "passwords.txt", "addresses.txt"})
  void listsHaveThousandsOfDistinctLines(String name) throws IOException {
    List<String> lines = Files.readAllLines(EXAMPLES.resolve(name));
    assertThat(lines).hasSizeGreaterThan(2000).doesNotHaveDuplicates().noneMatch(String::isBlank);
    Map<String, Object> built =
        Cli.run(
                "build",
                "--fpp",
                "0.1%",
                "-o",
                folder.resolve("f"),
                EXAMPLES.resolve(name),
                "--json")
            .succeeded()
            .json();
    assertThat(built).containsEntry("keys", lines.size());
    assertThat(Cli.real(built.get("fpp"))).isLessThanOrEqualTo(0.001);
  }

  @Test
  void programsBelongToLists() throws IOException {
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      assertThat(files.filter(file -> file.toString().endsWith(".java"))).hasSize(3);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SpellChecker,words.txt,lether   <- misspelt",
    "ForbiddenPasswords,passwords.txt,letmein   <- forbidden",
    "RouterAddresses,addresses.txt,8.8.8.8   forward"
  })
  void programsRunAndTheFilterIsManyTimesSmaller(String program, String list, String line)
      throws Exception {
    String output = run(program, EXAMPLES.resolve(list));
    assertThat(output).contains(line + "\n");
    long filter = number(output, "heap of the filter");
    long set = number(output, "heap of a HashSet");
    assertThat(filter).isBetween(5_000L, 30_000L);
    assertThat(set).isGreaterThan(15 * filter);
  }

  private static long number(String output, String label) {
    Matcher matcher = Pattern.compile(label + " +([\\d,]+) bytes").matcher(output);
    assertThat(matcher.find()).as(output).isTrue();
    return Long.parseLong(matcher.group(1).replace(",", ""));
  }

  /** Runs the source file as its page says: by the JVM itself, with the library beside it. */
  private static String run(String program, Path list) throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> command =
        List.of(
            java.toString(),
            "-Duser.language=en",
            "-cp",
            classPath(),
            EXAMPLES.resolve(program + ".java").toString(),
            list.toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  private static String classPath() throws URISyntaxException, ClassNotFoundException {
    Set<Path> places = new LinkedHashSet<>();
    List<String> types = new ArrayList<>();
    types.add("dev.bellows.BloomFilter");
    types.add("com.dynatrace.hash4j.hashing.Hashing");
    types.add("org.apache.commons.statistics.distribution.BetaDistribution");
    types.add("org.apache.commons.numbers.gamma.RegularizedBeta");
    for (String type : types) {
      Class<?> found = Class.forName(type);
      places.add(Path.of(found.getProtectionDomain().getCodeSource().getLocation().toURI()));
    }
    return places.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }
}
