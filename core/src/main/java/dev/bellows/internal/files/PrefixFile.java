package dev.bellows.internal.files;

import dev.bellows.HashScheme;
import dev.bellows.internal.layout.Origin;
import dev.bellows.internal.prefixes.PrefixStore;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The file of a filter that stores prefixes: parameters of its kind, the number of copies and the
 * parameters of {@link PrefixPlanes}, then sections of its kind and those of the prefixes.
 *
 * @param header the header
 * @param parts the content of the sections
 */
public record PrefixFile(FilterHeader header, List<byte[]> parts) {
  /**
   * Encodes a store that does not change.
   *
   * @param own the parameters of the kind
   * @param ownParts the sections of the kind
   */
  public static PrefixFile of(
      FilterKind kind,
      HashScheme scheme,
      List<Long> own,
      List<byte[]> ownParts,
      PrefixStore store) {
    PrefixPlanes planes = PrefixPlanes.of(store);
    List<byte[]> parts = new ArrayList<>(ownParts);
    parts.addAll(planes.encode(store));
    List<Long> parameters = new ArrayList<>(own);
    parameters.add(Math.max(0, store.tally().copies()));
    parameters.addAll(planes.parameters());
    List<Long> sizes = parts.stream().map(part -> (long) part.length).toList();
    return new PrefixFile(FilterHeader.of(kind, scheme, Origin.NONE, parameters, sizes), parts);
  }

  /** Returns the number of bytes of prefixes, without header and checksums. */
  public long payloadBytes() {
    return parts.stream().mapToLong(part -> part.length).sum();
  }

  /** Writes the file. */
  public void writeTo(OutputStream out) throws IOException {
    FilterWriter writer = FilterWriter.begin(out, header);
    for (byte[] part : parts) {
      writer.bytes(part);
    }
    writer.end();
  }

  /** Checks the number of parameters in a header; {@code own} of them are those of the kind. */
  public static void expect(FilterReader reader, int own) throws FilterFormatException {
    reader.expect(own + 1 + PrefixPlanes.PARAMETERS, reader.header().sectionBytes().size());
  }

  /** Returns the number of copies in a header. */
  public static long copies(FilterReader reader, int own, PrefixPlanes planes)
      throws FilterFormatException {
    return reader.parameter(own, "copies", 0, planes.count());
  }

  /** Returns the description of the prefixes in a header. */
  public static PrefixPlanes planes(FilterReader reader, int own, int ownParts)
      throws FilterFormatException {
    expect(reader, own);
    int at = own + 1;
    List<Long> numbers = reader.header().parameters();
    for (int i = 0; i < PrefixPlanes.PARAMETERS; i++) {
      reader.parameter(at + i, "a number of its prefixes", 0, 1L << 40);
    }
    PrefixPlanes planes =
        reader.checked(
            at, () -> PrefixPlanes.of(numbers.subList(at, at + PrefixPlanes.PARAMETERS)));
    reader.expect(
        numbers.size(), ownParts + PrefixPlanes.FIRST_PARTS + planes.longest() - planes.base());
    return planes;
  }

  /** Reads all sections from this one on. */
  public static List<byte[]> parts(FilterReader reader, int from) throws IOException {
    List<byte[]> parts = new ArrayList<>();
    for (int i = from; i < reader.header().sectionBytes().size(); i++) {
      parts.add(reader.bytes());
    }
    return parts;
  }

  /**
   * Throws unless a store that was read would be written as the same bytes, because the encoding of
   * prefixes is unique.
   */
  public static void requireUnique(
      FilterReader reader, int own, PrefixPlanes planes, PrefixStore store)
      throws FilterFormatException {
    if (!PrefixPlanes.of(store).equals(planes)
        || store.tally().copies() != reader.header().parameters().get(own)) {
      throw reader.parameterError(own + 1, "its prefixes are not in their shortest form");
    }
  }
}
