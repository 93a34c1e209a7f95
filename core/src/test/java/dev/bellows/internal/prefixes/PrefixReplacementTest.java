package dev.bellows.internal.prefixes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queries are answered at any moment while all chunks of a store are being replaced. */
// a limit against hangs
@Timeout(600)
class PrefixReplacementTest {
  private static final long STEP = 0x9E37_79B9_7F4A_7C15L;
  private static final int KEYS = 5000;

  private static long hash(long number) {
    return number * STEP;
  }

  private static PrefixStore filled() {
    PrefixStore store = new PrefixStore(true, 12, 511);
    for (long i = 1; i <= KEYS; i++) {
      store.put(i * STEP);
    }
    return store;
  }

  private static void assertHoldsAll(PrefixStore store) {
    long[] hashes = new long[KEYS];
    for (int i = 0; i < KEYS; i++) {
      hashes[i] = (i + 1) * STEP;
      assertThat(store.contains(hashes[i])).isTrue();
    }
    assertThat(new PrefixGroup().count(store, hashes, 0, KEYS, new boolean[KEYS])).isEqualTo(KEYS);
  }

  /** A chunk that another thread has locked stops the replacement when the others are frozen. */
  @Test
  void whileTheLastChunkIsNotYetFrozen() throws InterruptedException {
    PrefixStore store = filled();
    long[] first = store.chunk(0);
    long[] last = store.chunk(-1);
    long head = PrefixLock.lock(last);
    Thread clearing = new Thread(() -> store.replaceBy(old -> new PrefixStore(true, 12, 511)));
    clearing.start();
    while (PrefixLock.head(first) >= 0) {
      Thread.onSpinWait();
    }
    long address = PrefixChunk.depth(head) == 0 ? 0 : -1L << (64 - PrefixChunk.depth(head));
    for (long i = 1; i <= KEYS; i++) {
      if (Long.compareUnsigned(i * STEP, address) < 0) {
        assertThat(store.contains(i * STEP)).isTrue();
      }
    }
    assertThat(store.contains(~STEP >>> 1)).isFalse();
    PrefixLock.unlock(last, head);
    clearing.join();
    assertThat(store.contains(STEP)).isFalse();
  }

  @Test
  void whileTheNewChunksAreMade() {
    PrefixStore store = filled();
    store.replaceBy(
        old -> {
          assertHoldsAll(store);
          return new PrefixStore(true, 12, 511);
        });
    assertThat(store.contains(hash(7))).isFalse();
    assertThat(store.put(hash(7))).isTrue();
  }

  /**
   * A query that found its chunk before the replacement must not miss what was put into the new one
   * since.
   */
  @Test
  void anOldChunkSendsQueriesToTheNewOne() {
    PrefixStore store = filled();
    long hash = hash(7);
    long[] old = store.chunk(hash);
    long head = PrefixLock.head(old);
    store.replaceBy(before -> new PrefixStore(true, 12, 511));
    store.put(hash);
    assertThat(PrefixLock.isStill(old, head)).isFalse();
    assertThat(store.contains(old, PrefixLock.head(old), store.usual(), hash, 0)).isTrue();
  }

  @Test
  void aReplacementThatFailsChangesNothing() {
    PrefixStore store = filled();
    try {
      store.replaceBy(
          old -> {
            throw new IllegalStateException();
          });
    } catch (IllegalStateException e) {
      assertHoldsAll(store);
      assertThat(store.put(~STEP)).isTrue();
    }
    assertThat(store.contains(~STEP)).isTrue();
  }

  /** A removal may meet a chunk that another thread has replaced since the directory was read. */
  @Test
  void aReplacedChunkIsNotResized() {
    PrefixStore store = filled();
    long[] chunk = store.chunk(0);
    store.replaceBy(old -> new PrefixStore(true, 12, 511));
    assertThat(PrefixLock.head(chunk)).isEqualTo(PrefixLock.REPLACED);
    assertThat(PrefixStore.isRoomy(chunk, PrefixLock.head(chunk))).isFalse();
  }
}
