package dev.bellows.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.Filter;
import dev.bellows.HashScheme;
import dev.bellows.Membership;
import dev.bellows.Repository;
import dev.bellows.autoscale.GradedMembership;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the golden files answer: spec/vectors/answers.json, which spec/reference/check.py compares
 * with a reader in another language. A digit is the answer for the key of that place in the list.
 */
class AnswersTest {
  /** The kinds that spec/reference/bellows.py reads. */
  private static final Set<FilterKind> READ =
      EnumSet.of(
          FilterKind.BLOOM,
          FilterKind.COUNTING,
          FilterKind.ELASTIC,
          FilterKind.AUTOSCALING,
          FilterKind.BINARIZED,
          FilterKind.SCALABLE,
          FilterKind.FOLDED);

  private static final List<String> TEXTS = texts();
  private static final List<Long> LONGS = longs();
  private static final List<byte[]> BYTES = bytes();

  /** The first 50 words are in the files, but for word 0, which one of them took out again. */
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

  @Test
  void everyGoldenFileAnswersAsEver() throws IOException {
    List<String> files = new ArrayList<>();
    for (String name : GoldenFilesTest.FILES.keySet()) {
      Filter expected = GoldenFilesTest.FILES.get(name).get();
      if (READ.contains(expected.kind())) {
        files.add(VectorFile.quoted(name) + ": " + answers(name, expected.stats().hashScheme()));
      }
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
        "files": {
        %s
        }
        }
        """
            .formatted(
                VectorFile.array(TEXTS),
                VectorFile.array(LONGS.stream().map(String::valueOf).toList()),
                VectorFile.array(BYTES.stream().map(HexFormat.of()::formatHex).toList()),
                String.join(",\n", files)));
  }

  private static String answers(String name, HashScheme scheme) throws IOException {
    Filter filter =
        Filter.readFrom(
            Repository.path("spec/vectors/" + name + ".bellows"),
            ReadOptions.DEFAULT.withHashScheme(scheme));
    String texts;
    String longs;
    String bytes;
    if (filter instanceof GradedMembership graded) {
      texts = digits(TEXTS.stream(), graded::accepts);
      longs = digits(LONGS.stream(), graded::accepts);
      bytes = digits(BYTES.stream(), graded::accepts);
    } else {
      Membership membership = (Membership) filter;
      texts = digits(TEXTS.stream(), membership::mightContain);
      longs = digits(LONGS.stream(), membership::mightContain);
      bytes = digits(BYTES.stream(), membership::mightContain);
      String stored = (name.contains("empty") ? "0" : "1").repeat(49);
      assertThat(texts.substring(1, 50)).as(name).isEqualTo(stored);
      assertThat(longs.substring(1, 50)).as(name).isEqualTo(stored);
    }
    return "{\"texts\": \"%s\", \"longs\": \"%s\", \"bytes\": \"%s\"}"
        .formatted(texts, longs, bytes);
  }

  private static <K> String digits(Stream<K> keys, Predicate<K> answer) {
    return keys.map(key -> answer.test(key) ? "1" : "0").collect(Collectors.joining());
  }
}
