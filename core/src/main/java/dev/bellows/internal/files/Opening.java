package dev.bellows.internal.files;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A header that was read and checked.
 *
 * @param offsets the offsets of its fields
 * @param bytes the number of bytes that were read
 * @param body the checked payload of all sections if the form is compact; otherwise null
 */
record Opening(FilterHeader header, HeaderFields offsets, long bytes, @Nullable InputStream body) {
  /** Reads the beginning of a filter in either form, without reading beyond it. */
  static Opening read(InputStream in) throws IOException {
    byte[] start = in.readNBytes(CompactForm.MAGIC.length);
    return Arrays.equals(start, CompactForm.MAGIC)
        ? CompactForm.read(in)
        : FullForm.read(in, start);
  }
}
