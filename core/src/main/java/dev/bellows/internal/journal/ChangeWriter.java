package dev.bellows.internal.journal;

import java.io.Closeable;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * Writes changes to a journal and applies them to a filter, from any number of threads: {@link
 * GroupWriter} commits a change before it is applied, {@link BufferedWriter} soon afterwards.
 */
public abstract class ChangeWriter implements Closeable {
  /** A group of the journal has at most this many hashes of one call. */
  public static final int MOST_IN_GROUP = 1 << 20;

  final Journal journal;
  final Target target;

  ChangeWriter(Journal journal, Target target) {
    this.journal = journal;
    this.target = target;
  }

  /** What changes are applied to. */
  public interface Target {
    /** Applies one change; returns what {@link DurableContent#put} does. */
    int apply(int operation, long time, long hash);

    /** Whether the key with this hash passes already, so that no change is needed. */
    boolean isKnown(int operation, long time, long hash);

    /** Whether a put of a key that is there is left out if it was to be put if absent. */
    boolean keepsFirst();

    /** How many first bits of two hashes decide that the order of their changes is irrelevant. */
    int commutingBits();

    /** Takes note of a run that was committed. Called by one thread at a time. */
    void committed(int operation, long version, long[] words, int from, int to);
  }

  /** Makes one change; true iff it changed the filter. If it fails, nothing changed. */
  public abstract boolean change(int operation, long time, long hash) throws IOException;

  /**
   * Makes at most {@link #MOST_IN_GROUP} changes of one operation; returns how many of them changed
   * the filter.
   */
  public abstract int changeGroup(int operation, long time, long[] hashes, int from, int to)
      throws IOException;

  /**
   * Commits changes and applies them while no other change is made.
   *
   * @param changes makes them, when all changes before them are applied
   * @param applied applies them
   */
  public abstract void changeAll(Supplier<Changes> changes, Runnable applied) throws IOException;

  /**
   * Does something while no change is made, and then something else when all changes are committed,
   * before others are.
   */
  public abstract <A, B> B still(Supplier<A> quickly, Then<A, B> then) throws IOException;

  /** The second part of {@link #still}. */
  @FunctionalInterface
  public interface Then<A, B> {
    /** Uses the result of the first part and the journal. */
    B then(A first, Journal journal) throws IOException;
  }

  /** Uses the journal while no commit is made. */
  public abstract <B> B withJournal(Then<Void, B> action) throws IOException;

  /** Makes sure that all changes are on disk. */
  public final void force() throws IOException {
    still(
        () -> 0,
        (nothing, its) -> {
          its.force();
          return nothing;
        });
  }

  /** Lets every change from now on fail, and makes sure that those before are on disk. */
  public abstract void end() throws IOException;

  static IOException ended() {
    return new IOException("the durable filter was closed meanwhile");
  }

  /** Changes that are applied and not in the journal. */
  public abstract long pending();

  final void noteCommitted(Changes changes, long version) {
    changes.forEach(
        version,
        (operation, time, at, words, from, to) -> target.committed(operation, at, words, from, to));
  }
}
