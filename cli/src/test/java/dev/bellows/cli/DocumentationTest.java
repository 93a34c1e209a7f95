package dev.bellows.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.bellows.pages.PageCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Compiles the java blocks of the README and of each guide as one method, and runs it. */
class DocumentationTest {
  private static final Pattern JAVA = Pattern.compile("(?ms)^```java\\n(.*?)^```");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)");

  @TempDir Path folder;

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.walk(Cli.ROOT.resolve("docs"))) {
      List<Path> pages = new ArrayList<>(docs.filter(p -> p.toString().endsWith(".md")).toList());
      pages.add(Cli.ROOT.resolve("README.md"));
      for (String name : List.of("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")) {
        pages.add(Cli.ROOT.resolve(name));
      }
      pages.add(Cli.ROOT.resolve("examples/README.md"));
      return pages;
    }
  }

  @TestFactory
  Stream<DynamicTest> codeOfEveryPageRuns() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path page : pages()) {
      String code = PageCode.blocks(page, "java");
      if (!code.isEmpty()) {
        tests.add(dynamicTest(page.getFileName().toString(), () -> run(code)));
      }
    }
    assertThat(tests).hasSizeGreaterThan(2);
    return tests.stream();
  }

  /** Unchanged: with its own imports, in a method that throws nothing. */
  @Test
  void theFirstSnippetOfTheReadmeIsSelfContained() throws Exception {
    Matcher block = JAVA.matcher(Files.readString(Cli.ROOT.resolve("README.md")));
    assertThat(block.find()).isTrue();
    run(block.group(1), "", "");
  }

  @Test
  void pagesHaveTheCoordinatesOfThisVersion() throws IOException {
    String pom = Files.readString(Cli.ROOT.resolve("pom.xml"));
    Matcher version = Pattern.compile("<revision>([^<]+)</revision>").matcher(pom);
    assertThat(version.find()).isTrue();
    assertThat(Files.readString(Cli.ROOT.resolve("core/pom.xml")))
        .contains("<artifactId>bellows-core</artifactId>");
    assertThat(Files.readString(Cli.ROOT.resolve("README.md")))
        .contains(
            "<groupId>dev.bellows</groupId><artifactId>bellows-core</artifactId><version>"
                + version.group(1)
                + "</version>")
        .contains("implementation(\"dev.bellows:bellows-core:" + version.group(1) + "\")");
    Pattern coordinates =
        Pattern.compile("<artifactId>bellows-[^<]*</artifactId>\\s*<version>([^<]*)<");
    int guides = 0;
    for (Path page : pages()) {
      Matcher named = coordinates.matcher(Files.readString(page));
      while (named.find()) {
        assertThat(named.group(1)).as("version in %s", page).isEqualTo(version.group(1));
        guides++;
      }
    }
    assertThat(guides).isGreaterThan(3);
  }

  /** The launcher copies every jar it builds to one name; Maven names it after the module. */
  @Test
  void jarsOnPagesAreThoseOfTheLauncher() throws IOException {
    Pattern jar = Pattern.compile("-cp (\\S+)/target/(\\S+\\.jar)");
    String launcher = Files.readString(Cli.ROOT.resolve("bellows"));
    assertThat(launcher).contains("home=$root/$module/target/launcher", "jar=$home/bellows.jar");
    int found = 0;
    for (Path page : pages()) {
      Matcher named = jar.matcher(Files.readString(page));
      while (named.find()) {
        String module = named.group(1);
        assertThat(named.group(2))
            .as("jar in %s", page)
            .isIn(
                "launcher/bellows.jar", "bellows-" + module.replaceFirst(".*/", "") + "-*-all.jar");
        assertThat(launcher).contains("prepare " + module + " ");
        found++;
      }
    }
    assertThat(found).isGreaterThan(10);
  }

  @Test
  void everyLinkResolves() throws IOException {
    for (Path page : pages()) {
      Matcher links = LINK.matcher(Files.readString(page));
      while (links.find()) {
        assertThat(page.resolveSibling(links.group(1))).as("link in %s", page).exists();
      }
    }
  }

  /** The index names every page of the folder, so that a new one cannot be forgotten. */
  @Test
  void theIndexNamesEveryPage() throws IOException {
    Path docs = Cli.ROOT.resolve("docs");
    String index = Files.readString(docs.resolve("README.md"));
    try (Stream<Path> pages = Files.list(docs)) {
      for (Path page : pages.filter(p -> p.toString().endsWith(".md")).toList()) {
        String name = page.getFileName().toString();
        if (!name.equals("README.md")) {
          assertThat(index).contains("](" + name);
        }
      }
    }
  }

  private void run(String code) throws Exception {
    run(
        code,
        """
        import dev.bellows.*;
        import dev.bellows.io.*;
        import dev.bellows.plan.*;
        import java.nio.file.*;
        import java.util.*;
        import java.util.stream.*;
        """,
        "throws Exception");
  }

  private void run(String code, String usualImports, String thrown) throws Exception {
    PageCode.run(folder, PageCode.page(usualImports, "", thrown, code));
  }
}
