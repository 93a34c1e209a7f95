package dev.bellows.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.bellows.AllKinds;
import dev.bellows.Filter;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.Filters;
import dev.bellows.io.ReadOptions;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever the bytes, reading ends in a filter that writes the same bytes or in a {@link
 * FilterFormatException}. Runs over the committed inputs and over the examples of every kind in a
 * build; {@code JAZZER_FUZZ=1} searches from there.
 */
class FilterReaderFuzzTest {
  static Stream<byte[]> examples() {
    return AllKinds.examples().stream()
        .map(example -> example.filter().toBytes())
        .flatMap(bytes -> Stream.of(bytes, Forgery.full(bytes)));
  }

  @MethodSource("examples")
  @FuzzTest(maxDuration = "5m")
  void readsOrRefuses(byte[] bytes) {
    // with valid checksums too, so that the code after the checks is reached
    for (byte[] input : new byte[][] {bytes, Forgery.sign(bytes.clone())}) {
      try {
        Filter filter = Filters.fromBytes(input, ReadOptions.DEFAULT.withMaxBytes(1 << 20));
        if (!Arrays.equals(Forgery.full(filter.toBytes()), Forgery.full(input))) {
          throw new AssertionError("read a filter that writes other bytes");
        }
      } catch (FilterFormatException refused) {
        if (refused.offset() < 0 || refused.offset() > input.length) {
          throw new AssertionError("offset " + refused.offset() + " of " + input.length, refused);
        }
      }
    }
  }
}
