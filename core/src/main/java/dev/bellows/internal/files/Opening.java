package dev.bellows.internal.files;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A header that was read and checked.
 *
 * @param offsets where its fields are
 * @param bytes how many bytes were read
 * @param body the payload of all sections, checked, if it came with the header; else null
 */
record Opening(FilterHeader header, HeaderOffsets offsets, long bytes, @Nullable InputStream body) {
  /** Reads the beginning of a filter in either form, and no byte more. */
  static Opening read(InputStream in) throws IOException {
    byte[] start = in.readNBytes(CompactForm.MAGIC.length);
    return Arrays.equals(start, CompactForm.MAGIC)
        ? CompactForm.read(in)
        : FullForm.read(in, start);
  }
}
