package dev.bellows.spark.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

/** A filter is queried as long as that pays off, and tried again later. */
class WatchTest {
  private static final int ROUND = Watch.ASKED + Watch.UNASKED;

  /** Returns the number of queried rows in some rounds, with answers given by a predicate. */
  private static long asked(Watch watch, long rows, LongPredicate mayMatch) {
    long asked = 0;
    for (long row = 0; row < rows; row++) {
      if (watch.asks()) {
        asked++;
        assertThat(watch.answered(mayMatch.test(row))).isEqualTo(mayMatch.test(row));
      }
    }
    return asked;
  }

  @Test
  void aFilterThatDropsEnoughIsAlwaysQueried() {
    assertThat(asked(new Watch(0.9), 3L * ROUND, row -> row % 20 != 0 || row % 40 == 0))
        .as("more pass than 0.9 of them")
        .isEqualTo(3L * Watch.ASKED);
    assertThat(asked(new Watch(0.9), 3L * ROUND, row -> row % 5 != 0))
        .as("0.8 of them pass")
        .isEqualTo(3L * ROUND);
  }

  @Test
  void aShareOfOneAlwaysQueries() {
    assertThat(asked(new Watch(1), 2L * ROUND, row -> true)).isEqualTo(2L * ROUND);
  }

  @Test
  void rowsThatComeLaterAreTriedAgain() {
    long rows = 4L * ROUND;
    assertThat(asked(new Watch(0.9), rows, row -> row < ROUND))
        .as("nothing passes after the first round")
        .isEqualTo(Watch.ASKED + 3L * ROUND);
    assertThat(asked(new Watch(0.9), rows, row -> row >= ROUND))
        .as("everything passes after the first round")
        .isEqualTo(ROUND + 3L * Watch.ASKED);
  }
}
