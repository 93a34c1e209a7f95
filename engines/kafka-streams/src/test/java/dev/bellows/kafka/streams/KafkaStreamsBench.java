package dev.bellows.kafka.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.KeyHasher;
import dev.bellows.kafka.streams.Events.Event;
import dev.bellows.kafka.streams.Events.Exact;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.api.FixedKeyProcessorSupplier;
import org.junit.jupiter.api.Test;

/**
 * The section "Kafka Streams" of docs/bench/streams.md: state, changelog and CPU time of a
 * topology, next to Kafka's window store in memory.
 */
class KafkaStreamsBench {
  private static final int IDS = (int) Double.parseDouble(System.getProperty("bench.ids", "1e7"));
  private static final int ROUNDS = Integer.getInteger("bench.rounds", 3);
  private static final int PER_COMMIT = 10_000;
  private static final Duration WINDOW = Duration.ofHours(24);
  private static final Duration GRACE = Duration.ofHours(1);

  /** Counts what is passed on. */
  private static final class Count extends AbstractCollection<Event> {
    private int size;

    @Override
    public boolean add(Event event) {
      size++;
      return true;
    }

    @Override
    public Iterator<Event> iterator() {
      return Collections.emptyIterator();
    }

    @Override
    public int size() {
      return size;
    }
  }

  private record Contender(
      String name, Supplier<FixedKeyProcessorSupplier<? super byte[], Event, Event>> supplier) {}

  private record Figures(
      double nanosPerEvent, double stateBytesPerId, double logBytesPerId, double passed) {}

  @Test
  void nextToTheWindowStore() throws IOException {
    StringBuilder rows = new StringBuilder();
    rows(rows, IDS, "8-byte numbers", Long::valueOf, KeyHasher.LONGS, Serdes.Long());
    rows(rows, IDS / 5, "UUIDs as text", KafkaStreamsBench::uuid, KeyHasher.TEXT, Serdes.String());
    String section =
        """
        ## Kafka Streams

        Made by `mvn -B -pl core,engines/kafka-streams test -Pkafka-streams-bench`. One task in Kafka's test driver; distinct ids, and a duplicate after each ten of them; %,d events per commit; a window of 24 hours and
        a grace period of 1 hour; fpp 1e-4. Both ways run in turns in one process; medians of %d rounds. CPU time is that of the task's thread, changelog included, which the driver keeps in
        memory. Kafka's window store in memory visits every distinct timestamp of a range, so that the timestamps here are rounded to a seventh of the window, which is its best case.
        Its state is what the heap holds more than before, after a collection; that of the filter is `heapBytes`. Changelog bytes are those of format 2 of Kafka,
        without compression, in batches of 16 KiB.

        | distinct ids | store | state, bytes per id | changelog, bytes per id | CPU time per event | new events dropped |
        |---|---|---:|---:|---:|---:|
        %s
        %s, %d cores, Java %s, kafka-streams 4.3.1.
        """
            .formatted(
                PER_COMMIT,
                ROUNDS,
                rows,
                LocalDate.now(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.specification.version"));
    System.out.println(section);
    write(section);
  }

  private static <F> void rows(
      StringBuilder rows,
      int count,
      String ids,
      LongFunction<F> name,
      KeyHasher<? super F> hasher,
      Serde<F> serde) {
    List<Contender> contenders =
        List.of(
            new Contender(
                "`WindowStore` in memory", () -> Exact.inMemory(WINDOW, GRACE, name, serde)),
            new Contender(
                "`WindowFilterStore`",
                () ->
                    Deduplicate.<Object, Event, F>by(event -> name.apply(event.id()), hasher)
                        .within(WINDOW)
                        .grace(GRACE)
                        .fpp(1e-4)
                        .store(Events.STORE)));
    List<List<Figures>> figures = List.of(new ArrayList<>(), new ArrayList<>());
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < 2; i++) {
        Figures its = run(contenders.get(i).supplier.get(), count);
        figures.get(i).add(its);
        System.out.println(ids + ", " + contenders.get(i).name + ": " + its);
      }
    }
    double exact = median(figures.get(0), Figures::nanosPerEvent);
    for (int i = 0; i < 2; i++) {
      double nanos = median(figures.get(i), Figures::nanosPerEvent);
      rows.append(
          String.format(
              Locale.ROOT,
              "| %,d %s | %s | %.2f | %.2f | %,.0f ns%s | %.1e |\n",
              count,
              ids,
              contenders.get(i).name,
              median(figures.get(i), Figures::stateBytesPerId),
              median(figures.get(i), Figures::logBytesPerId),
              nanos,
              i == 0 ? "" : String.format(Locale.ROOT, ", %.1f times faster", exact / nanos),
              1 - median(figures.get(i), Figures::passed)));
    }
  }

  private static double median(
      List<Figures> figures, java.util.function.ToDoubleFunction<Figures> of) {
    double[] sorted = figures.stream().mapToDouble(of).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  private static String uuid(long id) {
    return new UUID(id * 0x9e3779b97f4a7c15L, ~id * 0xbf58476d1ce4e5b9L).toString();
  }

  private static Figures run(FixedKeyProcessorSupplier<? super byte[], Event, Event> way, int ids) {
    Count passed = new Count();
    long before = heap();
    try (TopologyTestDriver driver =
        new TopologyTestDriver(Events.topology(way, passed), Events.properties())) {
      TestInputTopic<byte[], byte[]> input =
          driver.createInputTopic(
              Events.INPUT, new ByteArraySerializer(), new ByteArraySerializer());
      var changelog =
          driver.createOutputTopic(
              Events.APPLICATION + "-" + Events.STORE + "-changelog",
              new ByteArrayDeserializer(),
              new ByteArrayDeserializer());
      var threads = ManagementFactory.getThreadMXBean();
      long nanos = 0;
      long logBytes = 0;
      int events = 0;
      for (int from = 0; from < ids; from += PER_COMMIT) {
        int to = Math.min(ids, from + PER_COMMIT);
        ByteBuffer part = ByteBuffer.allocate(32 * PER_COMMIT);
        for (long id = from; id < to; id++) {
          long time = 1_800_000_000_000L + id * 7 / ids * (WINDOW.toMillis() / 7);
          part.putLong(id).putLong(time);
          events++;
          if (id % 10 == 9) {
            part.putLong(id * 7919 % (id + 1)).putLong(time);
            events++;
          }
        }
        byte[] value = Arrays.copyOf(part.array(), part.position());
        long start = threads.getCurrentThreadCpuTime();
        input.pipeInput(null, value, 1_800_000_000_000L);
        nanos += threads.getCurrentThreadCpuTime() - start;
        List<KeyValue<byte[], byte[]>> log = new ArrayList<>();
        changelog.readRecordsToList().forEach(r -> log.add(new KeyValue<>(r.key(), r.value())));
        logBytes += Events.bytes(log);
      }
      double state =
          driver.getAllStateStores().get(Events.STORE) instanceof WindowFilterStore store
              ? store.heapBytes()
              : heap() - before;
      assertThat(passed.size()).isBetween((int) (ids * 0.9995), ids);
      return new Figures(
          (double) nanos / events,
          state / ids,
          (double) logBytes / ids,
          (double) passed.size() / ids);
    }
  }

  private static long heap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Replaces the section of the page, or adds it at the end. */
  private static void write(String section) throws IOException {
    Path page = Path.of(System.getProperty("bellows.root", "..")).resolve("docs/bench/streams.md");
    String text =
        Files.exists(page) ? Files.readString(page, UTF_8) : "# De-duplication on stream engines\n";
    int from = text.indexOf("\n## Kafka Streams\n");
    int to = from < 0 ? -1 : text.indexOf("\n## ", from + 1);
    String before = from < 0 ? text : text.substring(0, from);
    String after = to < 0 ? "" : text.substring(to);
    Files.writeString(page, before + "\n" + section + after, UTF_8);
  }
}
