package dev.bellows.cli.keys;

import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Failures;
import java.io.Flushable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Lines that a separate thread reads ahead while the creator hashes earlier ones. It holds a few
 * {@link Lines}, which circulate: filled by the reader, used, returned. A failure of the reader is
 * reported after the lines that were read before it.
 */
final class LineFeed implements AutoCloseable {
  private static final int AHEAD = 4;

  /** Marks the end. */
  private static final Lines END = new Lines();

  private final BlockingQueue<Lines> filled = new ArrayBlockingQueue<>(AHEAD + 1);
  private final BlockingQueue<Lines> free = new ArrayBlockingQueue<>(AHEAD);
  private final Thread thread;
  private @Nullable Lines inUse;

  /** Written before END is queued, read after. */
  private @Nullable Throwable failure;

  /** An input that is read group by group. */
  @FunctionalInterface
  interface Source {
    /**
     * Fills the lines with the next ones, until they are as many as usual or no more input is
     * available; returns false if there are none left. What ends the input early is their failure.
     */
    boolean read(Lines lines) throws IOException;
  }

  /** Reads inputs from beginning to end; runs in the reader thread. */
  @FunctionalInterface
  interface Reader {
    void read(LineFeed feed) throws IOException, InterruptedException;
  }

  private LineFeed(Reader reader) {
    thread = new Thread(() -> run(reader), "bellows-lines");
    thread.setDaemon(true);
    for (int i = 0; i < AHEAD; i++) {
      free.add(new Lines());
    }
  }

  /** Begins to read. */
  static LineFeed start(Reader reader) {
    LineFeed feed = new LineFeed(reader);
    feed.thread.start();
    return feed;
  }

  private void run(Reader reader) {
    try {
      reader.read(this);
    } catch (Throwable e) { // whatever happens, the other thread must not wait forever
      failure = e;
    }
    filled.add(END);
  }

  /** For the reader: hands over all lines of a source. */
  void read(Source source) throws IOException, InterruptedException {
    boolean hasMore = true;
    while (hasMore) {
      Lines lines = free.take();
      hasMore = source.read(lines);
      CommandFailure end = lines.failure;
      (hasMore ? filled : free).add(lines);
      if (end != null) {
        throw end;
      }
    }
  }

  /**
   * Returns the next lines, valid until the call after this one; null at the end.
   *
   * @param results what is flushed before waiting for lines
   */
  @Nullable Lines next(Flushable results) throws IOException {
    if (inUse != null) {
      free.add(inUse);
      inUse = null;
    }
    Lines lines = filled.poll();
    if (lines == null) {
      results.flush();
      try {
        lines = filled.take();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (IOException) new InterruptedIOException("interrupted while reading").initCause(e);
      }
    }
    if (lines == END) {
      filled.add(END); // for later calls
      Failures.rethrow(failure);
      return null;
    }
    inUse = lines;
    return lines;
  }

  /** Tells the reader to stop; a read that waits for input ends with the process. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
