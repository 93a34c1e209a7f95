package dev.bellows.internal.files;

import dev.bellows.HashScheme;
import dev.bellows.internal.layout.Origin;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The header of a filter: its kind, its hash scheme, its parameters and the length of each section.
 * spec/FORMAT.md specifies the two encodings: {@link FullForm}, and {@link CompactForm} for filters
 * with small sections.
 *
 * @param kind the kind of filter
 * @param hashScheme the fixed id of the hash scheme
 * @param hashIdentity the seed, or the tag of a secret key
 * @param keyType the id of the type of its keys, 0 if unspecified
 * @param filterId the id that the user chose, 0 for none
 * @param state the hash of the content that foldings were made from, 0 without an id
 * @param parameters the parameters of the kind, in the order that the kind defines
 * @param sectionBytes the payload length of each section, in file order
 */
public record FilterHeader(
    FilterKind kind,
    int hashScheme,
    long hashIdentity,
    int keyType,
    long filterId,
    long state,
    List<Long> parameters,
    List<Long> sectionBytes) {
  /** The format version that this library reads and writes. */
  public static final int VERSION = 1;

  /** The maximum number of bytes of a header. */
  static final int MAX_BYTES = 1 << 16;

  /** Copies the lists; throws if no reader would accept the header. */
  public FilterHeader {
    parameters = List.copyOf(parameters);
    sectionBytes = List.copyOf(sectionBytes);
    long length = FullForm.headerBytes(parameters.size() + sectionBytes.size());
    if (length > MAX_BYTES) {
      throw new IllegalStateException(
          "a header of %d bytes, but files have at most %d".formatted(length, MAX_BYTES));
    }
  }

  /** Returns the header of a filter with this scheme and origin. */
  public static FilterHeader of(
      FilterKind kind,
      HashScheme scheme,
      Origin origin,
      List<Long> parameters,
      List<Long> sectionBytes) {
    return new FilterHeader(
        kind,
        scheme.id(),
        scheme.identity(),
        scheme.keyType().id(),
        origin.filterId(),
        origin.state(),
        parameters,
        sectionBytes);
  }

  /** Throws unless the version is that of this library. */
  static void requireVersion(int version, long offset) throws FilterFormatException {
    if (version != VERSION) {
      throw new FilterFormatException(
          offset, "format version " + version + "; this library reads " + VERSION);
    }
  }

  /** Returns the bytes of the full form, without the sections. */
  public byte[] toBytes() {
    return FullForm.encode(this);
  }

  /** Returns whether the sections are so small that padding would be a large part of the file. */
  boolean isCompact() {
    return bodyBytes() <= CompactForm.MAX_BODY;
  }

  /** Returns the total payload length of all sections. */
  long bodyBytes() {
    return sectionBytes.stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the length of header and sections as they are written. */
  public long fileBytes() {
    return isCompact() ? CompactForm.fileBytes(this) : FullForm.fileBytes(this);
  }

  static int checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
