package dev.bellows.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.pages.PageCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/on-spark.md, which the documentation test of the others cannot compile. */
class GuideTest {
  @TempDir Path folder;

  private static String blocks(String words) throws IOException {
    Path root = Path.of(System.getProperty("bellows.root", ".."));
    return PageCode.blocks(root.resolve("docs/on-spark.md"), words);
  }

  @Test
  void theSqlOfThePageRuns() throws Exception {
    List<String> statements =
        Pattern.compile(";").splitAsStream(blocks("sql")).filter(s -> !s.isBlank()).toList();
    assertThat(statements).hasSize(5);
    SparkSession session = LocalSpark.session().newSession();
    for (String statement : statements) {
      session.sql(statement).collectAsList();
    }
  }

  @Test
  void theJavaOfThePageRuns() throws Exception {
    String code = blocks("java spark");
    assertThat(code).isNotEmpty();
    PageCode.run(
        folder,
        PageCode.page("", "SparkSession spark", "throws Exception", code),
        LocalSpark.session());
  }
}
