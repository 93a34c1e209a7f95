package dev.bellows.internal.prefixes;

import java.util.concurrent.atomic.AtomicBoolean;

/** Lets tests of other packages change a store while it is scanned, and inspect its chunks. */
public final class PrefixHooks {
  private PrefixHooks() {}

  /**
   * Runs an action once, before a scan reads the first chunk that begins at this hash or after it.
   */
  public static void onceInAScan(PrefixStore store, long hash, Runnable change) {
    AtomicBoolean isDone = new AtomicBoolean();
    store.whenScanning(
        address -> {
          if (Long.compareUnsigned(address, hash) >= 0 && isDone.compareAndSet(false, true)) {
            change.run();
          }
        });
  }

  /** The slots of the fullest chunk. */
  public static int mostSlots(PrefixStore store) {
    int most = 0;
    for (long[] chunk : store.directory()) {
      most = Math.max(most, PrefixChunk.count(chunk[0]));
    }
    return most;
  }

  /** The slots of the fullest bucket. */
  public static int mostInBucket(PrefixStore store) {
    int most = 0;
    for (long[] chunk : store.directory()) {
      for (int bucket = 0; bucket < PrefixChunk.BUCKETS; bucket++) {
        most = Math.max(most, new PrefixChunk.Bucket(chunk, chunk[0], bucket).count());
      }
    }
    return most;
  }

  /** The entries of the directory. */
  public static int entries(PrefixStore store) {
    return store.directory().length;
  }

  /** Whether a thread holds the lock of a chunk, or has left it locked. */
  public static boolean isAnyLocked(PrefixStore store) {
    for (long[] chunk : store.directory()) {
      if (PrefixLock.head(chunk) < 0) {
        return true;
      }
    }
    return false;
  }
}
