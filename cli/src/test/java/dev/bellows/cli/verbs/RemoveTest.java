package dev.bellows.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.bellows.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Removing keys that were never put harms others: such removals are counted, reported, and refused
 * on request.
 */
class RemoveTest {
  private static final int KEYS = 2000;

  @TempDir Path folder;
  private Path filter;

  @BeforeEach
  void build() {
    filter = folder.resolve("f");
    Cli.with(Cli.numbers(0, KEYS), "build", "--kind", "counting", "--fpp", "10%", "-o", filter)
        .succeeded();
  }

  @Test
  void removalsOfFalsePositivesAreEstimated() {
    int absent = 5000;
    Cli.Result removed =
        Cli.with(Cli.numbers(KEYS, KEYS + absent), "remove", filter, "--json").succeeded();
    Map<String, Object> report = removed.json();
    long wrong = Cli.integer(report.get("removed"));
    assertThat(wrong).isPositive();
    // all were absent, and removals lower the rate while they go on: the estimate is a little high
    assertThat(Cli.real(report.get("expectedFalse")))
        .isEqualTo((double) wrong, within(0.5 * wrong));
    assertThat(removed.err()).contains("warning: about ", "were never put", "--strict");
    assertThat(Cli.with(Cli.numbers(0, KEYS), "query", "--invert", "--count", filter).out())
        .as("other keys are denied")
        .isNotEqualTo("0\n");
  }

  @Test
  void strictRefusesABatchWithACertainlyAbsentKey() throws IOException {
    byte[] before = Files.readAllBytes(filter);
    Cli.with(Cli.numbers(KEYS - 10, KEYS + 100), "remove", "--strict", filter)
        .refused("of 110 keys cannot have been put", "nothing was removed", "--strict");
    assertThat(filter).hasBinaryContent(before);
    Map<String, Object> report =
        Cli.with(Cli.numbers(0, 100), "remove", "--strict", filter, "--json").succeeded().json();
    assertThat(report).containsEntry("removed", 100).containsEntry("expectedFalse", 0.0);
  }

  @Test
  void removalsOfWhatWasPutAreSilent() {
    Cli.Result removed = Cli.with(Cli.numbers(0, KEYS / 2), "remove", filter).succeeded();
    assertThat(removed.err()).isEmpty();
    assertThat(removed.out()).doesNotContain("never put");
    assertThat(Cli.with(Cli.numbers(KEYS / 2, KEYS), "query", "--invert", "--count", filter).out())
        .isEqualTo("0\n");
  }
}
