package dev.bellows.internal.prefixes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A chunk behaves like a sorted list of its slots, whatever is inserted and deleted. */
class PrefixChunkTest {
  private static final int STEPS = 4_000;

  private record Entry(int bucket, long slot) {}

  private final List<Entry> model = new ArrayList<>();
  private long[] chunk = new long[0];

  @ParameterizedTest
  @CsvSource({
    // depth, width, buckets that are used, the most slots
    "0, 13, 512, 511",
    "7, 13, 512, 1100",
    "18, 13, 20, 300",
    "3, 1, 512, 900",
    "5, 2, 3, 700",
    "2, 21, 64, 400",
    "2, 22, 64, 400",
    "0, 55, 512, 600",
    "0, 55, 4, 200",
  })
  void aChunkBehavesLikeASortedList(int depth, int width, int buckets, int most) {
    SplittableRandom random = new SplittableRandom(depth * 64L + width);
    chunk = PrefixChunk.create(depth, width, 0, 4);
    for (int step = 0; step < STEPS; step++) {
      // up to the most, then down to nothing, and up again
      boolean grows = step % (2 * most) < most;
      if (model.isEmpty() || random.nextInt(4) != 0 == grows) {
        insert(random.nextInt(buckets) * (512 / buckets), slot(random, width));
      } else {
        delete(random.nextInt(model.size()));
      }
      if (step % 97 == 0) {
        verify(random);
      }
    }
    verify(random);
  }

  private static long slot(SplittableRandom random, int width) {
    // few different ones, so that slots are equal, or one a prefix of the other
    long bits = (random.nextLong() >>> (64 - width)) & (random.nextInt(3) == 0 ? 7L : -1L);
    return bits | 1L << random.nextInt(width);
  }

  private void insert(int bucket, long slot) {
    if (!PrefixChunk.hasRoom(chunk, chunk[0])) {
      chunk = PrefixChunk.resized(chunk, chunk[0], PrefixChunk.roomyWords(chunk[0]));
    }
    int start = PrefixChunk.start(chunk, chunk[0], bucket);
    chunk[0] = PrefixChunk.insert(chunk, chunk[0], bucket, start, slot);
    int at = 0;
    while (at < model.size() && precedes(model.get(at), bucket, slot)) {
      at++;
    }
    model.add(at, new Entry(bucket, slot));
  }

  private static boolean precedes(Entry entry, int bucket, long slot) {
    return entry.bucket != bucket ? entry.bucket < bucket : PrefixChunk.precedes(entry.slot, slot);
  }

  private void delete(int at) {
    int bucket = model.get(at).bucket;
    int first = at;
    while (first > 0 && model.get(first - 1).bucket == bucket) {
      first--;
    }
    chunk[0] = new PrefixChunk.Bucket(chunk, chunk[0], bucket).delete(at - first);
    model.remove(at);
  }

  private void verify(SplittableRandom random) {
    long head = chunk[0];
    assertThat(walk(chunk)).isEqualTo(model);
    assertThat(PrefixChunk.count(head)).isEqualTo(model.size());
    int[] runs = new int[PrefixChunk.BUCKETS];
    model.forEach(entry -> runs[entry.bucket]++);
    int start = 0;
    for (int bucket = 0; bucket < runs.length; bucket++) {
      assertThat(new PrefixChunk.Bucket(chunk, head, bucket).count()).isEqualTo(runs[bucket]);
      assertThat(PrefixChunk.start(chunk, head, bucket)).isEqualTo(start);
      start += Math.min(PrefixChunk.FULL, runs[bucket]);
    }
    for (int i = 0; i < 200; i++) {
      long hash = random.nextLong();
      if (!model.isEmpty() && i % 2 == 0) {
        Entry near = model.get(random.nextInt(model.size()));
        long prefix = PrefixChunk.prefix(head, 0, near.bucket, near.slot);
        int length = PrefixChunk.length(head, near.slot);
        // one of its hashes, and one that differs in its last bit
        hash = prefix | (hash >>> length);
        hash ^= i % 4 == 0 ? 0 : 1L << (64 - length);
      }
      assertThat(PrefixChunk.contains(chunk, head, hash)).isEqualTo(modelContains(hash));
    }
  }

  private boolean modelContains(long hash) {
    long head = chunk[0];
    long inChunk = hash << PrefixChunk.depth(head);
    for (Entry entry : model) {
      int length = PrefixChunk.length(head, entry.slot) - PrefixChunk.depth(head);
      long prefix = PrefixChunk.prefix(head, 0, entry.bucket, entry.slot);
      if (((prefix << PrefixChunk.depth(head)) ^ inChunk) >>> (64 - length) == 0) {
        return true;
      }
    }
    return false;
  }

  private static List<Entry> walk(long[] chunk) {
    List<Entry> entries = new ArrayList<>();
    PrefixRun run = new PrefixRun(PrefixStore.Tags.NONE, 16).addAll(chunk, chunk[0], 0);
    for (int i = 0; i < run.count(); i++) {
      long slot = PrefixChunk.slot(chunk[0], run.bits(i), run.length(i));
      entries.add(new Entry(PrefixChunk.bucket(chunk[0], run.bits(i)), slot));
    }
    return entries;
  }

  @Test
  void slotsMayBecomeWider() {
    SplittableRandom random = new SplittableRandom(3);
    chunk = PrefixChunk.create(4, 5, 0, 4);
    for (int i = 0; i < 900; i++) {
      insert(random.nextInt(40), slot(random, 5));
    }
    long[] wider = new PrefixRun(PrefixStore.Tags.NONE, 16).addAll(chunk, chunk[0], 0).chunk(4, 30);
    assertThat(walk(wider))
        .isEqualTo(model.stream().map(e -> new Entry(e.bucket, e.slot << 25)).toList());
    assertThat(PrefixChunk.depth(wider[0])).isEqualTo(4);
  }
}
