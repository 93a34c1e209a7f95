package dev.bellows.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Core exports an internal package to those modules of ours that import it, and to no other. */
class QualifiedExportsTest {
  private static final Pattern MODULE = Pattern.compile("(?m)^module ([\\w.]+) ");
  private static final Pattern EXPORTS = Pattern.compile("exports ([\\w.]+)(?: to\\s+([^;]+))?;");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern IMPORT =
      Pattern.compile("import (?:static )?(dev\\.bellows\\.internal(?:\\.[a-z]\\w*)+)\\.[A-Z]");

  /** The modules that may see internal packages. */
  private static final List<String> FOLDERS =
      List.of(
          "scalable",
          "durable",
          "documents/partition",
          "documents/range",
          "documents/autoscale",
          "engines/parquet",
          "engines/redis");

  @Test
  void everyExportIsUsed() throws IOException {
    Map<String, Set<String>> byModule = new TreeMap<>();
    Matcher exports =
        EXPORTS.matcher(Files.readString(sources("core").resolve("module-info.java")));
    while (exports.find()) {
      String exported = exports.group(1);
      assertThat(exports.group(2) != null)
          .as(exported)
          .isEqualTo(exported.startsWith("dev.bellows.internal"));
      if (exports.group(2) != null) {
        for (String target : exports.group(2).split("[,\\s]+")) {
          byModule.computeIfAbsent(target, name -> new TreeSet<>()).add(exported);
        }
      }
    }
    for (String folder : FOLDERS) {
      String module = find(MODULE, sources(folder).resolve("module-info.java")).iterator().next();
      Set<String> imports = findAll(IMPORT, sources(folder));
      imports.removeAll(findAll(PACKAGE, sources(folder)));
      assertThat(imports).as(module).isNotEmpty().isEqualTo(byModule.remove(module));
    }
    assertThat(byModule).isEmpty();
  }

  private static Path sources(String folder) {
    return Repository.path(folder + "/src/main/java");
  }

  private static Set<String> findAll(Pattern pattern, Path sources) throws IOException {
    Set<String> found = new TreeSet<>();
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        found.addAll(find(pattern, file));
      }
    }
    return found;
  }

  private static Set<String> find(Pattern pattern, Path file) throws IOException {
    Set<String> found = new TreeSet<>();
    pattern.matcher(Files.readString(file)).results().forEach(hit -> found.add(hit.group(1)));
    return found;
  }
}
