package dev.bellows.internal.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bellows.plan.Oracles;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class CompositeNumbersTest {
  @TestFactory
  Stream<DynamicTest> sequences() {
    return Oracles.cases(
        "000_folding",
        "composite_sequences_up_to_831600",
        (c, all) -> {
          long limit = c.integer("limit");
          assertThat(CompositeNumbers.highly(limit)).containsExactly(numbers(c, "highly"));
        });
  }

  @SuppressWarnings("unchecked")
  private static long[] numbers(Oracles.Case c, String field) {
    return ((List<Number>) c.expected(field)).stream().mapToLong(Number::longValue).toArray();
  }

  @Test
  void everyLimitAgreesWithASieveOfDivisors() {
    int limit = 3_000_000;
    int[] divisors = new int[limit + 1];
    for (int d = 1; d <= limit; d++) {
      for (int multiple = d; multiple <= limit; multiple += d) {
        divisors[multiple]++;
      }
    }
    LongStream.Builder highly = LongStream.builder();
    int most = 0;
    for (int number = 1; number <= limit; number++) {
      if (divisors[number] > most) {
        highly.add(number);
        most = divisors[number];
      }
    }
    assertThat(CompositeNumbers.highly(limit)).containsExactly(highly.build().toArray());
    for (long small = 1; small < 200; small++) {
      long cut = small;
      assertThat(CompositeNumbers.highly(small))
          .containsExactly(
              LongStream.of(CompositeNumbers.highly(limit)).filter(n -> n <= cut).toArray());
    }
  }

  @Test
  void nextHighlyComposite() {
    long[] highly = CompositeNumbers.highly(2_000_000);
    int index = 0;
    for (long number = 1; number < 1_000_000; number += 1 + number / 50) {
      while (highly[index] < number) {
        index++;
      }
      assertThat(CompositeNumbers.nextHighly(number)).isEqualTo(highly[index]);
    }
    assertThat(CompositeNumbers.nextHighly(1_000_000_000_000_000L))
        .isEqualTo(1_010_824_870_255_200L);
    assertThat(CompositeNumbers.nextHighly(CompositeNumbers.LARGEST))
        .isGreaterThan(CompositeNumbers.LARGEST);
  }

  @Test
  void everyRecordIsTheNextOfItself() {
    long[] highly = CompositeNumbers.highly(10_000_000_000_000_000L);
    for (long record : highly) {
      assertThat(CompositeNumbers.nextHighly(record)).isEqualTo(record);
      assertThat(CompositeNumbers.nextHighly(Math.max(1, record / 2 + 1)))
          .isLessThanOrEqualTo(record);
    }
    assertThat(CompositeNumbers.highly(Long.MAX_VALUE)).isSorted();
  }

  @Test
  void hostileArgumentsAreNamed() {
    assertThatIllegalArgumentException().isThrownBy(() -> CompositeNumbers.highly(0));
    assertThatIllegalArgumentException().isThrownBy(() -> CompositeNumbers.nextHighly(0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CompositeNumbers.nextHighly(Long.MAX_VALUE));
  }
}
