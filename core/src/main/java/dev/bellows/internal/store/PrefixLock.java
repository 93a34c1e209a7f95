package dev.bellows.internal.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * The head of a chunk as its lock and version: who changes the chunk makes the head negative first
 * and gives it the next version at the end; who reads takes no lock, and reads again if the head is
 * another one afterwards.
 */
final class PrefixLock {
  private static final VarHandle HEAD = MethodHandles.arrayElementVarHandle(long[].class);

  /** The head of a chunk that others have replaced: locked for ever. */
  static final long REPLACED = -1;

  private static final int SPINS = 100;
  private static final long PAUSE_NANOS = 1000;

  private PrefixLock() {}

  /** The head, before anything else of the chunk is read; negative if the chunk is locked. */
  static long head(long[] chunk) {
    return (long) HEAD.getAcquire(chunk, 0);
  }

  /** Whether nobody has changed a chunk since its head was read. */
  static boolean isStill(long[] chunk, long head) {
    VarHandle.acquireFence();
    return head == (long) HEAD.getOpaque(chunk, 0);
  }

  /** Locks a chunk and returns its head as it was; -1 if others have replaced it. */
  static long lock(long[] chunk) {
    for (int spins = 0; ; spins++) {
      long head = head(chunk);
      if (head == REPLACED) {
        pause(spins);
        return -1;
      }
      if (head >= 0 && HEAD.compareAndSet(chunk, 0, head, head | Long.MIN_VALUE)) {
        // stores to the chunk stay behind that of the lock
        VarHandle.storeStoreFence();
        return head;
      }
      pause(spins);
    }
  }

  /** Unlocks a chunk, which has this head from now on. */
  static void unlock(long[] chunk, long head) {
    HEAD.setRelease(chunk, 0, head);
  }

  /** Waits a moment, a longer one after many. */
  static void pause(int spins) {
    if (spins < SPINS) {
      Thread.onSpinWait();
    } else {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
