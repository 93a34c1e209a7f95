package dev.bellows;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs operations near the end of a stack. */
public final class SmallStack {
  /** More calls below each other than the stack has room for. */
  private static final int DEPTH = 1_000_000;

  private SmallStack() {}

  /** Runs a task in a thread with a small stack. */
  public static void run(Runnable task) throws InterruptedException {
    Throwable[] thrown = new Throwable[1];
    Thread thread = new Thread(null, task, "with a small stack", 1 << 17);
    thread.setUncaughtExceptionHandler((dead, e) -> thrown[0] = e);
    thread.start();
    thread.join();
    assertThat(thrown[0]).isNull();
  }

  /**
   * Runs an operation near the end of the stack, and with a little more stack from call to call
   * until it succeeds.
   */
  public static boolean atItsEnd(Runnable operation) {
    return atItsEnd(DEPTH, operation);
  }

  private static boolean atItsEnd(int depth, Runnable operation) {
    try {
      if (depth > 0 && atItsEnd(depth - 1, operation)) {
        return true;
      }
    } catch (StackOverflowError e) {
      // this call is one of the last that fit on the stack
    }
    try {
      operation.run();
      return true;
    } catch (StackOverflowError e) {
      return false;
    }
  }
}
