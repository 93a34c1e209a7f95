package dev.bellows.flink;

import dev.bellows.KeyHasher;
import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Passes on each event of a stream once within a window of event time, with about 4 bytes of state
 * per id.
 *
 * <pre>{@code
 * DataStream<Event> once =
 *     Deduplicate.by((Event e) -> e.id())
 *         .within(Duration.ofHours(24))
 *         .fpp(1e-4)
 *         .apply(events);
 * }</pre>
 *
 * <p><b>What it promises.</b> With T the window and L the allowed lateness:
 *
 * <ul>
 *   <li>Of two events with the same id, less than T apart, at most one is passed on, in whichever
 *       order they come, unless one of them is late.
 *   <li>An event whose id was not passed on before is dropped with a probability of at most {@link
 *       #fpp fpp}. This holds while the ids of a window grow at most 1,000-fold within 2 T + L.
 *   <li>An id passes again when the watermark has reached the time of the event that was passed on,
 *       plus T + L + (2 T + L) / 15, at the latest; or before, from T on.
 *   <li>An event is <b>late</b> if its time plus L is not after the watermark, as in Flink's
 *       windows, or if its time lies more than 71,000 years from 1970, as one in nanoseconds does.
 *       Late events are counted, and dropped or sent to a side output.
 * </ul>
 *
 * <p>There is nothing to plan: the state grows and shrinks with the ids. It is cut into {@link
 * #slices slices}, which Flink moves between subtasks when a job is rescaled.
 *
 * <p>The stream needs timestamps and watermarks. Without watermarks, ids are kept exactly, and
 * never expire.
 *
 * <p><b>State.</b> Keep it on the heap ({@code state.backend.type: hashmap}, Flink's default). With
 * RocksDB the whole slice is read and written for each event. Give the operator a {@code uid}, as
 * every operator with state. A savepoint can be restored with the same settings only, in this
 * version and all later ones.
 *
 * <p><b>Metrics</b>, in the group {@code bellows} of the operator: counters {@code duplicates},
 * {@code late}, and {@code outOfRange}, the late events whose times are not in milliseconds; gauges
 * {@code keys}, the ids in state, estimated; {@code ahead}, those of them that are more than a
 * window ahead of the watermark and take more room; and {@code expectedFpp}, the expected share of
 * new events that are dropped.
 *
 * @param <E> the events
 */
public final class Deduplicate<E> {
  private static final int DEFAULT_SLICES = 256;
  private static final double DEFAULT_FPP = 1e-4;

  private final KeySelector<E, ?> id;
  private final Hasher<Object> hasher;
  private @Nullable Duration window;
  private Duration lateness = Duration.ZERO;
  private double fpp = DEFAULT_FPP;
  private int slices = DEFAULT_SLICES;
  private byte[] secret = new byte[0];
  private @Nullable OutputTag<E> lateTag;
  private @Nullable OutputTag<E> duplicateTag;

  /**
   * A hasher for ids of any type that Flink can send to its workers; lambdas and method references
   * are, e.g. {@code (point, scheme) -> scheme.hash(point.packed())}.
   *
   * @param <K> the type of the ids
   */
  @FunctionalInterface
  public interface Hasher<K> extends KeyHasher<K>, Serializable {}

  private Deduplicate(KeySelector<E, ?> id, Hasher<Object> hasher) {
    this.id = Objects.requireNonNull(id, "id");
    this.hasher = Objects.requireNonNull(hasher, "hasher");
  }

  /**
   * De-duplicates by an id: a string, long, int, short, byte array or UUID. An int, short and long
   * of the same value are the same id.
   */
  public static <E> Deduplicate<E> by(KeySelector<E, ?> id) {
    return new Deduplicate<>(id, IdHash::ofAny);
  }

  /** De-duplicates by an id of any type; the hasher must be the same in all versions of the job. */
  @SuppressWarnings("unchecked") // the selector returns nothing else
  public static <E, K> Deduplicate<E> by(KeySelector<E, K> id, Hasher<? super K> hasher) {
    return new Deduplicate<>(id, (Hasher<Object>) (Hasher<?>) hasher);
  }

  /** The window: at least 15 milliseconds, in whole milliseconds. */
  public Deduplicate<E> within(Duration window) {
    this.window = Objects.requireNonNull(window, "window");
    return this;
  }

  /** The share of new events that may be dropped (default 1 in 10,000; at least 1e-12). */
  public Deduplicate<E> fpp(double fpp) {
    this.fpp = fpp;
    return this;
  }

  /** How far an event may be behind the watermark before it is late (default 0). */
  public Deduplicate<E> allowedLateness(Duration lateness) {
    this.lateness = Objects.requireNonNull(lateness, "lateness");
    return this;
  }

  /** Late events go here; without this they are counted and dropped. */
  public Deduplicate<E> sideOutputLateData(OutputTag<E> tag) {
    this.lateTag = Objects.requireNonNull(tag, "tag");
    return this;
  }

  /** Events that were treated as duplicates go here; without this they are counted and dropped. */
  public Deduplicate<E> sideOutputDuplicates(OutputTag<E> tag) {
    this.duplicateTag = Objects.requireNonNull(tag, "tag");
    return this;
  }

  /**
   * The parts of the key space, a power of 2 (default 256; at most 2^20). Take at least 8 times the
   * parallelism that the job may ever have, and more if there are more than 100 million ids in a
   * window: the first event of a slice after the begin of a checkpoint waits until the slice is
   * copied. Each part in use takes about 3 KB next to its ids.
   */
  public Deduplicate<E> slices(int slices) {
    this.slices = slices;
    return this;
  }

  /**
   * A secret of 16 bytes, if someone who may send events could choose ids so that those of others
   * are dropped: ids are hashed with it. It is part of the job, and not of its state.
   */
  public Deduplicate<E> secret(byte[] secret) {
    this.secret = secret.clone();
    return this;
  }

  /**
   * The stream of the events that are passed on.
   *
   * @throws IllegalArgumentException if the window is missing, or a setting is out of its range
   */
  public SingleOutputStreamOperator<E> apply(DataStream<E> events) {
    Settings settings = settings();
    IdHash<E> idHash = new IdHash<>(id, hasher, settings);
    SliceKeys keys = new SliceKeys(slices);
    return events
        .keyBy(event -> keys.key(idHash.of(event)), Types.INT)
        .process(
            new DeduplicateFunction<>(settings, idHash, lateTag, duplicateTag), events.getType())
        .name("deduplicate");
  }

  /** The checked settings. */
  Settings settings() {
    if (window == null) {
      throw new IllegalArgumentException(
          "a de-duplication needs its window: give within(Duration)");
    }
    Settings settings =
        new Settings(millis(window, "within"), millis(lateness, "lateness"), fpp, slices, secret);
    settings.filter(); // checks the rest
    return settings;
  }

  private static long millis(Duration duration, String name) {
    long millis;
    try {
      millis = duration.toMillis();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("%s %s is too long".formatted(name, duration), e);
    }
    if (!Duration.ofMillis(millis).equals(duration)) {
      throw new IllegalArgumentException(
          "%s %s is not a whole number of milliseconds".formatted(name, duration));
    }
    return millis;
  }
}
