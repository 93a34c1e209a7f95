package dev.bellows.papers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page "Document by document" names every item, and nothing that does not exist. */
class DocumentsTest {
  private static final Path ROOT = Path.of(System.getProperty("bellows.root", ".."));
  private static final Path PAGE = ROOT.resolve("docs/documents.md");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)]+)\\)");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern TYPE = Pattern.compile("([A-Z]\\w+)(?:\\.(\\w+))?");
  private static final Pattern VERB = Pattern.compile("bellows (\\w+)(?: (\\w+))?");

  private static List<String> all(Pattern pattern) throws IOException {
    return pattern.matcher(Files.readString(PAGE)).results().map(found -> found.group(1)).toList();
  }

  @Test
  void everyLinkResolves() throws IOException {
    List<String> links = all(LINK);
    assertThat(links).hasSizeGreaterThan(100);
    for (String link : links) {
      assertThat(PAGE.resolveSibling(link.replaceFirst("#.*", ""))).exists();
    }
  }

  @Test
  void everyRecomputedPageIsNamed() throws IOException {
    List<String> links = all(LINK);
    List<String> ids = all(CODE);
    assertThat(Catalogue.all())
        .allMatch(item -> links.contains("papers/" + item.section()) || ids.contains(item.id()));
  }

  @Test
  void everyClassAndMethodExists() throws IOException {
    Map<String, Path> sources =
        sources(
            "core",
            "scalable",
            "documents/partition",
            "documents/range",
            "documents/autoscale",
            "cli/answers",
            "documents/papers");
    int types = 0;
    for (String code : all(CODE)) {
      Matcher type = TYPE.matcher(code);
      if (type.matches()) {
        types++;
        Path source = sources.get(type.group(1));
        assertThat(source).as(code).isNotNull();
        if (type.group(2) != null) {
          assertThat(Files.readString(source)).as(code).contains(" " + type.group(2) + "(");
        }
      }
    }
    assertThat(types).isGreaterThan(100);
  }

  private static Map<String, Path> sources(String... modules) throws IOException {
    Map<String, Path> sources = new HashMap<>();
    for (String module : modules) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module + "/src/main/java"))) {
        files
            .filter(file -> file.toString().endsWith(".java"))
            .forEach(
                file ->
                    sources.putIfAbsent(file.getFileName().toString().replace(".java", ""), file));
      }
    }
    return sources;
  }

  @Test
  void everyVerbExists() throws IOException {
    Map<String, Path> commands = sources("cli");
    int verbs = 0;
    for (String code : all(CODE)) {
      Matcher verb = VERB.matcher(code);
      if (verb.matches()) {
        verbs++;
        String last = verb.group(2) == null ? verb.group(1) : verb.group(2);
        String type = (verb.group(2) == null ? "" : capital(verb.group(1))) + capital(last);
        Path source = commands.get(type);
        assertThat(source).as(code).isNotNull();
        assertThat(Files.readString(source)).as(code).contains("name = \"" + last + "\"");
      }
    }
    assertThat(verbs).isGreaterThan(30);
  }

  private static String capital(String word) {
    return Character.toUpperCase(word.charAt(0)) + word.substring(1);
  }

  private static Stream<String> numbered(String words, int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(i -> words + i);
  }

  @Test
  void everyNumberedItemHasItsRow() throws IOException {
    Map<String, Stream<String>> expected = new HashMap<>();
    expected.put(
        "000",
        Stream.of(
                numbered("Eq. ", 1, 14),
                numbered("Figure ", 1, 2),
                Stream.of("Table I", "Table II", "Table III", "Theorem"))
            .flatMap(Function.identity()));
    expected.put(
        "002",
        Stream.of(
                numbered("Eq. ", 1, 2),
                numbered("Figure ", 1, 5),
                numbered("Definition 2.", 1, 4),
                Stream.of("Theorem A.1"))
            .flatMap(Function.identity()));
    expected.put(
        "003",
        Stream.of(
                numbered("Eq. 2-", 1, 3),
                numbered("Eq. 3-", 1, 15),
                numbered("Figure 2-", 1, 4),
                numbered("Figure 3-", 1, 10),
                numbered("Figure 4-", 1, 6),
                numbered("Table 4-", 1, 4),
                numbered("Algorithm 3-", 1, 3),
                numbered("Function 3-", 1, 2))
            .flatMap(Function.identity()));
    expected.put(
        "004",
        Stream.of(numbered("Eq. ", 1, 22), numbered("Figure ", 1, 4), Stream.of("Table 1"))
            .flatMap(Function.identity()));
    Map<String, List<String>> rows = rows();
    assertThat(rows.keySet()).containsExactlyInAnyOrder("000", "001", "002", "003", "004");
    expected.forEach(
        (document, items) -> assertThat(rows.get(document)).containsAll(items.toList()));
    rows.values().forEach(items -> assertThat(items).doesNotHaveDuplicates());
  }

  /** The first cells of the rows, by document. */
  private static Map<String, List<String>> rows() throws IOException {
    Map<String, List<String>> rows = new HashMap<>();
    String document = "";
    for (String line : Files.readAllLines(PAGE)) {
      if (line.startsWith("## ")) {
        document = line.substring(3, 6);
      } else if (!document.isEmpty() && line.startsWith("| ") && !line.startsWith("| item")) {
        String[] cells = line.split("\\|");
        rows.computeIfAbsent(document, d -> new ArrayList<>()).add(cells[1].strip());
        assertThat(cells[3]).as(line).containsAnyOf("`", "](");
      }
    }
    return rows;
  }

  @Test
  void everyDocumentHasAScenario() throws IOException {
    Set<String> with =
        rows().entrySet().stream()
            .filter(entry -> entry.getValue().stream().anyMatch(row -> row.startsWith("Scenario")))
            .map(Map.Entry::getKey)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(with).containsExactly("000", "001", "002", "003", "004");
  }
}
