package dev.bellows.kafka.streams;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.function.LongFunction;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.processor.api.FixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorContext;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorSupplier;
import org.apache.kafka.streams.processor.api.FixedKeyRecord;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.WindowStore;
import org.apache.kafka.streams.state.WindowStoreIterator;
import org.apache.kafka.streams.test.TestRecord;

/**
 * Streams of events for tests, and topologies that de-duplicate them. A record of the input topic
 * holds many events, so that one commit of the test driver covers many of them, as the commits of a
 * real application do.
 */
final class Events {
  static final String APPLICATION = "app";
  static final String INPUT = "in";
  static final String STORE = "seen";
  private static final int BATCH_BYTES = 1 << 14;

  private Events() {}

  /** An event: the number of its id, and its time. */
  record Event(long id, long time) {}

  static byte[] packed(List<Event> events) {
    ByteBuffer bytes = ByteBuffer.allocate(16 * events.size());
    events.forEach(event -> bytes.putLong(event.id).putLong(event.time));
    return bytes.array();
  }

  /** Forwards the events of a record, each with its time. */
  static final class Unpack implements FixedKeyProcessor<byte[], byte[], Event> {
    private FixedKeyProcessorContext<byte[], Event> context;

    @Override
    public void init(FixedKeyProcessorContext<byte[], Event> context) {
      this.context = context;
    }

    @Override
    public void process(FixedKeyRecord<byte[], byte[]> record) {
      ByteBuffer events = ByteBuffer.wrap(record.value());
      while (events.hasRemaining()) {
        Event event = new Event(events.getLong(), events.getLong());
        context.forward(record.withValue(event).withTimestamp(event.time));
      }
    }
  }

  /** Kafka's own way: all ids of the window, exactly, in a window store. */
  record Exact<F>(
      Duration within,
      Duration grace,
      LongFunction<F> name,
      StoreBuilder<WindowStore<F, Long>> store)
      implements FixedKeyProcessorSupplier<byte[], Event, Event> {
    static <F> Exact<F> inMemory(
        Duration within, Duration grace, LongFunction<F> name, Serde<F> serde) {
      return new Exact<>(
          within,
          grace,
          name,
          Stores.windowStoreBuilder(
              Stores.inMemoryWindowStore(STORE, within.plus(grace), within, false),
              serde,
              Serdes.Long()));
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
      return Set.of(store);
    }

    @Override
    public FixedKeyProcessor<byte[], Event, Event> get() {
      return new FixedKeyProcessor<>() {
        private final long window = within.toMillis();
        private FixedKeyProcessorContext<byte[], Event> context;
        private WindowStore<F, Long> seen;
        private long clock = Long.MIN_VALUE / 2;

        @Override
        public void init(FixedKeyProcessorContext<byte[], Event> context) {
          this.context = context;
          this.seen = context.getStateStore(store.name());
        }

        @Override
        public void process(FixedKeyRecord<byte[], Event> event) {
          long time = event.timestamp();
          if (time < clock - grace.toMillis()) {
            return;
          }
          clock = Math.max(clock, time);
          F id = name.apply(event.value().id());
          try (WindowStoreIterator<Long> same =
              seen.fetch(id, time - window + 1, time + window - 1)) {
            if (same.hasNext()) {
              return;
            }
          }
          seen.put(id, time, time);
          context.forward(event);
        }
      };
    }
  }

  /** Collects what is passed on, without Kafka's topics in between. */
  static final class Sink implements FixedKeyProcessor<byte[], Event, Event> {
    private final Collection<Event> received;

    Sink(Collection<Event> received) {
      this.received = received;
    }

    @Override
    public void process(FixedKeyRecord<byte[], Event> event) {
      received.add(event.value());
    }
  }

  static Topology topology(
      FixedKeyProcessorSupplier<? super byte[], Event, Event> deduplicate,
      Collection<Event> received) {
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream(INPUT, Consumed.with(Serdes.ByteArray(), Serdes.ByteArray()))
        .processValues(Unpack::new)
        .<Event>processValues(deduplicate)
        .processValues(() -> new Sink(received));
    return builder.build();
  }

  static Properties properties() {
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION);
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:9092");
    properties.put(StreamsConfig.STATE_DIR_CONFIG, System.getProperty("java.io.tmpdir"));
    return properties;
  }

  /** One run of a topology in the test driver. */
  static final class Run implements AutoCloseable {
    final List<Event> received = new ArrayList<>();
    private final TopologyTestDriver driver;

    Run(FixedKeyProcessorSupplier<? super byte[], Event, Event> deduplicate) {
      driver = new TopologyTestDriver(topology(deduplicate, received), properties());
    }

    /** Processes events, with a commit after each part of this many. */
    Run process(List<Event> events, int perCommit) {
      var input =
          driver.createInputTopic(INPUT, new ByteArraySerializer(), new ByteArraySerializer());
      for (int from = 0; from < events.size(); from += perCommit) {
        List<Event> part = events.subList(from, Math.min(events.size(), from + perCommit));
        input.pipeInput(null, packed(part), part.get(0).time);
      }
      return this;
    }

    WindowFilterStore store() {
      return (WindowFilterStore) Objects.requireNonNull(driver.getStateStore(STORE));
    }

    TopologyTestDriver driver() {
      return driver;
    }

    /** The records of the changelog since the last call. */
    List<KeyValue<byte[], byte[]>> changelog() {
      List<KeyValue<byte[], byte[]>> records = new ArrayList<>();
      var topic =
          driver.createOutputTopic(
              APPLICATION + "-" + STORE + "-changelog",
              new ByteArrayDeserializer(),
              new ByteArrayDeserializer());
      for (TestRecord<byte[], byte[]> record : topic.readRecordsToList()) {
        records.add(new KeyValue<>(record.key(), record.value()));
      }
      return records;
    }

    @Override
    public void close() {
      driver.close();
    }
  }

  /** What compaction leaves: the last record of each key, in the order of the log. */
  static List<KeyValue<byte[], byte[]>> compacted(
      List<KeyValue<byte[], byte[]>> log, boolean dropsTombstones) {
    Map<Bytes, byte[]> last = new LinkedHashMap<>();
    for (KeyValue<byte[], byte[]> record : log) {
      last.remove(Bytes.wrap(record.key));
      last.put(Bytes.wrap(record.key), record.value);
    }
    List<KeyValue<byte[], byte[]>> left = new ArrayList<>();
    last.forEach(
        (key, value) -> {
          if (value != null || !dropsTombstones) {
            left.add(new KeyValue<>(key.get(), value));
          }
        });
    return left;
  }

  /**
   * The bytes of records in a log: what format 2 of Kafka takes for each, with the time and offset
   * of one byte, and 61 bytes for each batch of up to 16 KiB.
   */
  static long bytes(List<KeyValue<byte[], byte[]>> log) {
    long bytes = 0;
    long batches = 0;
    long batch = BATCH_BYTES;
    for (KeyValue<byte[], byte[]> record : log) {
      int value = record.value == null ? 0 : record.value.length;
      long body = 4 + varint(record.key.length) + record.key.length + varint(value) + value;
      long size = varint(body) + body;
      bytes += size;
      batch += size;
      if (batch > BATCH_BYTES) {
        batches++;
        batch = size;
      }
    }
    return bytes + 61 * batches;
  }

  private static int varint(long length) {
    // zigzag: one bit for the sign
    return (64 - Long.numberOfLeadingZeros(2 * length | 1) + 6) / 7;
  }
}
