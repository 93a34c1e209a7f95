package dev.bellows.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.FoldedFilters;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a counting filter promises beyond every foldable filter. */
public abstract class CountingContract extends FoldableFilterContract<CountingBloomFilter> {
  protected abstract Layout.Family layout();

  protected final CountingBloomFilter.Builder builder() {
    return CountingBloomFilter.builder().layout(layout());
  }

  @Override
  protected CountingBloomFilter create(HashScheme scheme) {
    return builder().keys(4150).fpp(0.01).hashScheme(scheme).build();
  }

  @Override
  protected final CountingBloomFilter create(long bits) {
    return builder().bits(bits).hashes(create().hashes()).build();
  }

  @Override
  protected final CountingBloomFilter identified(long id) {
    CountingBloomFilter like = create();
    return builder().bits(like.bits()).hashes(like.hashes()).id(id).build();
  }

  @Test
  void removedKeysAreGoneAndTheOthersStay() {
    CountingBloomFilter filter = filled(0, 2000);
    for (long i = 0; i < 1000; i++) {
      assertThat(filter.remove(i)).isTrue();
    }
    assertThat(filter).isEqualTo(filled(1000, 2000));
    assertThat(LongStream.range(1000, 2000)).allMatch(filter::mightContain);
  }

  @Test
  void aKeyPutTwiceIsRemovedTwice() {
    CountingBloomFilter filter = create();
    assertThat(filter.put("x")).isTrue();
    assertThat(filter.put("x")).isFalse();
    assertThat(filter.remove("x")).isTrue();
    assertThat(filter.mightContain("x")).isTrue();
    assertThat(filter.remove("x")).isTrue();
    assertThat(filter).isEqualTo(create());
    assertThat(filter.remove("x")).isFalse();
  }

  @Test
  void removingACertainlyAbsentKeyChangesNothing() {
    CountingBloomFilter filter = filled(0, 3000);
    byte[] before = filter.toBytes();
    int refused = 0;
    for (long i = 10_000; i < 20_000; i++) {
      if (!filter.mightContain(i)) {
        assertThat(filter.remove(i)).isFalse();
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(9000);
    assertThat(filter.toBytes()).isEqualTo(before);
  }

  @Test
  void foldingCommutesWithRemoval() {
    CountingBloomFilter filter = filled(0, 600);
    CountingBloomFilter folded = filter.foldBy(2);
    for (long i = 0; i < 300; i++) {
      filter.remove(i);
      folded.remove(i);
    }
    assertThat(filter.foldBy(2)).isEqualTo(folded);
  }

  @Test
  void countersWidenOnDemandAndLoseNothing() {
    CountingBloomFilter filter = create();
    for (int i = 0; i < 70_000; i++) {
      filter.put("hot");
    }
    filter.put("cold");
    assertThat(filter.counterBits()).isEqualTo(32);
    for (int i = 0; i < 70_000; i++) {
      assertThat(filter.remove("hot")).isTrue();
    }
    assertThat(filter.mightContain("cold")).isTrue();
    assertThat(filter.mightContain("hot")).isFalse();
  }

  @Test
  void saturatedCountersStick() {
    CountingBloomFilter filter = builder().keys(4150).fpp(0.01).counterBits(4).saturating().build();
    for (int i = 0; i < 20; i++) {
      filter.put("hot");
    }
    assertThat(filter.counterBits()).isEqualTo(4);
    for (int i = 0; i < 40; i++) {
      assertThat(filter.remove("hot")).isTrue();
    }
    assertThat(filter.mightContain("hot")).isTrue();
    assertThat(filter.foldBy(2).mightContain("hot")).isTrue();
    assertThat(filter.union(builder().keys(4150).fpp(0.01).build()).mightContain("hot")).isTrue();
    assertThatThrownBy(() -> filter.subtract(filter)).hasMessageContaining("saturated");
  }

  /** A saturated counter is "this many or more" at every width: it never counts down. */
  @Test
  void saturatedCountersStaySaturatedWhenAUnionWidens() {
    CountingBloomFilter saturating =
        builder().keys(4000).fpp(0.01).counterBits(4).saturating().build();
    for (int i = 0; i < 20; i++) {
      saturating.put("K");
    }
    CountingBloomFilter widening = builder().keys(4000).fpp(0.01).build();
    for (CountingBloomFilter union :
        List.of(widening.union(saturating), putAll(widening.copy(), saturating))) {
      for (int i = 0; i < 300; i++) {
        union.put("other");
      }
      assertThat(union.counterBits()).isGreaterThan(4);
      for (int i = 0; i < 15; i++) {
        union.remove("K");
      }
      assertThat(union.mightContain("K")).isTrue();
      for (int i = 0; i < 1000; i++) {
        union.remove("K");
      }
      assertThat(union.mightContain("K")).isTrue();
    }
  }

  private static CountingBloomFilter putAll(CountingBloomFilter into, CountingBloomFilter other) {
    into.putAll(other);
    return into;
  }

  @Test
  void filtersWithEqualCountsAreEqualRegardlessOfWidth() throws IOException {
    CountingBloomFilter narrow = filled(0, 500);
    CountingBloomFilter wide = filled(0, 500);
    for (int i = 0; i < 300; i++) {
      wide.put("often");
    }
    assertThat(wide).isNotEqualTo(narrow);
    for (int i = 0; i < 300; i++) {
      wide.remove("often");
    }
    assertThat(wide.counterBits()).isGreaterThan(narrow.counterBits());
    assertThat(wide).isEqualTo(narrow).hasSameHashCodeAs(narrow);
    assertThat(narrow).isEqualTo(wide);
    assertThat(CountingBloomFilter.fromBytes(wide.toBytes())).isEqualTo(narrow);
    wide.put(1L);
    assertThat(wide).isNotEqualTo(narrow);
  }

  /** The state depends on the values: widening does not change it. */
  @Test
  void statesDependOnValuesNotWidths() throws IOException {
    CountingBloomFilter narrow = fill(identified(3), 0, 500);
    CountingBloomFilter wide = fill(identified(3), 0, 500);
    for (int i = 0; i < 300; i++) {
      wide.put("often");
    }
    assertThat(wide.state()).isNotEqualTo(narrow.state());
    for (int i = 0; i < 300; i++) {
      wide.remove("often");
    }
    assertThat(wide.counterBits()).isGreaterThan(narrow.counterBits());
    assertThat(wide.state()).isEqualTo(narrow.state());
    assertThat(CountingBloomFilter.fromBytes(wide.toBytes()).state()).isEqualTo(narrow.state());
    assertThat(
            FoldedFilters.of(wide.foldBy(2).toBloomFilter())
                .with(narrow.toBloomFilter())
                .mightContain(7L))
        .isTrue();
  }

  @Test
  void putAllOfAFilterCountsEveryPutOfIt() {
    CountingBloomFilter filter = filled(0, 500);
    filter.putAll(fill(create(3 * filter.bits()), 400, 900));
    CountingBloomFilter expected = filled(0, 500);
    fill(expected, 400, 900);
    assertThat(filter).isEqualTo(expected);
    assertThatThrownBy(() -> fill(create(3 * filter.bits()), 0, 9).putAll(filter))
        .hasMessageContaining("use union");
    CountingBloomFilter folding = fill(identified(4), 0, 100).foldBy(2);
    folding.putAll(filled(0, 1));
    assertThat(folding.filterId()).isZero();
  }

  @Test
  void foldingSaturatesOrWidensWhereSumsGrow() {
    CountingBloomFilter saturating =
        builder().keys(4150).fpp(0.01).counterBits(4).saturating().build();
    CountingBloomFilter widening = builder().keys(4150).fpp(0.01).build();
    fill(saturating, 0, 3000);
    fill(widening, 0, 3000);
    long factor = widening.bits() / cellBits(widening);
    assertThat(widening.foldBy(factor).counterBits()).isGreaterThan(4);
    assertThat(saturating.foldBy(factor).counterBits()).isEqualTo(4);
    assertThat(LongStream.range(0, 3000)).allMatch(saturating.foldBy(factor)::mightContain);
  }

  @Test
  void subtractTakesASubMultisetAndRefusesAnythingElse() {
    CountingBloomFilter all = filled(0, 1000);
    assertThat(all.subtract(filled(600, 1000))).isEqualTo(filled(0, 600));
    assertThat(all.subtract(all)).isEqualTo(create());
    CountingBloomFilter smaller = fill(create(all.bits() / 2), 600, 1000);
    assertThat(all.subtract(smaller)).isEqualTo(fill(create(all.bits() / 2), 0, 600));
    assertThatThrownBy(() -> all.subtract(filled(900, 1100)))
        .hasMessageContaining("some key there is not here");
    assertThat(all).isEqualTo(filled(0, 1000));
  }

  /** Two keys of 8 puts each, which share a counter only in the folding. */
  @Test
  void countersThatSaturateWhenTheyAreFoldedAreNotSubtracted() {
    CountingBloomFilter.Builder small =
        builder().bits(4096).hashes(create().hashes()).counterBits(4).saturating();
    CountingBloomFilter both;
    CountingBloomFilter one;
    long key = 0;
    do {
      both = small.bits(4096).build();
      one = small.bits(2048).build();
      for (int i = 0; i < 8; i++) {
        both.put(key);
        both.put(key + 1);
        one.put(key);
      }
      key += 2;
    } while (isSaturated(both) || !isSaturated(both.foldTo(2048)) || isSaturated(one));
    CountingBloomFilter all = both;
    CountingBloomFilter part = one;
    assertThatThrownBy(() -> all.subtract(part)).hasMessageContaining("saturated");
  }

  private static boolean isSaturated(CountingBloomFilter filter) {
    return LongStream.range(0, filter.bits()).anyMatch(i -> filter.count(i) == 15);
  }

  @Test
  void thePlainFilterIsTheOneBuiltFromTheSameKeys() {
    CountingBloomFilter filter = filled(0, 800);
    BloomFilter plain =
        BloomFilter.builder().bits(filter.bits()).hashes(filter.hashes()).layout(layout()).build();
    for (long i = 0; i < 800; i++) {
      plain.put(i);
    }
    assertThat(filter.toBloomFilter()).isEqualTo(plain);
    assertThat(filter.expectedFpp()).isEqualTo(plain.expectedFpp());
    assertThat(filter.approximateElementCount()).isEqualTo(plain.approximateElementCount());
  }

  @Test
  void randomPutsAndRemovesNeverLoseAPresentKey() {
    CountingBloomFilter filter = create();
    SplittableRandom random = new SplittableRandom(9);
    int[] puts = new int[500];
    for (int step = 0; step < 50_000; step++) {
      int key = random.nextInt(puts.length);
      if (random.nextBoolean() || puts[key] == 0) {
        filter.put((long) key);
        puts[key]++;
      } else {
        assertThat(filter.remove((long) key)).isTrue();
        puts[key]--;
      }
    }
    for (int key = 0; key < puts.length; key++) {
      if (puts[key] > 0) {
        assertThat(filter.mightContain((long) key)).isTrue();
      }
      while (puts[key]-- > 0) {
        assertThat(filter.remove((long) key)).isTrue();
      }
    }
    assertThat(filter.stats().ones()).isZero();
  }

  @Test
  void impossibleWidthsAreRefused() {
    assertThatThrownBy(() -> builder().counterBits(5)).hasMessageContaining("4, 8, 16 or 32");
  }
}
