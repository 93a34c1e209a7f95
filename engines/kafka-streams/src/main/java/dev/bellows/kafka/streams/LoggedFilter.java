package dev.bellows.kafka.streams;

import dev.bellows.HashScheme;
import dev.bellows.kafka.streams.Changelog.HashKey;
import dev.bellows.window.WindowFilter;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A window filter, and what it has to send to its changelog.
 *
 * <p>{@link CachedStateStore} is the one type of Kafka's internals that is used here: its {@link
 * #flushCache} is the only call that a store gets between the last event and the commit of its
 * offset. If a version of Kafka Streams did not make that call, {@link #commit} would find hashes
 * that were not sent, and stop the task instead of losing them.
 */
final class LoggedFilter implements WindowFilterStore, CachedStateStore<byte[], byte[]> {
  private static final Logger LOG = LoggerFactory.getLogger(LoggedFilter.class);
  private static final SecureRandom WRITERS = new SecureRandom();
  private static final int LEAST_ROOM = 64;

  /** The times that a filter takes lie within this many milliseconds of 1970. */
  private static final long MOST_MILLIS = 1L << 51;

  private final String name;
  private final Supplier<WindowFilter> filters;
  private final long graceMillis;
  private final boolean isLogged;
  private final KeyValueStore<Bytes, byte[]> log;

  /** Hashes that have not been sent, by their expiry. */
  private final Map<Long, Batch> pending = new HashMap<>();

  /** The bytes of their arrays, for any thread. */
  private volatile long pendingBytes;

  /** The records that the changelog has: how many each writer wrote, by their expiry. */
  private final TreeMap<Long, Map<Long, Integer>> records = new TreeMap<>();

  private final LongAdder duplicates = new LongAdder();
  private final LongAdder late = new LongAdder();
  private final LongAdder outOfRange = new LongAdder();

  private volatile WindowFilter filter;
  private volatile boolean isOpen;
  private @Nullable Meters meters;

  /** The latest time of a put, or what the changelog says of it. */
  private long clock;

  /** What the changelog says of the clock. */
  private long loggedClock;

  /** Which store wrote a record: a number for each time that this one was opened. */
  private long writer;

  private static final class Batch {
    long[] hashes = {};
    int count;
    long latest = Long.MIN_VALUE;
  }

  LoggedFilter(String name, Supplier<WindowFilter> filters, long graceMillis, boolean isLogged) {
    this.name = name;
    this.filters = filters;
    this.graceMillis = graceMillis;
    this.isLogged = isLogged;
    this.filter = filters.get();
    var builder =
        Stores.keyValueStoreBuilder(
            new LogStore.Supplier(name, this::restore), Serdes.Bytes(), Serdes.ByteArray());
    this.log =
        (isLogged ? builder.withLoggingEnabled(Map.of()) : builder.withLoggingDisabled()).build();
    forget();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    forget();
    log.init(context, root);
    meters = Meters.ofStore(context.metrics(), context.taskId(), this);
    isOpen = true;
  }

  private void forget() {
    filter = filters.get();
    clearCache();
    records.clear();
    duplicates.reset();
    late.reset();
    outOfRange.reset();
    clock = Long.MIN_VALUE;
    loggedClock = Long.MIN_VALUE;
    writer = WRITERS.nextLong();
  }

  // Puts.

  @Override
  public Answer put(long hash, long epochMillis) {
    if (epochMillis < -MOST_MILLIS || epochMillis > MOST_MILLIS) {
      return outOfRange(epochMillis);
    }
    if (epochMillis < clock && clock - epochMillis > graceMillis) {
      late.increment();
      return Answer.LATE;
    }
    WindowFilter filter = this.filter;
    boolean isFirst = filter.putIfAbsentHash(hash, epochMillis);
    clock = Math.max(clock, epochMillis);
    if (!isFirst) {
      duplicates.increment();
      return Answer.DUPLICATE;
    }
    if (isLogged) {
      log(hash, epochMillis, filter.expiry(epochMillis));
    }
    return Answer.FIRST;
  }

  /** Counts an event whose time cannot be in milliseconds: it comes again with each restart. */
  private Answer outOfRange(long epochMillis) {
    if (outOfRange.sum() == 0) {
      LOG.warn(
          "the store {} treats events with times such as {} as late: times must be in milliseconds (this is logged once; see the metric {})",
          name,
          epochMillis,
          Meters.OUT_OF_RANGE);
    }
    outOfRange.increment();
    late.increment();
    return Answer.LATE;
  }

  private void log(long hash, long epochMillis, long expiry) {
    Batch batch = pending.computeIfAbsent(expiry, e -> new Batch());
    if (batch.count == batch.hashes.length) {
      batch.hashes = Arrays.copyOf(batch.hashes, Math.max(LEAST_ROOM, 2 * batch.count));
      long bytes = 0;
      for (Batch each : pending.values()) {
        bytes += (long) Long.BYTES * each.hashes.length;
      }
      pendingBytes = bytes;
    }
    batch.hashes[batch.count++] = hash;
    batch.latest = Math.max(batch.latest, epochMillis);
    if (batch.count == Changelog.MOST_HASHES) {
      send(expiry, batch);
      batch.count = 0;
      batch.latest = Long.MIN_VALUE;
    }
  }

  // The changelog.

  private void send(long expiry, Batch batch) {
    Map<Long, Integer> writers = records.computeIfAbsent(expiry, e -> new HashMap<>());
    int sequence = writers.getOrDefault(writer, 0);
    HashKey key = new HashKey(expiry, writer, sequence);
    byte[] value =
        Changelog.hashes(key, filter.hashScheme(), batch.latest, batch.hashes, batch.count);
    send(key.toBytes(), value);
    writers.put(writer, sequence + 1);
  }

  private void send(byte[] key, byte @Nullable [] value) {
    log.put(Bytes.wrap(key), value);
  }

  /** Sends everything that the changelog lacks; called before offsets are committed. */
  @Override
  public void flushCache() {
    if (!isLogged || clock == Long.MIN_VALUE) {
      return;
    }
    boolean expires = !records.isEmpty() && records.firstKey() <= clock;
    if (expires
        || loggedClock == Long.MIN_VALUE
        || filter.expiry(clock) != filter.expiry(loggedClock)) {
      send(Changelog.clockKey(), Changelog.clock(clock));
      loggedClock = clock;
    }
    pending.forEach(
        (expiry, batch) -> {
          if (batch.count > 0) {
            send(expiry, batch);
          }
        });
    clearCache();
    while (!records.isEmpty() && records.firstKey() <= clock) {
      Map.Entry<Long, Map<Long, Integer>> expired = records.pollFirstEntry();
      expired
          .getValue()
          .forEach(
              (itsWriter, count) -> {
                for (int sequence = 0; sequence < count; sequence++) {
                  send(new HashKey(expired.getKey(), itsWriter, sequence).toBytes(), null);
                }
              });
    }
  }

  @Override
  public void clearCache() {
    pending.clear();
    pendingBytes = 0;
  }

  /** Refused: nothing is forwarded when this store is flushed. */
  @Override
  public boolean setFlushListener(
      CacheFlushListener<byte[], byte[]> listener, boolean sendOldValues) {
    return false;
  }

  @Override
  public void commit(Map<TopicPartition, Long> changelogOffsets) {
    requireSent();
  }

  @Override
  @SuppressWarnings("deprecation") // what versions before 4.3 call instead of commit
  public void flush() {
    requireSent();
  }

  private void requireSent() {
    for (Batch batch : pending.values()) {
      if (batch.count > 0) {
        throw new IllegalStateException(
            "the store %s has %d hashes that were not sent before the commit: this version of Kafka Streams does not flush caches first"
                .formatted(name, batch.count));
      }
    }
  }

  /** Applies records of the changelog, in their order; any of them may come repeatedly. */
  void restore(Collection<KeyValue<byte[], byte[]>> changes) {
    for (KeyValue<byte[], byte[]> change : changes) {
      restore(change.key, change.value);
    }
  }

  private void restore(byte[] key, byte @Nullable [] value) {
    Changelog.Entry entry;
    try {
      entry = Changelog.read(key, value, filter.hashScheme());
      if (entry instanceof Changelog.Clock its) {
        advanceTo(its.time());
        loggedClock = clock;
      } else if (entry instanceof Changelog.Hashes its) {
        restore(its);
      } else {
        forget(((Changelog.Expired) entry).key());
      }
    } catch (IllegalArgumentException e) {
      throw new ProcessorStateException(
          "the changelog of the store %s has a record that cannot be read: %s"
              .formatted(name, e.getMessage()),
          e);
    }
  }

  private void restore(Changelog.Hashes its) {
    records
        .computeIfAbsent(its.key().expiry(), e -> new HashMap<>())
        .merge(its.key().writer(), its.key().sequence() + 1, Math::max);
    advanceTo(its.time());
    for (long hash : its.hashes()) {
      // a put and not putIfAbsent: of an id that came again, the later time counts
      filter.putHash(hash, its.time());
    }
  }

  /** Tombstones come in the order of their records: the last one means that all are deleted. */
  private void forget(HashKey key) {
    Map<Long, Integer> writers = records.get(key.expiry());
    if (writers != null && writers.remove(key.writer(), key.sequence() + 1) && writers.isEmpty()) {
      records.remove(key.expiry());
    }
  }

  private void advanceTo(long time) {
    filter.advanceTo(Instant.ofEpochMilli(time));
    clock = Math.max(clock, time);
  }

  // Numbers.

  @Override
  public boolean mightContain(long hash) {
    return filter.mightContainHash(hash);
  }

  @Override
  public HashScheme hashScheme() {
    return filter.hashScheme();
  }

  @Override
  public WindowFilter snapshot() {
    return filter.copy();
  }

  @Override
  public long approximateKeys() {
    return filter.approximateElementCount();
  }

  @Override
  public long duplicates() {
    return duplicates.sum();
  }

  @Override
  public long lateEvents() {
    return late.sum();
  }

  @Override
  public long outOfRangeEvents() {
    return outOfRange.sum();
  }

  @Override
  public double expectedFpp() {
    return filter.expectedFpp();
  }

  @Override
  public long heapBytes() {
    return filter.heapBytes() + pendingBytes;
  }

  @Override
  public boolean persistent() {
    return false;
  }

  @Override
  public boolean isOpen() {
    return isOpen;
  }

  @Override
  public void close() {
    isOpen = false;
    if (meters != null) {
      meters.close();
      meters = null;
    }
    log.close();
    clearCache();
  }
}
