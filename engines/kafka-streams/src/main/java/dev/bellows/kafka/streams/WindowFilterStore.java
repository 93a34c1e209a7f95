package dev.bellows.kafka.streams;

import dev.bellows.HashScheme;
import dev.bellows.window.WindowFilter;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The ids that a task has seen within a window of stream time, in a {@link WindowFilter} that sizes
 * itself. It is kept in memory; its changelog topic restores it, also in standby replicas.
 *
 * <pre>{@code
 * StoreBuilder<WindowFilterStore> seen =
 *     WindowFilterStore.builder("seen").within(Duration.ofHours(24)).fpp(1e-4);
 * }</pre>
 *
 * <p>{@link Deduplicate} brings its store with it; a processor of your own is connected to one as
 * to every other store, and hashes its ids with {@link #hashScheme}. Only the thread of the task
 * puts; what only reads may be called by any thread.
 *
 * <p><b>What is promised.</b> The clock is the latest time of a put. With W the window, L the grace
 * period and G the generations: of two puts of one id whose times differ by less than W, at most
 * one is {@link Answer#FIRST}. An id that was put once counts until the clock is at least W + L and
 * at most (W + L)(1 + 1/G) further. A put of a new id is mistaken for a {@link Answer#DUPLICATE}
 * with at most the probability {@link Builder#fpp}.
 */
public interface WindowFilterStore extends StateStore {
  /** What a put says about its id. */
  enum Answer {
    /** The id was new, and is remembered now. */
    FIRST,
    /** The id was there, or, with the probability of a false positive, only seems so. */
    DUPLICATE,
    /**
     * The time lies before the clock by more than the grace period, or more than 71,000 years from
     * 1970, as times in nanoseconds do; nothing was put.
     */
    LATE
  }

  /**
   * Puts the id with this hash at a time, unless it is there.
   *
   * @param hash the hash of the id, by {@link #hashScheme}
   * @param epochMillis the time of the event, in milliseconds since 1970
   */
  Answer put(long hash, long epochMillis);

  /** Whether the id with this hash may have been put within the window. */
  boolean mightContain(long hash);

  /** The hash scheme of its ids. */
  HashScheme hashScheme();

  /** An independent copy of the filter, for example to write it to a file. */
  WindowFilter snapshot();

  /** How many ids it holds, estimated. */
  long approximateKeys();

  /** How many puts were duplicates since it was opened. */
  long duplicates();

  /** How many puts were late since it was opened, those out of range included. */
  long lateEvents();

  /** How many puts had a time more than 71,000 years from 1970 since it was opened. */
  long outOfRangeEvents();

  /** An upper bound of the current share of new ids that are mistaken for duplicates. */
  double expectedFpp();

  /** The heap that its ids take, in bytes: the filter, and hashes that wait for the next commit. */
  long heapBytes();

  /** A builder of a store with this name, which names its changelog topic too. */
  static Builder builder(String name) {
    return new Builder(name);
  }

  /**
   * Builds the stores of all tasks. {@link #within} is needed; the rest has defaults.
   *
   * <p>Window, grace period, generations and fpp may be changed between two runs of an application:
   * ids that are in the changelog expire as they would have before, or earlier. The hash scheme may
   * not.
   */
  final class Builder implements StoreBuilder<WindowFilterStore> {
    private static final int GRACE_PART = 10;

    /**
     * The part of the rate that the filter is built for. It keeps its rate while its keys grow by
     * 2^10 inside a window, and D doublings cost a factor of (D + 2) / 12. A store begins with
     * nothing, so that all its growth falls into its first window: 24 doublings, from the 300 ids
     * of the first chunk on, are five billion ids.
     */
    private static final double SHARE_OF_FPP = 12.0 / (24 + 2);

    private String name;
    private @Nullable Duration within;
    private @Nullable Duration grace;
    private double fpp = 1e-4;
    private int generations = 7;
    private HashScheme scheme = HashScheme.DEFAULT;
    private boolean isLogged = true;
    private Map<String, String> logConfig = Map.of();

    private Builder(String name) {
      this.name = Objects.requireNonNull(name, "name");
    }

    /** Gives it another name. */
    void named(String name) {
      this.name = Objects.requireNonNull(name, "name");
    }

    /** How far apart the times of duplicates may lie: whole milliseconds. */
    public Builder within(Duration window) {
      this.within = positive(window, "within");
      return this;
    }

    /**
     * How far the time of an event may lie before the latest one; beyond that it is late. The
     * default is a tenth of the window.
     */
    public Builder grace(Duration grace) {
      Objects.requireNonNull(grace, "grace");
      if (grace.isNegative()) {
        throw new IllegalArgumentException("the grace period is negative: " + grace);
      }
      this.grace = grace;
      return this;
    }

    /** The highest share of new ids that may be mistaken for duplicates (default 1e-4). */
    public Builder fpp(double fpp) {
      WindowFilter.builder().fpp(fpp); // checks it
      this.fpp = fpp;
      return this;
    }

    /**
     * How many parts a window has: 3, 7 (default), 15, 31 or 47. Ids count for up to a part longer
     * than they have to.
     */
    public Builder generations(int generations) {
      WindowFilter.builder().generations(generations); // checks it
      this.generations = generations;
      return this;
    }

    /** The hash scheme, for example a keyed one if ids are chosen by an adversary. */
    public Builder hashScheme(HashScheme scheme) {
      this.scheme = Objects.requireNonNull(scheme, "hashScheme");
      return this;
    }

    /** The changelog topic is written, with these settings next to those that Streams chooses. */
    @Override
    public Builder withLoggingEnabled(Map<String, String> config) {
      this.logConfig = Map.copyOf(config);
      this.isLogged = true;
      return this;
    }

    /** No changelog topic is written: a task that moves or restarts forgets its ids. */
    @Override
    public Builder withLoggingDisabled() {
      this.logConfig = Map.of();
      this.isLogged = false;
      return this;
    }

    /**
     * Refused: there is nothing to cache.
     *
     * @throws IllegalStateException always
     */
    @Override
    public Builder withCachingEnabled() {
      throw new IllegalStateException(
          "a window filter is in memory and sends its changes once per commit: it has no cache");
    }

    /** Changes nothing: there is no cache. */
    @Override
    public Builder withCachingDisabled() {
      return this;
    }

    @Override
    public Map<String, String> logConfig() {
      return logConfig;
    }

    @Override
    public boolean loggingEnabled() {
      return isLogged;
    }

    @Override
    public String name() {
      return name;
    }

    /** How far the time of an event may lie before the latest one. */
    Duration grace() {
      return grace != null ? grace : Duration.ofMillis(window().toMillis() / GRACE_PART);
    }

    private Duration window() {
      if (within == null) {
        throw new IllegalStateException(
            "the store %s needs its window: give within(Duration)".formatted(name));
      }
      return within;
    }

    /** The filter of a task, empty. */
    private WindowFilter filter() {
      return WindowFilter.builder()
          .window(window().plus(grace()))
          .generations(generations)
          .fpp(fpp * SHARE_OF_FPP)
          .hashScheme(scheme)
          .keepFirst()
          .dropLate()
          .build();
    }

    /** Builds the store of one task. */
    @Override
    public WindowFilterStore build() {
      filter(); // refuses what does not fit together now, and not when a task begins
      return new LoggedFilter(name, this::filter, grace().toMillis(), isLogged);
    }

    private static Duration positive(Duration duration, String what) {
      Objects.requireNonNull(duration, what);
      if (duration.isZero() || duration.isNegative()) {
        throw new IllegalArgumentException("%s must be positive: %s".formatted(what, duration));
      }
      return duration;
    }
  }
}
