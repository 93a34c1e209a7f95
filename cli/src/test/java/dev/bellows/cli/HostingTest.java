package dev.bellows.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The files for a host of the project (workflows, Dependabot, Dockerfile, citation) name scripts,
 * profiles, modules and paths that exist. They cannot run here, so a renamed script or profile
 * would be noticed only after a push.
 */
class HostingTest {
  private static final Path HOST = Cli.ROOT.resolve(".github");

  @TestFactory
  Stream<DynamicTest> everyCommandOfAWorkflowExists() throws IOException {
    List<Path> workflows = list(HOST.resolve("workflows"));
    assertThat(workflows).hasSizeGreaterThan(2);
    return workflows.stream()
        .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> check(file)));
  }

  private static void check(Path file) throws IOException {
    Map<String, Object> workflow = map(Yaml.read(file));
    assertThat(workflow).containsKeys("name", "on", "permissions", "jobs");
    List<String> commands = new ArrayList<>();
    for (Object job : map(workflow.get("jobs")).values()) {
      assertThat(map(job)).containsKeys("runs-on", "timeout-minutes", "steps");
      for (Object step : (List<?>) map(job).get("steps")) {
        Map<String, Object> one = map(step);
        assertThat(one.containsKey("run") ^ one.containsKey("uses")).as("%s", one).isTrue();
        if (one.containsKey("uses")) {
          assertThat((String) one.get("uses"))
              .matches("(actions/[a-z-]+|github/codeql-action/[a-z]+)@v\\d+");
        } else {
          commands.add((String) one.get("run"));
        }
      }
    }
    for (String command : commands) {
      checkCommand(command);
    }
  }

  /** The scripts, profiles and modules that a command names. */
  private static void checkCommand(String command) throws IOException {
    List<String> words = List.of(command.split("\\s+"));
    for (String word : words) {
      if (word.startsWith(".ci/") || word.startsWith("./")) {
        assertThat(Cli.ROOT.resolve(word)).as(command).isExecutable();
      }
    }
    if (words.get(0).equals("mvn")) {
      for (String profile : options(command, "-P(\\S+)")) {
        assertThat(profiles()).as(command).contains(profile);
      }
      for (String module : options(command, "-pl (\\S+)")) {
        assertThat(Cli.ROOT.resolve(module).resolve("pom.xml")).as(command).exists();
      }
    }
  }

  private static List<String> options(String command, String pattern) {
    return Pattern.compile(pattern)
        .matcher(command)
        .results()
        .flatMap(found -> Stream.of(found.group(1).split(",")))
        .toList();
  }

  /** The profiles of all modules. */
  private static TreeSet<String> profiles() throws IOException {
    TreeSet<String> ids = new TreeSet<>();
    for (String pom : List.of("pom.xml", "cli/pom.xml")) {
      Matcher profile =
          Pattern.compile("(?s)<profile>.*?<id>([^<]+)</id>")
              .matcher(Files.readString(Cli.ROOT.resolve(pom)));
      profile.results().map(found -> found.group(1)).forEach(ids::add);
    }
    return ids;
  }

  /** The guard of the main branch runs on both architectures, with JDK 17 and a newer one. */
  @Test
  void theGuardRunsOnBothArchitecturesAndJdks() throws IOException {
    Map<String, Object> jobs = map(map(Yaml.read(HOST.resolve("workflows/ci.yml"))).get("jobs"));
    Map<String, Object> job = map(jobs.get("run"));
    assertThat((List<?>) map(map(job.get("strategy")).get("matrix")).get("os"))
        .hasSize(2)
        .anySatisfy(os -> assertThat((String) os).endsWith("-arm"));
    String steps = job.get("steps").toString();
    assertThat(steps).contains("run=.ci/run");
    Matcher versions = Pattern.compile("java-version=(\\d+)\\n(\\d+)\\n").matcher(steps);
    assertThat(versions.find()).isTrue();
    // the last version is the one that is used; .ci/run looks for the other one
    assertThat(versions.group(2)).isEqualTo("17");
    assertThat(Integer.parseInt(versions.group(1))).isGreaterThan(17);
    assertThat(Files.readString(Cli.ROOT.resolve(".ci/run"))).contains("JAVA_HOME_");
  }

  @Test
  void dependabotLooksWhereTheManifestsAre() throws IOException {
    Map<String, String> manifests =
        Map.of(
            "maven", "pom.xml",
            "github-actions", ".github/workflows",
            "docker", "Dockerfile",
            "pip", "pyproject.toml");
    Object updates = map(Yaml.read(HOST.resolve("dependabot.yml"))).get("updates");
    for (Object update : (List<?>) updates) {
      String manifest = manifests.get((String) map(update).get("package-ecosystem"));
      String directory = ((String) map(update).get("directory")).substring(1);
      assertThat(Cli.ROOT.resolve(directory).resolve(manifest)).exists();
    }
    assertThat((List<?>) updates).hasSize(manifests.size());
  }

  @Test
  void theContainerCopiesTheImageThatItsProfileMakes() throws IOException {
    String file = Files.readString(Cli.ROOT.resolve("Dockerfile"));
    Matcher maven = Pattern.compile("(?m)^RUN (mvn .*)$").matcher(file);
    assertThat(maven.find()).isTrue();
    checkCommand(maven.group(1));
    assertThat(maven.group(1)).contains("-Pimage");
    assertThat(Files.readString(Cli.ROOT.resolve("cli/pom.xml")))
        .contains("${project.build.directory}/image");
    assertThat(file).contains("COPY --from=build /src/cli/target/image /opt/bellows");
    assertThat(Cli.ROOT.resolve(".dockerignore")).exists();
  }

  @Test
  void theCitationMatchesThePom() throws IOException {
    Map<String, Object> citation = map(Yaml.read(Cli.ROOT.resolve("CITATION.cff")));
    assertThat(citation)
        .containsKeys("cff-version", "message", "title", "authors")
        .containsEntry("license", "Apache-2.0");
    String pom = Files.readString(Cli.ROOT.resolve("pom.xml"));
    assertThat(pom)
        .contains("<revision>" + citation.get("version") + "</revision>")
        .contains("<url>" + citation.get("url") + "</url>")
        .contains("<url>" + citation.get("repository-code") + "</url>")
        .contains(
            "<name>" + map(((List<?>) citation.get("authors")).get(0)).get("name") + "</name>");
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object value) {
    assertThat(value).isInstanceOf(Map.class);
    return (Map<String, Object>) value;
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  /**
   * Reads the part of YAML that these files use: maps and lists by indentation, lists in brackets,
   * plain and quoted scalars, and texts of several lines after {@code |}. Whatever else a line has
   * fails.
   */
  private static final class Yaml {
    private static final Pattern ENTRY = Pattern.compile("([A-Za-z][\\w-]*):(?: (.*))?");

    private final List<String> lines = new ArrayList<>();
    private int at;

    static Object read(Path file) throws IOException {
      Yaml yaml = new Yaml();
      for (String line : Files.readAllLines(file)) {
        assertThat(line).as("%s", file).doesNotContain("\t");
        if (!line.isBlank() && !line.strip().startsWith("#")) {
          yaml.lines.add(line.stripTrailing());
        }
      }
      Object value = yaml.block(0);
      assertThat(yaml.at).as("line '%s' of %s", yaml.peek(), file).isEqualTo(yaml.lines.size());
      return value;
    }

    private String peek() {
      return at < lines.size() ? lines.get(at) : "";
    }

    private int indent() {
      String line = peek();
      return at < lines.size() ? line.length() - line.stripLeading().length() : -1;
    }

    private Object block(int indent) {
      return peek().startsWith("- ", indent) ? items(indent) : entries(indent);
    }

    private List<Object> items(int indent) {
      List<Object> items = new ArrayList<>();
      while (indent() == indent && peek().startsWith("- ", indent)) {
        String rest = peek().substring(indent + 2);
        if (ENTRY.matcher(rest).matches()) {
          // the entries of an item follow its dash
          lines.set(at, " ".repeat(indent + 2) + rest);
          items.add(entries(indent + 2));
        } else {
          at++;
          items.add(scalar(rest));
        }
      }
      return items;
    }

    private Map<String, Object> entries(int indent) {
      Map<String, Object> entries = new LinkedHashMap<>();
      while (indent() == indent) {
        Matcher entry = ENTRY.matcher(peek().substring(indent));
        assertThat(entry.matches()).as("line '%s'", peek()).isTrue();
        at++;
        String rest = entry.group(2);
        assertThat(entries.put(entry.group(1), value(rest, indent))).as(entry.group(1)).isNull();
      }
      return entries;
    }

    private Object value(String rest, int indent) {
      if (rest == null) {
        return indent() > indent ? block(indent()) : "";
      }
      return rest.equals("|") ? text(indent) : scalar(rest);
    }

    private String text(int indent) {
      StringBuilder text = new StringBuilder();
      while (indent() > indent) {
        text.append(lines.get(at++).strip()).append('\n');
      }
      return text.toString();
    }

    private static Object scalar(String text) {
      if (text.startsWith("[")) {
        assertThat(text).endsWith("]");
        return Pattern.compile("\"([^\"]*)\"|[^,\\s\\[\\]]+")
            .matcher(text)
            .results()
            .map(Yaml::unquoted)
            .toList();
      }
      if (text.startsWith("\"")) {
        assertThat(text).matches("\"[^\"\\\\]*\"");
        return text.substring(1, text.length() - 1);
      }
      assertThat(text).as("a plain scalar").doesNotContain(": ", " #").doesNotMatch("[&*!>'{@`].*");
      return text;
    }

    private static String unquoted(MatchResult found) {
      return found.group(1) == null ? found.group() : found.group(1);
    }
  }
}
