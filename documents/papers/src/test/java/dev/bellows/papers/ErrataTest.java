package dev.bellows.papers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The errata page in the Javadoc equals the one of the papers, and every link to it resolves. */
class ErrataTest {
  private static final Path ROOT = Path.of(System.getProperty("bellows.root", ".."));
  private static final Path PAGE = ROOT.resolve("core/src/main/javadoc/doc-files/errata.html");
  private static final Pattern LINK = Pattern.compile("doc-files/errata\\.html#(\\w+)");

  @Test
  void theJavadocHasTheSamePage() throws IOException {
    if (Boolean.getBoolean("bellows.golden.write")) {
      Files.writeString(PAGE, Errata.javadocPage());
    }
    assertThat(Files.readString(PAGE)).isEqualTo(Errata.javadocPage());
  }

  @Test
  void everyLinkOfTheJavadocResolves() throws IOException {
    Set<String> linked = new TreeSet<>();
    for (String module :
        List.of("core", "documents/partition", "documents/range", "documents/autoscale")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module + "/src/main/java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          linked.addAll(
              LINK.matcher(Files.readString(file))
                  .results()
                  .map((MatchResult result) -> result.group(1))
                  .collect(Collectors.toSet()));
        }
      }
    }
    assertThat(linked).hasSizeGreaterThan(20);
    assertThat(Errata.entries().keySet()).containsAll(linked);
  }
}
