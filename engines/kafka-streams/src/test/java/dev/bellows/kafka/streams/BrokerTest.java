package dev.bellows.kafka.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.HashScheme;
import dev.bellows.KeyHasher;
import dev.bellows.kafka.streams.Events.Event;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.LongSerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real brokers, in this process: failures, standby replicas, restoring and compaction. */
@Tag("engines")
@Timeout(600)
class BrokerTest {
  private static final Duration WINDOW = Duration.ofHours(1);
  private static final long START = 1_700_000_000_000L; // brokers refuse times in the future
  private static final int PARTITIONS = 2;

  /** A limit against hangs, and not a time that anything is expected to take. */
  private static final Duration WATCHDOG = Duration.ofMinutes(5);

  private static KafkaClusterTestKit cluster;
  private static Admin admin;

  @TempDir private static Path folder;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        new KafkaClusterTestKit.Builder(
                new TestKitNodes.Builder()
                    .setCombined(true)
                    .setNumBrokerNodes(1)
                    .setNumControllerNodes(1)
                    .build())
            .setConfigProp("offsets.topic.replication.factor", "1")
            .setConfigProp("offsets.topic.num.partitions", "1")
            .setConfigProp("transaction.state.log.replication.factor", "1")
            .setConfigProp("transaction.state.log.num.partitions", "1")
            .setConfigProp("transaction.state.log.min.isr", "1")
            .setConfigProp("group.initial.rebalance.delay.ms", "0")
            .setConfigProp("log.cleaner.backoff.ms", "200")
            .setConfigProp("log.retention.ms", "-1")
            .build();
    cluster.format();
    cluster.startup();
    cluster.waitForReadyBrokers();
    admin = cluster.admin();
  }

  @AfterAll
  static void stop() throws Exception {
    admin.close();
    cluster.close();
  }

  /** An instance of the application; {@code countdown} events later it fails, if that is not 0. */
  private static KafkaStreams instance(
      String name, String guarantee, AtomicInteger countdown, Map<String, String> changelog)
      throws Exception {
    StreamsBuilder builder = new StreamsBuilder();
    builder.stream(name + "-in", Consumed.with(Serdes.Long(), Serdes.Long()))
        .peek(
            (key, value) -> {
              if (countdown.get() > 0 && countdown.decrementAndGet() == 0) {
                throw new IllegalStateException("a failure in the middle of a transaction");
              }
            })
        .processValues(
            Deduplicate.<Long, Long, Long>by(id -> id, KeyHasher.LONGS)
                .within(WINDOW)
                .fpp(1e-9)
                .withLoggingEnabled(changelog)
                .store(Events.STORE))
        .to(name + "-out", Produced.with(Serdes.Long(), Serdes.Long()));
    Properties properties = new Properties();
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, name);
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, cluster.bootstrapServers());
    properties.put(
        StreamsConfig.STATE_DIR_CONFIG, Files.createTempDirectory(folder, name).toString());
    properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, guarantee);
    properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 100);
    properties.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, 1);
    properties.put(StreamsConfig.consumerPrefix("auto.offset.reset"), "earliest");
    properties.put(StreamsConfig.consumerPrefix("session.timeout.ms"), 6000);
    properties.put(StreamsConfig.consumerPrefix("max.poll.records"), 50);
    KafkaStreams streams = new KafkaStreams(builder.build(), properties);
    streams.setUncaughtExceptionHandler(e -> StreamThreadExceptionResponse.SHUTDOWN_CLIENT);
    streams.start();
    return streams;
  }

  private static void createTopics(String name) throws Exception {
    admin
        .createTopics(
            List.of(
                new NewTopic(name + "-in", PARTITIONS, (short) 1),
                new NewTopic(name + "-out", PARTITIONS, (short) 1)))
        .all()
        .get();
  }

  private static void produce(String name, List<Event> events) {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    // an idempotent producer sometimes retries the first batch of a new topic until it gives up;
    // events that are delivered twice are what the application is for
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers",
            cluster.bootstrapServers(),
            "enable.idempotence",
            false,
            "max.in.flight.requests.per.connection",
            1,
            "linger.ms",
            5);
    try (KafkaProducer<Long, Long> producer =
        new KafkaProducer<>(config, new LongSerializer(), new LongSerializer())) {
      for (Event event : events) {
        sent.add(
            producer.send(
                new ProducerRecord<>(name + "-in", null, event.time(), event.id(), event.id())));
      }
    }
    assertThat(sent).allMatch(future -> future.isDone() && !isFailed(future));
  }

  private static boolean isFailed(Future<?> future) {
    try {
      future.get();
      return false;
    } catch (InterruptedException | ExecutionException e) {
      return true;
    }
  }

  /** Everything that is committed in a topic. */
  private static <T> List<ConsumerRecord<T, T>> records(String topic, Deserializer<T> values) {
    Map<String, Object> config = new HashMap<>();
    config.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, cluster.bootstrapServers());
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    List<ConsumerRecord<T, T>> all = new ArrayList<>();
    try (KafkaConsumer<T, T> consumer = new KafkaConsumer<>(config, values, values)) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        consumer.poll(Duration.ofMillis(100)).forEach(all::add);
      }
    }
    return all;
  }

  private static List<Long> output(String name) {
    return records(name + "-out", new LongDeserializer()).stream()
        .map(ConsumerRecord::value)
        .toList();
  }

  /** Waits until a condition holds; it is checked whenever an application has committed. */
  private static void await(String what, BooleanSupplier holds) {
    Map<String, Object> config = Map.of("bootstrap.servers", cluster.bootstrapServers());
    TopicPartition commits = new TopicPartition("__consumer_offsets", 0);
    long deadline = System.nanoTime() + WATCHDOG.toNanos();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(commits));
      consumer.seekToEnd(List.of(commits));
      consumer.position(commits);
      while (!holds.getAsBoolean()) {
        assertThat(System.nanoTime()).as(what).isLessThan(deadline);
        consumer.poll(Duration.ofSeconds(1));
      }
    }
  }

  /** Whether the application has committed all its input. */
  private static boolean isDone(String name) {
    try {
      var committed = admin.listConsumerGroupOffsets(name).partitionsToOffsetAndMetadata().get();
      Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
      for (int partition = 0; partition < PARTITIONS; partition++) {
        latest.put(new TopicPartition(name + "-in", partition), OffsetSpec.latest());
      }
      for (var end : admin.listOffsets(latest).all().get().entrySet()) {
        var offset = committed.get(end.getKey());
        if (end.getValue().offset() > 0
            && (offset == null || offset.offset() < end.getValue().offset())) {
          return false;
        }
      }
      return true;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** The keys gauge of an instance, by task. */
  private static Map<String, Double> keys(KafkaStreams streams) {
    Map<String, Double> keys = new HashMap<>();
    streams
        .metrics()
        .forEach(
            (name, metric) -> {
              if (name.group().equals("stream-bellows-metrics") && name.name().equals("keys")) {
                keys.put(name.tags().get("task-id"), (Double) metric.metricValue());
              }
            });
    return keys;
  }

  /** Each id three times, in one window. */
  private static List<Event> events(int from, int to, long seed) {
    List<Long> ids = new ArrayList<>();
    LongStream.range(from, to).forEach(id -> ids.addAll(List.of(id, id, id)));
    Collections.shuffle(ids, new Random(seed));
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      events.add(new Event(ids.get(i), START + from + i));
    }
    return events;
  }

  private static Long[] ids(int from, int to) {
    return LongStream.range(from, to).boxed().toArray(Long[]::new);
  }

  @ParameterizedTest
  @ValueSource(strings = {StreamsConfig.EXACTLY_ONCE_V2, StreamsConfig.AT_LEAST_ONCE})
  void aStandbyReplicaTakesOverFromAnInstanceThatStops(String guarantee) throws Exception {
    String name = "standby-" + guarantee;
    createTopics(name);
    AtomicInteger never = new AtomicInteger();
    try (KafkaStreams one = instance(name, guarantee, never, Map.of());
        KafkaStreams other = instance(name, guarantee, never, Map.of())) {
      produce(name, events(0, 3000, 1));
      await("the first half", () -> isDone(name) && output(name).size() == 3000);
      // one task is active there, the other one a replica, and both know its ids
      await(
          "a replica of both tasks in both instances",
          () ->
              List.of(one, other).stream()
                  .allMatch(
                      streams ->
                          keys(streams).size() == PARTITIONS
                              && keys(streams).values().stream().mapToDouble(k -> k).sum()
                                  == 3000));
      one.close(Duration.ofSeconds(60));
      produce(name, events(0, 6000, 2));
      await("the second half", () -> isDone(name) && output(name).size() >= 6000);
      assertThat(output(name)).containsExactlyInAnyOrder(ids(0, 6000));
    }
  }

  @Test
  void afterFailuresInTheMiddleOfATransactionEveryIdIsPassedOnOnce() throws Exception {
    String name = "failures";
    createTopics(name);
    produce(name, events(0, 8000, 3));
    for (int failure = 0; failure < 3; failure++) {
      AtomicInteger countdown = new AtomicInteger(3000);
      try (KafkaStreams streams =
          instance(name, StreamsConfig.EXACTLY_ONCE_V2, countdown, Map.of())) {
        await("a failure", () -> streams.state().hasCompletedShutdown());
        assertThat(countdown.get()).isZero();
      }
    }
    // how much was committed before the failures depends on the speed of the machine
    assertThat(output(name)).doesNotHaveDuplicates().hasSizeLessThan(8000);
    try (KafkaStreams streams =
        instance(name, StreamsConfig.EXACTLY_ONCE_V2, new AtomicInteger(), Map.of())) {
      await("the rest", () -> isDone(name) && output(name).size() >= 8000);
    }
    assertThat(output(name)).containsExactlyInAnyOrder(ids(0, 8000));
  }

  @Test
  void afterCompactionOnlyTheWindowIsRestored() throws Exception {
    String name = "compaction";
    createTopics(name);
    Map<String, String> changelog =
        Map.of(
            "segment.ms", "1000",
            "min.cleanable.dirty.ratio", "0.001",
            "delete.retention.ms", "0");
    AtomicInteger never = new AtomicInteger();
    // one id each 10 seconds: 10,000 of them are 28 hours
    List<Event> all = new ArrayList<>();
    for (long id = 0; id < 10_000; id++) {
      all.add(new Event(id, START + 10_000 * id));
    }
    long clock = all.get(all.size() - 1).time();
    try (KafkaStreams streams = instance(name, StreamsConfig.EXACTLY_ONCE_V2, never, changelog)) {
      for (int from = 0; from < all.size(); from += 500) {
        produce(name, all.subList(from, from + 500));
        await("a part", () -> isDone(name));
      }
      assertThat(output(name)).hasSize(10_000);
      // what is after the last full segment is compacted when another one begins
      AtomicInteger next = new AtomicInteger(20_000);
      await(
          "compaction",
          () -> {
            int id = next.getAndAdd(2);
            produce(name, List.of(new Event(id, clock), new Event(id + 1, clock)));
            return hashes(name).stream()
                .noneMatch(its -> its.key().expiry() <= clock - 2 * WINDOW.toMillis());
          });
    }
    int held = hashes(name).stream().mapToInt(its -> its.hashes().length).sum();
    assertThat(held).isBetween(360, 3000);
    await("all of it", () -> isDone(name));
    int before = output(name).size();
    // a new process: all its state comes from the changelog
    try (KafkaStreams streams = instance(name, StreamsConfig.EXACTLY_ONCE_V2, never, changelog)) {
      List<Event> again = new ArrayList<>();
      for (Event event : all.subList(10_000 - 359, 10_000)) {
        again.add(new Event(event.id(), clock));
      }
      produce(name, again);
      produce(name, List.of(new Event(0, clock), new Event(1, clock), new Event(-1, clock)));
      await("the restored instance", () -> output(name).size() >= before + 3 && isDone(name));
    }
    List<Long> output = output(name);
    assertThat(output.subList(0, output.size())).hasSize(before + 3);
    assertThat(Collections.frequency(output, 0L)).isEqualTo(2);
    assertThat(Collections.frequency(output, 1L)).isEqualTo(2);
    assertThat(Collections.frequency(output, -1L)).isEqualTo(1);
  }

  /** The records of the changelog that hold hashes. */
  private static List<Changelog.Hashes> hashes(String name) {
    List<Changelog.Hashes> all = new ArrayList<>();
    String topic = name + "-" + Events.STORE + "-changelog";
    for (var record : records(topic, new ByteArrayDeserializer())) {
      if (Changelog.read(record.key(), record.value(), HashScheme.DEFAULT)
          instanceof Changelog.Hashes its) {
        all.add(its);
      }
    }
    return all;
  }
}
