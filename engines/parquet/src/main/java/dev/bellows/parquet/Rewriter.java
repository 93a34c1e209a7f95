package dev.bellows.parquet;

import dev.bellows.internal.files.FileOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The new file, planned before the first byte is written: the old one with some filters replaced,
 * and with every offset that the footer and the offset indexes name moved along.
 *
 * <p>Offset indexes are rewritten only if pages move, which they do if a filter lies before them,
 * as in files that have the filters of a row group right after it. Numbers in an index have
 * variable lengths, so that its own length may change and move what follows: the plan is repeated
 * until it agrees with itself, which takes two rounds if indexes follow the pages, as usual.
 */
final class Rewriter {
  /** The number of bytes that are copied between two progress calls. */
  private static final int PIECE_BYTES = 1 << 20;

  /** Far more rounds than any order of regions needs. */
  private static final int MOST_ROUNDS = 20;

  /** A field of OffsetIndex, and the first of each location in it. */
  private static final int PAGE_LOCATIONS = 1;

  private static final int PAGE_OFFSET = 1;

  /** A field of RowGroup. */
  private static final int GROUP_OFFSET = 5;

  private final Footer footer;
  private final OffsetMap map;
  private final byte[] appended;
  private final byte[] newFooter;

  private Rewriter(Footer footer, OffsetMap map, byte[] appended, byte[] newFooter) {
    this.footer = footer;
    this.map = map;
    this.appended = appended;
    this.newFooter = newFooter;
  }

  /**
   * Plans a file with these edits of filters; the footer is changed by it.
   *
   * @param numbers a column to be added, if any
   */
  static Rewriter plan(
      FileChannel file, Footer footer, List<Edit> filters, @Nullable RowNumbers numbers)
      throws IOException {
    List<Edit> indexes = new ArrayList<>();
    OffsetMap map = new OffsetMap(filters);
    for (int round = 0; ; round++) {
      List<Edit> moved = movedIndexes(file, footer, map);
      boolean isStable = lengths(moved).equals(lengths(indexes));
      indexes = moved;
      List<Edit> all = new ArrayList<>(filters);
      all.addAll(indexes);
      map = new OffsetMap(all);
      if (isStable) {
        break;
      }
      if (round == MOST_ROUNDS) {
        throw new ParquetFormatException(
            footer.start(), "its offset indexes lie so that their new lengths do not settle");
      }
    }
    for (Chunk chunk : footer.chunks()) {
      moveChunk(map, chunk);
    }
    for (int i = 0; i < map.edits().size(); i++) {
      note(map.edits().get(i), map.start(i));
    }
    for (ThriftStruct group : footer.rowGroups()) {
      move(map, group, GROUP_OFFSET);
    }
    byte[] appended = RowNumbers.add(numbers, footer, map.map(footer.start()));
    return new Rewriter(footer, map, appended, footer.toBytes());
  }

  private static List<Long> lengths(List<Edit> edits) {
    return edits.stream().map(Edit::length).toList();
  }

  /** Returns the new offset indexes of all chunks whose pages move. */
  private static List<Edit> movedIndexes(FileChannel file, Footer footer, OffsetMap map)
      throws IOException {
    List<Edit> moved = new ArrayList<>();
    for (Chunk chunk : footer.chunks()) {
      OptionalLong offset = chunk.struct().number(Chunk.OFFSET_INDEX_OFFSET);
      long first = chunk.firstPage();
      long shift = map.map(first) - first;
      if (offset.isPresent() && shift != 0) {
        long from = offset.getAsLong();
        long length = chunk.struct().number(Chunk.OFFSET_INDEX_LENGTH, "length of an index");
        if (length > Integer.MAX_VALUE) {
          throw chunk.struct().error("an offset index of %d bytes".formatted(length));
        }
        byte[] index = Regions.read(file, from, (int) length);
        moved.add(Edit.index(chunk, from, from + length, moved(chunk, from, index, shift)));
      }
    }
    return moved;
  }

  private static byte[] moved(Chunk chunk, long at, byte[] index, long shift)
      throws ParquetFormatException {
    ThriftStruct struct = ThriftStruct.read(new ThriftInput(index, 0, index.length, at));
    if (struct.end() != index.length) {
      throw struct.error(
          "the offset index of %s has %d bytes, and the footer claims %d"
              .formatted(chunk.name(), struct.end(), index.length));
    }
    long first = chunk.firstPage();
    for (ThriftStruct page : struct.structs(PAGE_LOCATIONS, PAGE_OFFSET)) {
      long offset = page.number(PAGE_OFFSET, "offset");
      if (offset < first || offset - first >= chunk.pageBytes()) {
        throw page.error(
            "the offset index of %s names a page at byte %d, and its pages have %d bytes from %d on"
                .formatted(chunk.name(), offset, chunk.pageBytes(), first));
      }
      page.set(PAGE_OFFSET, ThriftInput.I64, offset + shift);
    }
    return struct.toBytes();
  }

  private static void moveChunk(OffsetMap map, Chunk chunk) throws ParquetFormatException {
    move(map, chunk.struct(), Chunk.FILE_OFFSET);
    move(map, chunk.struct(), Chunk.OFFSET_INDEX_OFFSET);
    move(map, chunk.struct(), Chunk.COLUMN_INDEX_OFFSET);
    move(map, chunk.metaData(), Chunk.DATA_PAGE_OFFSET);
    move(map, chunk.metaData(), Chunk.INDEX_PAGE_OFFSET);
    move(map, chunk.metaData(), Chunk.DICTIONARY_PAGE_OFFSET);
    move(map, chunk.metaData(), Chunk.FILTER_OFFSET);
  }

  /** Maps a field, if there is one; 0 and less mean that there is nothing. */
  private static void move(OffsetMap map, ThriftStruct struct, int field)
      throws ParquetFormatException {
    long offset = struct.number(field).orElse(0);
    if (offset > 0 && map.map(offset) != offset) {
      struct.set(field, ThriftInput.I64, map.map(offset));
    }
  }

  /** Writes the place and the length of what was edited into the chunk's fields. */
  private static void note(Edit edit, long start) throws ParquetFormatException {
    ThriftStruct metaData = edit.chunk().metaData();
    if (!edit.isFilter()) {
      edit.chunk().struct().set(Chunk.OFFSET_INDEX_LENGTH, ThriftInput.I32, edit.length());
    } else if (edit.length() == 0) {
      metaData.remove(Chunk.FILTER_OFFSET);
      metaData.remove(Chunk.FILTER_LENGTH);
    } else {
      boolean isNew = edit.from() == edit.to();
      metaData.set(Chunk.FILTER_OFFSET, ThriftInput.I64, start);
      if (isNew || metaData.has(Chunk.FILTER_LENGTH)) {
        metaData.set(Chunk.FILTER_LENGTH, ThriftInput.I32, edit.length());
      }
    }
  }

  /** Returns the length of the new file. */
  long bytes() {
    return map.map(footer.start()) + appended.length + newFooter.length;
  }

  /**
   * Writes the new file in one pass.
   *
   * @param progress is told the bytes of the old file that are done, piece by piece
   */
  void write(FileChannel old, OutputStream out, LongConsumer progress) throws IOException {
    byte[] piece = new byte[PIECE_BYTES];
    long at = 0;
    for (Edit edit : map.edits()) {
      copy(old, at, edit.from(), out, piece, progress);
      edit.content().write(old, out);
      progress.accept(edit.to() - edit.from());
      at = edit.to();
    }
    copy(old, at, footer.start(), out, piece, progress);
    out.write(appended);
    out.write(newFooter);
    progress.accept(footer.fileBytes() - footer.start());
  }

  private static void copy(
      FileChannel old, long from, long to, OutputStream out, byte[] piece, LongConsumer progress)
      throws IOException {
    for (long at = from; at < to; at += piece.length) {
      int length = (int) Math.min(piece.length, to - at);
      if (out instanceof FileOutput file) {
        file.copy(old, at, length);
      } else {
        Regions.fill(old, at, ByteBuffer.wrap(piece, 0, length));
        out.write(piece, 0, length);
      }
      progress.accept(length);
    }
  }
}
