package dev.bellows.durable;

import java.time.Duration;
import java.util.Objects;

/**
 * The point at which a put returns, which determines how many acknowledged changes a crash may
 * lose.
 *
 * <table border="1">
 * <caption>What survives</caption>
 * <tr><th></th><th>the process is killed</th><th>the machine loses power</th></tr>
 * <tr><td>{@link #ALWAYS}</td><td>every put that returned</td><td>every put that returned</td></tr>
 * <tr><td>{@link #every}</td><td colspan="2">every put that returned, except those of one interval</td></tr>
 * <tr><td>{@link #NEVER}</td><td>every put that returned</td><td>every put that the operating system wrote to disk</td></tr>
 * </table>
 */
public final class Sync {
  /**
   * A put returns when its group is on disk. Threads that wait at the same time share one write. A
   * key passes only when it is on disk.
   */
  public static final Sync ALWAYS = new Sync("always", Duration.ZERO);

  /**
   * A put returns when its group has been handed to the operating system, which writes it to disk
   * at a time of its choosing. A put that returned survives the end of the process by any signal,
   * but not a power failure. If a power failure leaves a gap, because the operating system wrote
   * later puts first, the folder opens only with {@link DurableFilter.Builder#cutDamage}.
   */
  public static final Sync NEVER = new Sync("never", Duration.ZERO);

  private static final Duration LEAST = Duration.ofMillis(1);
  private static final Duration MOST = Duration.ofHours(1);

  private final String word;
  private final Duration interval;

  private Sync(String word, Duration interval) {
    this.word = word;
    this.interval = interval;
  }

  /**
   * Returns a setting with which a put returns immediately, and its key passes immediately; a
   * background thread of the filter writes to disk about twice per interval. A put waits while the
   * oldest change that is not on disk is older than the interval. All puts that a crash loses
   * therefore returned within one interval: if one of them returned at time t, no put that began
   * after t + interval has returned. If the disk keeps up, these are the last puts before the
   * crash.
   *
   * @param interval from 1 millisecond to 1 hour
   */
  public static Sync every(Duration interval) {
    Objects.requireNonNull(interval, "interval");
    if (interval.compareTo(LEAST) < 0 || interval.compareTo(MOST) > 0) {
      throw new IllegalArgumentException(
          ("an interval of %s is not in [%s, %s]: use Sync.ALWAYS to wait " + "for the disk")
              .formatted(interval, LEAST, MOST));
    }
    return new Sync("every", interval);
  }

  /**
   * Returns the setting that {@link #toString} describes; {@link #NEVER} if the text describes
   * none.
   */
  static Sync of(String text) {
    if (text.equals(ALWAYS.word)) {
      return ALWAYS;
    }
    return text.matches("every \\d{1,7} ms")
        ? new Sync("every", Duration.ofMillis(Long.parseLong(text.replaceAll("\\D", ""))))
        : NEVER;
  }

  /** Returns the interval of {@link #every}; zero for the others. */
  public Duration interval() {
    return interval;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Sync sync && word.equals(sync.word) && interval.equals(sync.interval);
  }

  @Override
  public int hashCode() {
    return Objects.hash(word, interval);
  }

  /** Returns a description, e.g. {@code always}, {@code every 10 ms} or {@code never}. */
  @Override
  public String toString() {
    return interval.isZero() ? word : word + " " + interval.toMillis() + " ms";
  }
}
