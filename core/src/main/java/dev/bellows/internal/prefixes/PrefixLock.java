package dev.bellows.internal.prefixes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Uses the head of a chunk as its lock and version. A writer makes the head negative before it
 * changes the chunk and sets the next version at the end. A reader takes no lock, and retries if
 * the head has changed. A chunk may also be frozen: locked although its content does not change, so
 * writers wait but readers do not.
 */
final class PrefixLock {
  private static final VarHandle HEAD = MethodHandles.arrayElementVarHandle(long[].class);

  private static final long LOCKED = 1L << 63;
  private static final long FROZEN = LOCKED | 1L << 62;

  /** The head of a chunk that was replaced: locked forever. */
  static final long REPLACED = LOCKED;

  private static final int SPINS = 100;
  private static final long PAUSE_NANOS = 1000;

  private PrefixLock() {}

  /**
   * Returns the head, which is read before anything else of the chunk. Negative if the chunk is
   * locked.
   */
  static long head(long[] chunk) {
    return (long) HEAD.getAcquire(chunk, 0);
  }

  /**
   * Returns whether the content of a chunk with this head can be read, because it is unlocked or
   * frozen.
   */
  static boolean isReadable(long head) {
    return head >= 0 || isFrozen(head);
  }

  /** Returns whether a chunk with this head is locked for writers only. */
  static boolean isFrozen(long head) {
    return (head & FROZEN) == FROZEN;
  }

  /**
   * Returns whether the head of a chunk is still the one that was read, so everything read since is
   * valid.
   */
  static boolean isStill(long[] chunk, long head) {
    VarHandle.acquireFence();
    return head == (long) HEAD.getOpaque(chunk, 0);
  }

  /** Locks a chunk and returns its previous head, or -1 if the chunk was replaced. */
  static long lock(long[] chunk) {
    return lock(chunk, LOCKED);
  }

  /**
   * Locks a chunk for writers only and returns its previous head, or -1 if the chunk was replaced.
   */
  static long freeze(long[] chunk) {
    return lock(chunk, FROZEN);
  }

  private static long lock(long[] chunk, long state) {
    for (int spins = 0; ; spins++) {
      long head = head(chunk);
      if (head == REPLACED) {
        pause(spins);
        return -1;
      }
      if (head >= 0 && HEAD.compareAndSet(chunk, 0, head, head | state)) {
        try {
          // stores to the chunk must not move before that of the lock
          VarHandle.storeStoreFence();
        } catch (Throwable e) {
          chunk[0] = head;
          throw e;
        }
        return head;
      }
      pause(spins);
    }
  }

  /** Unlocks a chunk by setting its new head. */
  static void unlock(long[] chunk, long head) {
    HEAD.setRelease(chunk, 0, head);
  }

  /** Waits for a short time, and for longer ones after many spins. */
  static void pause(int spins) {
    if (spins < SPINS) {
      Thread.onSpinWait();
    } else {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
