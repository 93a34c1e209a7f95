package dev.bellows.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/api.md lists every exported type of core with its first sentence, and they are few. */
class ApiListTest {
  private static final int MOST_TYPES = 59;

  private static final Pattern PUBLIC =
      Pattern.compile(
          "(?s)/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:@\\w+(?:\\([^)]*\\))?\\s*)*"
              + "public (?:abstract |final |sealed |non-sealed )*"
              + "(?:class|interface|enum|record) (\\w+)");

  private static final Path SOURCES = Repository.path("core/src/main/java");
  private static final Path LIST = Repository.path("docs/api.md");

  @Test
  void theListIsCurrentAndShort() throws IOException {
    Map<String, List<String>> byPackage = new TreeMap<>();
    for (String exported : exportedPackages()) {
      byPackage.put(exported, types(exported));
    }
    String page = page(byPackage);
    if (Boolean.getBoolean("bellows.api.write")) {
      Files.writeString(LIST, page);
    }
    assertThat(Files.readString(LIST)).isEqualTo(page);
    assertThat(byPackage.values().stream().mapToInt(List::size).sum())
        .as("exported types of core")
        .isBetween(30, MOST_TYPES);
  }

  private static List<String> exportedPackages() throws IOException {
    Matcher exports =
        Pattern.compile("exports ([\\w.]+);")
            .matcher(Files.readString(SOURCES.resolve("module-info.java")));
    return exports.results().map(result -> result.group(1)).toList();
  }

  /** A row for each public top-level type of a package. */
  private static List<String> types(String packageName) throws IOException {
    List<String> rows = new ArrayList<>();
    try (Stream<Path> files = Files.list(SOURCES.resolve(packageName.replace('.', '/')))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
        Matcher type = PUBLIC.matcher(Files.readString(file));
        String name = file.getFileName().toString().replace(".java", "");
        if (type.find() && type.group(2).equals(name)) {
          rows.add("| `" + name + "` | " + firstSentence(type.group(1)) + " |");
        }
      }
    }
    return rows;
  }

  private static String firstSentence(String javadoc) {
    String text =
        javadoc
            .replaceAll("(?m)^\\s*\\*", " ")
            .replaceAll("\\{@\\w+\\s+([^}]*)\\}", "$1")
            .replaceAll("<[^>]*>", "")
            .replaceAll("\\s+", " ")
            .strip();
    Matcher end = Pattern.compile("[.:](?= [A-Z<]|$)|[.](?= )|$").matcher(text);
    return end.find() ? text.substring(0, end.start()) : text;
  }

  private static String page(Map<String, List<String>> byPackage) {
    StringBuilder page = new StringBuilder();
    page.append("# The public types of core\n\n");
    page.append("Made from the sources, and checked by a test. Everything else is internal.\n");
    byPackage.forEach(
        (name, rows) -> {
          page.append("\n## ").append(name).append("\n\n| type | what it is |\n|---|---|\n");
          rows.forEach(row -> page.append(row).append('\n'));
        });
    return page.toString();
  }
}
