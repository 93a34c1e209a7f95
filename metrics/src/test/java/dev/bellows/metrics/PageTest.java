package dev.bellows.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.Filter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page about production: its code is compiled and run, and its meters are those it made. */
class PageTest {
  @TempDir Path folder;

  private static String page() throws IOException {
    return Files.readString(Path.of(System.getProperty("bellows.root"), "docs/in-production.md"));
  }

  @Test
  void theCodeBindsTheMetersOfTheTable() throws Exception {
    Matcher block = Pattern.compile("(?ms)^```java metrics\\n(.*?)^```").matcher(page());
    assertThat(block.find()).isTrue();
    String code = block.group(1).replaceFirst("(?m)^import .*$", "");
    Path source = folder.resolve("Page.java");
    Files.writeString(
        source,
        """
        import dev.bellows.metrics.FilterMetrics;
        public class Page {
          public static void run(
              dev.bellows.Filter filter, io.micrometer.core.instrument.MeterRegistry registry) {
        %s
          }
        }
        """
            .formatted(code));
    String modules = System.getProperty("jdk.module.path", "");
    String path = System.getProperty("java.class.path") + File.pathSeparator + modules;
    String[] options = {"-proc:none", "-cp", path, "" + source};
    ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
    assertThat(javac.run(System.out, System.err, options)).isZero();
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      loader
          .loadClass("Page")
          .getMethod("run", Filter.class, MeterRegistry.class)
          .invoke(null, BloomFilter.create(1000, 0.01), registry);
    }
    assertThat(registry.getMeters())
        .extracting(meter -> meter.getId().getName())
        .isNotEmpty()
        .allSatisfy(name -> assertThat(page()).contains("`" + name + "`"));
  }
}
