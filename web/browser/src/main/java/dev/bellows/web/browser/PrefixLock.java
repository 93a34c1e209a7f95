package dev.bellows.web.browser;

/**
 * Replaces the locks of prefix chunks: with one thread a chunk is never locked when it is read, and
 * a lock is acquired immediately.
 */
public final class PrefixLock {
  /** The head of a chunk that was replaced. */
  public static final long REPLACED = Long.MIN_VALUE;

  private PrefixLock() {}

  /** Returns the head of a chunk. */
  public static long head(long[] chunk) {
    return chunk[0];
  }

  /** Returns whether the content of a chunk with this head can be read. */
  public static boolean isReadable(long head) {
    return true;
  }

  /** Returns whether a chunk with this head is locked for writers only. */
  public static boolean isFrozen(long head) {
    return false;
  }

  /** Returns whether the head of a chunk is the one that was read. */
  public static boolean isStill(long[] chunk, long head) {
    return true;
  }

  /** Returns the head of a chunk, or -1 if it was replaced. */
  public static long lock(long[] chunk) {
    return chunk[0] == REPLACED ? -1 : chunk[0];
  }

  /** Returns the head of a chunk, or -1 if it was replaced. */
  public static long freeze(long[] chunk) {
    return lock(chunk);
  }

  /** Gives a chunk its next head. */
  public static void unlock(long[] chunk, long head) {
    chunk[0] = head;
  }

  /** Does nothing: there is no other thread to wait for. */
  public static void pause(int spins) {}
}
