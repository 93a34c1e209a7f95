package dev.bellows.kafka.streams;

import dev.bellows.HashScheme;
import dev.bellows.KeyHasher;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.kafka.streams.processor.api.FixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorContext;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorSupplier;
import org.apache.kafka.streams.processor.api.FixedKeyRecord;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the first event of each id within a window of time, and drops the others.
 *
 * <pre>{@code
 * KStream<String, Payment> once =
 *     payments.processValues(
 *         Deduplicate.by((Payment p) -> p.id()).within(Duration.ofHours(24)).fpp(1e-4));
 * }</pre>
 *
 * <p>Of two events with one id whose timestamps differ by less than the window, at most one is
 * passed on. A new event is mistaken for a duplicate, and dropped, with at most the probability
 * {@link #fpp}; {@link WindowFilterStore} says when an id may come again. The state is a {@link
 * WindowFilterStore} of each task, which this class adds to the topology, with its changelog topic.
 *
 * <p><b>Partitions.</b> A task sees the events of its partition only, so that all events with one
 * id have to come with the same record key, or be repartitioned by their id first.
 *
 * <p><b>Late events</b>, which are older than the latest one by more than the grace period, are
 * dropped and counted, or passed on with {@link #forwardLate}. So are events whose times cannot be
 * in milliseconds, such as those in nanoseconds. Events without an id (a null value or a null id)
 * are passed on.
 *
 * <p><b>Guarantees.</b> With {@code exactly_once_v2} the output and the state change together. With
 * {@code at_least_once} a task that fails between both may drop an event that it had not passed on
 * yet, or pass on one twice, as with every other store.
 *
 * @param <K> the type of the record keys
 * @param <V> the type of the events
 */
public final class Deduplicate<K, V> implements FixedKeyProcessorSupplier<K, V, V> {
  /** The name of the store, unless {@link #store} gives another one. */
  public static final String DEFAULT_STORE = "bellows-deduplicate";

  private final Id<K, V, ?> id;
  private final WindowFilterStore.Builder store = WindowFilterStore.builder(DEFAULT_STORE);
  private boolean forwardsLate;

  /** Where the id of an event is, null if it has none, and how it is hashed. */
  private record Id<K, V, F>(
      BiFunction<K, V, ? extends @Nullable F> of, KeyHasher<? super F> hasher) {
    Id {
      Objects.requireNonNull(of, "id");
      Objects.requireNonNull(hasher, "hasher");
    }
  }

  private Deduplicate(Id<K, V, ?> id) {
    this.id = id;
  }

  /**
   * De-duplicates by an id of text.
   *
   * @param id the id of an event, or null
   */
  public static <K, V> Deduplicate<K, V> by(
      Function<? super V, ? extends @Nullable CharSequence> id) {
    return by(id, KeyHasher.TEXT);
  }

  /**
   * De-duplicates by an id of any type, for example {@code by(Payment::number, KeyHasher.LONGS)}.
   *
   * @param id the id of an event, or null
   * @param hasher turns ids into hashes, the same in every process
   */
  public static <K, V, F> Deduplicate<K, V> by(
      Function<? super V, ? extends @Nullable F> id, KeyHasher<? super F> hasher) {
    Objects.requireNonNull(id, "id");
    return new Deduplicate<>(
        new Id<K, V, F>((key, value) -> value == null ? null : id.apply(value), hasher));
  }

  /**
   * De-duplicates by the key of the records.
   *
   * @param hasher turns keys into hashes, the same in every process
   */
  public static <K, V> Deduplicate<K, V> byKey(KeyHasher<? super K> hasher) {
    return new Deduplicate<>(new Id<K, V, K>((key, value) -> key, hasher));
  }

  /** How far apart the times of duplicates may lie: whole milliseconds. It has to be given. */
  public Deduplicate<K, V> within(Duration window) {
    store.within(window);
    return this;
  }

  /**
   * How far an event may lie before the latest one of its partition; beyond that it is late. The
   * default is a tenth of the window. A longer one costs memory as a longer window does.
   */
  public Deduplicate<K, V> grace(Duration grace) {
    store.grace(grace);
    return this;
  }

  /** The highest share of new events that may be dropped (default 1e-4). */
  public Deduplicate<K, V> fpp(double fpp) {
    store.fpp(fpp);
    return this;
  }

  /** How many parts a window has: 3, 7 (default), 15, 31 or 47. */
  public Deduplicate<K, V> generations(int generations) {
    store.generations(generations);
    return this;
  }

  /** The hash scheme, for example a keyed one if ids are chosen by an adversary. */
  public Deduplicate<K, V> hashScheme(HashScheme scheme) {
    store.hashScheme(scheme);
    return this;
  }

  /** Late events are passed on, although they may be duplicates, instead of dropped. */
  public Deduplicate<K, V> forwardLate() {
    this.forwardsLate = true;
    return this;
  }

  /** The name of the store: every Deduplicate of a topology needs its own. */
  public Deduplicate<K, V> store(String name) {
    store.named(name);
    return this;
  }

  /** The changelog topic has these settings next to those that Streams chooses. */
  public Deduplicate<K, V> withLoggingEnabled(Map<String, String> config) {
    store.withLoggingEnabled(config);
    return this;
  }

  /** No changelog topic is written: a task that moves or restarts forgets its ids. */
  public Deduplicate<K, V> withLoggingDisabled() {
    store.withLoggingDisabled();
    return this;
  }

  /** The store of the processor; the DSL connects both. */
  @Override
  public Set<StoreBuilder<?>> stores() {
    store.build(); // refuses settings that do not fit while the topology is built
    return Set.of(store);
  }

  /** A processor for one task. */
  @Override
  public FixedKeyProcessor<K, V, V> get() {
    return processor(id);
  }

  private <F> FixedKeyProcessor<K, V, V> processor(Id<K, V, F> id) {
    return new Processor<>(id, forwardsLate, store.name());
  }

  private static final class Processor<K, V, F> implements FixedKeyProcessor<K, V, V> {
    private final Id<K, V, F> id;
    private final boolean forwardsLate;
    private final String storeName;
    private @Nullable FixedKeyProcessorContext<K, V> context;
    private @Nullable WindowFilterStore seen;

    Processor(Id<K, V, F> id, boolean forwardsLate, String storeName) {
      this.id = id;
      this.forwardsLate = forwardsLate;
      this.storeName = storeName;
    }

    @Override
    public void init(FixedKeyProcessorContext<K, V> context) {
      this.context = context;
      this.seen = context.getStateStore(storeName);
    }

    @Override
    public void process(FixedKeyRecord<K, V> event) {
      FixedKeyProcessorContext<K, V> context = Objects.requireNonNull(this.context, "init first");
      WindowFilterStore seen = Objects.requireNonNull(this.seen, "init first");
      F found = id.of.apply(event.key(), event.value());
      if (found == null || passes(seen, seen.hashScheme().hash(found, id.hasher), event)) {
        context.forward(event);
      }
    }

    private boolean passes(WindowFilterStore seen, long hash, FixedKeyRecord<K, V> event) {
      return switch (seen.put(hash, event.timestamp())) {
        case FIRST -> true;
        case DUPLICATE -> false;
        case LATE -> forwardsLate;
      };
    }
  }
}
