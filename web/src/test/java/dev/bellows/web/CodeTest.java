package dev.bellows.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.pages.PageCode;
import dev.bellows.web.Requests.Request;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java code that the page offers compiles. */
class CodeTest {
  @TempDir Path folder;

  @Test
  void everySnippetCompiles() throws IOException {
    StringBuilder source =
        new StringBuilder(
            """
            import dev.bellows.*;
            import dev.bellows.autoscale.*;
            import dev.bellows.elastic.*;
            import dev.bellows.growth.*;
            import dev.bellows.scalable.*;
            import dev.bellows.partition.*;
            import dev.bellows.plan.*;
            import dev.bellows.range.*;
            import dev.bellows.window.*;
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
    PageCode.compile(folder, Map.of("Snippets", source.append("}\n").toString()));
  }
}
