package dev.bellows.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is thrown inside a put or a remove, no chunk stays locked and no other key is lost. */
class PrefixFailureTest {
  private static final int ROUNDS = 2000;
  private static final int OVERFLOWS = 400;

  /** Set when the next change of a count is to fail. */
  private boolean fails;

  private final SplittableRandom random = new SplittableRandom(7);
  private final List<Long> stored = new ArrayList<>();

  private final class Adder extends LongAdder {
    private static final long serialVersionUID = 1L;

    @Override
    public void add(long count) {
      if (fails) {
        throw new StackOverflowError("by the test");
      }
      super.add(count);
    }
  }

  private static void assertNothingIsLocked(PrefixStore store) {
    for (long[] chunk : store.directory()) {
      assertThat(PrefixLock.head(chunk)).isNotNegative();
    }
  }

  private void assertNothingIsLost(PrefixStore store) {
    assertNothingIsLocked(store);
    PrefixStore copy = store.copy(false);
    for (long hash : stored) {
      assertThat(store.contains(hash)).isTrue();
      assertThat(copy.contains(hash)).isTrue();
    }
  }

  /** Some agree in so many bits that their bucket is full and is covered. */
  private long hash(int round) {
    return round % 2 == 0 ? random.nextLong() : random.nextLong() >>> 20;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anErrorInAPutLeavesTheChunkAsItWas(boolean always) {
    PrefixStore store = new PrefixStore(12, 511, new PrefixTally(Adder::new));
    for (int round = 0; round < ROUNDS; round++) {
      long hash = hash(round);
      fails = true;
      try {
        assertThat(store.put(hash, always)).isFalse();
      } catch (StackOverflowError e) {
        assertNothingIsLocked(store);
      }
      fails = false;
      store.put(hash, always);
      stored.add(hash);
    }
    assertThat(store.chunks()).isGreaterThan(1);
    assertNothingIsLost(store);
  }

  @Test
  void anErrorInARemoveLeavesNoChunkLocked() {
    PrefixStore store = new PrefixStore(40, 511, new PrefixTally(Adder::new));
    for (int round = 0; round < ROUNDS; round++) {
      stored.add(random.nextLong() >>> 5);
      store.put(stored.get(round), true);
    }
    for (int round = 0; round < ROUNDS / 2; round++) {
      long hash = stored.remove(stored.size() - 1);
      fails = true;
      assertThatThrownBy(() -> store.remove(hash)).isInstanceOf(StackOverflowError.class);
      fails = false;
      assertNothingIsLocked(store);
    }
    assertNothingIsLost(store);
  }

  /** Tries an operation with less and less of the stack left, as an overflow leaves it. */
  @SuppressWarnings("InfiniteRecursion") // until the stack ends
  private static boolean atTheEndOfTheStack(LongConsumer change, long hash) {
    try {
      if (atTheEndOfTheStack(change, hash)) {
        return true;
      }
    } catch (StackOverflowError e) {
      // this call is one of the last that the stack has room for
    }
    try {
      change.accept(hash);
      return true;
    } catch (StackOverflowError e) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStackOverflowLeavesNoChunkLocked(boolean always) throws InterruptedException {
    // few keys fill a chunk, so that many puts split one
    PrefixStore store = new PrefixStore(12, 40);
    Throwable[] thrown = new Throwable[1];
    Thread thread =
        new Thread(
            null,
            () -> {
              for (int round = 0; round < OVERFLOWS; round++) {
                long hash = hash(round);
                assertThat(atTheEndOfTheStack(it -> store.put(it, always), hash)).isTrue();
                stored.add(hash);
                if (always && round % 3 == 0) {
                  // it was put before, or the put that failed has stored it
                  store.put(hash, true);
                  atTheEndOfTheStack(store::remove, hash);
                }
                assertNothingIsLocked(store);
              }
            },
            "at the end of its stack",
            1 << 17);
    thread.setUncaughtExceptionHandler((dead, e) -> thrown[0] = e);
    thread.start();
    thread.join();
    assertThat(thrown[0]).isNull();
    assertNothingIsLost(store);
  }
}
