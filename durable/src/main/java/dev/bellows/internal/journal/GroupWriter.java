package dev.bellows.internal.journal;

import java.io.IOException;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A writer with group commit. The changes of all waiting threads form a group. One of these threads
 * leads: it commits the group, applies its changes in order, and releases the others. Meanwhile the
 * next group forms. No thread sees a change that is not committed.
 */
public final class GroupWriter extends ChangeWriter {
  private final Object gate = new Object();

  // guarded by gate
  private Group open = new Group();
  private boolean isLed;

  /**
   * Creates a writer.
   *
   * @param forces whether a commit waits for the disk, rather than only for the operating system
   */
  public GroupWriter(Journal journal, Target target, boolean forces) {
    super(journal, target, forces);
  }

  private static final class Group {
    private final Changes changes = new Changes();

    /**
     * For each change, first whether it is omitted; after the group was applied, the answer to its
     * caller.
     */
    private final BitSet changed = new BitSet(1);

    /** Whether a change depends on whether its key is absent. */
    private boolean isConditional;

    // guarded by this group
    private boolean isDone;
    private boolean needsLeader;

    /** Written before {@link #isDone}. */
    private @Nullable Throwable failure;

    int add(int operation, long time, long hash) {
      changes.add(operation, time, hash);
      isConditional |= operation == Changes.PUT_IF_ABSENT;
      return changes.count() - 1;
    }

    /** Waits. Returns true if the caller has to lead, false if the group is done. */
    synchronized boolean awaitTurn() {
      boolean isInterrupted = false;
      while (!isDone && !needsLeader) {
        try {
          wait();
        } catch (InterruptedException e) {
          isInterrupted = true;
        }
      }
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
      boolean leads = !isDone;
      needsLeader = false;
      return leads;
    }

    synchronized void appointLeader() {
      needsLeader = true;
      notify();
    }

    synchronized void done() {
      isDone = true;
      notifyAll();
    }

    boolean result(int index) throws IOException {
      if (failure instanceof IOException io) {
        // each thread throws its own exception, with its own stack trace
        throw new IOException(io.getMessage(), io);
      }
      if (failure != null) {
        throw new IllegalStateException("a change could not be applied", failure);
      }
      return changed.get(index);
    }
  }

  @Override
  public boolean change(int operation, long time, long hash) throws IOException {
    if (target.isKnown(operation, time, hash)) {
      return false;
    }
    Group group;
    int index;
    boolean leads;
    synchronized (gate) {
      group = open;
      index = group.add(operation, time, hash);
      leads = !isLed;
      isLed = true;
    }
    if (leads || group.awaitTurn()) {
      lead(group);
    }
    return group.result(index);
  }

  private void lead(Group group) {
    committing.lock();
    try {
      synchronized (gate) {
        open = new Group();
      }
      write(group);
    } catch (Throwable e) {
      group.failure = e;
    } finally {
      committing.unlock();
    }
    synchronized (gate) {
      if (open.changes.isEmpty()) {
        isLed = false;
      } else {
        open.appointLeader();
      }
    }
    group.done();
  }

  /** Commits a group and applies its changes. The caller holds {@link #committing}. */
  private void write(Group group) throws IOException {
    requireNotEnded();
    commit(group.isConditional ? decide(group) : group.changes);
    group.changes.forEach(
        0,
        (operation, time, at, words, from, to) -> {
          for (int i = from; i < to; i++) {
            group.changed.set(
                i,
                !group.changed.get(i)
                    && Changes.answer(
                        operation, Changes.apply(target.content(), operation, time, words[i])));
          }
        });
  }

  /**
   * Decides which puts of a group that depend on whether their key is absent are made, before any
   * change of the group is applied. A reader of the journal therefore has nothing to decide.
   *
   * @return the changes that are made; the others are marked as omitted
   */
  private Changes decide(Group group) {
    Changes decided = new Changes();
    Set<Long> first = new HashSet<>();
    group.changes.forEach(
        0,
        (operation, time, at, words, from, to) -> {
          for (int i = from; i < to; i++) {
            boolean isLeftOut =
                operation == Changes.PUT_IF_ABSENT
                    && (target.isKnown(operation, time, words[i])
                        || (target.content().keepsFirst() && !first.add(words[i])));
            group.changed.set(i, isLeftOut);
            if (!isLeftOut) {
              decided.add(Changes.decided(operation), time, words[i]);
            }
          }
        });
    return decided;
  }

  @Override
  public int changeGroup(int operation, long time, long[] hashes, int from, int to)
      throws IOException {
    return withJournal(
        its -> {
          Group group = new Group();
          for (int i = from; i < to; i++) {
            if (!target.isKnown(operation, time, hashes[i])) {
              group.add(operation, time, hashes[i]);
            }
          }
          write(group);
          return group.changed.cardinality();
        });
  }

  @Override
  <A> A exclusively(Action<A> action) throws IOException {
    return action.run(journal);
  }

  @Override
  void commitApplied() {}

  @Override
  public long pending() {
    return 0;
  }

  @Override
  public void close() {}
}
