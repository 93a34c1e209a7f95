package dev.bellows.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The committed run, its page and the lines of the README agree; {@code -Dbellows.bench.write}
 * writes page and lines from results.json.
 */
class CommittedRunTest {
  private static final Path ROOT = Path.of(System.getProperty("bellows.root"));
  private static final Path FOLDER = ROOT.resolve("docs/bench");

  @Test
  void pageAndReadmeShowTheCommittedRun() throws IOException {
    Run run = Run.read(Files.readString(FOLDER.resolve("results.json")));
    if (System.getProperty("bellows.bench.write") != null) {
      RunFolder.write(FOLDER, run, true);
    }
    assertThat(Files.readString(FOLDER.resolve("index.md"))).isEqualTo(RunFolder.index(run));
    assertThat(Files.readString(FOLDER.resolve("bench.svg"))).isEqualTo(Picture.of(run));
    assertThat(Files.readString(ROOT.resolve("README.md"))).contains(Readme.lines(run));
  }
}
