package dev.bellows.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
  void everyProgramIsOnThePage() throws IOException {
    String page = Files.readString(EXAMPLES.resolve("README.md"));
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      List<String> programs =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".java"))
              .toList();
      assertThat(programs).hasSizeGreaterThanOrEqualTo(6);
      assertThat(programs).allMatch(name -> page.contains("examples/" + name + "\n"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SpellChecker,words.txt,lether   <- misspelled",
    "ForbiddenPasswords,passwords.txt,letmein   <- forbidden",
    "RouterAddresses,addresses.txt,8.8.8.8   forward"
  })
  void programsRunAndTheFilterIsManyTimesSmaller(String program, String list, String line)
      throws Exception {
    String output = ExampleRun.of(program, EXAMPLES.resolve(list).toString());
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
}
