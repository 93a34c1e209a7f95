package dev.bellows.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.Repository;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Exports;
import java.nio.file.Files;
import java.nio.file.Path;
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
  private static final Pattern IMPORT =
      Pattern.compile("import (?:static )?(dev\\.bellows\\.internal(?:\\.[a-z]\\w*)+)\\.[A-Z]");

  @Test
  void everyExportIsUsed() throws IOException {
    Map<String, Set<String>> byModule = new TreeMap<>();
    for (Exports exports : BloomFilter.class.getModule().getDescriptor().exports()) {
      assertThat(exports.isQualified())
          .as("%s", exports)
          .isEqualTo(exports.source().startsWith("dev.bellows.internal"));
      for (String target : exports.targets()) {
        byModule.computeIfAbsent(target, name -> new TreeSet<>()).add(exports.source());
      }
    }
    assertThat(byModule).isNotEmpty();
    for (Map.Entry<String, Set<String>> module : byModule.entrySet()) {
      String folder = module.getKey().substring("dev.bellows.".length());
      assertThat(imports(Repository.path(folder + "/src/main/java")))
          .as(module.getKey())
          .isEqualTo(module.getValue());
    }
  }

  private static Set<String> imports(Path sources) throws IOException {
    Set<String> imports = new TreeSet<>();
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        Matcher used = IMPORT.matcher(Files.readString(file));
        used.results().forEach(use -> imports.add(use.group(1)));
      }
    }
    return imports;
  }
}
