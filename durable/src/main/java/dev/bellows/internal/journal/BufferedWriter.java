package dev.bellows.internal.journal;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A writer that applies changes immediately and commits them within an interval: a background
 * thread writes the changes collected so far and waits for the disk. While the oldest change that
 * is not on disk is older than the interval, further changes wait, so all changes that a crash
 * loses were made within one interval.
 *
 * <p>Changes are collected in stripes by the leading bits of their hashes. A thread holds the lock
 * of a stripe while it applies a change and appends it to the stripe, so the journal contains the
 * changes of a stripe in the order in which they were applied. As long as the order of changes in
 * different stripes matters too, because the filter is small or not a set, only the first stripe is
 * used.
 */
public final class BufferedWriter extends ChangeWriter {
  private static final int STRIPE_BITS = 6;
  private static final long NONE = Long.MAX_VALUE;

  /** The number of hashes above which a stripe releases its memory when it is emptied. */
  private static final int KEPT_HASHES = 1 << 14;

  /** The number of waiting changes in all stripes at which they are committed early. */
  private static final int MOST_WAITING = 1 << 22;

  /** A value of {@link #oldestWaiting} that causes an immediate commit. */
  private static final long OVERDUE = Long.MIN_VALUE / 2;

  private final long interval;
  private final long begun = System.nanoTime();
  private final Stripe[] stripes;

  /** Whether all stripes are used. Written while the locks of all stripes are held. */
  private boolean isStriped;

  private final Thread thread;

  /** The time of the oldest change that no commit has taken yet. */
  private final AtomicLong oldestWaiting = new AtomicLong(NONE);

  /** The time of the oldest change that the current commit, or a failed one, has taken. */
  private volatile long oldestTaken = NONE;

  /** Guarded by {@link #committing}. */
  private final Changes taken = new Changes();

  private volatile boolean hasFailed;
  private volatile boolean isClosed;

  private static final class Stripe {
    private final Changes changes = new Changes();

    // keeps two stripes out of one cache line
    @SuppressWarnings("unused")
    private long pad0, pad1, pad2, pad3, pad4, pad5, pad6, pad7;
  }

  /**
   * Creates a writer and starts its thread.
   *
   * @param intervalNanos the interval in nanoseconds
   * @param name the name of the folder, used in the name of the thread
   */
  public BufferedWriter(Journal journal, Target target, long intervalNanos, String name) {
    super(journal, target, true);
    this.interval = intervalNanos;
    this.stripes = new Stripe[1 << STRIPE_BITS];
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] = new Stripe();
    }
    this.isStriped = target.content().commutingBits() >= STRIPE_BITS;
    this.thread = new Thread(this::commitRegularly, "bellows-journal " + name);
    thread.setDaemon(true);
    thread.start();
  }

  private long now() {
    return System.nanoTime() - begun;
  }

  @Override
  public boolean change(int operation, long time, long hash) throws IOException {
    long now = now();
    if (now - interval > Math.min(oldestWaiting.get(), oldestTaken)) {
      if (target.isKnown(operation, time, hash)) {
        return false;
      }
      now = awaitDisk();
    }
    while (true) {
      boolean striped = isStriped;
      Stripe stripe = stripes[striped ? (int) (hash >>> (Long.SIZE - STRIPE_BITS)) : 0];
      synchronized (stripe) {
        if (striped == isStriped) {
          return change(stripe, now, operation, time, hash);
        }
      }
    }
  }

  /** Makes a change in its stripe. The caller holds the lock of the stripe. */
  private boolean change(Stripe stripe, long now, int operation, long time, long hash)
      throws IOException {
    requireNotEnded();
    if (operation == Changes.PUT_IF_ABSENT && target.isKnown(operation, time, hash)) {
      return false;
    }
    Changes changes = stripe.changes;
    int decided = Changes.decided(operation);
    changes.reserve(decided, time);
    int result = Changes.apply(target.content(), operation, time, hash);
    if (result == 0) {
      return false;
    }
    if (changes.isEmpty()) {
      noteWaiting(now);
    }
    changes.add(decided, time, hash);
    if (changes.count() >= (isStriped ? MOST_WAITING / stripes.length : MOST_WAITING)) {
      noteWaiting(OVERDUE);
    }
    return Changes.answer(operation, result);
  }

  private void noteWaiting(long now) {
    if (now < oldestWaiting.get()) {
      long oldest = oldestWaiting.getAndAccumulate(now, Math::min);
      if (oldest == NONE || now == OVERDUE) {
        LockSupport.unpark(thread);
      }
    }
  }

  /**
   * Commits until no change is older than the interval, and returns the current time. Throws if a
   * commit fails.
   */
  private long awaitDisk() throws IOException {
    while (true) {
      committing.lock();
      try {
        long now = now();
        if (now - interval <= Math.min(oldestWaiting.get(), oldestTaken)) {
          return now;
        }
        commit();
      } finally {
        committing.unlock();
      }
    }
  }

  /** Commits all collected changes. The caller holds {@link #committing}. */
  private void commit() throws IOException {
    if (isStriped) {
      take();
    } else {
      exclusively(its -> taken);
    }
    commitApplied();
  }

  private void take() {
    // reset before the stripes are emptied: a later change may be taken although it counts as
    // waiting
    long oldest = oldestWaiting.getAndSet(NONE);
    oldestTaken = Math.min(oldestTaken, oldest);
    for (Stripe stripe : stripes) {
      synchronized (stripe) {
        taken.addAll(stripe.changes);
        stripe.changes.clear(KEPT_HASHES);
      }
    }
  }

  @Override
  void commitApplied() throws IOException {
    if (!taken.isEmpty()) {
      try {
        commit(taken);
      } catch (IOException e) {
        hasFailed = true;
        throw e;
      }
      taken.clear(stripes.length * KEPT_HASHES);
      hasFailed = false;
    }
    oldestTaken = NONE;
  }

  private void commitRegularly() {
    while (!isClosed) {
      long oldest = Math.min(oldestWaiting.get(), oldestTaken);
      if (oldest == NONE) {
        LockSupport.park(this);
        continue;
      }
      // half of the interval is for collecting changes, the other half for the disk
      long wait = hasFailed ? interval / 2 : oldest + interval / 2 - now();
      if (wait > 0) {
        LockSupport.parkNanos(this, wait);
        if (!hasFailed && oldest + interval / 2 > now()) {
          continue;
        }
      }
      committing.lock();
      try {
        commit();
      } catch (IOException | RuntimeException | Error e) {
        // waiting changes retry the commit, and throw if it fails again
        hasFailed = true;
      } finally {
        committing.unlock();
      }
    }
  }

  @Override
  public int changeGroup(int operation, long time, long[] hashes, int from, int to)
      throws IOException {
    int changed = 0;
    for (int i = from; i < to; i++) {
      changed += change(operation, time, hashes[i]) ? 1 : 0;
    }
    return changed;
  }

  @Override
  <A> A exclusively(Action<A> action) throws IOException {
    return withStripes(0, action);
  }

  /** Takes all changes and runs an action while holding the locks of all stripes from this on. */
  private <A> A withStripes(int from, Action<A> action) throws IOException {
    if (from < stripes.length) {
      synchronized (stripes[from]) {
        return withStripes(from + 1, action);
      }
    }
    take();
    A result = action.run(journal);
    isStriped = target.content().commutingBits() >= STRIPE_BITS;
    return result;
  }

  @Override
  public long pending() {
    long sum;
    committing.lock();
    try {
      sum = taken.count();
    } finally {
      committing.unlock();
    }
    for (Stripe stripe : stripes) {
      synchronized (stripe) {
        sum += stripe.changes.count();
      }
    }
    return sum;
  }

  @Override
  public void close() {
    isClosed = true;
    LockSupport.unpark(thread);
    boolean isInterrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
