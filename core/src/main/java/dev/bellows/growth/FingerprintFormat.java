package dev.bellows.growth;

import dev.bellows.HashScheme;
import dev.bellows.growth.FingerprintFilter.PrefixStream;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.PrefixFile;
import dev.bellows.internal.files.PrefixPlanes;
import dev.bellows.internal.prefixes.PrefixStore;
import dev.bellows.internal.prefixes.PrefixStore.Allowed;
import dev.bellows.io.FilterKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** The bytes of fingerprint filters, as specified in spec/FORMAT.md. */
final class FingerprintFormat {
  /** The number of parameters in addition to those of all prefixes: rate, removable. */
  private static final int OWN_PARAMETERS = 2;

  private FingerprintFormat() {}

  /** Encodes a filter, which no other thread may change in the meantime. */
  static PrefixFile of(FingerprintFilter filter) {
    return PrefixFile.of(
        FilterKind.FINGERPRINT,
        filter.hashScheme(),
        List.of(Double.doubleToRawLongBits(filter.plan().fpp()), filter.isRemovable() ? 1L : 0L),
        List.of(),
        filter.store());
  }

  /** Returns the header of an empty filter with the settings of this one. */
  static byte[] settings(FingerprintFilter filter) {
    PrefixStore none = FingerprintFilter.emptyStore(filter.plan(), filter.isRemovable());
    return of(new FingerprintFilter(filter.plan(), filter.hashScheme(), filter.isRemovable(), none))
        .header()
        .toBytes();
  }

  /** Returns an empty filter with the settings of a header. */
  static FingerprintFilter empty(FilterReader reader) throws IOException {
    PrefixFile.expect(reader, OWN_PARAMETERS);
    return filter(reader, UnaryOperator.identity());
  }

  static FingerprintFilter read(FilterReader reader) throws IOException {
    PrefixPlanes planes = PrefixFile.planes(reader, OWN_PARAMETERS, 0);
    List<byte[]> parts = PrefixFile.parts(reader, 0);
    FingerprintFilter filter = filter(reader, planes, parts, Allowed.NOTHING);
    PrefixFile.requireUnique(reader, OWN_PARAMETERS, planes, filter.store());
    return filter;
  }

  /** Reads a filter that may be truncated: all of its complete parts. */
  static PrefixStream readCut(FilterReader reader) throws IOException {
    PrefixPlanes planes = PrefixFile.planes(reader, OWN_PARAMETERS, 0);
    List<byte[]> parts = new ArrayList<>();
    for (int i = 0; i < reader.header().sectionBytes().size(); i++) {
      byte[] part = i < PrefixPlanes.FIRST_PARTS ? reader.bytes() : reader.bytesUnlessCut();
      if (part == null) {
        break;
      }
      parts.add(part);
    }
    return new PrefixStream(
        filter(reader, planes, parts, Allowed.COVERING),
        parts.size() - PrefixPlanes.FIRST_PARTS,
        planes.longest() - planes.base());
  }

  private static FingerprintFilter filter(
      FilterReader reader, PrefixPlanes planes, List<byte[]> parts, Allowed allowed)
      throws IOException {
    long copies = PrefixFile.copies(reader, OWN_PARAMETERS, planes);
    return filter(
        reader,
        empty -> empty.load(planes.decode(parts), planes.count(), copies, allowed, reader.limit()));
  }

  /**
   * Returns a filter with the settings of a header.
   *
   * @param content fills an empty store
   */
  private static FingerprintFilter filter(FilterReader reader, UnaryOperator<PrefixStore> content)
      throws IOException {
    HashScheme scheme = reader.scheme();
    double fpp = Double.longBitsToDouble(reader.header().parameters().get(0));
    FingerprintPlan plan = reader.checked(0, () -> FingerprintPlan.of(fpp));
    boolean removable = reader.parameter(1, "removable", 0, 1) == 1;
    PrefixStore store =
        reader.checked(
            OWN_PARAMETERS + 1, () -> content.apply(FingerprintFilter.emptyStore(plan, removable)));
    return new FingerprintFilter(plan, scheme, removable, store);
  }
}
