package dev.bellows.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.bellows.Filter;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.ReadLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;

/**
 * Whatever the bytes, reading ends in a filter that writes the same bytes or in a {@link
 * FilterFormatException}. Runs over the committed inputs in a build; {@code JAZZER_FUZZ=1}
 * searches.
 */
class FilterReaderFuzzTest {
  @FuzzTest(maxDuration = "5m")
  void readsOrRefuses(byte[] bytes) throws IOException {
    try {
      Filter filter =
          Filter.readFrom(new ByteArrayInputStream(bytes), new ReadLimits(1 << 20), null);
      if (!Arrays.equals(filter.toBytes(), bytes)) {
        throw new AssertionError("read a filter that writes other bytes");
      }
    } catch (FilterFormatException refused) {
      if (refused.offset() < 0 || refused.offset() > bytes.length) {
        throw new AssertionError("offset " + refused.offset() + " of " + bytes.length, refused);
      }
    }
  }
}
