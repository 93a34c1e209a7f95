package dev.bellows.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.internal.math.BinomialInterval;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The events of a stream that were passed on, compared with the stream itself.
 *
 * @param passed events that were passed on
 * @param dropped events that were dropped although no event with the id was passed on near them
 */
record Exactly(long passed, long dropped) {
  private static final double ALPHA = 1e-9;

  /**
   * Requires that no event was passed on twice, and no two with the same id less than a window
   * apart; counts the events that were dropped where no passed one with the id is near.
   *
   * @param counts how often each event was passed on
   * @param near how long, at most, an id is known
   */
  static Exactly of(Visit.Script script, int[] counts, long window, long near) {
    Map<Long, List<Long>> times = new HashMap<>();
    long passed = 0;
    for (int i = 0; i < counts.length; i++) {
      assertThat(counts[i]).as("how often event %d was passed on", i).isBetween(0, 1);
      if (counts[i] == 1) {
        passed++;
        Visit visit = script.visit(i);
        List<Long> its = times.computeIfAbsent(visit.id, any -> new ArrayList<>(1));
        for (long other : its) {
          if (Math.abs(other - visit.time) < window) {
            throw new AssertionError(
                "id %d was passed on at %d and %d".formatted(visit.id, other, visit.time));
          }
        }
        its.add(visit.time);
      }
    }
    long dropped = 0;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] == 0) {
        Visit visit = script.visit(i);
        if (times.getOrDefault(visit.id, List.of()).stream()
            .noneMatch(time -> Math.abs(time - visit.time) <= near)) {
          dropped++;
        }
      }
    }
    return new Exactly(passed, dropped);
  }

  /** Requires that the share of dropped new events is not above this one, by more than chance. */
  void requireRate(double fpp) {
    BinomialInterval share = BinomialInterval.of(dropped, passed + dropped, ALPHA);
    assertThat(share.low()).as("the least share of dropped new events: %s", this).isLessThan(fpp);
  }
}
