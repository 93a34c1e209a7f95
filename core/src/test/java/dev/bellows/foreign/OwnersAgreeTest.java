package dev.bellows.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.Foldable.FoldSize;
import dev.bellows.foreign.ForeignFilter.Format;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every format compared with the library that owns it: same bytes, same answers, same foldings. */
class OwnersAgreeTest {
  private static final int HASHES = 5;

  static Stream<Arguments> ownersAndTypes() {
    return Owner.all().stream()
        .flatMap(owner -> owner.types().stream().map(type -> Arguments.of(owner, type)));
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("ownersAndTypes")
  void aFoldedFilterEqualsTheOneItsLibraryBuildsAtThatSize(Owner owner, Format.KeyType type)
      throws IOException {
    for (long bits : owner.sizes()) {
      List<Object> keys = ForeignKeys.of(type, (int) (bits / 20) + 1, bits);
      ForeignFilter filter =
          ForeignFilter.fromBytes(owner.built(bits, HASHES, type, keys), owner.format());
      for (FoldSize size : filter.ladder()) {
        byte[] folded = filter.foldBy(size.factor()).toBytes();
        assertThat(folded)
            .as("%d bits folded by %d", bits, size.factor())
            .isEqualTo(owner.built(size.bits(), HASHES, type, keys));
        Owner.Loaded loaded = owner.load(folded, type);
        assertThat(keys).allMatch(loaded::mightContain);
      }
    }
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("ownersAndTypes")
  void answersAreThoseOfTheLibrary(Owner owner, Format.KeyType type) throws IOException {
    long bits = owner.sizes().get(0);
    List<Object> keys = ForeignKeys.of(type, (int) (bits / 10), 1);
    byte[] bytes = owner.built(bits, HASHES, type, keys);
    Owner.Loaded loaded = owner.load(bytes, type);
    ForeignFilter filter = ForeignFilter.fromBytes(bytes, owner.format());
    List<Object> asked = new ArrayList<>(ForeignKeys.of(type, 20_000, 2));
    asked.addAll(keys);
    int passed = 0;
    for (Object key : asked) {
      boolean theirs = loaded.mightContain(key);
      assertThat(ForeignKeys.ask(filter, key, type)).isEqualTo(theirs);
      passed += theirs ? 1 : 0;
    }
    assertThat(passed).isGreaterThan(keys.size()).isLessThan(asked.size() / 2);
  }

  @ParameterizedTest
  @MethodSource("dev.bellows.foreign.Owner#all")
  void bytesSurviveReadingAndWriting(Owner owner) throws IOException {
    for (long bits : owner.sizes()) {
      byte[] bytes =
          owner.built(bits, 3, Format.KeyType.LONG, ForeignKeys.of(Format.KeyType.LONG, 20, bits));
      ForeignFilter filter = ForeignFilter.fromBytes(bytes, owner.format());
      assertThat(filter.toBytes()).isEqualTo(bytes);
      assertThat(filter.stats().bytes()).isEqualTo(bytes.length);
      assertThat(filter.bits()).isEqualTo(bits);
      assertThat(ForeignFilter.fromBytes(filter.toBytes(), owner.format()))
          .isEqualTo(filter)
          .hasSameHashCodeAs(filter);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.bellows.foreign.Owner#all")
  void theLadderHasEveryDivisorOfItsUnits(Owner owner) throws IOException {
    for (long bits : owner.sizes()) {
      ForeignFilter filter = ForeignFilter.fromBytes(owner.empty().bytes(bits, 3), owner.format());
      long unit =
          switch (owner.format()) {
            case GUAVA, SPARK -> 64;
            case PARQUET -> 256;
            case HADOOP -> 1;
          };
      List<Long> sizes = new ArrayList<>();
      for (long size = unit; size <= bits; size += unit) {
        if (bits % size == 0) {
          sizes.add(size);
        }
      }
      assertThat(filter.ladder()).extracting(FoldSize::bits).isEqualTo(sizes);
    }
  }
}
