package dev.bellows.internal.prefixes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.SmallStack;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is thrown inside a put or a remove, no chunk stays locked and no other key is lost. */
class PrefixFailureTest {
  private static final int ROUNDS = 2000;
  private static final int OVERFLOWS = 400;

  /** Set if the next change of a count should fail. */
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
    PrefixStore copy = store.copy();
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
  void anErrorInAPutLeavesTheChunkAsItWas(boolean isSet) {
    PrefixStore store =
        new PrefixStore(isSet, 12, 511, PrefixStore.Tags.NONE, new PrefixTally(0, Adder::new));
    for (int round = 0; round < ROUNDS; round++) {
      long hash = hash(round);
      fails = true;
      try {
        assertThat(store.put(hash)).isFalse();
      } catch (StackOverflowError e) {
        assertNothingIsLocked(store);
      }
      fails = false;
      store.put(hash);
      stored.add(hash);
    }
    assertThat(store.chunks()).isGreaterThan(1);
    assertNothingIsLost(store);
  }

  @Test
  void anErrorInARemoveLeavesTheChunkAsItWas() {
    PrefixStore store =
        new PrefixStore(false, 40, 511, PrefixStore.Tags.NONE, new PrefixTally(0, Adder::new));
    for (int round = 0; round < ROUNDS; round++) {
      stored.add(random.nextLong() >>> 5);
      store.put(stored.get(round));
    }
    for (long hash : stored) {
      fails = true;
      assertThatThrownBy(() -> store.remove(hash)).isInstanceOf(StackOverflowError.class);
      fails = false;
      assertNothingIsLocked(store);
    }
    assertNothingIsLost(store);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStackOverflowInAPutLeavesTheChunkAsItWas(boolean isSet) throws InterruptedException {
    // few keys fill a chunk, so that many puts split one
    PrefixStore store = new PrefixStore(isSet, 12, 40);
    SmallStack.run(
        () -> {
          for (int round = 0; round < OVERFLOWS; round++) {
            long hash = hash(round);
            assertThat(SmallStack.atItsEnd(() -> store.put(hash))).isTrue();
            stored.add(hash);
            assertNothingIsLocked(store);
          }
        });
    assertNothingIsLost(store);
  }

  /** A change that throws has not happened: repeated until it returns, it happens once. */
  @Test
  void operationsThatThrowHaveNoEffect() throws InterruptedException {
    // many prefixes in few buckets, so that most of them are spilled
    PrefixStore store = new PrefixStore(false, 40, 300);
    SmallStack.run(
        () -> {
          for (int round = 0; round < OVERFLOWS; round++) {
            long hash = random.nextLong() & 0xF000_0FFF_FFFF_FFFFL;
            assertThat(SmallStack.atItsEnd(() -> store.put(hash))).isTrue();
            stored.add(hash);
            if (round % 3 == 2) {
              long gone = stored.remove(random.nextInt(stored.size()));
              assertThat(SmallStack.atItsEnd(() -> store.remove(gone))).isTrue();
            }
            assertNothingIsLocked(store);
          }
        });
    assertNothingIsLost(store);
    assertThat(store.copy().tally().total()).isEqualTo(stored.size());
  }

  /** Removals that join chunks, with too little stack for it at first. */
  @Test
  void aStackOverflowInAJoinLeavesBothChunksAsTheyWere() throws InterruptedException {
    PrefixStore store = new PrefixStore(false, 40, 16);
    for (int round = 0; round < OVERFLOWS; round++) {
      stored.add(random.nextLong());
      store.put(stored.get(round));
    }
    SmallStack.run(
        () -> {
          while (stored.size() > 10) {
            long gone = stored.remove(random.nextInt(stored.size()));
            // enough for the removal, and from there on for more and more of the join
            AtomicInteger spare = new AtomicInteger(stored.size() % 120);
            Runnable change =
                () -> {
                  if (spare.getAndDecrement() > 0) {
                    throw new StackOverflowError("by the test");
                  }
                  store.remove(gone);
                };
            assertThat(SmallStack.atItsEnd(change)).isTrue();
            assertNothingIsLocked(store);
          }
        });
    assertNothingIsLost(store);
    assertThat(store.joins()).isPositive();
    assertThat(store.copy().tally().total()).isEqualTo(stored.size());
  }
}
