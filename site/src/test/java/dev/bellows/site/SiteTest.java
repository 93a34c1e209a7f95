package dev.bellows.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The site of this project, as it is. */
class SiteTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]+)\"");

  @TempDir static Path out;
  private static List<String> sources;

  @BeforeAll
  static void write() throws IOException {
    sources = Site.write(ROOT, out);
  }

  /** A page that nothing links to would not be there. */
  @Test
  void everyPageOfTheProjectIsOnIt() throws IOException {
    List<String> markdown = new ArrayList<>();
    for (String folder : List.of("", "docs", "spec", "examples")) {
      int depth = folder.isEmpty() ? 1 : Integer.MAX_VALUE;
      try (Stream<Path> files = Files.walk(ROOT.resolve(folder), depth)) {
        files
            .map(file -> ROOT.relativize(file).toString())
            .filter(name -> name.endsWith(".md"))
            .forEach(markdown::add);
      }
    }
    assertThat(markdown).hasSizeGreaterThan(70);
    assertThat(markdown).filteredOn(name -> !sources.contains(name)).isEmpty();
  }

  @Test
  void everyLinkAndAnchorResolves() throws IOException {
    int links = 0;
    for (Path page : pages()) {
      Matcher link = LINK.matcher(Files.readString(page));
      while (link.find()) {
        if (!link.group(1).matches("[a-z]+:.*")) {
          arrives(page, link.group(1));
          links++;
        }
      }
    }
    assertThat(links).isGreaterThan(sources.size() * 30);
  }

  private static void arrives(Path page, String link) throws IOException {
    String[] parts = link.split("#", 2);
    String path = URLDecoder.decode(parts[0], StandardCharsets.UTF_8);
    Path target = path.isEmpty() ? page : page.resolveSibling(path);
    assertThat(target).as("%s in %s", link, out.relativize(page)).isRegularFile();
    if (parts.length == 2) {
      assertThat(Files.readString(target))
          .as("%s in %s", link, out.relativize(page))
          .contains("id=\"" + parts[1] + "\"");
    }
  }

  /** All but the planner, which has its own tests. */
  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.walk(out)) {
      return files
          .filter(file -> file.toString().endsWith(".html"))
          .filter(file -> !file.startsWith(out.resolve("planner")))
          .filter(file -> !file.startsWith(out.resolve("api")))
          .toList();
    }
  }

  @Test
  void tablesCodeAndHeadingsAreHtml() {
    Markdown text = new Markdown("# A `b`\n\n| x | y |\n|---|---:|\n| 1 | <2> |\n\n## A b\n");
    assertThat(text.title("none")).isEqualTo("A b");
    assertThat(text.html(link -> link))
        .contains("<h1 id=\"a-b\">A <code>b</code></h1>", "<h2 id=\"a-b-1\">")
        .contains("<td align=\"right\">");
    assertThat(new Markdown("no heading").title("none")).isEqualTo("none");
  }

  @Test
  void theSearchKnowsTheWordsOfEveryPage() throws IOException {
    String words = Files.readString(out.resolve("words.js"));
    assertThat(words).contains("\"place\":\"docs/cookbook.html\"", "quarter of", "Dekker");
    assertThat(words.split("\"place\":")).hasSize(sources.size() + 1);
  }

  @Test
  void resultsThatTheSearchRanksLastExist() throws IOException {
    String script = Files.readString(out.resolve("search.js"));
    Matcher later = Pattern.compile("LATER = \\[(.*)]").matcher(script);
    assertThat(later.find()).isTrue();
    for (String place : later.group(1).replace("\"", "").split(", ")) {
      assertThat(out.resolve(place)).exists();
    }
  }

  @Test
  void aFolderHasAPageWithATitle() throws IOException {
    assertThat(Files.readString(out.resolve("docs/decisions/index.html")))
        .contains(">Decisions</h1>");
  }

  @Test
  void brokenLinksAreRefused(@TempDir Path project, @TempDir Path target) throws IOException {
    Files.writeString(project.resolve("README.md"), "# A\n\n[b](docs/b.md)\n");
    assertThatThrownBy(() -> Site.write(project, target))
        .hasMessage("README.md links to docs/b.md, which is not there");
    Files.writeString(project.resolve("README.md"), "# A\n\n[b](../outside.md)\n");
    assertThatThrownBy(() -> Site.write(project, target)).hasMessageContaining("../outside.md");
  }
}
