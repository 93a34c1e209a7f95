package dev.bellows.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.Filter;
import dev.bellows.HashScheme;
import dev.bellows.KeyHasher;
import dev.bellows.Membership;
import dev.bellows.Repository;
import dev.bellows.autoscale.GradedMembership;
import dev.bellows.durable.Delta;
import dev.bellows.durable.Deltas;
import dev.bellows.frozen.FrozenPart;
import dev.bellows.io.Filters;
import dev.bellows.io.ReadOptions;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.PartitionView;
import dev.bellows.range.RangeBloomFilter;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BiPredicate;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the golden files answer: spec/vectors/answers.json, which spec/reference/check.py compares
 * with a reader in another language. A digit is the answer for the key or question of that place in
 * the list.
 */
class AnswersTest {
  private static final List<String> TEXTS = texts();
  private static final List<Long> LONGS = longs();
  private static final List<byte[]> BYTES = bytes();
  private static final List<Long> IDS = ids();

  /** Names and texts; the first is in the files. */
  private static final List<List<String>> ATTRIBUTE_TEXTS = attributeTexts();

  /** Names and numbers. */
  private static final List<List<String>> NUMBERS = numbers();

  /** Names and the lowest and highest number of a range. */
  private static final List<List<String>> RANGES = ranges();

  /** The content of all range files under each name. */
  private static final Map<String, Range> STORED =
      Map.of(
          "age", Range.of(List.of("age", "10", "19")),
          "longitude", Range.of(List.of("longitude", "-1", "0")),
          "year", Range.of(List.of("year", "1990", "2009")),
          "size", Range.of(List.of("size", "120")));

  /** The first 50 words are in the files, except word 0, which was removed from one of them. */
  private static List<String> texts() {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      texts.add("word " + i);
    }
    texts.addAll(
        List.of("", "a", "na\u00efve", "\u6f22\u5b57", "\ud83d\ude00", "\ud800", "x".repeat(1100)));
    return texts;
  }

  /** The first 50 are in the files. */
  private static List<Long> longs() {
    LongStream edges = LongStream.of(-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 62);
    return LongStream.concat(LongStream.range(0, 150), edges).boxed().toList();
  }

  /** The bytes of ten keys in the files, then arrays of many lengths. */
  private static List<byte[]> bytes() {
    List<byte[]> bytes = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      bytes.add(("word " + 5 * i).getBytes(StandardCharsets.UTF_8));
    }
    SplittableRandom random = new SplittableRandom(15);
    for (int length = 0; length < 64; length++) {
      byte[] array = new byte[length];
      random.nextBytes(array);
      bytes.add(array);
    }
    return bytes;
  }

  /** All ids of the small universe, some of the large one, and ids outside. */
  private static List<Long> ids() {
    LongStream some = LongStream.rangeClosed(1, 200).map(i -> 499 * i);
    LongStream edges = LongStream.of(99_999, 100_000, -1, Long.MIN_VALUE, Long.MAX_VALUE);
    return Stream.of(LongStream.range(0, 1000), some, edges).flatMap(LongStream::boxed).toList();
  }

  private static List<List<String>> attributeTexts() {
    List<List<String>> texts = new ArrayList<>(List.of(List.of("name", "Ada")));
    for (String text : TEXTS) {
      texts.add(List.of("name", text));
      texts.add(List.of("town", text));
    }
    return texts;
  }

  /** Numbers around the stored ones, at the ends of the domains and outside. */
  private static List<List<String>> numbers() {
    List<List<String>> numbers = new ArrayList<>();
    for (long number = -20; number <= 160; number++) {
      numbers.add(List.of("age", String.valueOf(number)));
      numbers.add(List.of("size", String.valueOf(number)));
      numbers.add(List.of("year", String.valueOf(1940 + number)));
    }
    for (long year : new long[] {-1, 0, 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      numbers.add(List.of("year", String.valueOf(year)));
    }
    for (long units = -12_000; units <= 2_000; units += 37) {
      numbers.add(List.of("longitude", BigDecimal.valueOf(units, 4).toString()));
    }
    for (String end : List.of("-180.0001", "-180", "180", "180.0001")) {
      numbers.add(List.of("longitude", end));
    }
    return numbers;
  }

  /** Ranges inside the stored ones, around them, next to them and beyond the domains. */
  private static List<List<String>> ranges() {
    List<List<String>> ranges = new ArrayList<>();
    for (long length : new long[] {2, 7, 10, 31, 64}) {
      for (long low = -31; low <= 160; low += 3) {
        ranges.add(range("age", low, low + length - 1, 0));
        ranges.add(range("size", low, low + length - 1, 0));
        ranges.add(range("year", 1940 + low, 1940 + low + length - 1, 0));
      }
    }
    ranges.add(range("age", 1, 120, 0));
    ranges.add(range("year", 1900, 2100, 0));
    ranges.add(range("year", -100, 100, 0));
    ranges.add(range("year", Long.MAX_VALUE - 3, Long.MAX_VALUE, 0));
    for (long length : new long[] {2, 64, 300, 1001}) {
      for (long low = -11_900; low <= 1_100; low += 500) {
        ranges.add(range("longitude", low, low + length - 1, 4));
      }
    }
    ranges.add(range("longitude", -10_000, 0, 4));
    ranges.add(range("longitude", -10_001, 1, 4));
    ranges.add(range("longitude", 1_799_990, 1_800_010, 4));
    return ranges;
  }

  private static List<String> range(String name, long low, long high, int scale) {
    return List.of(
        name,
        BigDecimal.valueOf(low, scale).toString(),
        BigDecimal.valueOf(high, scale).toString());
  }

  @Test
  void answersOfEveryGoldenFileAreUnchanged() throws IOException {
    List<String> files = new ArrayList<>();
    for (String name : GoldenFilesTest.FILES.keySet()) {
      String answers =
          answers(name, read(name)).entrySet().stream()
              .map(form -> VectorFile.quoted(form.getKey()) + ": \"" + form.getValue() + '"')
              .collect(Collectors.joining(", ", "{", "}"));
      files.add(VectorFile.quoted(name) + ": " + answers);
    }
    VectorFile.check(
        "answers.json",
        """
        {
        "about": "answers of the golden files, 1 = may be in it; bytes in hexadecimal",
        "secretKey": "000102030405060708090a0b0c0d0e0f",
        "texts": %s,
        "longs": %s,
        "bytes": %s,
        "ids": %s,
        "attributeTexts": %s,
        "numbers": %s,
        "ranges": %s,
        "files": {
        %s
        }
        }
        """
            .formatted(
                VectorFile.array(TEXTS),
                VectorFile.array(LONGS.stream().map(String::valueOf).toList()),
                VectorFile.array(BYTES.stream().map(HexFormat.of()::formatHex).toList()),
                VectorFile.array(IDS.stream().map(String::valueOf).toList()),
                rows(ATTRIBUTE_TEXTS),
                rows(NUMBERS),
                rows(RANGES),
                String.join(",\n", files)));
  }

  private static String rows(List<List<String>> rows) {
    return rows.stream().map(VectorFile::array).collect(Collectors.joining(", ", "[", "]"));
  }

  private static Filter read(String name) throws IOException {
    HashScheme scheme = GoldenFilesTest.FILES.get(name).get().stats().hashScheme();
    return Filters.readFrom(
        Repository.path("spec/vectors/" + name + ".bellows"),
        ReadOptions.DEFAULT.withHashScheme(scheme));
  }

  /** The answers by the name of their form. */
  private static Map<String, String> answers(String name, Filter filter) {
    if (filter instanceof GradedMembership graded) {
      return keys(graded::accepts, graded::accepts, graded::accepts);
    } else if (filter instanceof DynamicPartitionBloomFilter partition) {
      Map<String, String> answers =
          keys(
              text -> partition.mightContain(text, KeyHasher.TEXT),
              key -> partition.mightContain(key, KeyHasher.LONGS),
              bytes -> partition.mightContain(bytes, KeyHasher.BYTES));
      answers.put("ids", idAnswers(name, partition::mightContainId));
      return answers;
    } else if (filter instanceof PartitionView view) {
      Map<String, String> answers =
          keys(
              text -> view.mightContain(text, KeyHasher.TEXT),
              key -> view.mightContain(key, KeyHasher.LONGS),
              bytes -> view.mightContain(bytes, KeyHasher.BYTES));
      answers.put("ids", idAnswers(name, view::mightContainId));
      return answers;
    } else if (filter instanceof RangeBloomFilter range) {
      return rangeAnswers(name, range);
    }
    if (filter instanceof Delta delta) {
      LongPredicate has = Deltas.hashes(delta);
      HashScheme scheme = delta.hashScheme();
      return keys(
          text -> has.test(scheme.hash(text)),
          key -> has.test(scheme.hash(key)),
          bytes -> has.test(scheme.hash(bytes)));
    }
    if (filter instanceof FrozenPart part && !part.isFirst()) {
      return Map.of();
    }
    Membership membership = filter instanceof FrozenPart part ? part.filter() : (Membership) filter;
    // every form of key is asked of every file, also of those that record a type
    HashScheme untyped = membership.hashScheme().withKeyType(HashScheme.KeyType.UNKNOWN);
    Map<String, String> answers =
        keys(
            text -> membership.mightContainHash(untyped.hash(text)),
            key -> membership.mightContainHash(untyped.hash(key)),
            bytes -> membership.mightContainHash(untyped.hash(bytes)));
    String stored = (name.contains("empty") ? "0" : "1").repeat(49);
    assertThat(answers.get("texts").substring(1, 50)).as(name).isEqualTo(stored);
    assertThat(answers.get("longs").substring(1, 50)).as(name).isEqualTo(stored);
    return answers;
  }

  private static Map<String, String> keys(
      Predicate<String> texts, Predicate<Long> longs, Predicate<byte[]> bytes) {
    Map<String, String> answers = new LinkedHashMap<>();
    answers.put("texts", digits(TEXTS, texts));
    answers.put("longs", digits(LONGS, longs));
    answers.put("bytes", digits(BYTES, bytes));
    return answers;
  }

  private static String idAnswers(String name, LongPredicate answer) {
    for (long id : storedIds(name)) {
      assertThat(answer.test(id)).as("%s, id %d", name, id).isTrue();
    }
    return digits(IDS, answer::test);
  }

  private static long[] storedIds(String name) {
    boolean full = name.startsWith("full");
    long shift = name.contains("merged") ? 5 : 0;
    return LongStream.range(0, full ? 2000 : 50)
        .map(i -> (i * i + shift) % (full ? 100_000 : 1000))
        .toArray();
  }

  private static Map<String, String> rangeAnswers(String name, RangeBloomFilter filter) {
    Map<String, String> answers = new LinkedHashMap<>();
    answers.put(
        "attributeTexts",
        digits(ATTRIBUTE_TEXTS, asked -> filter.mightContain(asked.get(0), asked.get(1))));
    answers.put(
        "numbers",
        digits(NUMBERS, asked -> filter.mightContain(asked.get(0), Range.of(asked).low)));
    answers.put(
        "covers",
        digits(
            RANGES,
            asked -> {
              Range range = Range.of(asked);
              return filter.mightContainRange(asked.get(0), range.low, range.high);
            }));
    answers.put(
        "meets",
        digits(
            RANGES,
            asked -> {
              Range range = Range.of(asked);
              return filter.mightIntersect(asked.get(0), range.low, range.high);
            }));
    assertThat(answers.get("attributeTexts")).as(name).startsWith("1");
    assertStored(name, NUMBERS, answers.get("numbers"), Range::holds);
    assertStored(name, RANGES, answers.get("covers"), Range::holds);
    assertStored(name, RANGES, answers.get("meets"), Range::meets);
    return answers;
  }

  /** If the range is stored, the answer is yes. */
  private static void assertStored(
      String name,
      List<List<String>> questions,
      String answers,
      BiPredicate<Range, Range> certain) {
    for (int i = 0; i < answers.length(); i++) {
      List<String> asked = questions.get(i);
      if (certain.test(STORED.get(asked.get(0)), Range.of(asked))) {
        assertThat(answers.charAt(i)).as("%s, %s", name, asked).isEqualTo('1');
      }
    }
  }

  /** Numbers from low to high. */
  private record Range(BigDecimal low, BigDecimal high) {
    /** The range of a query, after the name; a single number is both ends. */
    static Range of(List<String> asked) {
      return new Range(new BigDecimal(asked.get(1)), new BigDecimal(asked.get(asked.size() - 1)));
    }

    boolean holds(Range other) {
      return low.compareTo(other.low) <= 0 && other.high.compareTo(high) <= 0;
    }

    boolean meets(Range other) {
      return low.compareTo(other.high) <= 0 && other.low.compareTo(high) <= 0;
    }
  }

  private static <K> String digits(List<K> keys, Predicate<K> answer) {
    return keys.stream().map(key -> answer.test(key) ? "1" : "0").collect(Collectors.joining());
  }
}
