package dev.bellows.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/on-spark.md, which the documentation test of the others cannot compile. */
class GuideTest {
  @TempDir Path folder;

  private static String blocks(String language) throws Exception {
    Path page = Path.of(System.getProperty("bellows.root", "..")).resolve("docs/on-spark.md");
    return Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```")
        .matcher(Files.readString(page))
        .results()
        .map((MatchResult block) -> block.group(1))
        .collect(Collectors.joining());
  }

  @Test
  void theSqlOfThePageRuns() throws Exception {
    List<String> statements =
        Pattern.compile(";").splitAsStream(blocks("sql")).filter(s -> !s.isBlank()).toList();
    assertThat(statements).hasSize(4);
    for (String statement : statements) {
      LocalSpark.session().sql(statement).collectAsList();
    }
  }

  @Test
  void theJavaOfThePageRuns() throws Exception {
    StringBuilder imports = new StringBuilder();
    StringBuilder body = new StringBuilder();
    for (String line : blocks("java spark").lines().toList()) {
      (line.startsWith("import ") ? imports : body).append(line).append('\n');
    }
    assertThat(body).isNotEmpty();
    String source =
        "%s public class Page { public static void run(SparkSession spark) throws Exception { %s } }"
            .formatted(imports, body);
    compile(source);
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      loader.setDefaultAssertionStatus(true);
      loader
          .loadClass("Page")
          .getMethod("run", SparkSession.class)
          .invoke(null, LocalSpark.session());
    }
  }

  private void compile(String source) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    var page =
        new SimpleJavaFileObject(
            URI.create("string:///Page.java"), SimpleJavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    List<String> options = List.of("-proc:none", "-d", folder.toString());
    boolean compiled = compiler.getTask(messages, null, null, options, null, List.of(page)).call();
    assertThat(compiled).as("%s\n%s", messages, source).isTrue();
  }
}
