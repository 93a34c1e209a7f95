package dev.bellows.internal.journal;

import dev.bellows.internal.files.DurableContent;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A thread-safe writer that writes changes to a journal and applies them to a filter. {@link
 * GroupWriter} commits a change before it is applied, {@link BufferedWriter} soon afterwards.
 */
public abstract class ChangeWriter implements Closeable {
  /** The maximum number of hashes of one call in a group of the journal. */
  public static final int MOST_IN_GROUP = 1 << 20;

  final Journal journal;
  final Target target;
  private final boolean forces;

  /** Held by the thread that commits; guards the journal. */
  final ReentrantLock committing = new ReentrantLock(true);

  /** Written only {@linkplain #exclusively exclusively}. */
  private boolean isEnded;

  /**
   * Creates a writer.
   *
   * @param forces whether a commit waits for the disk, rather than only for the operating system
   */
  ChangeWriter(Journal journal, Target target, boolean forces) {
    this.journal = journal;
    this.target = target;
    this.forces = forces;
  }

  /** The filter that changes are applied to. */
  public interface Target {
    /** Returns the content of the filter. */
    DurableContent<?> content();

    /** Returns whether the change is unnecessary, because the key with this hash already passes. */
    boolean isKnown(int operation, long time, long hash);

    /** Records a run that was committed. Called by one thread at a time. */
    void committed(int operation, long time, long version, long[] words, int from, int to);
  }

  /**
   * Makes one change and returns whether the filter changed. If this method throws, nothing has
   * changed.
   */
  public abstract boolean change(int operation, long time, long hash) throws IOException;

  /**
   * Makes at most {@link #MOST_IN_GROUP} changes of one operation and returns how many of them
   * changed the filter.
   */
  public abstract int changeGroup(int operation, long time, long[] hashes, int from, int to)
      throws IOException;

  /** Runs an action while no change is made. The caller holds {@link #committing}. */
  abstract <A> A exclusively(Action<A> action) throws IOException;

  /** Commits the changes that were applied before. The caller holds {@link #committing}. */
  abstract void commitApplied() throws IOException;

  /** Commits changes. The caller holds {@link #committing}. */
  final void commit(Changes changes) throws IOException {
    long version = journal.version();
    journal.commit(changes, forces);
    changes.forEach(version, target::committed);
  }

  final void requireNotEnded() throws IOException {
    if (isEnded) {
      throw new IOException("the durable filter was closed in the meantime");
    }
  }

  /**
   * Commits changes and applies them while no other change is made.
   *
   * @param changes supplies the changes, after all earlier ones were applied
   * @param applied applies them
   */
  public final void changeAll(Supplier<Changes> changes, Runnable applied) throws IOException {
    withJournal(
        its ->
            exclusively(
                same -> {
                  requireNotEnded();
                  commitApplied();
                  Changes all = changes.get();
                  commit(all);
                  applied.run();
                  return all;
                }));
  }

  /**
   * Runs one step while no change is made, and a second step after all changes so far are committed
   * and before any others are.
   */
  public final <A, B> B still(Supplier<A> quickly, Then<A, B> then) throws IOException {
    return withJournal(
        its -> {
          A first = exclusively(same -> quickly.get());
          commitApplied();
          return then.then(first, its);
        });
  }

  /** The second part of {@link #still}. */
  @FunctionalInterface
  public interface Then<A, B> {
    /** Uses the result of the first part and the journal. */
    B then(A first, Journal journal) throws IOException;
  }

  /** An action on the journal. */
  @FunctionalInterface
  public interface Action<A> {
    /** Runs the action. */
    A run(Journal journal) throws IOException;
  }

  /** Runs an action after all changes so far are committed and before any others are. */
  public final <A> A committed(Action<A> action) throws IOException {
    return still(() -> action, (its, journal) -> its.run(journal));
  }

  /** Runs an action on the journal while no commit is made. */
  public final <A> A withJournal(Action<A> action) throws IOException {
    committing.lock();
    try {
      return action.run(journal);
    } finally {
      committing.unlock();
    }
  }

  /** Forces all changes to disk. */
  public final void force() throws IOException {
    committed(
        its -> {
          its.force();
          return its;
        });
  }

  /** Makes all later changes fail, and forces the earlier ones to disk. */
  public final void end() throws IOException {
    withJournal(its -> exclusively(same -> isEnded = true));
    force();
  }

  /** Returns the number of changes that were applied but are not in the journal. */
  public abstract long pending();

  @Override
  public abstract void close();
}
