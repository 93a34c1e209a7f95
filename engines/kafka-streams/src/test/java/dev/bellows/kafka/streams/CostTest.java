package dev.bellows.kafka.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.KeyHasher;
import dev.bellows.kafka.streams.Events.Event;
import dev.bellows.kafka.streams.Events.Exact;
import dev.bellows.kafka.streams.Events.Run;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.LongFunction;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KeyValue;
import org.junit.jupiter.api.Test;

/** State and changelog next to those of Kafka's window store, for the same stream. */
class CostTest {
  private static final Duration WINDOW = Duration.ofHours(24);
  private static final Duration GRACE = Duration.ofHours(1);
  private static final int IDS = 100_000;
  private static final int PER_COMMIT = 2000;

  /** New ids, in a tenth of the window. */
  private static List<Event> events() {
    List<Event> events = new ArrayList<>();
    for (long i = 0; i < IDS; i++) {
      events.add(new Event(i, 1_800_000_000_000L + i / 10_000 * (WINDOW.toMillis() / 100)));
    }
    return events;
  }

  private static String uuid(long id) {
    return new UUID(id * 0x9e3779b97f4a7c15L, id).toString();
  }

  private static <F> List<KeyValue<byte[], byte[]>> exactLog(LongFunction<F> name, Serde<F> serde) {
    try (Run run = new Run(Exact.inMemory(WINDOW, GRACE, name, serde))) {
      run.process(events(), PER_COMMIT);
      assertThat(run.received).hasSize(IDS);
      return run.changelog();
    }
  }

  @Test
  void stateAndChangelogAreAtMostAFifthOfThoseOfAWindowStore() {
    Deduplicate<Object, Event> deduplicate =
        Deduplicate.<Object, Event>by(event -> uuid(event.id()))
            .within(WINDOW)
            .grace(GRACE)
            .fpp(1e-4)
            .store(Events.STORE);
    try (Run run = new Run(deduplicate).process(events(), PER_COMMIT)) {
      assertThat(run.received).hasSizeBetween(IDS - 40, IDS);
      long log = Events.bytes(run.changelog());
      List<KeyValue<byte[], byte[]>> texts = exactLog(CostTest::uuid, Serdes.String());
      List<KeyValue<byte[], byte[]>> longs = exactLog(Long::valueOf, Serdes.Long());
      assertThat(5 * log).isLessThan(Events.bytes(texts));
      assertThat(5 * log).isLessThan(Events.bytes(longs));
      assertThat((double) log / IDS).isBetween(6.5, 7.2);
      // a window store holds at least the bytes of each id and its value
      double state = run.store().heapBytes();
      assertThat(state / IDS).isLessThan(4);
      assertThat(5 * state).isLessThan((36 + 8) * (double) IDS);
    }
  }

  /** The state stays below 4 bytes per id at every size, while chunks fill and split. */
  @Test
  void theStateStaysBelow4BytesPerId() {
    WindowFilterStore store =
        WindowFilterStore.builder("s").within(WINDOW).fpp(1e-4).withLoggingDisabled().build();
    for (long id = 1; id <= 1_000_000; id++) {
      store.put(KeyHasher.LONGS.hash(id, store.hashScheme()), 1_800_000_000_000L + id);
      if (id % 50_000 == 0) {
        assertThat((double) store.heapBytes() / id).isLessThan(4);
      }
    }
  }
}
