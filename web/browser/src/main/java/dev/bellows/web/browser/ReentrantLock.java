package dev.bellows.web.browser;

/** What takes the place of {@link java.util.concurrent.locks.ReentrantLock}: one thread has it. */
public final class ReentrantLock {
  /** A lock; who waits longest makes no difference. */
  public ReentrantLock(boolean fair) {}

  /** Does nothing. */
  public void lock() {}

  /** Does nothing. */
  public void unlock() {}
}
