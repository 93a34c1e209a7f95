package dev.bellows.web.browser;

/** Replaces {@link java.util.concurrent.locks.ReentrantLock}: one thread has it. */
public final class ReentrantLock {
  /** Creates a lock; fairness makes no difference. */
  public ReentrantLock(boolean fair) {}

  /** Does nothing. */
  public void lock() {}

  /** Does nothing. */
  public void unlock() {}
}
