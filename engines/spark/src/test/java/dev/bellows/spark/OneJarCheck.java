package dev.bellows.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The jar for {@code --jars}, submitted to a Spark that has nothing else of Bellows. Not part of
 * the tests: it runs when the jar is packaged.
 */
class OneJarCheck {
  @TempDir Path folder;

  @Test
  void anApplicationNeedsNothingElse() throws Exception {
    Path jar = Path.of(System.getProperty("bellows.one.jar"));
    assertThat(jar).exists();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith("--add-opens"))
            .toList());
    command.addAll(
        List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", sparkAlone()));
    command.add("org.apache.spark.deploy.SparkSubmit");
    command.addAll(List.of("--master", "local[1]", "--jars", jar.toString()));
    command.addAll(List.of("--conf", "spark.ui.enabled=false"));
    command.addAll(List.of("--conf", "spark.sql.warehouse.dir=" + folder.resolve("warehouse")));
    command.addAll(List.of("--class", OneJarApp.class.getName(), application().toString()));
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .directory(folder.toFile())
            .start();
    assertThat(process.waitFor()).as(() -> read(log)).isZero();
    assertThat(read(log)).contains(OneJarApp.DONE);
  }

  /** Apache-2.0, which all that is inside has; none of it brings a notice of its own. */
  @Test
  void theJarHasTheLicenceOfAllThatIsInside() throws Exception {
    try (JarFile jar = new JarFile(System.getProperty("bellows.one.jar"))) {
      assertThat(text(jar, "META-INF/LICENSE-bellows")).contains("Apache License");
    }
  }

  private static String text(JarFile jar, String name) throws Exception {
    assertThat(jar.getEntry(name)).as(name).isNotNull();
    try (InputStream in = jar.getInputStream(jar.getEntry(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The class path of this process without Bellows and what only Bellows needs. */
  private static String sparkAlone() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar"))
        .filter(entry -> !entry.contains("bellows") && !entry.contains("hash4j"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private Path application() throws Exception {
    Path jar = folder.resolve("application.jar");
    String entry = OneJarApp.class.getName().replace('.', '/') + ".class";
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream classes = new JarOutputStream(out);
        InputStream in = OneJarApp.class.getClassLoader().getResourceAsStream(entry)) {
      classes.putNextEntry(new JarEntry(entry));
      in.transferTo(classes);
    }
    return jar;
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
