package dev.bellows.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.HashScheme;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.range.RangeRates;
import dev.bellows.io.FilterKind;
import dev.bellows.io.Filters;
import dev.bellows.io.ReadOptions;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RangeBloomFilterTest {
  private static final Attribute AGE =
      Attribute.divisionOverlapping("age", Domain.of(1, 120), 8, 1, 3);
  private static final Attribute INCOME =
      Attribute.divisionOverlapping("income", Domain.of(0, 5_000_000), 8, 9135, 1);
  private static final Attribute LONGITUDE =
      Attribute.divisionOverlapping(
          "longitude", Domain.of(new BigDecimal("-180"), new BigDecimal("180"), 4), 8, 100, 1);
  private static final RangeSchema SCHEMA =
      RangeSchema.of(2048, 8, AGE, INCOME, LONGITUDE).withTexts("name", "nick name");

  private static RangeBloomFilter person() {
    RangeBloomFilter filter = RangeBloomFilter.create(SCHEMA);
    filter.put("name", "Ada");
    filter.putRange("age", 10, 60);
    filter.putRange("income", 50_000, 400_000);
    filter.putRange("longitude", new BigDecimal("-0.2"), new BigDecimal("0.1"));
    return filter;
  }

  @Test
  void severalAttributesShareOneFilter() {
    RangeBloomFilter filter = person();
    assertThat(filter.mightContain("name", "Ada")).isTrue();
    assertThat(filter.mightContain("name", "Bob")).isFalse();
    assertThat(filter.mightContain("nick name", "Ada")).isFalse();
    assertThat(filter.mightContain("age", 37)).isTrue();
    assertThat(filter.mightContain("age", 99)).isFalse();
    assertThat(filter.mightContainRange("age", 20, 60)).isTrue();
    assertThat(filter.mightContainRange("age", 20, 90)).isFalse();
    assertThat(filter.mightIntersect("age", 55, 120)).isTrue();
    assertThat(filter.mightIntersect("age", 80, 120)).isFalse();
    assertThat(filter.mightContain("income", 123_456)).isTrue();
    assertThat(filter.mightContain("income", 4_123_456)).isFalse();
    assertThat(filter.mightContain("longitude", new BigDecimal("-0.1234"))).isTrue();
    assertThat(filter.mightContain("longitude", 0)).isTrue();
    assertThat(filter.mightContain("longitude", 121)).isFalse();
  }

  @Test
  void aCharacterIsTextAndNotANumber() {
    RangeBloomFilter filter = RangeBloomFilter.create(SCHEMA);
    filter.put("name", 'c');
    assertThat(filter.mightContain("name", "c")).isTrue();
    assertThat(filter.mightContain("name", 'c')).isTrue();
    assertThatThrownBy(() -> filter.put("age", 'c')).isInstanceOf(IllegalArgumentException.class);
    assertThat(filter.mightContain("age", (int) 'c')).isFalse();
  }

  @Test
  void putReturnsWhetherABitChanged() {
    for (Attribute attribute : RangeSchemas.all(Domain.of(0, 999), 4, 5)) {
      RangeBloomFilter filter = RangeBloomFilter.create(RangeSchemas.one(4096, attribute));
      assertThat(filter.put("x", 7)).isTrue();
      assertThat(filter.put("x", 7)).isFalse();
      assertThat(filter.putRange("x", 7, 40)).isTrue();
      assertThat(filter.putRange("x", 7, 40)).isFalse();
      assertThat(filter.put("t", "text")).isTrue();
      assertThat(filter.put("t", "text")).isFalse();
      filter.clear();
      assertThat(filter.stats().ones()).isZero();
      assertThat(filter.mightIntersect("x", 0, 999)).isFalse();
    }
  }

  @Test
  void decimalsAreExact() {
    RangeSchema schema =
        RangeSchema.of(
            512,
            4,
            Attribute.plain("price", Domain.of(BigDecimal.ZERO, BigDecimal.valueOf(100), 2), 4));
    RangeBloomFilter filter = RangeBloomFilter.create(schema);
    filter.put("price", 12);
    assertThat(filter.mightContain("price", new BigDecimal("12.00"))).isTrue();
    assertThat(filter.mightContain("price", new BigDecimal("1.2E+1"))).isTrue();
    assertThat(filter.mightContain("price", new BigDecimal("12.01"))).isFalse();
    filter.putRange("price", new BigDecimal("0.1"), new BigDecimal("0.3"));
    assertThat(filter.mightContain("price", new BigDecimal("0.30"))).isTrue();
    assertThatThrownBy(() -> filter.put("price", new BigDecimal("0.123")))
        .hasMessageContainingAll("0.123", "3", "2");
    assertThatThrownBy(() -> filter.put("price", new BigDecimal("1E+1000000000")))
        .hasMessageContaining("does not fit into 64 bits");
    assertThatThrownBy(() -> filter.put("price", Long.MAX_VALUE))
        .hasMessageContaining("does not fit into 64 bits");
    assertThatThrownBy(() -> filter.put("price", new BigDecimal("100.01")))
        .hasMessageContainingAll("100.01", "[0.00, 100.00]", "'price'");
  }

  @Test
  void putsRefuseAndQueriesDenyNumbersOutsideTheDomain() {
    RangeBloomFilter filter = person();
    assertThatThrownBy(() -> filter.put("age", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("0", "[1, 120]", "'age'");
    assertThatThrownBy(() -> filter.putRange("age", 100, 121)).hasMessageContaining("100 to 121");
    assertThat(filter.mightContain("age", 0)).isFalse();
    assertThat(filter.mightContainRange("age", 60, 121)).isFalse();
    assertThat(filter.mightIntersect("age", -50, 500)).isTrue();
    assertThat(filter.mightIntersect("age", 121, 500)).isFalse();
    assertThat(filter.mightIntersect("age", Long.MIN_VALUE, 0)).isFalse();
  }

  /** A misspelled name would otherwise be a certain "no". */
  @Test
  void unknownNamesAreRefusedUnlessTheSchemaIsOpen() {
    RangeBloomFilter closed = person();
    for (String unknown : List.of("nmae", "Name", "name ")) {
      assertThatThrownBy(() -> closed.put(unknown, "Ada"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("there is no attribute '" + unknown + "'")
          .hasMessageContaining("numbers under [age, income, longitude]")
          .hasMessageContaining("text under [name, nick name]");
      assertThatThrownBy(() -> closed.mightContain(unknown, "Ada"))
          .hasMessageContaining("there is no attribute");
      assertThatThrownBy(() -> closed.valueFpp(unknown))
          .hasMessageContaining("there is no attribute");
    }
    assertThat(closed.put("nick name", "Countess")).isTrue();
    assertThat(closed.mightContain("nick name", "Countess")).isTrue();
    RangeBloomFilter none = RangeBloomFilter.create(RangeSchema.of(2048, 8, AGE));
    assertThatThrownBy(() -> none.put("name", "Ada")).hasMessageContaining("text under []");
    RangeBloomFilter open = RangeBloomFilter.create(RangeSchema.of(2048, 8, AGE).open());
    assertThat(open.put("anything", "Ada")).isTrue();
    assertThat(open.mightContain("anything", "Ada")).isTrue();
    assertThat(open.mightContain("nmae", "Ada")).isFalse();
    assertThatThrownBy(() -> open.put("age", "thirty")).hasMessageContaining("holds numbers");
    assertThatThrownBy(() -> open.put("ages", 30)).hasMessageContaining("'ages'");
  }

  @Test
  void invalidQueriesAreRefused() {
    RangeBloomFilter filter = person();
    assertThatThrownBy(() -> filter.putRange("age", 60, 10))
        .hasMessageContaining("from 60 to 10 is empty");
    assertThatThrownBy(() -> filter.mightContainRange("age", 60, 10)).hasMessageContaining("swap");
    assertThatThrownBy(() -> filter.mightIntersect("age", 60, 10)).hasMessageContaining("swap");
    assertThatThrownBy(() -> filter.put("agee", 60))
        .hasMessageContainingAll("'agee'", "[age, income, longitude]");
    assertThatThrownBy(() -> filter.put("age", "sixty"))
        .hasMessageContainingAll("'age'", "'sixty'");
    assertThatThrownBy(() -> filter.put("", "x")).hasMessageContaining("1 to 255 bytes");
  }

  @Test
  void openDomainsTakeAnyNumberButNoLongerRange() {
    for (Attribute attribute : RangeSchemas.all(Domain.ofSize(201), 6, 4)) {
      RangeBloomFilter filter = RangeBloomFilter.create(RangeSchemas.one(4096, attribute));
      filter.putRange("x", 1900, 2100);
      filter.putRange("x", -77, -70);
      filter.put("x", Long.MIN_VALUE);
      assertThat(filter.mightContainRange("x", 1900, 2100)).isTrue();
      assertThat(filter.mightContain("x", -71)).isTrue();
      assertThat(filter.mightIntersect("x", -100, 100)).isTrue();
      assertThatThrownBy(() -> filter.putRange("x", 1900, 2101))
          .hasMessageContainingAll("201", "'x'");
      assertThatThrownBy(() -> filter.mightIntersect("x", Long.MIN_VALUE, Long.MAX_VALUE))
          .hasMessageContaining("more numbers");
    }
  }

  @Test
  void theOpaqueComparisonHoldsForPartsAndFailsForOthers() {
    RangeBloomFilter request = person();
    RangeBloomFilter candidate = RangeBloomFilter.create(SCHEMA);
    candidate.put("name", "Ada");
    candidate.put("age", 36);
    candidate.putRange("income", 60_000, 70_000);
    assertThat(candidate.isSubsetOf(request)).isTrue();
    assertThat(request.isSubsetOf(candidate)).isFalse();
    assertThat(candidate.subsetFpp(request)).isBetween(0.0, 1e-6);
    candidate.put("age", 77);
    assertThat(candidate.isSubsetOf(request)).isFalse();
    assertThat(RangeBloomFilter.create(SCHEMA).isSubsetOf(request)).isTrue();
  }

  @Test
  void everyPartOfARangeIsAnOpaqueSubset() {
    Domain domain = Domain.of(-40, 40);
    for (Attribute attribute : RangeSchemas.all(domain, 7, 5)) {
      RangeSchema schema = RangeSchemas.one(4096, attribute);
      RangeBloomFilter whole = RangeBloomFilter.create(schema);
      whole.putRange("x", -20, 31);
      for (long low = -20; low <= 31; low++) {
        RangeBloomFilter part = RangeBloomFilter.create(schema);
        part.putRange("x", low, Math.min(31, low + 9));
        assertThat(part.isSubsetOf(whole)).isTrue();
        assertThat(whole.isSubsetOf(part)).isFalse();
      }
    }
  }

  @Test
  void filtersWithDifferentSettingsAreRefused() {
    RangeBloomFilter filter = person();
    RangeBloomFilter seeded = RangeBloomFilter.create(SCHEMA, HashScheme.xxh3(1));
    RangeBloomFilter other = RangeBloomFilter.create(RangeSchema.of(2048, 8, AGE, INCOME));
    for (RangeBloomFilter different : List.of(seeded, other)) {
      assertThat(filter.incompatibility(different)).isPresent();
      assertThatThrownBy(() -> filter.isSubsetOf(different)).hasMessageContaining("here and");
      assertThatThrownBy(() -> filter.union(different)).hasMessageContaining("one schema");
      assertThatThrownBy(() -> filter.intersection(different)).hasMessageContaining("one schema");
      assertThatThrownBy(() -> filter.subsetFpp(different)).hasMessageContaining("one schema");
    }
    assertThat(filter.incompatibility(other).orElseThrow())
        .contains("%016x".formatted(SCHEMA.schemaHash()));
    assertThat(filter.incompatibility(RangeBloomFilter.create(SCHEMA))).isEmpty();
  }

  @Test
  void unionHoldsBothAndIntersectionTheCommonPart() {
    for (Attribute attribute : RangeSchemas.all(Domain.of(0, 9999), 7, 5)) {
      RangeSchema schema = RangeSchemas.one(1 << 14, attribute);
      RangeBloomFilter a = RangeBloomFilter.create(schema);
      RangeBloomFilter b = RangeBloomFilter.create(schema);
      a.putRange("x", 100, 400);
      b.putRange("x", 300, 700);
      a.put("name", "Ada");
      RangeBloomFilter either = a.union(b, 0.5);
      assertThat(either.mightContainRange("x", 100, 700)).isTrue();
      assertThat(either.mightContain("name", "Ada")).isTrue();
      RangeBloomFilter direct = RangeBloomFilter.create(schema);
      direct.putRange("x", 100, 400);
      direct.putRange("x", 300, 700);
      direct.put("name", "Ada");
      assertThat(either).isEqualTo(direct);
      RangeBloomFilter both = a.intersection(b);
      assertThat(both.mightContainRange("x", 300, 400)).isTrue();
      assertThat(both.mightContain("x", 5000)).isFalse();
      assertThat(both.mightContain("name", "Ada")).isFalse();
      assertThat(both.isSubsetOf(a)).isTrue();
      assertThat(both.isSubsetOf(b)).isTrue();
    }
  }

  @Test
  void longRangesAreCappedWhereTheyWouldTakeLong() {
    Domain domain = Domain.of(Long.MIN_VALUE, Long.MAX_VALUE);
    for (Attribute attribute : RangeSchemas.all(domain, 8, 5)) {
      RangeBloomFilter filter = RangeBloomFilter.create(RangeSchemas.one(512, attribute));
      for (long high : new long[] {1L << 40, Long.MAX_VALUE}) {
        long low = high == Long.MAX_VALUE ? Long.MIN_VALUE : 0;
        assertThatThrownBy(() -> filter.putRange("x", low, high))
            .hasMessageContaining(Integer.toString(RangeBloomFilter.MAX_PROBES));
        assertThatThrownBy(() -> filter.mightContainRange("x", low, high))
            .hasMessageContaining("raise divide above " + attribute.divide());
        assertThatThrownBy(() -> filter.mightIntersect("x", low, high))
            .hasMessageContaining("probes per call");
      }
      assertThat(filter.stats().ones()).isZero();
    }
  }

  @Test
  void ratesComeFromTheRealFill() {
    RangeBloomFilter filter = person();
    double fill = filter.fill();
    assertThat(fill).isEqualTo((double) filter.stats().ones() / 2048);
    assertThat(filter.valueFpp("age")).isEqualTo(Math.pow(fill, 8));
    assertThat(filter.valueFpp("name")).isEqualTo(Math.pow(fill, 8));
    assertThat(filter.outsideFpp("income", 350_001))
        .isEqualTo(RangeRates.fppAtFill(8, 5_000_001, 350_001, 9135, 1, fill))
        .isGreaterThan(filter.valueFpp("income"));
    assertThat(filter.outsideFpp("age", 120)).isZero();
    assertThat(filter.expectedFpp())
        .isCloseTo(Math.pow(fill, 8), org.assertj.core.data.Offset.offset(1e-18));
    assertThat(RangeBloomFilter.create(SCHEMA).expectedFpp()).isZero();
    assertThat(filter.intersectionFpp("income", 1)).isEqualTo(filter.valueFpp("income"));
    assertThat(filter.rangeFpp("income", 1)).isEqualTo(filter.valueFpp("income"));
    assertThat(filter.intersectionFpp("income", 5_000_001))
        .isEqualTo(RangeRates.someFppAtFill(8, 5_000_001, 9135, 1, fill))
        .isGreaterThan(filter.intersectionFpp("income", 100_000));
    assertThat(filter.rangeFpp("income", 100_000)).isLessThan(filter.rangeFpp("income", 20_000));
    for (ToDoubleBiFunction<String, Long> rate :
        List.<ToDoubleBiFunction<String, Long>>of(
            filter::outsideFpp, filter::rangeFpp, filter::intersectionFpp)) {
      assertThatThrownBy(() -> rate.applyAsDouble("age", 121L)).hasMessageContaining("121");
      assertThatThrownBy(() -> rate.applyAsDouble("age", 0L)).hasMessageContaining("0");
      assertThatThrownBy(() -> rate.applyAsDouble("name", 1L))
          .hasMessageContaining("no numeric attribute 'name'");
    }
  }

  @Test
  void filesCarryTheSchema(@TempDir Path folder) throws IOException {
    RangeBloomFilter filter = person();
    assertThat(RangeBloomFilter.fromBytes(filter.toBytes())).isEqualTo(filter);
    assertThat(Filters.fromBytes(filter.toBytes())).isEqualTo(filter);
    filter.writeTo(folder.resolve("a"));
    RangeBloomFilter read = RangeBloomFilter.readFrom(folder.resolve("a"));
    assertThat(read.schema()).isEqualTo(SCHEMA);
    assertThat(read.mightContain("age", 37)).isTrue();
    assertThat(filter.sizeInBytes()).isEqualTo(filter.toBytes().length);
    assertThat(filter.stats().kind()).isEqualTo(FilterKind.RANGE);
  }

  @Test
  void bareBytesAreTheBitsAlone() {
    for (long bits : new long[] {512, 509, 64, 1}) {
      RangeSchema schema = RangeSchema.of(bits, 2, AGE);
      RangeBloomFilter filter = RangeBloomFilter.create(schema, HashScheme.xxh3(5));
      filter.putRange("age", 3, 9);
      byte[] bare = filter.toBareBytes();
      assertThat(bare).hasSize((int) (bits + 7) / 8);
      assertThat(RangeBloomFilter.ofBareBytes(schema, HashScheme.xxh3(5), bare)).isEqualTo(filter);
      assertThatThrownBy(
              () -> RangeBloomFilter.ofBareBytes(schema, HashScheme.DEFAULT, new byte[100]))
          .hasMessageContaining("100 bytes, but");
    }
    byte[] tail = new byte[64];
    tail[63] = (byte) 0x80;
    RangeSchema odd = RangeSchema.of(509, 2, AGE);
    assertThatThrownBy(() -> RangeBloomFilter.ofBareBytes(odd, HashScheme.DEFAULT, tail))
        .hasMessageContaining("after the last of 509 bits");
  }

  @Test
  void aSealedFilterMergesButRefusesQueries() throws IOException {
    HashScheme keyed = HashScheme.sipHash("sixteen byte key".getBytes(StandardCharsets.US_ASCII));
    RangeBloomFilter filter = RangeBloomFilter.create(SCHEMA, keyed);
    filter.putRange("age", 10, 60);
    byte[] bytes = filter.toBytes();
    RangeBloomFilter sealed = RangeBloomFilter.fromBytes(bytes);
    assertThat(sealed.isSubsetOf(sealed.union(sealed))).isTrue();
    assertThat(sealed.explain()).contains("without its key");
    assertThatThrownBy(() -> sealed.mightContain("age", 20)).hasMessageContaining("secret key");
    RangeBloomFilter open =
        RangeBloomFilter.FORMAT.fromBytes(bytes, ReadOptions.DEFAULT.withHashScheme(keyed));
    assertThat(open.mightContain("age", 20)).isTrue();
    assertThat(open.mightContain("age", 119)).isFalse();
  }

  @Test
  void copiesAreIndependent() {
    RangeBloomFilter filter = person();
    RangeBloomFilter copy = filter.copy();
    assertThat(copy).isEqualTo(filter).hasSameHashCodeAs(filter);
    copy.put("age", 120);
    assertThat(copy).isNotEqualTo(filter);
    assertThat(filter.toString()).contains("2048 bits").contains("3 numeric attributes");
  }

  @Test
  void explainReportsSchemeFillRatesAndSmallerAlternatives() {
    String page = person().explain();
    assertThat(page)
        .contains("schema       %016x".formatted(SCHEMA.schemaHash()))
        .contains("income", "[0, 5000000]", "9135", "both", "[-180.0000, 180.0000]")
        .contains("takes 104 bits, less than these 2,048")
        .contains("range / divide");
    RangeBloomFilter filter = person();
    assertThat(page)
        .contains(
            Prose.format("%-26s  ", Prose.rate(filter.valueFpp("income")))
                + Prose.rate(filter.intersectionFpp("income", 500_000)));
    RangeBloomFilter small =
        RangeBloomFilter.create(
            RangeSchema.of(20, 1, Attribute.plain("x", Domain.of(0, 1L << 40), 3)));
    assertThat(small.explain()).doesNotContain("exactly", "shares its division");
  }
}
