package dev.bellows.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Language identification by the evidence of filters, run as its page says. */
class LanguagesExampleTest {
  private static final Path FOLDER = Cli.ROOT.resolve("examples/languages");

  private static List<String> sentences(String file) throws IOException {
    return Files.readAllLines(FOLDER.resolve(file));
  }

  @Test
  void testSentencesAreNotThoseItLearned() throws IOException {
    List<String> train = sentences("train.txt");
    List<String> test = sentences("test.txt");
    assertThat(train).doesNotHaveDuplicates().doesNotContainAnyElementsOf(test);
    assertThat(test).doesNotHaveDuplicates().allMatch(line -> line.matches("[a-z]+\t[^\t]+"));
    List<String> languages = train.stream().map(l -> l.split("\t")[0]).distinct().toList();
    assertThat(languages).hasSizeGreaterThanOrEqualTo(5);
    assertThat(test.stream().map(l -> l.split("\t")[0]).distinct()).hasSameElementsAs(languages);
  }

  @Test
  void nearlyEverySentenceIsRecognised() throws Exception {
    String output = ExampleRun.of("languages/Languages", FOLDER.toString());
    Matcher result = Pattern.compile("(\\d+) of (\\d+) sentences right\n").matcher(output);
    assertThat(result.find()).as(output).isTrue();
    int right = Integer.parseInt(result.group(1));
    int all = Integer.parseInt(result.group(2));
    assertThat(all).isEqualTo(sentences("test.txt").size());
    assertThat((double) right / all).as(output).isGreaterThan(0.9);
    assertThat(Files.readString(Cli.ROOT.resolve("docs/filters-as-vectors.md")))
        .contains("It recognizes " + right + " of " + all + " new sentences");
    assertThat(output.lines().filter(line -> line.endsWith("<- wrong"))).hasSize(all - right);
    assertThat(similarity(output, "italian")).isGreaterThan(2 * similarity(output, "finnish"));
  }

  private static double similarity(String output, String language) {
    Matcher line =
        Pattern.compile("similarity of spanish and " + language + " (\\S+)\n").matcher(output);
    assertThat(line.find()).as(output).isTrue();
    return Double.parseDouble(line.group(1));
  }
}
