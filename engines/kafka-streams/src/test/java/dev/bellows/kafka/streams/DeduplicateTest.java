package dev.bellows.kafka.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.HashScheme;
import dev.bellows.KeyHasher;
import dev.bellows.kafka.streams.Events.Event;
import dev.bellows.kafka.streams.Events.Exact;
import dev.bellows.kafka.streams.Events.Run;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.errors.TopologyException;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Produced;
import org.junit.jupiter.api.Test;

class DeduplicateTest {
  private static final Duration WINDOW = Duration.ofHours(1);
  private static final Duration GRACE = Duration.ofMinutes(5);
  private static final long START = 1_800_000_000_000L;
  private static final long TICK = 20_000;

  /** (W + L)(1 + 1/G): from then on an id that came once is new. */
  private static final long FORGOTTEN = WINDOW.plus(GRACE).toMillis() * 8 / 7 + 1;

  private static Deduplicate<Object, Event> byNumber(double fpp) {
    return Deduplicate.by(Event::id, KeyHasher.LONGS)
        .within(WINDOW)
        .grace(GRACE)
        .fpp(fpp)
        .store(Events.STORE);
  }

  /**
   * New ids over ten windows; some come again within the window, some after they are forgotten, out
   * of order by up to the grace period, and some late. Times are multiples of 20 seconds, because
   * Kafka's window store in memory visits every distinct time of a range.
   */
  static List<Event> stream(int events, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long span = 10 * WINDOW.toMillis();
    List<Event> all = new ArrayList<>();
    long id = 0;
    while (all.size() < events) {
      long time = START + tick(random.nextLong(span));
      all.add(new Event(id, time));
      while (random.nextInt(3) == 0) {
        boolean isWithin = random.nextInt(4) > 0;
        long later =
            isWithin
                ? random.nextLong(WINDOW.toMillis() - 1)
                : FORGOTTEN + TICK + random.nextLong(span);
        // what comes again refers to the first time, so that no chain of duplicates grows
        all.add(new Event(id, time + tick(later)));
        if (!isWithin) {
          break;
        }
      }
      id++;
    }
    long grace = GRACE.toMillis();
    Map<Event, Long> arrival = new HashMap<>();
    for (Event event : all) {
      boolean isLate = random.nextInt(1000) == 0;
      arrival.put(event, event.time() + random.nextLong(isLate ? 4 * grace : grace));
    }
    all.sort((one, other) -> Long.compare(arrival.get(one), arrival.get(other)));
    return all;
  }

  @Test
  void passesOnTheSameEventsAsKafkasWindowStoreExceptAtTheStatedRate() {
    double fpp = 1e-3;
    List<Event> events = stream(60_000, 1);
    try (Run exact =
            new Run(Exact.inMemory(WINDOW, GRACE, Long::valueOf, Serdes.Long()))
                .process(events, 1000);
        Run ours = new Run(byNumber(fpp)).process(events, 1000)) {
      assertThat(exact.received.size()).isBetween(38_000, 50_000);
      Set<Event> expected = new HashSet<>(exact.received);
      Set<Event> passed = new HashSet<>(ours.received);
      assertThat(passed).hasSameSizeAs(ours.received);
      List<Event> dropped = exact.received.stream().filter(e -> !passed.contains(e)).toList();
      assertThat(dropped.size()).isBetween(1, most(exact.received.size(), fpp));
      // the next event of an id whose first one was dropped is new again; there is nothing else
      Set<Long> droppedIds = dropped.stream().map(Event::id).collect(Collectors.toSet());
      assertThat(ours.received)
          .filteredOn(event -> !expected.contains(event))
          .allMatch(event -> droppedIds.contains(event.id()));
      assertThat(ours.store().lateEvents()).isBetween(5L, 100L);
      assertThat(ours.store().expectedFpp()).isPositive().isLessThanOrEqualTo(fpp);
    }
  }

  private static long tick(long millis) {
    return millis / TICK * TICK;
  }

  /** The most drops that a rate explains, but for one run in 10^9. */
  private static int most(int trials, double rate) {
    return BinomialDistribution.of(trials, rate).inverseSurvivalProbability(1e-9);
  }

  /** They would stop the task, and again each time that it restarts. */
  @Test
  void timesThatAreNotMillisecondsAreLate() {
    long most = 1L << 51;
    List<Event> events =
        List.of(
            new Event(1, START),
            new Event(2, START * 1_000_000),
            new Event(3, most + 1),
            new Event(4, Long.MAX_VALUE),
            new Event(5, START + 1),
            new Event(1, START + 2),
            new Event(6, most));
    List<Long> passed = List.of(1L, 5L, 6L);
    try (Run run = new Run(byNumber(1e-4)).process(events, 1);
        Run forwarding = new Run(byNumber(1e-4).forwardLate()).process(events, 3)) {
      assertThat(run.received).extracting(Event::id).isEqualTo(passed);
      assertThat(run.store().outOfRangeEvents()).isEqualTo(3);
      assertThat(run.store().lateEvents()).isEqualTo(3);
      assertThat(forwarding.received).extracting(Event::id).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    }
    WindowFilterStore store =
        WindowFilterStore.builder("s").within(WINDOW).withLoggingDisabled().build();
    for (long time : new long[] {Long.MIN_VALUE, -most - 1, most + 1}) {
      assertThat(store.put(1, time)).isEqualTo(WindowFilterStore.Answer.LATE);
    }
    assertThat(store.put(1, -most)).isEqualTo(WindowFilterStore.Answer.FIRST);
  }

  /** All growth of a new store falls into its first window, more than a window filter plans for. */
  @Test
  void aStoreThatBeginsWithNothingKeepsItsRateWhileItGrows() {
    double fpp = 0.01;
    int ids = 3_000_000;
    WindowFilterStore store =
        WindowFilterStore.builder("s").within(WINDOW).fpp(fpp).withLoggingDisabled().build();
    int dropped = 0;
    for (long id = 0; id < ids; id++) {
      if (store.put(store.hashScheme().hash(id), START) != WindowFilterStore.Answer.FIRST) {
        dropped++;
      }
    }
    assertThat(dropped).isBetween(1, most(ids, fpp));
    assertThat(store.expectedFpp()).isBetween(fpp / 10, fpp);
  }

  /** The law of the store, with generations: an exact model of all ids that were passed on. */
  @Test
  void oneOfTwoEventsWithTheSameIdInTheWindowIsPassedOn() {
    SplittableRandom random = new SplittableRandom(5);
    List<Event> events = new ArrayList<>();
    long clock = START;
    for (int i = 0; i < 60_000; i++) {
      clock += random.nextLong(1300);
      events.add(new Event(random.nextLong(2000), clock - random.nextLong(GRACE.toMillis() * 2)));
    }
    try (Run run = new Run(byNumber(1e-9)).process(events, 700)) {
      Map<Long, List<Long>> passed = new HashMap<>();
      for (Event event : run.received) {
        List<Long> times = passed.computeIfAbsent(event.id(), id -> new ArrayList<>());
        assertThat(times).allMatch(time -> Math.abs(time - event.time()) >= WINDOW.toMillis());
        times.add(event.time());
      }
      // and ids do come again: none is held for more than (W + L)(1 + 1/G)
      Map<Long, Long> newest = new HashMap<>();
      Set<Event> output = new HashSet<>(run.received);
      long latest = Long.MIN_VALUE;
      int expected = 0;
      for (Event event : events) {
        boolean isLate = event.time() < latest - GRACE.toMillis();
        latest = Math.max(latest, event.time());
        long before = newest.getOrDefault(event.id(), Long.MIN_VALUE / 2);
        if (!isLate && latest >= before + FORGOTTEN) {
          assertThat(output).contains(event);
          expected++;
        }
        if (output.contains(event)) {
          newest.merge(event.id(), event.time(), Math::max);
        }
      }
      assertThat(expected).isGreaterThan(2000);
    }
  }

  @Test
  void lateEventsAreDroppedAndCountedOrPassedOn() {
    long old = START - GRACE.toMillis();
    List<Event> events =
        List.of(
            new Event(1, START),
            new Event(2, old), // not late: just as old as the grace period
            new Event(3, old - 1),
            new Event(1, old - 1),
            new Event(2, START));
    try (Run dropping = new Run(byNumber(1e-6)).process(events, 2);
        Run forwarding = new Run(byNumber(1e-6).forwardLate()).process(events, 2)) {
      assertThat(dropping.received).containsExactly(events.get(0), events.get(1));
      assertThat(dropping.store().lateEvents()).isEqualTo(2);
      assertThat(dropping.store().duplicates()).isEqualTo(1);
      assertThat(forwarding.received).isEqualTo(events.subList(0, 4));
      assertThat(forwarding.store().lateEvents()).isEqualTo(2);
    }
  }

  @Test
  void theGracePeriodIsATenthOfTheWindowUnlessGiven() {
    assertThat(WindowFilterStore.builder("s").within(Duration.ofHours(24)).grace())
        .isEqualTo(Duration.ofMinutes(144));
    assertThat(WindowFilterStore.builder("s").within(WINDOW).grace(Duration.ZERO).grace())
        .isEqualTo(Duration.ZERO);
  }

  @Test
  void numbersAreMetricsOfStreams() {
    List<Event> events = new ArrayList<>();
    for (long id = 0; id < 20_000; id++) {
      events.add(new Event(id, START + id));
      events.add(new Event(id, START + id));
    }
    events.add(new Event(7, START - WINDOW.toMillis()));
    try (Run run = new Run(byNumber(1e-4)).process(events, 5000)) {
      Map<String, Double> metrics = new HashMap<>();
      run.driver()
          .metrics()
          .forEach(
              (MetricName name, org.apache.kafka.common.Metric metric) -> {
                if (name.group().equals("stream-bellows-metrics")) {
                  assertThat(name.tags()).containsEntry("store", Events.STORE);
                  assertThat(name.tags()).containsEntry("task-id", "0_0");
                  metrics.put(name.name(), (Double) metric.metricValue());
                }
              });
      assertThat(metrics)
          .containsOnlyKeys(
              "keys",
              "duplicates-total",
              "late-total",
              "out-of-range-total",
              "false-drop-share",
              "heap-bytes");
      assertThat(metrics.get("keys")).isBetween(19_950.0, 20_000.0);
      assertThat(metrics.get("duplicates-total")).isBetween(20_000.0, 20_050.0);
      assertThat(metrics.get("late-total")).isEqualTo(1);
      assertThat(metrics.get("out-of-range-total")).isZero();
      assertThat(metrics.get("false-drop-share")).isBetween(1e-6, 1e-4);
      assertThat(metrics.get("heap-bytes")).isEqualTo((double) run.store().heapBytes());
    }
  }

  /** Text, keys of records and events without an id, with the DSL as in the guide. */
  @Test
  void idsAreTextOrKeysAndEventsWithoutIdArePassedOn() {
    Deduplicate<Object, String> byText =
        Deduplicate.by((String s) -> s.isEmpty() ? null : s.substring(0, 1)).within(WINDOW);
    assertThat(run(byText, "k", "apple", "avocado", "banana", "", "", null, null, "beet"))
        .containsExactly("apple", "banana", "", "", null, null);
    Deduplicate<String, String> byKey = Deduplicate.byKey(KeyHasher.TEXT);
    assertThat(run(byKey.within(WINDOW), "k", "1", "2")).containsExactly("1");
    assertThat(run(byKey, null, "1", "2")).containsExactly("1", "2");
    assertThat(
            run(
                byKey.hashScheme(HashScheme.sipHash("a key of 16 byte".getBytes(UTF_8))),
                "k",
                "1",
                "2"))
        .containsExactly("1");
  }

  private static List<String> run(
      Deduplicate<? super String, String> deduplicate, String key, String... values) {
    StreamsBuilder builder = new StreamsBuilder();
    KStream<String, String> events =
        builder.stream("in", Consumed.with(Serdes.String(), Serdes.String()));
    events.processValues(deduplicate).to("out", Produced.with(Serdes.String(), Serdes.String()));
    Properties properties = Events.properties();
    try (TopologyTestDriver driver = new TopologyTestDriver(builder.build(), properties)) {
      TestInputTopic<String, String> in =
          driver.createInputTopic("in", new StringSerializer(), new StringSerializer());
      TestOutputTopic<String, String> out =
          driver.createOutputTopic("out", new StringDeserializer(), new StringDeserializer());
      for (String value : values) {
        in.pipeInput(key, value, START);
      }
      return out.readKeyValuesToList().stream().map(r -> r.value).collect(Collectors.toList());
    }
  }

  @Test
  void mistakesAreRefusedWhileTheTopologyIsBuilt() {
    assertThatThrownBy(() -> new Run(Deduplicate.by(Event::id, KeyHasher.LONGS)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("within(Duration)");
    assertThatThrownBy(() -> byNumber(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> byNumber(1e-4).within(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> byNumber(1e-4).grace(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> byNumber(1e-4).generations(4))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Run(byNumber(1e-4).within(Duration.ofNanos(1))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> WindowFilterStore.builder("s").withCachingEnabled())
        .isInstanceOf(IllegalStateException.class);
    StreamsBuilder builder = new StreamsBuilder();
    KStream<Object, Event> events = builder.stream("in");
    events.processValues(byNumber(1e-4));
    events.processValues(byNumber(1e-4));
    assertThatThrownBy(builder::build)
        .isInstanceOf(TopologyException.class)
        .hasMessageContaining(Events.STORE);
  }

  @Test
  void withoutLoggingNothingIsWritten() {
    try (Run run = new Run(byNumber(1e-4).withLoggingDisabled()).process(stream(2000, 4), 100)) {
      assertThat(run.received).hasSizeGreaterThan(1000);
      assertThat(run.changelog()).isEmpty();
    }
  }

  @Test
  void hashesThatWaitForTheirCommitCountAsHeap() {
    WindowFilterStore logged = WindowFilterStore.builder("s").within(WINDOW).build();
    WindowFilterStore other =
        WindowFilterStore.builder("s").within(WINDOW).withLoggingDisabled().build();
    for (long hash = 0; hash < 65; hash++) {
      logged.put(hash << 50, START);
      other.put(hash << 50, START);
    }
    assertThat(logged.heapBytes()).isEqualTo(other.heapBytes() + 128 * Long.BYTES);
    other.commit(Map.of());
  }

  @Test
  void aHashThatWasNotSentStopsTheTaskInsteadOfBeingLost() {
    WindowFilterStore store = WindowFilterStore.builder("s").within(WINDOW).build();
    store.commit(Map.of());
    assertThat(store.put(1, START)).isEqualTo(WindowFilterStore.Answer.FIRST);
    assertThatThrownBy(() -> store.commit(Map.of()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("1 hashes");
  }

  @Test
  void settingsOfTheChangelogArePassedToItsTopic() {
    WindowFilterStore.Builder builder =
        WindowFilterStore.builder("s").withLoggingEnabled(Map.of("segment.ms", "60000"));
    assertThat(builder.logConfig()).isEqualTo(Map.of("segment.ms", "60000"));
    assertThat(builder.loggingEnabled()).isTrue();
    assertThat(builder.withLoggingDisabled().loggingEnabled()).isFalse();
  }
}
