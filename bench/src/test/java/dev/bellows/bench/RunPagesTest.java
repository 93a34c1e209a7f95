package dev.bellows.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A run as tables, JSON and lines of the README. */
class RunPagesTest {
  private final Run run = Runs.small();

  @Test
  void aTableHasTimesRatiosGarbageBitsAndRates() {
    assertThat(new RunPages(run).text().lines())
        .anyMatch(
            line -> line.matches("  BLOCKED +8.00 +8.00 +1 +0 +10.1 +0.97 \\(0.95 to 0.99\\)"))
        .anyMatch(line -> line.matches("  Guava +96.0 +96.0 +12.0 +200"))
        .anyMatch(line -> line.matches("  fastfilter BlockedBloom +6.00 +6.00 +0.75 .*"));
  }

  @Test
  void aTableAlignsItsColumns() {
    assertThat(new ResultTable("what", "ns").row("a", "10.0").row("long name", "1").text())
        .isEqualTo("  what         ns\n  a          10.0\n  long name     1\n");
    assertThat(new ResultTable("what", "ns").row("a", "1").markdown())
        .isEqualTo("| what | ns |\n|---|---:|\n| a | 1 |\n");
    assertThatThrownBy(() -> new ResultTable("what").row("a", "b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("2", "1");
  }

  @Test
  void aPageHasResultsAndWhatTheyAllocate() {
    assertThat(new RunPages(run).markdown("Made by hand."))
        .startsWith("# Bellows compared with its peers\n\nMade by hand.\n\n2026-11-15, a processor")
        .contains("\n## query, longs, half hits, 1e6\n\n`./bellows bench --only query-long-half`")
        .contains("Garbage of Bellows per put and query of longs and byte[]: at most 0.0 bytes.\n")
        .doesNotContainIgnoringCase("target");
  }

  @Test
  void aRunIsReadBackAsItWasWritten() throws IOException {
    String text = run.json();
    assertThat(Run.read(text).json()).isEqualTo(text);
    assertThat(new RunPages(Run.read(text)).text()).isEqualTo(new RunPages(run).text());
  }

  @Test
  void theBestPeerIsNeitherAFloorNorOurs() {
    assertThat(run.bestOther("query-text").orElseThrow().sample().least()).isEqualTo(95);
  }

  @Test
  void theReadmeKeepsWhatIsOutsideTheMarks() {
    String text = "before\n" + Readme.BEGIN + "\nold\n" + Readme.END + "\nafter\n";
    String replaced = Readme.replaced(text, run);
    assertThat(replaced)
        .startsWith("before\n" + Readme.BEGIN + "\n")
        .endsWith(Readme.END + "\nafter\n")
        .contains(
            "| query long, 1 million keys, half hits | 8.00 | 96.0 | 6.00 fastfilter BlockedBloom"
                + " |")
        .doesNotContain("old");
    assertThat(Readme.replaced(replaced, run)).isEqualTo(replaced);
    assertThatThrownBy(() -> Readme.replaced("nothing", run)).hasMessageContaining(Readme.BEGIN);
  }

  @Test
  void aPictureShowsEveryOperationOverKeys() {
    assertThat(Picture.of(run))
        .contains("query, half hits, 1e6")
        .contains("Guava")
        .endsWith("</svg>\n");
  }
}
