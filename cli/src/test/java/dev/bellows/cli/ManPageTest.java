package dev.bellows.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.cli.console.Console;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The manual page has the content of the help, with all text escaped for roff. */
class ManPageTest {
  /** The macros of man(7) and the requests that pages use. */
  private static final Pattern CONTROL = Pattern.compile("\\.(TH|SH|SS|TP|PP|nf|fi|nh|ad l)( .*)?");

  private static final Set<String> ESCAPES = Set.of("e", "-", "(dq", "&", "fB", "fI", "fR");
  private static final Pattern ESCAPE = Pattern.compile("\\\\(\\(..|f.|.)");

  private static final CommandLine LINE = Main.commandLine(Console.system());

  static List<String> commands() {
    List<String> names = new ArrayList<>();
    names.add("");
    add(names, "", LINE);
    return names;
  }

  private static void add(List<String> names, String path, CommandLine line) {
    line.getSubcommands()
        .forEach(
            (name, command) -> {
              names.add((path + " " + name).strip());
              add(names, path + " " + name, command);
            });
  }

  private static Object[] words(String first, String... rest) {
    List<Object> words = new ArrayList<>(List.of("help"));
    words.add(first);
    for (String word : rest) {
      if (!word.isEmpty()) {
        words.add(word);
      }
    }
    return words.toArray();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandHasAPage(String command) {
    String page = Cli.run(words("--man", command.split(" "))).succeeded().out();
    assertThat(page.lines().findFirst().orElseThrow())
        .startsWith(".TH \"" + ("bellows " + command).strip().toUpperCase().replace(' ', '-'));
    assertThat(page)
        .contains(".SH NAME\n", ".SH SYNOPSIS\n", ".SH DESCRIPTION\n", ".SH OPTIONS\n")
        .contains(".SH EXIT STATUS\n", ".SH EXAMPLES\n", ".SH SEE ALSO\n");
    for (String line : page.lines().toList()) {
      if (line.startsWith(".") || line.startsWith("'")) {
        assertThat(line).matches(CONTROL);
      }
      ESCAPE
          .matcher(line)
          .results()
          .forEach(escape -> assertThat(ESCAPES).as(line).contains(escape.group(1)));
      assertThat(line).doesNotContain("${", "%n", "%%");
    }
    CommandLine spec = LINE;
    for (String word : command.isEmpty() ? new String[0] : command.split(" ")) {
      spec = spec.getSubcommands().get(word);
    }
    for (OptionSpec option : spec.getCommandSpec().options()) {
      String name = "\\fB" + option.longestName().replace("-", "\\-") + "\\fR";
      assertThat(page.contains(name)).as(name).isEqualTo(!option.hidden());
    }
  }

  @Test
  void unknownVerbsHaveNone() {
    Cli.run("help", "--man", "nothing").refused("nothing");
  }

  @Test
  void descriptionsAreComplete() {
    assertThat(Cli.run("help", "--man", "build").out())
        .contains("\\fB\\-\\-fpp\\fR \\fIP\\fR\n")
        .contains("(default: 1%)")
        .contains(".SS \"Only \\-\\-kind elastic:\"\n")
        .contains("bellows build \\-\\-fpp 0.1% \\-o words.bloom examples/words.txt\n");
  }
}
