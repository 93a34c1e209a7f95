package dev.bellows.growth;

import dev.bellows.HashScheme;
import dev.bellows.growth.FingerprintFilter.PrefixStream;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.PrefixPlanes;
import dev.bellows.internal.layout.Origin;
import dev.bellows.internal.prefixes.PrefixStore;
import dev.bellows.io.FilterKind;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** The bytes of fingerprint filters, as specified in spec/FORMAT.md. */
final class FingerprintFormat {
  /** The number of parameters in addition to those of the prefixes: rate, removable, copies. */
  private static final int OWN_PARAMETERS = 3;

  private FingerprintFormat() {}

  /** An encoded filter. */
  record Written(FilterHeader header, List<byte[]> parts) {
    /** Returns the number of bytes of prefixes, without header and checksums. */
    long payloadBytes() {
      return parts.stream().mapToLong(part -> part.length).sum();
    }

    void writeTo(OutputStream out) throws IOException {
      FilterWriter writer = FilterWriter.begin(out, header);
      for (byte[] part : parts) {
        writer.bytes(part);
      }
      writer.end();
    }
  }

  /** Encodes a filter, which no other thread may change in the meantime. */
  static Written of(FingerprintFilter filter) {
    PrefixPlanes planes = PrefixPlanes.of(filter.store());
    List<byte[]> parts = planes.encode(filter.store());
    List<Long> parameters = new ArrayList<>();
    parameters.add(Double.doubleToRawLongBits(filter.plan().fpp()));
    parameters.add(filter.isRemovable() ? 1L : 0L);
    parameters.add(Math.max(0, filter.store().tally().copies()));
    parameters.addAll(planes.parameters());
    FilterHeader header =
        FilterHeader.of(
            FilterKind.FINGERPRINT,
            filter.hashScheme(),
            Origin.NONE,
            parameters,
            parts.stream().map(part -> (long) part.length).toList());
    return new Written(header, parts);
  }

  /** Returns the header of an empty filter with the settings of this one. */
  static byte[] settings(FingerprintFilter filter) {
    PrefixStore none = FingerprintFilter.emptyStore(filter.plan(), filter.isRemovable());
    return of(new FingerprintFilter(filter.plan(), filter.hashScheme(), filter.isRemovable(), none))
        .header
        .toBytes();
  }

  /** Returns an empty filter with the settings of a header. */
  static FingerprintFilter empty(FilterReader reader) throws IOException {
    reader.expect(OWN_PARAMETERS + PrefixPlanes.PARAMETERS, reader.header().sectionBytes().size());
    HashScheme scheme = reader.scheme();
    FingerprintPlan plan = plan(reader);
    boolean removable = reader.parameter(1, "removable", 0, 1) == 1;
    PrefixStore none = FingerprintFilter.emptyStore(plan, removable);
    return new FingerprintFilter(plan, scheme, removable, none);
  }

  private static FingerprintPlan plan(FilterReader reader) throws IOException {
    return reader.checked(
        0, () -> FingerprintPlan.of(Double.longBitsToDouble(reader.header().parameters().get(0))));
  }

  static FingerprintFilter read(FilterReader reader) throws IOException {
    PrefixPlanes planes = planes(reader);
    List<byte[]> parts = new ArrayList<>();
    for (int i = 0; i < reader.header().sectionBytes().size(); i++) {
      parts.add(reader.bytes());
    }
    FingerprintFilter filter = filter(reader, planes, parts, PrefixStore.Allowed.NOTHING);
    // the encoding of prefixes is unique, so that a filter that was read is written unchanged
    long copies = filter.store().tally().copies();
    if (!PrefixPlanes.of(filter.store()).equals(planes)
        || copies != reader.header().parameters().get(2)) {
      throw reader.parameterError(OWN_PARAMETERS, "its prefixes are not in their shortest form");
    }
    return filter;
  }

  /** Returns the complete parts of a filter that may be truncated. */
  static List<byte[]> parts(FilterReader reader) throws IOException {
    List<byte[]> parts = new ArrayList<>();
    for (int i = 0; i < reader.header().sectionBytes().size(); i++) {
      byte[] part = i < PrefixPlanes.FIRST_PARTS ? reader.bytes() : reader.bytesUnlessCut();
      if (part == null) {
        break;
      }
      parts.add(part);
    }
    return parts;
  }

  static PrefixPlanes planes(FilterReader reader) throws IOException {
    List<Long> numbers = reader.header().parameters();
    reader.expect(OWN_PARAMETERS + PrefixPlanes.PARAMETERS, reader.header().sectionBytes().size());
    for (int i = OWN_PARAMETERS + 1; i < numbers.size(); i++) {
      reader.parameter(i, "a number of its prefixes", 0, 1L << 40);
    }
    PrefixPlanes planes =
        reader.checked(
            OWN_PARAMETERS,
            () ->
                new PrefixPlanes(
                    numbers.get(OWN_PARAMETERS),
                    number(numbers, 1),
                    number(numbers, 2),
                    numbers.get(OWN_PARAMETERS + 3),
                    numbers.get(OWN_PARAMETERS + 4),
                    number(numbers, 5),
                    number(numbers, 6)));
    reader.expect(
        OWN_PARAMETERS + PrefixPlanes.PARAMETERS,
        PrefixPlanes.FIRST_PARTS + planes.longest() - planes.base());
    return planes;
  }

  private static int number(List<Long> numbers, int index) {
    return (int) Math.min(Integer.MAX_VALUE, numbers.get(OWN_PARAMETERS + index));
  }

  private static FingerprintFilter filter(
      FilterReader reader, PrefixPlanes planes, List<byte[]> parts, PrefixStore.Allowed allowed)
      throws IOException {
    HashScheme scheme = reader.scheme();
    FingerprintPlan plan = plan(reader);
    boolean removable = reader.parameter(1, "removable", 0, 1) == 1;
    long copies = reader.parameter(2, "copies", 0, planes.count());
    PrefixStore store =
        reader.checked(
            OWN_PARAMETERS,
            () ->
                FingerprintFilter.emptyStore(plan, removable)
                    .load(planes.decode(parts), planes.count(), copies, allowed, reader.limit()));
    return new FingerprintFilter(plan, scheme, removable, store);
  }

  /** Reads a filter that may be truncated. */
  static PrefixStream readCut(FilterReader reader) throws IOException {
    PrefixPlanes planes = planes(reader);
    List<byte[]> parts = parts(reader);
    return new PrefixStream(
        filter(reader, planes, parts, PrefixStore.Allowed.COVERING),
        parts.size() - PrefixPlanes.FIRST_PARTS,
        planes.longest() - planes.base());
  }
}
