package dev.bellows.growth;

import dev.bellows.internal.files.FilterReader;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.InputStream;

/**
 * A {@link FingerprintFilter} as it arrives: its bytes hold the leading bits of all prefixes first,
 * then plane after plane one bit more of each. Whoever has received the first part holds a filter
 * with every key and a high rate, and each further plane halves it. Only here may the bytes end
 * early; a file that ends early is refused everywhere else.
 *
 * @param filter the filter of all whole planes that arrived
 * @param planes how many these are
 * @param allPlanes how many were sent
 */
public record PrefixStream(FingerprintFilter filter, int planes, int allPlanes) {
  /** Whether nothing is missing. */
  public boolean isWhole() {
    return planes == allPlanes;
  }

  /**
   * Reads a filter up to its end, or to the last whole plane if the stream ends before.
   *
   * @throws FilterFormatException if the first part is not whole, or if bytes that arrived are not
   *     those that were sent
   */
  public static PrefixStream readFrom(InputStream in, ReadOptions options) throws IOException {
    return FilterReader.readFrom(
        in,
        options,
        reader -> FingerprintFormat.readCut(reader.expect(FilterKind.FINGERPRINT, false)));
  }

  /** Reads a filter of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
  public static PrefixStream readFrom(InputStream in) throws IOException {
    return readFrom(in, ReadOptions.DEFAULT);
  }
}
