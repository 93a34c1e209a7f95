package dev.bellows.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.web.Requests.Request;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java code that the page offers compiles. */
class CodeTest {
  @TempDir Path folder;

  @Test
  void everySnippetCompiles() {
    StringBuilder source =
        new StringBuilder(
            """
            import dev.bellows.*;
            import dev.bellows.autoscale.*;
            import dev.bellows.elastic.*;
            import dev.bellows.growth.*;
            import dev.bellows.plan.*;
            import dev.bellows.range.*;
            class Snippets {
            """);
    int count = 0;
    for (Request request : Requests.all()) {
      Map<String, Object> answer = Numbers.parsed(Page.answer(request.tab(), request.inputs()));
      if (answer.get("java") instanceof String code) {
        source.append("void s").append(count++).append("() {\n").append(code).append("\n}\n");
      }
    }
    assertThat(count).isGreaterThan(60);
    StringWriter complaints = new StringWriter();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    boolean compiled =
        compiler
            .getTask(
                complaints,
                null,
                null,
                List.of(
                    "-d",
                    folder.toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    "-proc:none"),
                null,
                List.of(file(source.append("}\n").toString())))
            .call();
    assertThat(compiled).as(complaints.toString()).isTrue();
  }

  private static JavaFileObject file(String source) {
    return new SimpleJavaFileObject(
        URI.create("string:///Snippets.java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreErrors) {
        return source;
      }
    };
  }
}
