package dev.bellows.internal.journal;

import java.io.Closeable;
import java.io.IOException;
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

  ChangeWriter(Journal journal, Target target) {
    this.journal = journal;
    this.target = target;
  }

  /** The filter that changes are applied to. */
  public interface Target {
    /** Applies one change and returns its result, like {@link DurableContent#put}. */
    int apply(int operation, long time, long hash);

    /** Returns whether the change is unnecessary, because the key with this hash already passes. */
    boolean isKnown(int operation, long time, long hash);

    /** Returns whether a put-if-absent of a key that is present is omitted. */
    boolean keepsFirst();

    /**
     * Returns the number of leading bits such that changes of two hashes that differ in them
     * commute.
     */
    int commutingBits();

    /** Records a run that was committed. Called by one thread at a time. */
    void committed(int operation, long version, long[] words, int from, int to);
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

  /**
   * Commits changes and applies them while no other change is made.
   *
   * @param changes supplies the changes, after all earlier ones were applied
   * @param applied applies them
   */
  public abstract void changeAll(Supplier<Changes> changes, Runnable applied) throws IOException;

  /**
   * Runs one step while no change is made, and a second step after all changes so far are committed
   * and before any others are.
   */
  public abstract <A, B> B still(Supplier<A> quickly, Then<A, B> then) throws IOException;

  /** The second part of {@link #still}. */
  @FunctionalInterface
  public interface Then<A, B> {
    /** Uses the result of the first part and the journal. */
    B then(A first, Journal journal) throws IOException;
  }

  /** Runs an action on the journal while no commit is made. */
  public abstract <B> B withJournal(Then<Void, B> action) throws IOException;

  /** Forces all changes to disk. */
  public final void force() throws IOException {
    still(
        () -> 0,
        (nothing, its) -> {
          its.force();
          return nothing;
        });
  }

  /** Makes all later changes fail, and forces the earlier ones to disk. */
  public abstract void end() throws IOException;

  static IOException ended() {
    return new IOException("the durable filter was closed in the meantime");
  }

  /** Returns the number of changes that were applied but are not in the journal. */
  public abstract long pending();

  final void noteCommitted(Changes changes, long version) {
    changes.forEach(
        version,
        (operation, time, at, words, from, to) -> target.committed(operation, at, words, from, to));
  }
}
