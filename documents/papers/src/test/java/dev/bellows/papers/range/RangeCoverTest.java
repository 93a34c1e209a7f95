package dev.bellows.papers.range;

import static dev.bellows.plan.Oracles.CLOSED_FORM;
import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.internal.range.HashOffset;
import dev.bellows.internal.range.RangeRates;
import dev.bellows.plan.Oracles;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class RangeCoverTest {
  @TestFactory
  Stream<DynamicTest> perStart() {
    return Oracles.cases(
        "003_ranges",
        "per_start_counts",
        (c, all) -> {
          RangeCover cover =
              RangeCover.of(
                  c.integer("start"), c.integer("n"), c.integer("d"), c.small("s"), c.small("k"));
          assertThat(cover.firstDivision()).isEqualTo(number(c, "first_division"));
          assertThat(cover.lastDivision()).isEqualTo(number(c, "last_division"));
          assertThat(cover.divisions()).isEqualTo(number(c, "divisions"));
          assertThat(cover.insertionBits()).isEqualTo(number(c, "bits"));
          assertThat(cover.leftErrors()).isEqualTo(number(c, "dividing_errors_left"));
          assertThat(cover.rightErrors()).isEqualTo(number(c, "dividing_errors_right"));
        });
  }

  @Test
  void meanBitsAreTheMeanOverAllStarts() {
    for (long divide = 1; divide <= 12; divide++) {
      for (long range = 1; range <= 30; range++) {
        double bits = 0;
        double errors = 0;
        for (long start = -divide; start < 0; start++) {
          RangeCover cover = RangeCover.of(start, range, divide, 3, 8);
          bits += cover.insertionBits();
          errors += cover.leftErrors() + cover.rightErrors();
        }
        assertClose(RangeRates.insertionBits(range, divide, 3, 8), bits / divide, CLOSED_FORM);
        assertClose(divide - 1.0, errors / divide, CLOSED_FORM);
      }
    }
  }

  @Test
  void aRangeOwnsExactlyItsInsertionBits() {
    for (int hashes = 1; hashes <= 12; hashes++) {
      for (int shift = 1; shift <= hashes; shift++) {
        for (long divide = 1; divide <= 4; divide++) {
          RangeCover cover = RangeCover.of(-7, 20, divide, shift, hashes);
          Set<List<Long>> positions = new HashSet<>();
          for (long e = cover.firstDivision(); e <= cover.lastDivision(); e++) {
            for (HashOffset index : HashOffset.indices(hashes, shift)) {
              positions.add(List.of((long) index.hash(), e + index.offset()));
            }
          }
          assertThat(positions).hasSize((int) cover.insertionBits());
        }
      }
    }
  }

  private static long number(Oracles.Case c, String field) {
    return ((Number) c.expected(field)).longValue();
  }
}
