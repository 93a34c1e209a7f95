package dev.bellows.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.elastic.ElasticBloomFilter.FoldPolicy;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An elastic filter that several threads fill and query while it folds, unfolds, ships and freezes.
 */
class ElasticThreadsTest {
  private static final int KEYS = 4000;
  private static final int ROUNDS = 4;

  private static ElasticBloomFilter.Builder builder() {
    return ElasticBloomFilter.builder().keys(KEYS * Stress.WRITERS).fpp(0.01).id(17);
  }

  /** Large enough that resizes take long compared with puts. */
  private static ElasticBloomFilter.Builder largeBuilder() {
    return ElasticBloomFilter.builder().keys(20L * KEYS * Stress.WRITERS).fpp(0.01).id(17);
  }

  @ParameterizedTest
  @EnumSource(FoldPolicy.class)
  void aResizeLosesNoPut(FoldPolicy policy) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      AtomicInteger resizes = new AtomicInteger();
      ElasticBloomFilter shared =
          largeBuilder()
              .policy(policy)
              .seed(round)
              .onResize(resize -> resizes.incrementAndGet())
              .build();
      new Stress()
          .concurrently(shared::mightContain)
          .besideMade(() -> shared.snapshot()::mightContain)
          .besideMade(() -> shared.ship(shared.capacity())::mightContain)
          .besideMade(() -> ElasticBloomFilter.fromBytes(shared.toBytes())::mightContain)
          .put(KEYS, (writer, key) -> shared.put(key), shared::mightContain);
      assertThat(resizes.get()).isGreaterThan(5);
      requireAll(shared);
    }
  }

  /** View and capacity have exactly the bits of all keys. */
  private static void requireAll(ElasticBloomFilter shared) {
    BloomFilter alone = shared.ship(shared.capacity());
    alone.clear();
    for (long key = 0; key < (long) KEYS * Stress.WRITERS; key++) {
      alone.put(key);
      assertThat(shared.mightContain(key)).isTrue();
    }
    assertThat(shared.ship(shared.capacity())).isEqualTo(alone);
    assertThat(shared.expectedFpp()).isEqualTo(alone.foldTo(shared.bits()).expectedFpp());
  }

  /** A key that another thread is still putting is found by everyone whose own put has returned. */
  @Test
  void aKeyOfSeveralThreadsIsFoundByEachOfThem() throws Exception {
    ElasticBloomFilter shared = builder().build();
    Stress.inStep(
        4L * KEYS,
        (writer, key) -> {
          shared.put(key);
          if (!shared.mightContain(key)) {
            throw new AssertionError("lost key " + key);
          }
        });
  }

  /**
   * The header of a file and the filter after it agree, even if keys are put between writing the
   * two.
   */
  @Test
  void aFrozenFilterThatChangesWhileItIsWrittenCanBeRead() throws Exception {
    ElasticBloomFilter shared = builder().build();
    shared.put(1);
    shared.freeze();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    shared.writeTo(
        new FilterOutputStream(bytes) {
          @Override
          public void write(byte[] from, int at, int length) throws IOException {
            shared.put(2);
            super.write(from, at, length);
          }
        });
    assertThat(shared.filterId()).isZero();
    assertThat(ElasticBloomFilter.fromBytes(bytes.toByteArray()).mightContain(1L)).isTrue();
  }

  @Test
  void freezingLosesNoPut() throws Exception {
    for (int round = 0; round < 25; round++) {
      ElasticBloomFilter shared = builder().seed(round).build();
      int half = KEYS / 8;
      new Stress()
          .concurrently(shared::mightContain)
          .besideMade(() -> ElasticBloomFilter.fromBytes(shared.toBytes())::mightContain)
          .put(
              half,
              (writer, key) -> {
                shared.put(key);
                if (key == half) {
                  shared.freeze();
                }
              });
      assertThat(shared.isFrozen()).isTrue();
      for (long key = 0; key < (long) half * Stress.WRITERS; key++) {
        assertThat(shared.mightContain(key)).isTrue();
      }
      assertThat(shared.filterId()).isZero();
    }
  }

  /** A listener may wait for another thread that queries and puts. */
  @Test
  void aSlowListenerDoesNotBlockPuts() throws Exception {
    ElasticBloomFilter[] shared = new ElasticBloomFilter[1];
    AtomicInteger told = new AtomicInteger();
    shared[0] =
        builder()
            .onResize(
                resize -> {
                  Thread other =
                      new Thread(
                          () -> {
                            shared[0].stats();
                            told.incrementAndGet();
                          });
                  other.start();
                  try {
                    other.join(20_000);
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                  if (other.isAlive()) {
                    throw new IllegalStateException("the listener's thread waits for the filter");
                  }
                })
            .build();
    for (long key = 0; key < KEYS; key++) {
      shared[0].put(key);
    }
    assertThat(told.get()).isPositive();
  }

  /** With counters keys come and go; those that stay are never missed, and all counts are right. */
  @Test
  void countersAreRightAfterAllResizes() throws Exception {
    ElasticBloomFilter shared = builder().counting(4).build();
    int staying = 200;
    for (long key = -staying; key < 0; key++) {
      shared.put(key);
    }
    Stress.Task ask =
        () -> {
          for (long key = -staying; key < 0; key++) {
            if (!shared.mightContain(key)) {
              throw new AssertionError("lost key " + key);
            }
          }
        };
    new Stress()
        .concurrently(ask)
        .concurrently(
            () -> {
              BloomFilter made = shared.snapshot();
              for (long key = -staying; key < 0; key++) {
                if (!made.mightContain(key)) {
                  throw new AssertionError("lost key " + key);
                }
              }
            })
        .write(
            writer -> {
              for (int round = 0; round < 2; round++) {
                for (int i = 0; i < KEYS / 4; i++) {
                  shared.put(Stress.key(writer, i));
                  long before = Stress.key(writer, Math.max(0, i - 20));
                  if (!shared.mightContain(before)) {
                    throw new AssertionError("lost key " + before);
                  }
                }
                for (int i = 0; i < KEYS / 4; i++) {
                  if (!shared.remove(Stress.key(writer, i))) {
                    throw new AssertionError("lost key " + i);
                  }
                }
              }
            });
    ElasticBloomFilter alone = builder().counting(4).build();
    for (long key = -staying; key < 0; key++) {
      alone.put(key);
    }
    assertThat(shared.ship(shared.capacity())).isEqualTo(alone.ship(alone.capacity()));
    for (long key = -staying; key < 0; key++) {
      assertThat(shared.remove(key)).isTrue();
    }
    assertThat(shared.ship(shared.capacity()).stats().ones()).isZero();
    assertThat(shared.stats().ones()).isZero();
  }
}
