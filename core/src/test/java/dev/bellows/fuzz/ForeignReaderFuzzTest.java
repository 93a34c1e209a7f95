package dev.bellows.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.bellows.foreign.ForeignFilter;
import dev.bellows.foreign.ForeignFilter.Format;
import dev.bellows.foreign.ForeignSamples;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.ReadOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever the bytes, reading them as a foreign filter ends in one that reads back as it was
 * written, or in a {@link FilterFormatException}. The first byte chooses the format. Runs over the
 * committed inputs in a build; {@code JAZZER_FUZZ=1} searches.
 */
class ForeignReaderFuzzTest {
  static Stream<byte[]> samples() throws IOException {
    return ForeignSamples.all().stream()
        .map(
            sample ->
                ByteBuffer.allocate(1 + sample.bytes().length)
                    .put((byte) sample.format().ordinal())
                    .put(sample.bytes())
                    .array());
  }

  @MethodSource("samples")
  @FuzzTest(maxDuration = "5m")
  void readsOrRefuses(byte[] input) throws IOException {
    if (input.length == 0) {
      return;
    }
    Format format = Format.values()[input[0] & 3];
    byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
    try {
      ForeignFilter filter =
          ForeignFilter.readFrom(
              new ByteArrayInputStream(bytes), format, ReadOptions.DEFAULT.withMaxBytes(1 << 20));
      filter.mightContain(bytes);
      ForeignFilter folded = filter.foldBy(filter.ladder().get(0).factor());
      if (folded.bits() < 1
          || !(filter.expectedFpp() <= 1)
          || !filter.equals(ForeignFilter.fromBytes(filter.toBytes(), format))) {
        throw new AssertionError("read a filter that does not read back");
      }
    } catch (FilterFormatException refused) {
      if (refused.offset() < 0 || refused.offset() > bytes.length) {
        throw new AssertionError("offset " + refused.offset() + " of " + bytes.length, refused);
      }
    }
  }
}
