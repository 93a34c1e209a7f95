package dev.bellows.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.Filter;
import dev.bellows.StoredFilter;
import dev.bellows.internal.files.SerializedFilter;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/**
 * The metadata for GraalVM's native-image names every class that is serialized or read by
 * reflection, and no other. {@code -Dbellows.native.write=true} writes the files.
 */
class NativeImageTest {
  private static final String FOLDER = "src/main/resources/META-INF/native-image/dev.bellows/";

  /** A filter is serialized as its class and its bytes; the reader takes the class's FORMAT. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "core",
        "scalable",
        "durable",
        "documents/partition",
        "documents/range",
        "documents/autoscale"
      })
  void modulesNameWhatIsSerialized(String module) throws Exception {
    List<String> entries = new ArrayList<>();
    for (Class<?> type : classes(module)) {
      if (Filter.class.isAssignableFrom(type) && hasFormat(type)) {
        entries.add(
            "{\"type\": \"%s\", \"serializable\": %s, \"fields\": [{\"name\": \"FORMAT\"}]}"
                .formatted(type.getName(), Serializable.class.isAssignableFrom(type)));
      } else if (type == SerializedFilter.class || type == StoredFilter.class) {
        entries.add("{\"type\": \"%s\", \"serializable\": true}".formatted(type.getName()));
      }
    }
    assertThat(entries).isNotEmpty();
    String artifact = "bellows-" + module.substring(module.lastIndexOf('/') + 1);
    same(module + "/" + FOLDER + artifact + "/reachability-metadata.json", entries, List.of());
  }

  private static boolean hasFormat(Class<?> type) {
    return Arrays.stream(type.getFields()).anyMatch(field -> field.getName().equals("FORMAT"));
  }

  /** Picocli reads options from annotated fields and methods. */
  @Test
  void theCommandLineNamesWhatPicocliReads() throws Exception {
    List<String> entries = new ArrayList<>();
    for (Class<?> type : classes("cli")) {
      if (isReadByPicocli(type)) {
        entries.add(
            "{\"type\": \"%s\", \"allDeclaredFields\": true, \"allDeclaredMethods\": true, \"allDeclaredConstructors\": true}"
                .formatted(type.getName()));
      }
    }
    assertThat(entries).hasSizeGreaterThan(30);
    List<String> resources =
        List.of("dev/bellows/cli/version.properties", "dev/bellows/cli/verbs/index.html");
    for (String resource : resources) {
      assertThat(Main.class.getClassLoader().getResource(resource)).as(resource).isNotNull();
    }
    same("cli/" + FOLDER + "bellows-cli/reachability-metadata.json", entries, resources);
  }

  private static boolean isReadByPicocli(Class<?> type) {
    return Stream.of(
            Stream.of(type),
            Arrays.stream(type.getDeclaredFields()),
            Arrays.stream(type.getDeclaredMethods()))
        .flatMap(all -> all)
        .flatMap(element -> Arrays.stream(((AnnotatedElement) element).getDeclaredAnnotations()))
        .anyMatch(found -> found.annotationType().getEnclosingClass() == CommandLine.class);
  }

  private static void same(String file, List<String> entries, List<String> resources)
      throws IOException {
    StringBuilder json = new StringBuilder("{\n  \"reflection\": [\n    ");
    json.append(String.join(",\n    ", entries)).append("\n  ]");
    if (!resources.isEmpty()) {
      List<String> globs = resources.stream().map("{\"glob\": \"%s\"}"::formatted).toList();
      json.append(",\n  \"resources\": [\n    ")
          .append(String.join(",\n    ", globs))
          .append("\n  ]");
    }
    json.append("\n}\n");
    Path path = Cli.ROOT.resolve(file);
    if (Boolean.getBoolean("bellows.native.write")) {
      Files.createDirectories(path.getParent());
      Files.writeString(path, json);
    }
    assertThat(path)
        .as("written by -Dtest=NativeImageTest -Dbellows.native.write=true")
        .hasContent(json.toString());
  }

  /**
   * The named classes of a module that can have instances, and the base of all filters, in the
   * order of their names.
   */
  private static List<Class<?>> classes(String module) throws Exception {
    Path root = Cli.ROOT.resolve(module).resolve("target/classes");
    List<Class<?>> classes = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root.resolve("dev"))) {
      for (Path file : files.sorted().toList()) {
        String name = root.relativize(file).toString();
        if (name.endsWith(".class") && !name.endsWith("package-info.class")) {
          String type = name.replace(".class", "").replace('/', '.').replace('\\', '.');
          Class<?> found = Class.forName(type, false, NativeImageTest.class.getClassLoader());
          boolean isNamed = !found.isAnonymousClass() && !found.isSynthetic();
          boolean isUsed =
              found == StoredFilter.class || !Modifier.isAbstract(found.getModifiers());
          if (isNamed && (module.equals("cli") || isUsed)) {
            classes.add(found);
          }
        }
      }
    }
    return classes;
  }
}
