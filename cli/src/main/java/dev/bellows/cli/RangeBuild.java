package dev.bellows.cli;

import dev.bellows.RangeBloomFilter;
import java.io.IOException;

/** Builds a range filter from lines about attributes. */
final class RangeBuild {
  private RangeBuild() {}

  static Kind.Built build(BuildRequest request, Kind.KeyInput keys) throws IOException {
    if (request.fpp() != null
        || request.keys() != null
        || request.capacity() != null
        || request.counterBits() != null
        || request.layout() != null) {
      throw new CommandFailure(
          "kind range is settled by --domain and --bits, or by --scheme-file: leave out --fpp,"
              + " --keys, --capacity, --counter-bits and --layout");
    }
    RangeBloomFilter filter =
        RangeBloomFilter.create(
            request.range().schema(request.bits(), request.hashes()), request.scheme());
    RangeLine line = new RangeLine(filter);
    long lines = keys.forEachLine(text -> line.put(text, request.note()));
    return new Kind.Built(filter, lines, filter.stats().approximateKeys(), false, null);
  }
}
