package dev.bellows.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/** The regions of a file that its footer names. A file whose regions overlap is not changed. */
final class FileRegions {
  private record Region(long from, long to, String name) {}

  private final Footer footer;
  private final List<Region> regions = new ArrayList<>();

  private FileRegions(Footer footer) {
    this.footer = footer;
  }

  /** Refuses a file with regions that lie outside of it or overlap. */
  static void requireApart(Footer footer, List<ChunkFilter> filters) throws IOException {
    FileRegions all = new FileRegions(footer);
    for (Chunk chunk : footer.chunks()) {
      if (chunk.struct().has(Chunk.FILE_PATH)) {
        throw chunk
            .struct()
            .error(
                "%s lies in another file: this is a summary of other files, so change those"
                    .formatted(chunk.name()));
      }
      all.add(chunk, chunk.firstPage(), chunk.pageBytes(), "pages");
      all.add(chunk, Chunk.OFFSET_INDEX_OFFSET, Chunk.OFFSET_INDEX_LENGTH, "offset index");
      all.add(chunk, Chunk.COLUMN_INDEX_OFFSET, Chunk.COLUMN_INDEX_LENGTH, "column index");
    }
    for (ChunkFilter filter : filters) {
      all.add(filter.chunk(), filter.offset(), filter.length(), "filter");
    }
    all.requireApart();
  }

  private void add(Chunk chunk, int offsetField, int lengthField, String what)
      throws ParquetFormatException {
    OptionalLong offset = chunk.struct().number(offsetField);
    if (offset.isPresent()) {
      add(
          chunk,
          offset.getAsLong(),
          chunk.struct().number(lengthField, "length of an index"),
          what);
    }
  }

  private void add(Chunk chunk, long from, long length, String what) throws ParquetFormatException {
    if (length == 0) {
      return;
    }
    String name = "the %s of %s".formatted(what, chunk.name());
    if (length < 0 || from < Footer.MAGIC.length || length > footer.start() - from) {
      throw chunk
          .struct()
          .error(
              "%s would have %d bytes from byte %d on, and the footer begins at %d"
                  .formatted(name, length, from, footer.start()));
    }
    regions.add(new Region(from, from + length, name));
  }

  private void requireApart() throws ParquetFormatException {
    regions.sort(Comparator.comparingLong(Region::from));
    for (int i = 1; i < regions.size(); i++) {
      Region before = regions.get(i - 1);
      Region after = regions.get(i);
      if (before.to > after.from) {
        throw new ParquetFormatException(
            after.from,
            "%s, which ends at byte %d, overlaps %s, which begins at byte %d: nothing is changed"
                .formatted(before.name, before.to, after.name, after.from));
      }
    }
  }
}
