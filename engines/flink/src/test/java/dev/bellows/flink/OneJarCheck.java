package dev.bellows.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The jar for {@code lib/}, next to a Flink that has nothing else of Bellows. Not part of the
 * tests: it runs when the jar is packaged.
 */
class OneJarCheck {
  @TempDir Path folder;

  private static Path jar() {
    return Path.of(System.getProperty("bellows.one.jar"));
  }

  @Test
  void aJobNeedsNothingElse() throws Exception {
    String entry = OneJarApp.class.getName().replace('.', '/') + ".class";
    Path application = folder.resolve(entry);
    Files.createDirectories(application.getParent());
    try (InputStream in = OneJarApp.class.getClassLoader().getResourceAsStream(entry)) {
      Files.copy(in, application);
    }
    String path =
        String.join(File.pathSeparator, flinkAlone(), jar().toString(), folder.toString());
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                path,
                OneJarApp.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(process.waitFor()).as(() -> read(log)).isZero();
    assertThat(read(log)).contains(OneJarApp.DONE);
  }

  @Test
  void theJarHasOurClassesAndRelocatedOnes() throws Exception {
    try (JarFile jar = new JarFile(jar().toFile())) {
      assertThat(jar.getEntry("META-INF/LICENSE-bellows")).isNotNull();
      List<String> others =
          jar.stream()
              .map(JarEntry::getName)
              .filter(name -> name.endsWith(".class") && !name.startsWith("dev/bellows/"))
              .toList();
      assertThat(others).as("classes that may meet other versions").isEmpty();
    }
  }

  /** The class path of this process without Bellows and what only Bellows needs. */
  private static String flinkAlone() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar"))
        .filter(entry -> !entry.contains("bellows") && !entry.contains("hash4j"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
