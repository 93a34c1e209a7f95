package dev.bellows;

import dev.bellows.internal.BitLayout;
import dev.bellows.io.FilterHeader;
import dev.bellows.io.FilterKind;
import dev.bellows.io.FilterReader;
import dev.bellows.plan.Layout;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What two filters must share to be merged: how keys are hashed and where their bits go. */
record FilterShape(Layout layout, long bits, int hashes, HashScheme scheme) {
  private static final int PARAMETERS = 3;

  FilterShape {
    BitLayout.of(layout, bits, hashes);
  }

  BitLayout positions() {
    return BitLayout.of(layout, bits, hashes);
  }

  Optional<String> incompatibility(FilterShape other) {
    if (!scheme.equals(other.scheme)) {
      return differ(scheme, other.scheme);
    }
    if (layout != other.layout) {
      return differ("layout " + layout, other.layout);
    }
    if (hashes != other.hashes) {
      return differ(hashes + " hashes", other.hashes);
    }
    return bits == other.bits ? Optional.empty() : differ(bits + " bits", other.bits);
  }

  private static Optional<String> differ(Object here, Object there) {
    return Optional.of(here + " here and " + there + " there");
  }

  void requireCompatible(FilterShape other) {
    incompatibility(other)
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException("filters cannot be merged: " + reason);
            });
  }

  FilterStats stats(FilterKind kind, long ones, double keys, double expectedFpp, long bytes) {
    return new FilterStats(
        kind, layout, bits, hashes, scheme, ones, (double) ones / bits, keys, expectedFpp, bytes);
  }

  FilterHeader header(FilterKind kind, Origin origin, List<Long> sectionBytes) {
    return new FilterHeader(
        kind,
        scheme.id(),
        scheme.identity(),
        origin.filterId(),
        origin.see().epoch(),
        List.of((long) layout.id(), bits, (long) hashes),
        sectionBytes);
  }

  static FilterShape read(FilterReader reader, @Nullable HashScheme given, int sections)
      throws IOException {
    reader.expect(PARAMETERS, sections);
    HashScheme scheme = HashScheme.ofFile(reader.header(), given);
    Layout layout = Layout.ofId((int) reader.parameter(0, "layout", 0, 1));
    long bits = reader.parameter(1, "bits", 1, BitLayout.MAX_BITS);
    int hashes = (int) reader.parameter(2, "hashes", 1, BitLayout.MAX_HASHES);
    return reader.checked(1, () -> new FilterShape(layout, bits, hashes, scheme));
  }

  long[] requireClearTail(FilterReader reader, long[] words) throws IOException {
    return reader.checked(
        1,
        () -> {
          positions().requireClearTail(words);
          return words;
        });
  }

  @Override
  public String toString() {
    return layout + ", " + bits + " bits, " + hashes + " hashes, " + scheme;
  }
}
