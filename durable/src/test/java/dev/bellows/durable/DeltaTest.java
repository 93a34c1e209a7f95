package dev.bellows.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.Durable;
import dev.bellows.Membership;
import dev.bellows.durable.Replica.Outcome;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.io.FilterFormatException;
import dev.bellows.scalable.ScalableBloomFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replicas converge: deltas may be lost, repeated and reordered. */
class DeltaTest {
  private static final Sync EVERY = Sync.every(Duration.ofMillis(20));

  @TempDir Path folder;

  private static final List<Supplier<Durable>> SETS =
      List.of(
          () -> BloomFilter.create(5000, 0.01),
          () -> FingerprintFilter.create(1e-6),
          () -> ScalableBloomFilter.builder().initialKeys(30).build());

  private static Supplier<Durable> removable() {
    return () -> FingerprintFilter.builder().fpp(1e-6).removable().build();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void aReplicaThatReceivesDeltasInOrderEqualsItsSource(int kind) throws IOException {
    Supplier<Durable> maker = kind == 3 ? removable() : SETS.get(kind);
    Replica<Durable> replica = Replica.of(maker.get());
    Random random = new Random(kind);
    try (DurableFilter<Durable> source = DurableFilter.open(folder.resolve("a"), maker, EVERY);
        DurableFilter<Durable> durable =
            DurableFilter.open(folder.resolve("b"), maker, Sync.NEVER)) {
      long key = 0;
      for (int round = 0; round < 25; round++) {
        for (int i = random.nextInt(200); i >= 0; i--) {
          source.put(key++);
        }
        if (round % 7 == 6) {
          source.checkpoint();
        }
        Delta delta = Delta.fromBytes(source.since(replica.version()).toBytes());
        assertThat(delta.to()).isEqualTo(source.version());
        assertThat(delta.sourceKind()).isEqualTo(source.copy().kind());
        assertThat(replica.apply(delta)).isEqualTo(Outcome.APPLIED);
        assertThat(durable.apply(source.since(durable.sourceVersion()))).isEqualTo(Outcome.APPLIED);
        if (round % 5 == 0) {
          assertThat(replica.apply(delta)).isEqualTo(Outcome.KNOWN);
          assertThat(durable.apply(delta)).isEqualTo(Outcome.KNOWN);
        }
      }
      assertThat(replica.copy()).isEqualTo(source.copy());
      assertThat(durable.copy()).isEqualTo(source.copy());
      assertThat(replica.version()).isEqualTo(source.version());
      assertThat(source.since(source.version()).isEmpty()).isTrue();
    }
    try (DurableFilter<Durable> again =
        DurableFilter.open(folder.resolve("b"), maker, Sync.NEVER)) {
      assertThat(again.copy()).isEqualTo(replica.copy());
      assertThat(again.sourceVersion()).isEqualTo(replica.version());
    }
  }

  /** Lost, repeated and reordered deltas: what arrived stays, and in the end all is there. */
  @Test
  void noReceivedKeyIsLostInAnyOrderOfDeltas() throws IOException {
    Random random = new Random(9);
    for (int kind = 0; kind < SETS.size(); kind++) {
      Supplier<Durable> maker = SETS.get(kind);
      Path path = folder.resolve("source" + kind);
      try (DurableFilter<Durable> source = DurableFilter.open(path, maker, EVERY)) {
        List<Delta> deltas = new ArrayList<>();
        List<Long> starts = new ArrayList<>();
        long key = 0;
        for (int round = 0; round < 12; round++) {
          starts.add(source.version());
          for (int i = 0; i < 40; i++) {
            source.put(key++);
          }
          source.force();
          deltas.add(source.since(random.nextInt(6) == 0 ? 0 : starts.get(round)));
          if (random.nextInt(4) == 0) {
            // the whole content in between
            deltas.add(Deltas.contentOf(source));
          }
        }
        for (int order = 0; order < 8; order++) {
          List<Delta> sent = new ArrayList<>(deltas);
          sent.addAll(deltas.subList(0, random.nextInt(deltas.size())));
          Collections.shuffle(sent, random);
          Replica<Durable> replica = Replica.of(maker.get());
          try (DurableFilter<Durable> durable =
              DurableFilter.open(folder.resolve(kind + "-" + order), maker, Sync.NEVER)) {
            List<Delta> arrived = new ArrayList<>();
            for (Delta delta : sent) {
              assertThat(durable.apply(delta)).isEqualTo(replica.apply(delta));
              arrived.add(delta);
              for (Delta one : arrived) {
                requireHas(replica, one);
                requireHas(durable, one);
              }
            }
            for (long k = 0; k < key; k++) {
              assertThat(replica.mightContain(k)).isTrue();
            }
            if (kind == 0) {
              assertThat(replica.copy()).isEqualTo(source.copy());
              assertThat(durable.copy()).isEqualTo(source.copy());
            }
          }
        }
      }
    }
  }

  private static void requireHas(Membership filter, Delta delta) throws IOException {
    if (!delta.hasContent()) {
      delta.forEachFrom(
          0,
          7,
          (operation, time, hashes, to) -> {
            for (long hash : hashes) {
              assertThat(filter.mightContainHash(hash)).isTrue();
            }
          });
    }
  }

  @Test
  void removalsRaiseTheEpochAndForceTheContent() throws IOException {
    Supplier<Durable> maker = removable();
    Replica<Durable> replica = Replica.of(maker.get());
    try (DurableFilter<Durable> source = DurableFilter.open(folder, maker, Sync.NEVER)) {
      for (long key = 0; key < 500; key++) {
        source.put(key);
      }
      replica.apply(source.since(0));
      for (long key = 500; key < 510; key++) {
        source.put(key);
      }
      Delta old = source.since(replica.version());
      assertThat(old.hasContent()).isFalse();
      assertThat(source.remove(7)).isTrue();
      Delta whole = source.since(replica.version());
      assertThat(whole.hasContent()).isTrue();
      assertThat(whole.epoch()).isEqualTo(511);
      source.put(600);
      Delta later = source.since(source.version() - 1);
      assertThat(later.hasContent()).isFalse();
      // a delta after the removal does not mention it
      assertThat(replica.apply(later)).isEqualTo(Outcome.MISSING);
      assertThat(replica.apply(whole)).isEqualTo(Outcome.APPLIED);
      assertThat(replica.apply(old)).isEqualTo(Outcome.KNOWN);
      assertThat(replica.apply(later)).isEqualTo(Outcome.APPLIED);
      assertThat(replica.copy()).isEqualTo(source.copy());
      assertThat(replica.mightContain(7L)).isFalse();
    }
  }

  @Test
  void aClearReachesReplicas() throws IOException {
    Supplier<Durable> maker = SETS.get(0);
    Replica<Durable> replica = Replica.of(maker.get());
    try (DurableFilter<Durable> source = DurableFilter.open(folder, maker, EVERY)) {
      source.put(1);
      replica.apply(source.since(0));
      source.clear();
      source.put(2);
      assertThat(replica.apply(source.since(replica.version()))).isEqualTo(Outcome.APPLIED);
      assertThat(replica.copy()).isEqualTo(source.copy());
      assertThat(replica.mightContain(1L)).isFalse();
    }
  }

  @Test
  void otherSourcesAndSettingsAreRefused() throws IOException {
    Supplier<Durable> maker = SETS.get(1);
    try (DurableFilter<Durable> one = DurableFilter.open(folder.resolve("a"), maker, EVERY);
        DurableFilter<Durable> other = DurableFilter.open(folder.resolve("b"), maker, EVERY)) {
      one.put(1);
      other.put(2);
      Replica<Durable> replica = Replica.of(maker.get());
      replica.apply(one.since(0));
      assertThatThrownBy(() -> replica.apply(other.since(0)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("follows");
      assertThatThrownBy(() -> Replica.of(SETS.get(0).get()).apply(one.since(0)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("settings");
      assertThatThrownBy(() -> other.apply(one.since(0)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("keys of its own");
      assertThatThrownBy(() -> one.since(99)).isInstanceOf(IllegalArgumentException.class);
    }
    try (DurableFilter<Durable> one = DurableFilter.open(folder.resolve("a"), maker, EVERY);
        DurableFilter<Durable> replica =
            DurableFilter.open(folder.resolve("c"), maker, Sync.NEVER)) {
      replica.apply(one.since(0));
      assertThatThrownBy(() -> replica.put(5)).isInstanceOf(IllegalStateException.class);
      replica.promote();
      assertThat(replica.put(5)).isTrue();
    }
  }

  /** A delta has a checksum; its content is checked when it is applied. */
  @Test
  void invalidContentIsRefusedAndChangesNothing() throws IOException {
    Random random = new Random(3);
    int refused = 0;
    for (Supplier<Durable> maker : List.of(SETS.get(1), removable())) {
      Durable filter = maker.get();
      for (long key = 0; key < 900; key++) {
        filter.put(key);
      }
      Delta valid = Deltas.content(filter, 900);
      for (int i = 0; i < 3000; i++) {
        byte[] image = valid.image().clone();
        for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
          image[random.nextInt(i % 2 == 0 ? 64 : image.length)] ^= (byte) (1 << random.nextInt(8));
        }
        Delta forged =
            Delta.of(
                filter,
                valid.sourceId(),
                0,
                0,
                900,
                true,
                random.nextInt(9) == 0
                    ? Arrays.copyOf(image, random.nextInt(image.length))
                    : image);
        Replica<Durable> replica = Replica.of(maker.get());
        try {
          replica.apply(forged);
          // other prefixes, but a filter that works
          replica.mightContain(5L);
          Durable copy = replica.copy();
          copy.put(77_777L);
          assertThat(copy.mightContain(77_777L)).isTrue();
        } catch (FilterFormatException e) {
          refused++;
          assertThat(replica.copy()).isEqualTo(maker.get());
          assertThat(replica.version()).isZero();
        }
      }
    }
    assertThat(refused).isBetween(1000, 5999);
  }
}
