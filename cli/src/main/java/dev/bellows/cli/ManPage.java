package dev.bellows.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The manual page of a command, as roff with the macros of man(7). It is generated from the same
 * model as the help, so that the two agree.
 */
final class ManPage {
  private final StringBuilder page = new StringBuilder();
  private final CommandLine line;
  private final CommandSpec spec;

  private ManPage(CommandLine line) {
    this.line = line;
    this.spec = line.getCommandSpec();
  }

  /** Returns the manual page of a command. */
  static String of(CommandLine line, String version) {
    ManPage man = new ManPage(line);
    man.write(version);
    return man.page.toString();
  }

  private void write(String version) {
    String name = spec.qualifiedName("-");
    String[] description = spec.usageMessage().description();
    page.append(
        ".TH \"%s\" 1 \"\" \"%s\" \"Bellows\"\n".formatted(name.toUpperCase(Locale.ROOT), version));
    page.append(".nh\n.ad l\n"); // options and file names must not be broken
    section("NAME");
    text(name + " \\- " + escaped(firstSentence(description)));
    section("SYNOPSIS");
    example(new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF)).synopsis(0).strip());
    section("DESCRIPTION");
    for (String paragraph : description) {
      page.append(".PP\n");
      text(escaped(formatted(paragraph)));
    }
    parameters();
    options();
    commands();
    section("EXIT STATUS");
    spec.root().usageMessage().exitCodeList().forEach((code, meaning) -> item(bold(code), meaning));
    section("EXAMPLES");
    example(formatted(String.join("\n", spec.usageMessage().footer())));
    seeAlso();
  }

  private void parameters() {
    List<PositionalParamSpec> parameters =
        spec.positionalParameters().stream().filter(parameter -> !parameter.hidden()).toList();
    if (!parameters.isEmpty()) {
      section("ARGUMENTS");
    }
    for (PositionalParamSpec parameter : parameters) {
      item("\\fI" + escaped(parameter.paramLabel()) + "\\fR", parameter.description());
    }
  }

  /** Writes the options as the help groups them. */
  private void options() {
    List<ArgGroupSpec> groups =
        spec.argGroups().stream()
            .filter(group -> group.heading() != null)
            .sorted(Comparator.comparingInt(ArgGroupSpec::order))
            .toList();
    List<OptionSpec> single = new ArrayList<>(spec.options());
    groups.forEach(group -> single.removeAll(group.allOptionsNested()));
    section("OPTIONS");
    single.forEach(this::option);
    for (ArgGroupSpec group : groups) {
      String heading = formatted(group.heading()).strip();
      page.append(".SS \"").append(escaped(heading)).append("\"\n");
      group.allOptionsNested().forEach(this::option);
    }
  }

  private void option(OptionSpec option) {
    if (option.hidden()) {
      return;
    }
    String value =
        option.typeInfo().isBoolean() || option.arity().max() == 0
            ? ""
            : " \\fI" + escaped(option.paramLabel()) + "\\fR";
    List<String> names = Arrays.stream(option.names()).map(ManPage::bold).toList();
    item(String.join(", ", names) + value, option.description());
  }

  private void commands() {
    if (line.getSubcommands().isEmpty()) {
      return;
    }
    section("COMMANDS");
    line.getSubcommands()
        .forEach(
            (name, command) -> {
              UsageMessageSpec usage = command.getCommandSpec().usageMessage();
              item(bold(name), firstSentence(usage.description()));
            });
  }

  private void seeAlso() {
    List<String> others = new ArrayList<>();
    if (spec.parent() != null) {
      others.add(spec.parent().qualifiedName("-"));
    }
    line.getSubcommands()
        .keySet()
        .forEach(name -> others.add(spec.qualifiedName("-") + "-" + name));
    section("SEE ALSO");
    text(String.join(", ", others.stream().map(name -> bold(name) + "(1)").toList()));
  }

  private void section(String title) {
    page.append(".SH ").append(title).append('\n');
  }

  private void item(String term, String... description) {
    page.append(".TP\n").append(term).append('\n');
    text(escaped(formatted(String.join(" ", description))));
  }

  /** Writes text that may be broken into lines anywhere. */
  private void text(String text) {
    page.append(safe(text.replaceAll("\\s+", " ").strip())).append('\n');
  }

  /** Writes lines as they are. */
  private void example(String lines) {
    page.append(".PP\n.nf\n");
    lines.lines().forEach(one -> page.append(safe(escaped(one))).append('\n'));
    page.append(".fi\n");
  }

  /** Returns text of the model, in which a percent sign may be doubled and %n a line end. */
  private static String formatted(String text) {
    return text.replace("%n", "\n").replace("%%", "%");
  }

  private static String firstSentence(String[] description) {
    String first = formatted(description[0]);
    int end = first.indexOf(". ");
    return (end < 0 ? first : first.substring(0, end)).replaceAll("\\.$", "");
  }

  /** Returns text with roff's special characters, backslashes and dashes, escaped. */
  private static String escaped(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-").replace("\"", "\\(dq");
  }

  private static String bold(String text) {
    return "\\fB" + escaped(text) + "\\fR";
  }

  /** Returns a line that does not begin with a control character. */
  private static String safe(String text) {
    return text.startsWith(".") || text.startsWith("'") ? "\\&" + text : text;
  }
}
