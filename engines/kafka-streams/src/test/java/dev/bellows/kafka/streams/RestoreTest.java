package dev.bellows.kafka.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.HashScheme;
import dev.bellows.KeyHasher;
import dev.bellows.kafka.streams.Changelog.HashKey;
import dev.bellows.kafka.streams.Events.Event;
import dev.bellows.kafka.streams.Events.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.junit.jupiter.api.Test;

/** The changelog that the test driver captures, compacted and restored. */
class RestoreTest {
  private static final Duration WINDOW = Duration.ofHours(1);
  private static final Duration GRACE = Duration.ofMinutes(5);
  private static final long START = 1_800_000_000_000L;

  private static Deduplicate<Object, Event> deduplicate() {
    return Deduplicate.by(Event::id, KeyHasher.LONGS)
        .within(WINDOW)
        .grace(GRACE)
        .fpp(1e-9)
        .store(Events.STORE);
  }

  /** New ids in a steady stream, one each 500 ms, slightly out of order. */
  private static List<Event> ids(int from, int to) {
    List<Event> events = new ArrayList<>();
    for (long id = from; id < to; id++) {
      events.add(new Event(id, START + 500 * id - (id % 7) * 1000));
    }
    return events;
  }

  private static void restore(Run run, List<KeyValue<byte[], byte[]>> log) {
    ((LoggedFilter) run.store()).restore(log);
  }

  @Test
  void afterCompactionEveryIdOfTheWindowIsKnown() {
    List<Event> events = ids(0, 30_000); // four hours
    List<Event> again = new ArrayList<>();
    Instant end = Instant.ofEpochMilli(events.get(events.size() - 1).time());
    for (Event event : events) {
      if (event.time() > end.minus(WINDOW).toEpochMilli()) {
        again.add(new Event(event.id(), end.toEpochMilli()));
      }
    }
    assertThat(again).hasSizeGreaterThan(7000);
    try (Run run = new Run(deduplicate()).process(events, 200)) {
      assertThat(run.received).isEqualTo(events);
      List<KeyValue<byte[], byte[]>> log = run.changelog();
      for (boolean dropsTombstones : new boolean[] {false, true}) {
        List<KeyValue<byte[], byte[]>> compacted = Events.compacted(log, dropsTombstones);
        try (Run restored = new Run(deduplicate())) {
          restore(restored, compacted);
          restore(restored, compacted.subList(compacted.size() / 2, compacted.size()));
          restore(restored, compacted);
          assertThat(restored.store().snapshot().now()).isEqualTo(run.store().snapshot().now());
          assertThat(restored.store().approximateKeys()).isEqualTo(run.store().approximateKeys());
          restored.process(again, 1000);
          assertThat(restored.received).isEmpty();
        }
      }
    }
  }

  @Test
  void compactionErasesOnlyExpiredRecords() {
    List<Event> events = ids(0, 30_000);
    try (Run run = new Run(deduplicate()).process(events, 200)) {
      List<KeyValue<byte[], byte[]>> log = run.changelog();
      Set<Bytes> keys = new HashSet<>();
      Set<Bytes> deleted = new HashSet<>();
      int batches = 0;
      long clock = Long.MIN_VALUE;
      for (KeyValue<byte[], byte[]> record : log) {
        Changelog.Entry entry = Changelog.read(record.key, record.value, HashScheme.DEFAULT);
        if (entry instanceof Changelog.Hashes) {
          assertThat(keys.add(Bytes.wrap(record.key))).isTrue();
          batches++;
        } else if (entry instanceof Changelog.Expired expired) {
          assertThat(keys).contains(Bytes.wrap(record.key));
          assertThat(deleted.add(Bytes.wrap(record.key))).isTrue();
          // the clock that makes them expire is in the log before
          assertThat(clock).isGreaterThanOrEqualTo(expired.key().expiry());
        } else {
          clock = ((Changelog.Clock) entry).time();
        }
      }
      assertThat(batches).isGreaterThan(150);
      // a window and its generations of four hours are left
      long left = Events.compacted(log, true).stream().filter(r -> r.key.length > 2).count();
      assertThat(left).isEqualTo(keys.size() - deleted.size());
      assertThat((double) left / batches).isBetween(0.25, 0.36);
    }
  }

  /** A restored store goes on where the other one stopped, also with tombstones. */
  @Test
  void aRestoredStoreDeletesWhatItsPredecessorWrote() {
    List<KeyValue<byte[], byte[]>> log = new ArrayList<>();
    for (int part = 0; part < 6; part++) {
      try (Run run = new Run(deduplicate())) {
        restore(run, Events.compacted(log, part % 2 == 0));
        run.process(ids(10_000 * part, 10_000 * (part + 1)), 300);
        log.addAll(run.changelog());
      }
    }
    List<KeyValue<byte[], byte[]>> left = Events.compacted(log, true);
    long clock = START + 500 * 60_000 - 10_000;
    for (KeyValue<byte[], byte[]> record : left) {
      if (Changelog.read(record.key, record.value, HashScheme.DEFAULT)
          instanceof Changelog.Hashes its) {
        assertThat(its.key().expiry()).isGreaterThan(clock - 500 * 300);
      }
    }
    assertThat(Events.bytes(left)).isLessThan(Events.bytes(log) / 4);
  }

  /**
   * A process that was replaced may still write: it does not overwrite what its successor wrote.
   */
  @Test
  void twoStoresThatWriteAtOnceEraseNothingOfEachOther() {
    List<Event> one = ids(0, 100);
    List<Event> other = ids(100, 200);
    try (Run first = new Run(deduplicate()).process(one, 10);
        Run second = new Run(deduplicate()).process(other, 10);
        Run restored = new Run(deduplicate())) {
      List<KeyValue<byte[], byte[]>> log = new ArrayList<>(first.changelog());
      log.addAll(second.changelog());
      restore(restored, Events.compacted(log, false));
      restored.process(one, 10).process(other, 10);
      assertThat(restored.received).isEmpty();
    }
  }

  /** An id that came again after it had expired counts from its second time on. */
  @Test
  void theLaterTimeOfARepeatedIdCounts() {
    long later = START + WINDOW.toMillis() * 5 / 4 + 1;
    List<Event> events = List.of(new Event(1, START), new Event(1, later));
    try (Run run = new Run(deduplicate()).process(events, 1);
        Run restored = new Run(deduplicate())) {
      assertThat(run.received).isEqualTo(events);
      List<KeyValue<byte[], byte[]>> log = new ArrayList<>(run.changelog());
      log.removeIf(record -> record.value == null); // not deleted yet
      restore(restored, log);
      restored.process(List.of(new Event(1, later + WINDOW.toMillis() - 1)), 1);
      assertThat(restored.received).isEmpty();
    }
  }

  /** Duplicates alone move the clock, and what expires by that is deleted for good. */
  @Test
  void theClockIsRestoredWhereOnlyDuplicatesMovedIt() {
    List<Event> events = new ArrayList<>(List.of(new Event(1, START), new Event(2, START)));
    long clock = START;
    for (int i = 0; i < 20; i++) {
      clock += WINDOW.toMillis() / 10;
      events.add(new Event(3, clock)); // mostly a duplicate
    }
    try (Run run = new Run(deduplicate()).process(events, 1);
        Run restored = new Run(deduplicate())) {
      restore(restored, Events.compacted(run.changelog(), true));
      restored.process(List.of(new Event(1, START + WINDOW.toMillis() / 2)), 1);
      assertThat(restored.received).isEmpty();
      assertThat(restored.store().lateEvents()).isEqualTo(1);
    }
  }

  /** Another window, grace period or rate between two runs loses no id that is in the changelog. */
  @Test
  void settingsMayChangeBetweenTwoRuns() {
    List<Event> events = ids(0, 4000);
    List<Event> again =
        events.stream().map(event -> new Event(event.id(), START + 2_000_000)).toList();
    try (Run run = new Run(deduplicate()).process(events, 300)) {
      List<KeyValue<byte[], byte[]>> log = run.changelog();
      for (Deduplicate<Object, Event> other :
          List.of(
              deduplicate().fpp(1e-4).generations(15),
              deduplicate().within(Duration.ofHours(30)),
              deduplicate().within(Duration.ofMinutes(45)).grace(Duration.ofMinutes(20)))) {
        try (Run restored = new Run(other)) {
          restore(restored, log);
          restored.process(again, 300);
          assertThat(restored.received).isEmpty();
        }
      }
    }
  }

  @Test
  void aRecordThatIsNotOursIsRefusedWithTheNameOfTheStore() {
    try (Run run = new Run(deduplicate()).process(ids(0, 10), 10);
        Run restored = new Run(deduplicate());
        Run other = new Run(deduplicate().hashScheme(HashScheme.xxh3(5)))) {
      List<KeyValue<byte[], byte[]>> log = run.changelog();
      KeyValue<byte[], byte[]> last = log.get(log.size() - 1);
      byte[] cut = Arrays.copyOf(last.value, last.value.length - 1);
      for (KeyValue<byte[], byte[]> foreign :
          List.of(
              new KeyValue<>(last.key, cut),
              new KeyValue<>(new byte[0], last.value),
              new KeyValue<>("user".getBytes(), "1".getBytes()),
              new KeyValue<>(Changelog.clockKey(), Changelog.clock(Long.MAX_VALUE)))) {
        assertThatThrownBy(() -> restore(restored, List.of(foreign)))
            .isInstanceOf(ProcessorStateException.class)
            .hasMessageContaining("store " + Events.STORE);
      }
      assertThatThrownBy(() -> restore(other, log))
          .isInstanceOf(ProcessorStateException.class)
          .hasMessageContaining("hash scheme");
    }
  }

  /** A tombstone for what is not known, or for a part of what a writer wrote, is harmless. */
  @Test
  void tombstonesAloneAreHarmless() {
    try (Run restored = new Run(deduplicate())) {
      restore(restored, List.of(new KeyValue<>(new HashKey(START, 1, 0).toBytes(), null)));
      restored.process(ids(0, 10), 3);
      assertThat(restored.received).hasSize(10);
    }
  }

  @Test
  void aBatchIsSentWhenItIsFullAndTheRestAtTheCommit() {
    List<Event> events = new ArrayList<>();
    for (long id = 0; id < Changelog.MOST_HASHES * 2 + 5; id++) {
      events.add(new Event(id, START));
    }
    try (Run run = new Run(deduplicate()).process(events, events.size())) {
      List<Integer> sizes = new ArrayList<>();
      for (KeyValue<byte[], byte[]> record : run.changelog()) {
        if (Changelog.read(record.key, record.value, HashScheme.DEFAULT)
            instanceof Changelog.Hashes its) {
          sizes.add(its.hashes().length);
        }
      }
      assertThat(sizes).containsExactly(Changelog.MOST_HASHES, Changelog.MOST_HASHES, 5);
    }
  }
}
