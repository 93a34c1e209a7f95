package dev.bellows.web.browser;

/** Replaces {@link java.util.concurrent.locks.LockSupport}: nothing to wait for. */
public final class LockSupport {
  private LockSupport() {}

  /** Does nothing. */
  public static void parkNanos(long nanos) {}
}
