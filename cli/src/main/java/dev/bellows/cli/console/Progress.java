package dev.bellows.cli.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * A bar on standard error for one task of a command: only on a terminal, and only once the command
 * has taken a while. Later tasks of such a command show theirs immediately.
 */
public final class Progress implements AutoCloseable {
  private static final long PATIENCE_NANOS = 1_000_000_000L;
  private static final int FRAME_MILLIS = 200;
  private static final int COLUMNS = 78;

  /** About when the command began: the first task loads this class. */
  private static final long BEGAN = System.nanoTime();

  private final Console console;
  private final String task;
  private final long total;
  private final String unit;
  private final long unitSize;
  private final long began;
  private long done;
  private @Nullable ProgressBar bar;

  private Progress(
      Console console, String task, long total, String unit, long unitSize, long began) {
    this.console = console;
    this.task = task;
    this.total = total;
    this.unit = unit;
    this.unitSize = unitSize;
    this.began = began;
  }

  /**
   * Progress through the bytes of files, on this machine or not, each read a number of times;
   * standard input and devices have no known end.
   */
  public static Progress reading(Console console, List<Path> files, int passes) {
    return new Progress(
        console, "reading", Math.max(-1, passes * bytes(files)), " MiB", 1 << 20, BEGAN);
  }

  private static long bytes(List<Path> files) {
    long bytes = 0;
    try {
      for (Path file : files) {
        if (file.toString().equals("-") || !Files.isRegularFile(file)) {
          return -1;
        }
        bytes += Files.size(file);
      }
      return bytes;
    } catch (IOException e) {
      return -1; // reading it will report the error
    }
  }

  /** Progress through the steps of some other task. */
  public static Progress of(Console console, String task, long steps) {
    return of(console, task, steps, BEGAN);
  }

  /** The same for a command that began at another time, by {@link System#nanoTime}. */
  public static Progress of(Console console, String task, long steps, long began) {
    Progress progress = new Progress(console, task, steps, "", 1, began);
    progress.step(0);
    return progress;
  }

  /** Says what was done last, behind the bar if it is shown, and does one step. */
  public void step(String message) {
    step(1);
    if (bar != null) {
      bar.setExtraMessage(message);
    }
  }

  public synchronized void step(long more) {
    done += more;
    if (bar != null) {
      bar.stepTo(done);
    } else if (console.showsProgress() && System.nanoTime() - began > PATIENCE_NANOS) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(task)
              .setInitialMax(total)
              .setUnit(unit, unitSize)
              .setStyle(ProgressBarStyle.ASCII)
              .setUpdateIntervalMillis(FRAME_MILLIS)
              .startsFrom(done, Duration.ofNanos(System.nanoTime() - began))
              .clearDisplayOnFinish()
              .setConsumer(consumer(console))
              .build();
      bar.refresh();
    }
  }

  /** Shows a bar on standard error, and leaves no empty line behind it. */
  private static ProgressBarConsumer consumer(Console console) {
    return new ConsoleProgressBarConsumer(console.err(), COLUMNS) {
      @Override
      public void close() {
        console.err().flush();
      }
    };
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
