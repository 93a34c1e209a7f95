package dev.bellows.internal.journal;

import dev.bellows.internal.files.DurableContent;
import java.util.Arrays;

/**
 * A list of changes in order, as runs of one operation and one time. Each run becomes a group of
 * the journal. Not thread-safe.
 */
public final class Changes {
  /** Puts of hashes. */
  public static final int PUT = 1;

  /**
   * Puts of hashes that do not pass yet. Once it is decided which ones are put, the journal records
   * these as puts.
   */
  public static final int PUT_IF_ABSENT = 2;

  /** Removals of hashes. */
  public static final int REMOVE = 3;

  /** The removal of every key: one change without a hash. */
  public static final int CLEAR = 4;

  /** Puts of hashes from a delta, preceded by the words of its {@link Source}. */
  public static final int RECEIVED = 5;

  /** The clock enters a generation: one change, whose word is 1 if all keys expire as a result. */
  public static final int ADVANCE = 6;

  private static final int FIRST_HASHES = 64;

  private long[] hashes = new long[FIRST_HASHES];
  private int count;

  private int[] operations = new int[1];
  private long[] times = new long[1];
  private int[] ends = new int[1];
  private int runs;

  /**
   * Returns the number of words of all payloads; for puts and removals, this is the number of
   * changes.
   */
  public int count() {
    return count;
  }

  /** Returns the number of runs. */
  public int runs() {
    return runs;
  }

  /** Returns whether there are no changes. */
  public boolean isEmpty() {
    return runs == 0;
  }

  /** Adds a change. */
  public void add(int operation, long time, long hash) {
    // grows first, so that a failure leaves no run without hashes
    if (count == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * count);
    }
    if (isNewRun(operation, time)) {
      beginRun(operation, time);
    }
    hashes[count++] = hash;
    ends[runs - 1] = count;
  }

  /**
   * Ensures that the next {@link #add} to this run cannot fail, so that a change can be applied
   * between the two calls.
   */
  public void reserve(int operation, long time) {
    if (count == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * count);
    }
    if (runs == operations.length && isNewRun(operation, time)) {
      growRuns();
    }
  }

  /** Adds changes of one operation and one time. */
  public void addAll(int operation, long time, long[] words, int from, int to) {
    int end = Math.addExact(count, to - from);
    if (hashes.length < end) {
      hashes = Arrays.copyOf(hashes, Math.max(2 * hashes.length, end));
    }
    if (isNewRun(operation, time)) {
      beginRun(operation, time);
    }
    System.arraycopy(words, from, hashes, count, to - from);
    count = end;
    ends[runs - 1] = end;
  }

  /** Returns whether a change begins a run. Only puts and removals share runs. */
  private boolean isNewRun(int operation, long time) {
    return runs == 0
        || operations[runs - 1] != operation
        || times[runs - 1] != time
        || operation > REMOVE;
  }

  /** Adds a separate run without hashes. */
  public void addClear() {
    beginRun(CLEAR, 0);
  }

  /** Adds a separate run: the state of a source, followed by the hashes received from it. */
  public void addReceived(Source source, long time, long[] received) {
    long[] words = Arrays.copyOf(source.toWords(), Source.WORDS + received.length);
    System.arraycopy(received, 0, words, Source.WORDS, received.length);
    addAll(RECEIVED, time, words, 0, words.length);
  }

  private void beginRun(int operation, long time) {
    if (runs == operations.length) {
      growRuns();
    }
    operations[runs] = operation;
    times[runs] = time;
    ends[runs++] = count;
  }

  private void growRuns() {
    int more = 2 * runs + 2;
    long[] moreTimes = Arrays.copyOf(times, more);
    int[] moreEnds = Arrays.copyOf(ends, more);
    operations = Arrays.copyOf(operations, more);
    times = moreTimes;
    ends = moreEnds;
  }

  /** Appends all changes of another list. */
  public void addAll(Changes others) {
    others.forEach(
        0, (operation, time, at, words, from, to) -> addAll(operation, time, words, from, to));
  }

  /** Removes all changes, and releases the memory if it holds more than {@code most} words. */
  public void clear(int most) {
    runs = 0;
    count = 0;
    if (hashes.length > most) {
      hashes = new long[FIRST_HASHES];
    }
  }

  /** Receives runs. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Receives the words {@code [from, to)} of a run.
     *
     * @param version the number of changes before the first of these
     */
    void run(int operation, long time, long version, long[] words, int from, int to);
  }

  /** Passes all runs to a visitor in order. The first run begins at the given version. */
  public void forEach(long version, Visitor visitor) {
    int from = 0;
    long at = version;
    for (int run = 0; run < runs; run++) {
      visitor.run(operations[run], times[run], at, hashes, from, ends[run]);
      at += changes(operations[run], ends[run] - from);
      from = ends[run];
    }
  }

  /** Returns the operation that the journal records for a change that was decided on. */
  static int decided(int operation) {
    return operation == PUT_IF_ABSENT ? PUT : operation;
  }

  /** Returns the answer to the caller of a change, given its result. */
  static boolean answer(int operation, int result) {
    return (result & (operation == PUT_IF_ABSENT ? DurableContent.ABSENT : DurableContent.CHANGED))
        != 0;
  }

  /** Returns the number of changes in a run of this many words. */
  public static int changes(int operation, int words) {
    return switch (operation) {
      case CLEAR -> 1;
      case RECEIVED -> words - Source.WORDS;
      default -> words;
    };
  }

  /**
   * Applies one change of an operation to a filter and returns its result, like {@link
   * DurableContent#put}.
   *
   * @throws IllegalStateException if the clock advances, and the filter has none
   */
  public static int apply(DurableContent<?> content, int operation, long time, long word) {
    return switch (operation) {
      case REMOVE -> DurableContent.result(content.remove(word));
      case ADVANCE -> {
        DurableContent.Clock clock = content.clock();
        if (clock == null) {
          throw new IllegalStateException("keys of this filter do not expire");
        }
        clock.enter(time, word != 0);
        yield DurableContent.CHANGED;
      }
      default -> content.put(word, time);
    };
  }
}
