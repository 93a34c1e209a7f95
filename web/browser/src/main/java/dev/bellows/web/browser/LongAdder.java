package dev.bellows.web.browser;

/** Replaces {@link java.util.concurrent.atomic.LongAdder}: one thread, one number. */
public final class LongAdder {
  private long sum;

  /** Adds a number. */
  public void add(long number) {
    sum += number;
  }

  /** Returns the sum. */
  public long sum() {
    return sum;
  }
}
