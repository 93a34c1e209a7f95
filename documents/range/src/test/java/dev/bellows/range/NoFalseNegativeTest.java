package dev.bellows.range;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.HashScheme;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything that was put is found, by every query, in every scheme, up to the last long. */
class NoFalseNegativeTest {
  private static final long MIN = Long.MIN_VALUE;
  private static final long MAX = Long.MAX_VALUE;

  static Stream<Domain> domains() {
    return Stream.of(
        Domain.of(1, 120),
        Domain.of(-1_800_000, 1_800_000),
        Domain.of(-77, -13),
        Domain.of(0, 0),
        Domain.of(5, 6),
        Domain.of(MIN, MAX),
        Domain.of(MIN, 0),
        Domain.of(MIN, MIN + 999),
        Domain.of(MAX - 1000, MAX),
        Domain.of(-1, MAX),
        Domain.ofSize(1000),
        Domain.ofSize(MAX));
  }

  @ParameterizedTest
  @MethodSource("domains")
  void randomRangesAreFound(Domain domain) {
    SplittableRandom random = new SplittableRandom(domain.hashCode());
    for (int hashes : new int[] {1, 2, 7, 10}) {
      for (long divide : new long[] {1, 2, 7, 64}) {
        for (Attribute attribute : RangeSchemas.all(domain, hashes, divide)) {
          for (int trial = 0; trial < 10; trial++) {
            check(attribute, random);
          }
        }
      }
    }
  }

  private static void check(Attribute attribute, SplittableRandom random) {
    Domain domain = attribute.domain();
    RangeBloomFilter filter =
        RangeBloomFilter.create(
            RangeSchemas.one(4001, attribute), HashScheme.xxh3(random.nextLong()));
    for (int put = 0; put < 2; put++) {
      long low = start(domain, random);
      long room = domain.open() ? Math.min(domain.high(), MAX - low) : domain.high() - low;
      long steps = length(room, random);
      long high = low + steps;
      filter.putRange("x", low, high);
      for (int question = 0; question < 8; question++) {
        long from = low + length(steps, random);
        long to = from + length(high - from, random);
        assertThat(filter.mightContain("x", from)).isTrue();
        assertThat(filter.mightContainRange("x", from, to)).isTrue();
        assertThat(filter.mightIntersect("x", from, to)).isTrue();
        long before = from - Math.min(300, room(domain.open() ? MIN : domain.low(), from));
        long after = to + Math.min(300, room(to, domain.open() ? MAX : domain.high()));
        if (!domain.open() || (after - before >= 0 && after - before < domain.size())) {
          assertThat(filter.mightIntersect("x", before, after)).isTrue();
          assertThat(filter.mightIntersect("x", before, to)).isTrue();
          assertThat(filter.mightIntersect("x", from, after)).isTrue();
        }
      }
      assertThat(filter.mightContain("x", high)).isTrue();
      assertThat(filter.mightContainRange("x", low, high)).isTrue();
    }
  }

  private static long start(Domain domain, SplittableRandom random) {
    long low = domain.open() ? MIN : domain.low();
    long high = domain.open() ? MAX : domain.high();
    return switch (random.nextInt(5)) {
      case 0 -> low;
      case 1 -> high;
      case 2 -> high - Math.min(room(low, high), random.nextInt(500));
      case 3 -> low + Math.min(room(low, high), random.nextInt(500));
      default ->
          room(low, high) < MAX
              ? low + random.nextLong(high - low + 1)
              : Math.min(high, Math.max(low, random.nextLong()));
    };
  }

  /** The steps between two numbers, or the last long if there are more. */
  private static long room(long low, long high) {
    return high - low < 0 ? MAX : high - low;
  }

  /** How many steps from the low to the high end: none, all (if few) or some. */
  private static long length(long room, SplittableRandom random) {
    long most = room < 0 ? 400 : Math.min(room, 400);
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> most;
      default -> random.nextLong(most + 1);
    };
  }

  @ParameterizedTest
  @MethodSource("domains")
  void wholeDomainsAreFound(Domain domain) {
    for (Attribute attribute : RangeSchemas.all(domain, 5, 100)) {
      if (domain.size() > 10_000_000 || domain.open()) {
        continue;
      }
      RangeBloomFilter filter = RangeBloomFilter.create(RangeSchemas.one(2000, attribute));
      filter.putRange("x", domain.low(), domain.high());
      assertThat(filter.mightContainRange("x", domain.low(), domain.high())).isTrue();
      assertThat(filter.mightContain("x", domain.low())).isTrue();
      assertThat(filter.mightContain("x", domain.high())).isTrue();
      long middle = domain.low() / 2 + domain.high() / 2;
      assertThat(filter.mightContain("x", middle)).isTrue();
      assertThat(filter.mightContainRange("x", middle, domain.high())).isTrue();
      assertThat(filter.mightIntersect("x", middle, middle)).isTrue();
    }
  }

  @Test
  void everySubrangeOfASmallDomainIsFound() {
    for (Domain domain :
        List.of(Domain.of(-9, 11), Domain.of(MAX - 20, MAX), Domain.of(MIN, MIN + 17))) {
      for (Attribute attribute : RangeSchemas.all(domain, 4, 3)) {
        for (long low = domain.low(); ; low++) {
          for (long high = low; ; high++) {
            RangeBloomFilter filter = RangeBloomFilter.create(RangeSchemas.one(3000, attribute));
            filter.putRange("x", low, high);
            askEverything(filter, domain, low, high);
            if (high == domain.high()) {
              break;
            }
          }
          if (low == domain.high()) {
            break;
          }
        }
      }
    }
  }

  private static void askEverything(RangeBloomFilter filter, Domain domain, long low, long high) {
    for (int i = 0; i <= domain.high() - domain.low(); i++) {
      for (int j = i; j <= domain.high() - domain.low(); j++) {
        long from = domain.low() + i;
        long to = domain.low() + j;
        if (low <= from && to <= high) {
          assertThat(filter.mightContainRange("x", from, to)).isTrue();
        }
        if (from <= high && low <= to) {
          assertThat(filter.mightIntersect("x", from, to)).isTrue();
        }
      }
    }
  }

  @Test
  void rangesPutInPiecesAreFoundAsAWhole() {
    SplittableRandom random = new SplittableRandom(5);
    Domain domain = Domain.of(-5000, 5000);
    for (Attribute attribute : RangeSchemas.all(domain, 3, 9)) {
      for (int trial = 0; trial < 50; trial++) {
        RangeBloomFilter filter = RangeBloomFilter.create(RangeSchemas.one(1 << 20, attribute));
        long low = random.nextLong(-5000, 4000);
        long next = low;
        while (next <= low + 900) {
          long end = Math.min(next + random.nextInt(60), low + 900);
          filter.putRange("x", next, end);
          next = end + 1;
        }
        assertThat(filter.mightContainRange("x", low, low + 900)).isTrue();
        assertThat(filter.mightContainRange("x", low + 17, low + 800)).isTrue();
        assertThat(filter.mightIntersect("x", -5000, 5000)).isTrue();
      }
    }
  }
}
