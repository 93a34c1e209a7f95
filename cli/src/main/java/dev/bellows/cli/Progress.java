package dev.bellows.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A bar on standard error: only on a terminal, and only once the work has taken a while. */
final class Progress implements AutoCloseable {
  private static final long PATIENCE_NANOS = 1_500_000_000L;
  private static final int COLUMNS = 78;

  private final Console console;
  private final long totalBytes;
  private final long started = System.nanoTime();
  private long bytes;
  private @Nullable ProgressBar bar;

  private Progress(Console console, long totalBytes) {
    this.console = console;
    this.totalBytes = totalBytes;
  }

  /** Progress through the bytes of files; standard input has no known end. */
  static Progress reading(Console console, List<String> files) {
    return new Progress(console, totalBytes(files));
  }

  void step(int read) {
    bytes += read;
    if (bar != null) {
      bar.stepTo(bytes);
    } else if (console.errTerminal() && System.nanoTime() - started > PATIENCE_NANOS) {
      bar =
          new ProgressBarBuilder()
              .setTaskName("reading")
              .setInitialMax(totalBytes)
              .setUnit(" MiB", 1 << 20)
              .setStyle(ProgressBarStyle.ASCII)
              .clearDisplayOnFinish()
              .setConsumer(new ConsoleProgressBarConsumer(console.err(), COLUMNS))
              .build();
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }

  private static long totalBytes(List<String> files) {
    long total = 0;
    for (String file : files) {
      try {
        Path path = Path.of(file);
        if (file.equals("-") || !Files.isRegularFile(path)) {
          return -1;
        }
        total += Files.size(path);
      } catch (IOException e) {
        return -1;
      }
    }
    return total;
  }
}
