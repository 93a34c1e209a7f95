package dev.bellows.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.pages.PageCode;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/de-duplicate-a-stream.md, compiled and run in a process of its own. */
class GuideTest {
  private static final String ENVIRONMENT =
      "org.apache.flink.streaming.api.environment.StreamExecutionEnvironment";

  @TempDir Path folder;

  @Test
  void theExampleRuns() throws Exception {
    run("java flink");
  }

  @Test
  void theMigrationRuns() throws Exception {
    run("java flink migrating");
  }

  private void run(String words) throws Exception {
    Path root = Path.of(System.getProperty("bellows.root", ".."));
    String code = PageCode.blocks(root.resolve("docs/de-duplicate-a-stream.md"), words);
    assertThat(code).isNotEmpty();
    String main =
        "class Main { public static void main(String[] a) throws Exception {"
            + "Page.run(%s.createLocalEnvironment(2)); } }".formatted(ENVIRONMENT);
    PageCode.compile(
        folder,
        Map.of(
            "Page",
            PageCode.page("", ENVIRONMENT + " env", "throws Exception", code),
            "Main",
            main));
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea:Page",
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                folder + File.pathSeparator + System.getProperty("java.class.path"),
                "Main")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(process.waitFor()).as(Files.readString(log)).isZero();
  }
}
