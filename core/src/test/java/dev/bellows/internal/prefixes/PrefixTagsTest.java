package dev.bellows.internal.prefixes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bellows.internal.files.PrefixPlanes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Prefixes with tags: none is lost, and queries see those of all prefixes that match. */
@Timeout(600)
class PrefixTagsTest {
  /** Tags are generations modulo 2^bits, of which the newest half is live. */
  private static final class Generations implements PrefixStore.Tags {
    private final int bits;
    private volatile int now;

    Generations(int bits) {
      this.bits = bits;
    }

    private int age(int tag) {
      return (now - tag) & ((1 << bits) - 1);
    }

    int tag() {
      return now & ((1 << bits) - 1);
    }

    /** The tags that are at most this old. */
    long newest(int most) {
      long set = 0;
      for (int tag = 0; tag < 1 << bits; tag++) {
        set |= age(tag) <= most ? 1L << tag : 0;
      }
      return set;
    }

    int liveAges() {
      return 1 << (bits - 1);
    }

    @Override
    public int bits() {
      return bits;
    }

    @Override
    public int merge(int one, int other) {
      return age(one) <= age(other) ? one : other;
    }

    @Override
    public boolean isDead(int tag) {
      return age(tag) >= liveAges();
    }
  }

  private static int sweep(PrefixStore store) {
    int steps = 0;
    long address = 0;
    do {
      address = store.dropDead(address);
      steps++;
    } while (address != 0);
    return steps;
  }

  private static PrefixStore read(PrefixStore store, PrefixStore.Tags tags, PrefixStore empty) {
    PrefixStore copy = store.copy();
    PrefixPlanes planes = PrefixPlanes.of(copy);
    List<byte[]> parts = planes.encode(copy);
    byte[] written = PrefixPlanes.encodeTags(copy, tag -> tag, tags.bits());
    PrefixStore read =
        empty.load(
            planes.decode(parts, written, tags.bits()),
            planes.count(),
            copy.tally().copies(),
            PrefixStore.Allowed.NOTHING,
            bytes -> {});
    assertThat(PrefixPlanes.of(read)).isEqualTo(planes);
    assertThat(PrefixPlanes.encodeTags(read, tag -> tag, tags.bits())).isEqualTo(written);
    assertThat(read.tally().copies()).isEqualTo(copy.tally().copies());
    return read;
  }

  /** The tally matches the content of the chunks. */
  private static void assertTally(PrefixStore store, int tagBits) {
    int[] counts = new int[PrefixTally.LENGTHS << tagBits];
    long address = 0;
    do {
      long[] chunk = store.chunk(address);
      PrefixRun run = new PrefixRun(new Generations(tagBits), 8);
      run.addAll(chunk, chunk[0], PrefixSource.first(address, PrefixChunk.depth(chunk[0])));
      run.addTo(counts, 1);
      address = PrefixChunk.behind(chunk[0], address);
    } while (address != 0);
    for (int tag = 0; tag < 1 << tagBits; tag++) {
      long total = 0;
      double rate = 0;
      for (int length = 0; length < PrefixTally.LENGTHS; length++) {
        int count = counts[PrefixTally.place(length, tag)];
        total += count;
        rate += Math.scalb((double) count, -length);
      }
      assertThat(store.tally().totalOf(tag)).isEqualTo(total);
      assertThat(store.tally().rateOf(tag)).isEqualTo(rate);
    }
  }

  /**
   * Random histories. A key put in a generation is found with a tag at least as new while that
   * generation is live, through splits that exhaust the bits of prefixes, sweeps and joins, copies,
   * unions, folds and files.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 6})
  void noKeyIsLostWhileItsTagIsLive(int bits) {
    for (int seed = 0; seed < 6; seed++) {
      SplittableRandom random = new SplittableRandom(1000L * bits + seed);
      Generations tags = new Generations(bits);
      int slack = 2 + random.nextInt(16);
      int chunkKeys = 40 + random.nextInt(460);
      PrefixStore store = new PrefixStore(slack, chunkKeys, tags);
      Map<Long, Integer> model = new HashMap<>();
      int steps = 30;
      for (int step = 0; step < steps; step++) {
        PrefixStore other = null;
        switch (random.nextInt(7)) {
          case 0 -> {
            // the tag that comes next was dead: it is used again after a sweep
            sweep(store);
            tags.now++;
          }
          case 1 -> sweep(store);
          case 2 -> other = store.copy();
          case 3 -> other = read(store, tags, new PrefixStore(slack, chunkKeys, tags));
          case 4 -> {
            double rate = store.copy().tally().rate();
            double fpp = Math.min(0.9, Math.max(rate * 1.3, 1e-3));
            if (rate < fpp) {
              other = new PrefixStore(slack, chunkKeys, tags).loadCut(store.copy(), fpp);
            }
          }
          case 5 -> {
            PrefixStore more = new PrefixStore(slack + 1, 200, tags);
            for (int i = random.nextInt(2000); i > 0; i--) {
              long hash = random.nextLong();
              more.put(hash, tags.tag(), 0);
              model.put(hash, tags.now);
            }
            other = new PrefixStore(slack, chunkKeys, tags).loadUnion(store.copy(), more);
          }
          default -> {
            List<Long> known = new ArrayList<>(model.keySet());
            for (int i = random.nextInt(4000); i > 0; i--) {
              boolean isOld = !known.isEmpty() && random.nextInt(3) == 0;
              long hash = isOld ? known.get(random.nextInt(known.size())) : random.nextLong();
              int age = random.nextInt(tags.liveAges());
              int generation = tags.now - age;
              long before = store.tags(hash);
              long keep = tags.newest(age);
              int tag = generation & ((1 << bits) - 1);
              assertThat(store.put(hash, tag, keep)).isEqualTo(before);
              assertThat(store.tags(hash) & keep).isNotZero();
              model.merge(hash, generation, Math::max);
            }
          }
        }
        store = other == null ? store : other;
        int oldest = tags.now - tags.liveAges() + 1;
        model.values().removeIf(generation -> generation < oldest);
        long[] newest = new long[tags.liveAges()];
        for (int age = 0; age < newest.length; age++) {
          newest[age] = tags.newest(age);
        }
        for (Map.Entry<Long, Integer> entry : model.entrySet()) {
          long found = store.tags(entry.getKey());
          if ((found & newest[tags.now - entry.getValue()]) == 0
              || !store.contains(entry.getKey())) {
            throw new AssertionError("lost " + entry + " at step " + step + " of seed " + seed);
          }
        }
        assertTally(store, bits);
      }
    }
  }

  /** A query gives the tags of exactly those prefixes that match, packed and spilled. */
  @ParameterizedTest
  @ValueSource(ints = {1, 4, 5, 6})
  void aQueryGivesTheTagsOfAllMatchingPrefixes(int bits) {
    SplittableRandom random = new SplittableRandom(bits);
    for (int slack : new int[] {1, 6, 12, 16, 30, 54}) {
      PrefixStore store = new PrefixStore(slack, 511, new Generations(bits));
      List<Long> hashes = new ArrayList<>();
      for (int i = 0; i < 3000; i++) {
        // some agree in many bits, so that buckets spill
        long hash = random.nextLong() & (random.nextInt(3) == 0 ? 0xFF80_0000_0000_FFFFL : -1L);
        hashes.add(hash);
        store.put(hash, random.nextInt(1 << bits), 0);
      }
      List<long[]> prefixes = new ArrayList<>();
      for (PrefixSource all = store.prefixes(); all.next(); ) {
        prefixes.add(new long[] {all.bits(), all.length(), all.tag()});
      }
      // nothing is left of the dead ones, which are not scanned
      sweep(store);
      for (int i = 0; i < 300; i++) {
        long hash = i % 2 == 0 ? hashes.get(i) : random.nextLong();
        long expected = 0;
        for (long[] prefix : prefixes) {
          boolean matches = PrefixSource.first(hash, (int) prefix[1]) == prefix[0];
          expected |= matches ? 1L << prefix[2] : 0;
        }
        assertThat(store.tags(hash)).isEqualTo(expected);
        assertThat(store.contains(hash)).isEqualTo(expected != 0);
        boolean[] hits = new boolean[1];
        new PrefixGroup().count(store, new long[] {hash}, 0, 1, hits);
        assertThat(hits[0]).isEqualTo(expected != 0);
      }
    }
  }

  /** A refresh changes the tag in place, and the newest one writes nothing. */
  @Test
  void aRefreshTakesNoRoom() {
    Generations tags = new Generations(4);
    PrefixStore store = new PrefixStore(14, 500, tags);
    for (long i = 1; i <= 400; i++) {
      store.put(i * 0x9E37_79B9_7F4A_7C15L, 0, 1);
    }
    long bytes = store.heapBytes();
    long total = store.tally().total();
    tags.now = 3;
    for (long i = 1; i <= 400; i++) {
      long hash = i * 0x9E37_79B9_7F4A_7C15L;
      assertThat(store.put(hash, 3, tags.newest(0)) & 0b1001).isNotZero();
      long[] chunk = store.chunk(hash);
      long head = chunk[0];
      assertThat(store.put(hash, 3, tags.newest(0))).isEqualTo(0b1000);
      assertThat(chunk[0]).isEqualTo(head);
    }
    assertThat(store.heapBytes()).isEqualTo(bytes);
    assertThat(store.tally().total()).isEqualTo(total);
    assertThat(store.tally().totalOf(3)).isEqualTo(total);
  }

  /** A sweep releases memory: chunks join, and a copy is barely smaller. */
  @Test
  void aSweepReleasesMemory() {
    Generations tags = new Generations(4);
    PrefixStore store = new PrefixStore(13, 500, tags);
    SplittableRandom random = new SplittableRandom(5);
    tags.now = 7;
    for (int i = 0; i < 200_000; i++) {
      store.put(random.nextLong(), i < 2000 ? 7 : 0, i < 2000 ? 0 : 1L << 7);
    }
    long full = store.heapBytes();
    tags.now = 8;
    int steps = sweep(store);
    assertThat(steps).isGreaterThan(200);
    assertThat(store.tally().totalOf(0)).isZero();
    assertThat(store.tally().totalOf(7)).isBetween(1900L, 2000L);
    assertThat(store.heapBytes()).isLessThan(full / 20);
    assertThat((double) store.heapBytes()).isLessThanOrEqualTo(1.15 * store.copy().heapBytes());
    assertTally(store, 4);
  }

  /** Before a chunk splits, its dead prefixes are removed to make room. */
  @Test
  void deadPrefixesMakeRoomForNewOnes() {
    Generations tags = new Generations(4);
    PrefixStore store = new PrefixStore(13, 500, tags);
    SplittableRandom random = new SplittableRandom(6);
    for (int generation = 0; generation < 8; generation++) {
      tags.now = generation;
      for (int i = 0; i < 5000; i++) {
        store.put(random.nextLong(), tags.tag(), 0);
      }
    }
    int chunks = store.chunks();
    for (int generation = 8; generation < 40; generation++) {
      tags.now = generation;
      sweep(store);
      for (int i = 0; i < 5000; i++) {
        store.put(random.nextLong(), tags.tag(), 0);
      }
      assertThat(store.chunks()).isLessThan(2 * chunks);
    }
  }

  /** Chosen hashes that agree in far too many bits: with all tags they are covered, not lost. */
  @ParameterizedTest
  @ValueSource(ints = {3, 5, 6})
  void chosenHashesAreCovered(int bits) {
    PrefixStore.Tags highest =
        new PrefixStore.Tags() {
          @Override
          public int bits() {
            return bits;
          }

          @Override
          public int merge(int one, int other) {
            return Math.max(one, other);
          }
        };
    PrefixStore store = new PrefixStore(12, 400, highest);
    SplittableRandom random = new SplittableRandom(bits);
    List<Long> hashes = new ArrayList<>();
    List<Integer> given = new ArrayList<>();
    for (int i = 0; i < 60_000; i++) {
      // in few buckets, or in all buckets of one deep chunk
      long low = random.nextLong();
      long hash = i % 2 == 0 ? low & 0x0000_0000_3FFF_FFFFL : 0xABCD_0000_0000_0000L | low >>> 16;
      int tag = random.nextInt(1 << bits);
      store.put(hash, tag, -1L << tag);
      hashes.add(hash);
      given.add(tag);
    }
    for (int i = 0; i < hashes.size(); i++) {
      assertThat(store.tags(hashes.get(i)) & -1L << given.get(i)).isNotZero();
    }
    // few prefixes stand for those that agree
    assertThat(store.tally().total()).isLessThan(20_000);
    assertTally(store, bits);
  }

  /** Threads put, refresh and sweep while the clock moves. */
  @Test
  void threadsLoseNoKey() throws InterruptedException {
    Generations tags = new Generations(4);
    PrefixStore store = new PrefixStore(11, 300, tags);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    for (int round = 0; round < 8; round++) {
      sweep(store);
      tags.now++;
      int tag = tags.tag();
      long newest = tags.newest(0);
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 3; t++) {
        long seed = 10L * round + t;
        threads.add(
            new Thread(
                () -> {
                  SplittableRandom random = new SplittableRandom(seed);
                  for (int i = 0; i < 5000; i++) {
                    long hash = random.nextLong();
                    store.put(hash, tag, newest);
                    assertThat(store.tags(hash) & newest).isNotZero();
                  }
                }));
      }
      threads.add(new Thread(() -> sweep(store)));
      for (Thread thread : threads) {
        thread.setUncaughtExceptionHandler((its, e) -> failure.set(e));
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failure.get()).isNull();
      for (int t = 0; t < 3; t++) {
        SplittableRandom random = new SplittableRandom(10L * round + t);
        for (int i = 0; i < 5000; i++) {
          assertThat(store.tags(random.nextLong()) & newest).isNotZero();
        }
      }
      assertTally(store, 4);
    }
  }

  @Test
  void tagsOfBytesThatWereNotWrittenAreRefused() {
    Generations tags = new Generations(3);
    PrefixStore store = new PrefixStore(10, 300, tags);
    for (long i = 1; i <= 1001; i++) {
      store.put(i * 0x9E37_79B9_7F4A_7C15L, 0, 1);
    }
    PrefixPlanes planes = PrefixPlanes.of(store);
    List<byte[]> parts = planes.encode(store);
    byte[] written = PrefixPlanes.encodeTags(store, tag -> tag, 3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PrefixPlanes.encodeTags(store, tag -> 8, 3));
    List<byte[]> hostile = new ArrayList<>();
    hostile.add(Arrays.copyOf(written, written.length - 1));
    hostile.add(Arrays.copyOf(written, written.length + 1));
    byte[] lastBit = written.clone();
    lastBit[lastBit.length - 1] |= (byte) 0x80;
    hostile.add(lastBit);
    for (byte[] bytes : hostile) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  new PrefixStore(10, 300, tags)
                      .load(
                          planes.decode(parts, bytes, 3),
                          planes.count(),
                          0,
                          PrefixStore.Allowed.NOTHING,
                          held -> {}));
    }
    // a store with fewer bits for tags refuses those that do not fit
    byte[] high = PrefixPlanes.encodeTags(store, tag -> 7, 3);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new PrefixStore(10, 300, new Generations(2))
                    .load(
                        planes.decode(parts, high, 3),
                        planes.count(),
                        0,
                        PrefixStore.Allowed.NOTHING,
                        held -> {}))
        .withMessageContaining("tag 7");
    assertThatIllegalArgumentException().isThrownBy(() -> store.put(1, 8, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PrefixStore(10, 300, new Generations(7)));
  }

  /** A union whose tags mean something else, and are translated. */
  @Test
  void aUnionTranslatesTags() {
    Generations tags = new Generations(4);
    tags.now = 7;
    PrefixStore one = new PrefixStore(20, 300, tags);
    PrefixStore other = new PrefixStore(18, 250, tags);
    long shared = 0x1234_5678_9ABC_DEF0L;
    one.put(shared, 2, 0);
    other.put(shared, 3, 0);
    PrefixSource translated = PrefixSource.retagged(other.prefixes(), tag -> tag + 2);
    PrefixStore union =
        new PrefixStore(20, 300, tags)
            .load(
                PrefixSource.both(one.prefixes(), translated),
                2,
                0,
                PrefixStore.Allowed.COPYING_AND_COVERING,
                held -> {});
    // the shorter one has the newer tag
    assertThat(union.tags(shared)).isEqualTo(1L << 5);
    assertThat(union.tally().total()).isOne();
  }
}
