package dev.bellows.internal.prefixes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class PrefixTallyTest {
  @Test
  void sumsUpWhatThereIs() {
    PrefixTally tally = new PrefixTally();
    tally.add(3, 2);
    tally.add(10, 1);
    assertThat(tally.total()).isEqualTo(3);
    assertThat(tally.rate()).isEqualTo(2 / 8.0 + 1 / 1024.0);
    assertThat(tally.rateAt(4)).isEqualTo(2 / 8.0 + 1 / 16.0);
    assertThat(tally.shortest()).isEqualTo(3);
    assertThat(tally.longest()).isEqualTo(10);
    split(tally, 3, 2, 4);
    assertThat(tally.total()).isEqualTo(5);
    assertThat(tally.copies()).isEqualTo(2);
    assertThat(tally.rate()).isEqualTo(4 / 16.0 + 1 / 1024.0);
  }

  /** While a chunk splits, a filter must not report a lower rate than it has. */
  @Test
  void neverSeemsLowerWhileAChunkSplits() throws InterruptedException {
    AtomicReference<PrefixTally> latest = new AtomicReference<>(full());
    double rate = full().rate();
    AtomicBoolean isOver = new AtomicBoolean();
    Thread splitting =
        new Thread(
            () -> {
              for (int i = 0; i < 300_000; i++) {
                PrefixTally tally = full();
                latest.set(tally);
                split(tally, 20, 500, 1000);
              }
              isOver.set(true);
            });
    splitting.start();
    double least = rate;
    while (!isOver.get()) {
      least = Math.min(least, latest.get().rate());
    }
    splitting.join();
    assertThat(least).isEqualTo(rate);
  }

  /** Replaces prefixes of a length by others that are longer by one bit. */
  private static void split(PrefixTally tally, int length, int endings, int copied) {
    int[] changes = new int[PrefixTally.LENGTHS];
    changes[length] = -endings;
    changes[length + 1] = copied;
    tally.addAll(changes, true);
    tally.addAll(changes, false);
    tally.addCopies(copied / 2);
  }

  private static PrefixTally full() {
    PrefixTally tally = new PrefixTally();
    tally.add(20, 500);
    return tally;
  }
}
