package dev.bellows.web.browser;

/** What takes the place of {@link java.util.concurrent.locks.LockSupport}: nothing to wait for. */
public final class LockSupport {
  private LockSupport() {}

  /** Does nothing. */
  public static void parkNanos(long nanos) {}
}
