package dev.bellows.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of the guide: compiled, and run against a server; its Spring bean is compiled. */
class GuideTest {
  @TempDir Path folder;

  private static String blocks(String word) throws IOException {
    String page =
        Files.readString(
            Path.of(System.getProperty("bellows.root"), "docs/one-filter-for-ten-services.md"));
    Matcher blocks = Pattern.compile("(?ms)^```java " + word + "\\n(.*?)^```").matcher(page);
    StringBuilder code = new StringBuilder();
    while (blocks.find()) {
      code.append(blocks.group(1));
    }
    assertThat(code).isNotEmpty();
    return code.toString();
  }

  @Test
  void theCodeRuns() throws Exception {
    String source =
        """
        import dev.bellows.*;
        import dev.bellows.plan.*;
        import dev.bellows.redis.*;
        import java.time.Duration;
        import java.util.stream.*;
        public class Page {
          public static void run(java.net.URI server) {
        %s
            bits.close();
          }
        }
        """
            .formatted(blocks("redis"));
    compile(Map.of("Page", source));
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      loader.setDefaultAssertionStatus(true);
      loader.loadClass("Page").getMethod("run", URI.class).invoke(null, RedisProcess.shared());
    }
  }

  @Test
  void theBeanCompiles() throws IOException {
    String spring = "package org.springframework.context.annotation; public @interface ";
    compile(
        Map.of(
            "Filters",
            blocks("spring"),
            "org/springframework/context/annotation/Bean",
            spring + "Bean { String destroyMethod() default \"\"; }",
            "org/springframework/context/annotation/Configuration",
            spring + "Configuration {}"));
  }

  private void compile(Map<String, String> sources) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", folder.toString()));
    arguments.addAll(List.of("-cp", Worker.classPath()));
    for (Map.Entry<String, String> source : sources.entrySet()) {
      Path file = folder.resolve(source.getKey() + ".java");
      Files.createDirectories(file.getParent());
      arguments.add(Files.writeString(file, source.getValue()).toString());
    }
    StringWriter messages = new StringWriter();
    PrintWriter out = new PrintWriter(messages);
    ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
    int code = javac.run(out, out, arguments.toArray(new String[0]));
    assertThat(code).as("%s\n%s", messages, sources).isZero();
  }
}
