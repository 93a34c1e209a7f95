package dev.bellows.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.autoscale.GradedMembership;
import dev.bellows.cli.console.Console;
import dev.bellows.cli.console.Messages;
import dev.bellows.io.FilterKind;
import dev.bellows.io.Filters;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What the help says, and how it is laid out. */
class HelpTest {
  private static final Pattern HEADING = Pattern.compile("[A-Z][^.]*:");
  private static final Pattern OPTION = Pattern.compile(" {2}(?:-\\w, | {4})(--[a-z-]+)[ =].*");

  /** Created once; it is never executed. */
  private static final CommandLine LINE = commandLine();

  @TempDir Path folder;

  private static CommandLine commandLine() {
    return Main.commandLine(
        new Console(
            InputStream.nullInputStream(),
            new ByteArrayOutputStream(),
            new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
            false,
            false,
            false));
  }

  static Stream<String> verbs() {
    List<String> verbs = new ArrayList<>(LINE.getSubcommands().keySet());
    for (String verb : List.of("plan", "parquet", "redis")) {
      LINE.getSubcommands()
          .get(verb)
          .getSubcommands()
          .keySet()
          .forEach(what -> verbs.add(verb + " " + what));
    }
    return verbs.stream();
  }

  private static CommandLine verb(String name) {
    CommandLine line = LINE;
    for (String word : name.split(" ")) {
      line = line.getSubcommands().get(word);
    }
    return line;
  }

  private static String help(String name, int columns) {
    CommandLine line = verb(name);
    line.setUsageHelpAutoWidth(false);
    line.setUsageHelpWidth(columns);
    return line.getUsageMessage(CommandLine.Help.Ansi.OFF);
  }

  @Test
  void buildGroupsItsOptionsByKind() {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    List<String> group = new ArrayList<>();
    for (String line : help("build", 80).lines().toList()) {
      if (HEADING.matcher(line).matches()) {
        group = new ArrayList<>();
        groups.put(line, group);
      }
      Matcher option = OPTION.matcher(line);
      if (option.matches()) {
        group.add(option.group(1));
      }
    }
    assertThat(groups.keySet())
        .containsExactly(
            "Options:",
            "Exact size:",
            "Hashing:",
            "Lines and keys:",
            "Only --kind counting or elastic:",
            "Only --kind elastic:",
            "Only --kind fingerprint:",
            "Only --kind window:",
            "Times, with a window:",
            "Only --kind partition:",
            "Only --kind range:",
            "Only --kind autoscale:",
            "Exit codes:",
            "Example:");
    assertThat(groups.get("Options:"))
        .startsWith("--output", "--kind", "--fpp", "--keys", "--layout")
        .contains("--like")
        .hasSize(13);
    assertThat(groups)
        .containsEntry(
            "Exact size:", List.of("--bits", "--size", "--hashes", "--pattern", "--capacity"))
        .containsEntry("Hashing:", List.of("--seed", "--random-seed", "--key-file"))
        .containsEntry("Only --kind counting or elastic:", List.of("--counter-bits"))
        .containsEntry("Only --kind elastic:", List.of("--tolerance", "--policy", "--id"))
        .containsEntry("Only --kind fingerprint:", List.of("--removable"))
        .containsEntry(
            "Only --kind range:",
            List.of("--domain", "--text", "--scheme", "--max-hashes", "--strings", "--schema"));
    assertThat(groups.values().stream().mapToInt(List::size).sum())
        .isEqualTo(
            (int)
                verb("build").getCommandSpec().options().stream()
                    .filter(option -> !option.hidden())
                    .count());
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void helpFitsEightyColumns(String verb) {
    assertThat(help(verb, 80).lines()).allMatch(line -> line.length() <= 80);
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void examplesDoNotWrap(String verb) {
    assertThat(verb(verb).getCommandSpec().usageMessage().footer())
        .allMatch(line -> line.replace("%%", "%").length() <= 79);
  }

  @Test
  void examplesOfAllVerbsDoNotWrap() {
    assertThat(LINE.getCommandSpec().usageMessage().footer())
        .allMatch(line -> line.replace("%%", "%").length() <= 79);
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void helpIsAVerbToo(String verb) {
    Object[] words = ("help " + verb).split(" ");
    Object[] option = (verb + " --help").split(" ");
    assertThat(Cli.run(words).succeeded().out()).isEqualTo(Cli.run(option).succeeded().out());
  }

  /** The examples whose only input is a file that comes with the project. */
  @ParameterizedTest
  @ValueSource(strings = {"build", "uniq"})
  void examplesWithOurFilesRun(String verb) {
    String footer = String.join("\n", verb(verb).getCommandSpec().usageMessage().footer());
    List<String> examples =
        footer
            .replace("%%", "%")
            .replaceAll("\\\\\n *", "")
            .lines()
            .map(String::strip)
            .filter(line -> line.startsWith("bellows ") && line.contains(" examples/"))
            .toList();
    assertThat(examples).isNotEmpty();
    for (String example : examples) {
      List<Object> words = new ArrayList<>();
      for (String word : example.substring("bellows ".length()).split(" +")) {
        boolean isOutput = !words.isEmpty() && words.get(words.size() - 1).equals("-o");
        words.add(
            isOutput
                ? folder.resolve(word)
                : word.startsWith("examples/") ? Cli.ROOT.resolve(word) : word);
      }
      Cli.run(words.toArray()).succeeded();
    }
  }

  @Test
  void helpOfNothingAndOfUnknownVerbs() {
    assertThat(Cli.run("help").succeeded().out()).isEqualTo(Cli.run("--help").succeeded().out());
    Cli.run("help", "bild").refused("'bild' is not a bellows command", "build");
    Cli.run("help", "plan", "blom").refused("'blom' is not a bellows plan command", "bloom");
    Cli.run("help", "build", "x").refused("'x' is not a bellows build command, which has none");
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void helpUsesPlainWords(String verb) {
    assertThat(help(verb, 80))
        .doesNotContainPattern("(?i)surely|definitely|outsider|stranger|speaks? of|believe");
  }

  @Test
  void queryNamesTheKindsThatMayMissKeys() {
    String help = help("query", 1000);
    String kinds =
        Messages.list(
            Arrays.stream(FilterKind.values())
                .filter(
                    kind -> GradedMembership.class.isAssignableFrom(Filters.format(kind).type()))
                .map(FilterKind::word)
                .toList(),
            "and");
    assertThat(help).contains("certainly not in it. Only kinds " + kinds + " may also reject");
    assertThat(help).contains("Print the keys that are not accepted.");
  }

  @ParameterizedTest
  @CsvSource({
    "--counter-bits,8,counting or elastic",
    "--tolerance,0.1%,elastic",
    "--policy,greedy,elastic",
    "--id,7,elastic",
    "--removable,keys.txt,fingerprint",
    "--universe,2^20,partition",
    "--depth,3,partition",
    "--mode,exact,partition",
    "--domain,age:0:120,range",
    "--text,name,range",
    "--scheme,division,range",
    "--max-hashes,5,range",
    "--strings,5,range",
    "--scheme-file,none,range",
    "--min-tpr,0.9,autoscale",
    "--criterion,f1,autoscale",
    "--present-share,0.1,autoscale",
    "--cost-fp,2,autoscale",
    "--cost-fn,2,autoscale"
  })
  void optionsOfOneKindAreRefusedWithOthers(String option, String value, String kind) {
    Path out = folder.resolve("out");
    Cli.run("build", option, value, "-o", out)
        .refused(option + " is only valid with --kind " + kind + ", not bloom");
    Cli.run("build", "--kind", "scalable", option, value, "-o", out)
        .refused(option + " is only valid with --kind " + kind + ", not scalable");
    assertThat(out).doesNotExist();
  }
}
