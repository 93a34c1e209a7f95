package dev.bellows.durable;

import dev.bellows.Durable;
import dev.bellows.HashScheme;
import dev.bellows.KeyFilter;
import dev.bellows.Membership;
import dev.bellows.Mergeable;
import dev.bellows.internal.files.DurableContent;
import dev.bellows.internal.journal.Changes;
import dev.bellows.internal.journal.Source;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.ReadOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Objects;

/**
 * An in-memory filter that follows a {@link DurableFilter} by applying its deltas. Thread-safe:
 * queries take no lock, and deltas are applied one at a time.
 *
 * <p>Deltas may be lost, repeated or reordered. A key that has arrived is never lost, except by a
 * removal at the source, and when all deltas have arrived, the replica has every key of the source.
 * A {@code BloomFilter} is then bit for bit equal to its source, regardless of the order in which
 * the deltas arrived. Filters that grow are equal if the deltas arrived in order, because the place
 * of a key depends on the keys before it. The clock of a {@code WindowFilter} follows that of its
 * source, generation by generation.
 *
 * <pre>{@code
 * Replica<FingerprintFilter> replica = Replica.of(FingerprintFilter.create(1e-6));
 * replica.apply(seen.since(replica.version()));
 * }</pre>
 *
 * <p>For a replica that survives its process, use another durable filter and {@link
 * DurableFilter#apply}.
 *
 * @param <F> the class of the filter
 */
public final class Replica<F extends Durable> implements Membership {
  /** The effect of a delta on a replica. */
  public enum Outcome {
    /** The replica now has all changes up to the version of the delta. */
    APPLIED,
    /** The replica already had all changes of the delta. */
    KNOWN,
    /**
     * The keys of the delta were put, but earlier changes are missing: request a delta since the
     * version of the replica.
     */
    AHEAD,
    /**
     * Nothing was put, because earlier changes are missing and keys were removed at the source, or
     * can be removed. Request a delta since the version of the replica.
     */
    MISSING
  }

  /**
   * The way in which a delta is to be applied.
   *
   * @param hasContent whether its content replaces that of the filter
   * @param joins whether the replaced content is added to it
   * @param hashesFrom the version from which its hashes are put; negative for none
   * @param after the source afterwards
   */
  record Step(Outcome outcome, boolean hasContent, boolean joins, long hashesFrom, Source after) {}

  /** The number of hashes of a delta that are copied at a time. */
  private static final int AT_ONCE = 1 << 12;

  private volatile F filter;
  private volatile Source source = Source.NONE;

  private Replica(F filter) {
    this.filter = filter;
  }

  /**
   * Returns a replica without changes.
   *
   * @param empty a filter with the settings of the source ({@link Delta#settings} with {@link
   *     FilterFormat#empty}), which the replica keeps
   */
  public static <F extends Durable> Replica<F> of(F empty) {
    if (!empty.isEmpty()) {
      throw new IllegalArgumentException(
          "a replica starts with an empty filter, but this one has keys");
    }
    return new Replica<>(empty);
  }

  /** Returns the version of the source up to which all changes have arrived. */
  public long version() {
    return source.version();
  }

  /** Returns the id of the folder that this replica follows; 0 before the first delta. */
  public long sourceId() {
    return source.id();
  }

  /** Returns an independent copy of the filter. */
  @SuppressWarnings("unchecked")
  public F copy() {
    return (F) filter.durableContent().copy();
  }

  @Override
  public HashScheme hashScheme() {
    return filter.hashScheme();
  }

  @Override
  public boolean mightContainHash(long hash) {
    return filter.mightContainHash(hash);
  }

  @Override
  public int countMightContainHashes(long[] hashes, int from, int to, boolean[] hits) {
    return filter.countMightContainHashes(hashes, from, to, hits);
  }

  /**
   * Applies a delta.
   *
   * @throws IllegalArgumentException if the delta comes from a different folder than the previous
   *     ones, or from a filter with different settings
   * @throws IOException if the content of the delta is not valid; the replica is then unchanged
   */
  public synchronized Outcome apply(Delta delta) throws IOException {
    F mine = filter;
    Step step = step(source, mine, delta);
    if (step.hasContent) {
      filter = content(mine, step, delta);
    } else if (step.hashesFrom >= 0) {
      requireTimes(mine, delta);
      DurableContent<? extends Durable> content = mine.durableContent();
      delta.forEachFrom(
          step.hashesFrom,
          AT_ONCE,
          (operation, time, words, to) -> {
            for (long word : words) {
              Changes.apply(content, operation, time, word);
            }
          });
    }
    source = step.after;
    return step.outcome;
  }

  /** Returns how to apply a delta to a filter that follows a source up to a version. */
  static Step step(Source source, Durable filter, Delta delta) {
    Objects.requireNonNull(delta, "delta");
    if (source.id() != 0 && source.id() != delta.sourceId()) {
      throw new IllegalArgumentException(
          ("the delta comes from the folder with id %016x, but this replica follows %016x: "
                  + "apply it to another replica")
              .formatted(delta.sourceId(), source.id()));
    }
    if (!Arrays.equals(filter.durableContent().settings(), delta.settings())) {
      throw new IllegalArgumentException(
          ("the delta comes from a filter of kind %s (%s) with other settings than this one (%s, "
                  + "%s): create the replica with the settings of the delta")
              .formatted(
                  delta.sourceKind().word(),
                  delta.hashScheme(),
                  filter.kind().word(),
                  filter.hashScheme()));
    }
    long to = delta.to();
    boolean isNew = source.id() == 0;
    boolean isOld = delta.epoch() < source.epoch();
    boolean isNewEpoch = delta.epoch() > source.epoch();
    if (isOld || (to <= source.version() && !isNew && !isNewEpoch)) {
      return new Step(Outcome.KNOWN, false, false, -1, source);
    }
    long ahead = Math.max(to, source.ahead());
    Source upTo = new Source(delta.sourceId(), delta.epoch(), to, isNewEpoch ? to : ahead);
    if (delta.hasContent()) {
      return new Step(Outcome.APPLIED, true, !isNewEpoch && to < source.ahead(), -1, upTo);
    }
    boolean hasAll = source.version() >= (isNewEpoch ? delta.epoch() : 0);
    if (hasAll && delta.from() <= source.version()) {
      return new Step(Outcome.APPLIED, false, false, source.version(), upTo);
    }
    if (!hasAll || !filter.durableContent().isSet()) {
      return new Step(Outcome.MISSING, false, false, -1, source);
    }
    Source partly = new Source(delta.sourceId(), delta.epoch(), source.version(), ahead);
    return new Step(Outcome.AHEAD, false, false, delta.from(), partly);
  }

  /** Returns the filter that replaces another one after the content of a delta. */
  @SuppressWarnings("unchecked")
  static <F extends Durable> F content(F mine, Step step, Delta delta) throws IOException {
    InputStream in = new ByteArrayInputStream(delta.image());
    ReadOptions options = ReadOptions.UNLIMITED.withHashScheme(mine.hashScheme());
    F read = (F) mine.durableContent().read(in, options);
    if (in.read() >= 0) {
      throw new FilterFormatException(0, "bytes follow the content of the delta");
    }
    requireSettings(mine, read);
    return step.joins ? (F) union(mine.durableContent(), read) : read;
  }

  @SuppressWarnings("unchecked")
  private static <F extends KeyFilter & Membership & Mergeable<F>> F union(
      DurableContent<F> one, Durable other) {
    return one.union((F) other);
  }

  /**
   * Throws, before anything is applied, if a delta has times although keys of the filter do not
   * expire, or invalid times.
   */
  static void requireTimes(Durable filter, Delta delta) throws IOException {
    DurableContent.Clock clock = filter.durableContent().clock();
    try {
      delta.forEachFrom(
          0,
          AT_ONCE,
          (operation, time, words, to) -> {
            if (clock != null) {
              clock.checked(time);
            } else if (time != 0 || operation == Changes.ADVANCE) {
              throw new IllegalArgumentException("a time of keys that do not expire: " + time);
            }
          });
    } catch (IllegalArgumentException e) {
      throw new FilterFormatException(0, "the delta has " + e.getMessage());
    }
  }

  static void requireSettings(Durable like, Durable read) throws FilterFormatException {
    byte[] expected = like.durableContent().settings();
    boolean isSame;
    try {
      isSame = Arrays.equals(read.durableContent().settings(), expected);
    } catch (IllegalArgumentException e) {
      isSame = false;
    }
    if (!isSame) {
      throw new FilterFormatException(0, "the content is that of a filter with other settings");
    }
  }

  @Override
  public String toString() {
    return "Replica[%s, version %d of %016x]".formatted(filter, version(), sourceId());
  }
}
