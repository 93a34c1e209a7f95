package dev.bellows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import dev.bellows.plan.Oracles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Folds of given bits and counters, which reach the filters as files. */
class FoldOraclesTest {
  @TestFactory
  @SuppressWarnings("unchecked")
  Stream<DynamicTest> foldBasic() {
    return Oracles.cases(
        "000_folding",
        "fold_basic",
        (c, all) -> {
          long[] words = new long[(c.small("m") - 1) / 64 + 1];
          for (Number one : (List<Number>) c.in().get("ones")) {
            words[one.intValue() / 64] |= 1L << one.intValue();
          }
          try {
            BloomFilter filter =
                BloomFilter.fromBytes(
                    file(FilterKind.BLOOM, List.of(0L, c.integer("m"), 1L, 0L), words));
            for (Number factor : (List<Number>) c.in().get("factors")) {
              filter = filter.foldBy(factor.longValue());
            }
            assertThat(filter.bits()).isEqualTo(((Number) c.expected("m")).longValue());
            long[] folded = words(filter.toBytes());
            List<Integer> ones = new ArrayList<>();
            for (int i = 0; i < filter.bits(); i++) {
              if ((folded[i / 64] >>> i & 1) != 0) {
                ones.add(i);
              }
            }
            assertThat(ones).isEqualTo(c.expected("ones"));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  @TestFactory
  @SuppressWarnings("unchecked")
  Stream<DynamicTest> foldCounting() {
    return Oracles.cases(
        "000_folding",
        "fold_counting",
        (c, all) -> {
          List<Number> counters = (List<Number>) c.in().get("counters");
          long[] words = new long[(counters.size() - 1) / 2 + 1];
          for (int i = 0; i < counters.size(); i++) {
            words[i / 2] |= counters.get(i).longValue() << 32 * (i % 2);
          }
          try {
            CountingBloomFilter filter =
                CountingBloomFilter.fromBytes(
                    file(
                        FilterKind.COUNTING,
                        List.of(0L, (long) counters.size(), 1L, 0L, 32L, 0L),
                        words));
            for (Number factor : (List<Number>) c.in().get("factors")) {
              filter = filter.foldBy(factor.longValue());
            }
            long[] folded = words(filter.toBytes());
            List<Integer> values = new ArrayList<>();
            for (int i = 0; i < filter.bits(); i++) {
              values.add((int) (folded[i / 2] >>> 32 * (i % 2)));
            }
            assertThat(values).isEqualTo(c.out());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static byte[] file(FilterKind kind, List<Long> parameters, long[] words)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FilterWriter writer =
        FilterWriter.begin(
            out, new FilterHeader(kind, 1, 0, 0, 0, 0, parameters, List.of(8L * words.length)));
    writer.bits(HeapBits.over(64L * words.length, words, 0));
    writer.end();
    return out.toByteArray();
  }

  private static long[] words(byte[] file) throws IOException {
    FilterReader reader = FilterReader.open(new ByteArrayInputStream(file), ReadOptions.DEFAULT);
    HeapBits bits = reader.bits(8 * reader.header().sectionBytes().get(0));
    return Arrays.copyOfRange(bits.array(), bits.first(), bits.array().length);
  }
}
