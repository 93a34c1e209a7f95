package dev.bellows.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
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
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(folder));
      List<SimpleJavaFileObject> units =
          sources.entrySet().stream().map(e -> unit(e.getKey(), e.getValue())).toList();
      boolean compiled =
          compiler.getTask(messages, files, null, List.of("-proc:none"), null, units).call();
      assertThat(compiled).as("%s\n%s", messages, sources).isTrue();
    }
  }

  private static SimpleJavaFileObject unit(String name, String source) {
    URI uri = URI.create("string:///" + name + ".java");
    return new SimpleJavaFileObject(uri, JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return source;
      }
    };
  }
}
