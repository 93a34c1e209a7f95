package dev.bellows.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.pages.PageCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of the guide: compiled, and run against a server; its Spring bean is compiled. */
class GuideTest {
  @TempDir Path folder;

  private static String blocks(String word) throws IOException {
    Path root = Path.of(System.getProperty("bellows.root"));
    String code =
        PageCode.blocks(root.resolve("docs/one-filter-for-ten-services.md"), "java " + word);
    assertThat(code).isNotEmpty();
    return code;
  }

  @Test
  void theCodeRuns() throws Exception {
    String imports =
        """
        import dev.bellows.*;
        import dev.bellows.growth.*;
        import dev.bellows.scalable.*;
        import dev.bellows.plan.*;
        import dev.bellows.redis.*;
        import java.time.Duration;
        import java.util.stream.*;
        """;
    String code = blocks("redis") + "bits.close();";
    PageCode.run(
        folder, PageCode.page(imports, "java.net.URI server", "", code), RedisProcess.shared());
  }

  @Test
  void theBeanCompiles() throws IOException {
    String spring = "package org.springframework.context.annotation; public @interface ";
    PageCode.compile(
        folder,
        Map.of(
            "Filters",
            blocks("spring"),
            "org/springframework/context/annotation/Bean",
            spring + "Bean { String destroyMethod() default \"\"; }",
            "org/springframework/context/annotation/Configuration",
            spring + "Configuration {}"));
  }
}
