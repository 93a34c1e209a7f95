package dev.bellows.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When a bar is shown. */
class ProgressTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private Console console(boolean errTerminal) {
    return new Console(
        InputStream.nullInputStream(),
        OutputStream.nullOutputStream(),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        false,
        false,
        errTerminal);
  }

  private String shown() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private static long longAgo() {
    return System.nanoTime() - Duration.ofMinutes(1).toNanos();
  }

  @Test
  void shortCommandsPipesAndQuietOnesShowNothing() {
    long soon = System.nanoTime() + Duration.ofHours(1).toNanos();
    try (Progress progress = Progress.of(console(true), "counting", 256, soon)) {
      progress.step(1);
    }
    try (Progress progress = Progress.of(console(false), "counting", 256, longAgo())) {
      progress.step(1);
    }
    try (Progress progress = Progress.of(console(true).quiet(), "counting", 256, longAgo())) {
      progress.step(1);
    }
    assertThat(shown()).isEmpty();
  }

  @Test
  void theFirstFrameNeedsNoStepAndTheLastLeavesNoLine() throws Exception {
    CountDownLatch frame = new CountDownLatch(1);
    OutputStream screen =
        new OutputStream() {
          @Override
          public synchronized void write(int b) {
            err.write(b);
            if (shown().contains("counting   0%")) {
              frame.countDown();
            }
          }
        };
    Console console =
        new Console(
            InputStream.nullInputStream(),
            OutputStream.nullOutputStream(),
            new PrintStream(screen, true, StandardCharsets.UTF_8),
            false,
            false,
            true);
    try (Progress progress = Progress.of(console, "counting", 256, longAgo())) {
      assertThat(frame.await(10, TimeUnit.MINUTES)).as(shown()).isTrue();
      progress.step(256);
    }
    assertThat(shown()).contains("256/256").doesNotContain("\n").endsWith("\r");
  }
}
