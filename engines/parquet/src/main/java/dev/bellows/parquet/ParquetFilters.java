package dev.bellows.parquet;

import dev.bellows.internal.base.Prose;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.SplitBlocks;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The Bloom filters inside one Parquet file, and the files that have smaller ones or none.
 *
 * <pre>{@code
 * ParquetFilters.read(path).filters().forEach(System.out::println);
 * ParquetFilters.fold(path, Path.of("small.parquet"), FoldRequest.toFpp(0.01));
 * }</pre>
 *
 * <p>A folded filter is bit for bit the one that the writer would have built at that size, so no
 * key is lost. No data page is decoded, and no engine is needed.
 */
public final class ParquetFilters {
  /** Memory for the folded filters of one file between planning and writing. */
  private static final long MOST_KEPT_BYTES = 64L << 20;

  /** Columns that a message lists. */
  private static final int MOST_NAMES = 20;

  private final long fileBytes;
  private final long rows;
  private final List<ParquetFilter> filters;

  private ParquetFilters(long fileBytes, long rows, List<ParquetFilter> filters) {
    this.fileBytes = fileBytes;
    this.rows = rows;
    this.filters = List.copyOf(filters);
  }

  /** Reads all filters of a file. */
  public static ParquetFilters read(Path path) throws IOException {
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      Footer footer = Footer.read(file);
      List<ParquetFilter> filters = new ArrayList<>();
      for (ChunkFilter filter : stored(file, footer)) {
        filters.add(describe(filter, filter.bits(file)));
      }
      return new ParquetFilters(footer.fileBytes(), footer.rows(), filters);
    }
  }

  private static ParquetFilter describe(ChunkFilter filter, HeapBits bits) {
    Chunk chunk = filter.chunk();
    List<ParquetFilter.Size> sizes = Sizes.of(bits);
    return new ParquetFilter(
        chunk.rowGroup(),
        chunk.column(),
        chunk.type(),
        chunk.rows(),
        filter.offset(),
        filter.length(),
        bits.bits(),
        (double) bits.ones() / bits.bits(),
        sizes.get(sizes.size() - 1).expectedFpp(),
        sizes);
  }

  /** Returns the filters of all chunks that have one. */
  static List<ChunkFilter> stored(FileChannel file, Footer footer) throws IOException {
    List<ChunkFilter> filters = new ArrayList<>();
    for (Chunk chunk : footer.chunks()) {
      ChunkFilter filter = ChunkFilter.of(file, footer, chunk);
      if (filter != null) {
        filters.add(filter);
      }
    }
    requireApart(filters);
    return filters;
  }

  /**
   * Ensures that all filters together are not larger than the file, however many chunks name them.
   */
  private static void requireApart(List<ChunkFilter> filters) throws ParquetFormatException {
    List<ChunkFilter> sorted =
        filters.stream().sorted(Comparator.comparingLong(ChunkFilter::offset)).toList();
    for (int i = 1; i < sorted.size(); i++) {
      ChunkFilter before = sorted.get(i - 1);
      ChunkFilter after = sorted.get(i);
      if (before.offset() + before.length() > after.offset()) {
        throw new ParquetFormatException(
            after.offset(),
            ("the filter of %s, which ends at byte %d, overlaps that of %s, which "
                    + "begins at byte %d")
                .formatted(
                    before.chunk().name(),
                    before.offset() + before.length(),
                    after.chunk().name(),
                    after.offset()));
      }
    }
  }

  /**
   * Refuses a name that two columns of a file have: a name may have dots itself, so that the column
   * a.b and the column b of the group a are written the same.
   */
  static void requireOne(List<Chunk> chunks, Set<String> columns) {
    Map<String, Schema.Column> seen = new HashMap<>();
    for (Chunk chunk : chunks) {
      if (columns.contains(chunk.column())
          && seen.computeIfAbsent(chunk.column(), name -> chunk.schemaColumn())
              != chunk.schemaColumn()) {
        throw new IllegalArgumentException(
            ("two columns are named %s, perhaps one by a name with a dot and one "
                        + "inside a group:")
                    .formatted(Prose.escape(chunk.column()))
                + " it cannot be told which one is meant; without names, all columns are changed");
      }
    }
  }

  /** Refuses names that no column has; a file without row groups has nothing to be changed. */
  static void requireColumns(Footer footer, Set<String> columns) {
    Set<String> all =
        footer.chunks().stream().map(Chunk::column).collect(Collectors.toCollection(TreeSet::new));
    for (String column : columns) {
      if (!all.isEmpty() && !all.contains(column)) {
        throw new IllegalArgumentException(
            "no column %s: the file has %s".formatted(Prose.escape(column), names(all)));
      }
    }
  }

  /** Some names of columns for a message. */
  static String names(Set<String> columns) {
    String some =
        columns.stream().limit(MOST_NAMES).map(Prose::escape).collect(Collectors.joining(", "));
    int more = columns.size() - MOST_NAMES;
    return columns.isEmpty() ? "no column" : more > 0 ? some + " and " + more + " more" : some;
  }

  /** Returns the length of the file. */
  public long fileBytes() {
    return fileBytes;
  }

  /** Returns the rows of the file. */
  public long rows() {
    return rows;
  }

  /** Returns the length of all filters together, with their headers. */
  public long filterBytes() {
    return filters.stream().mapToLong(ParquetFilter::bytes).sum();
  }

  /** Returns the filters, row group by row group. */
  public List<ParquetFilter> filters() {
    return filters;
  }

  /** Writes a file with folded filters to another path. */
  public static ParquetRewrite fold(Path in, Path out, FoldRequest request) throws IOException {
    ParquetRewrite rewrite = planFold(in, request);
    rewrite.writeTo(out);
    return rewrite;
  }

  /** Writes a file without the filters of some columns, or without any, to another path. */
  public static ParquetRewrite drop(Path in, Path out, Set<String> columns) throws IOException {
    ParquetRewrite rewrite = planDrop(in, columns);
    rewrite.writeTo(out);
    return rewrite;
  }

  /** Returns what folding would give; nothing is written. */
  public static ParquetRewrite planFold(Path in, FoldRequest request) throws IOException {
    return ParquetRewrite.plan(in, folding(request));
  }

  /**
   * Returns what folding would give, of a file that is open: for files on stores that have no
   * paths, by way of {@link RangeChannel}. Nothing is written.
   *
   * @param numbers a column that the copy gets in addition; null for none
   * @throws IllegalArgumentException if the file has that column, but perhaps not in every row
   */
  public static ParquetCopy planFold(
      FileChannel in, FoldRequest request, @Nullable RowNumbers numbers) throws IOException {
    return ParquetCopy.plan(in, folding(request), numbers);
  }

  private static ParquetCopy.Editor folding(FoldRequest request) {
    return (file, footer, edits, changes) -> {
      long kept = 0;
      for (ChunkFilter filter : chosen(file, footer, request)) {
        HeapBits before = filter.bits(file);
        HeapBits after = request.apply(before);
        long length = filter.length();
        if (after.bits() != before.bits()) {
          byte[] header = filter.header(SplitBlocks.blocks(after));
          length = header.length + after.bits() / 8;
          kept += after.bits() / 8;
          edits.add(Edit.filter(filter, length, folded(filter, header, after, kept)));
        }
        changes.add(
            new FilterChange(
                filter.chunk().rowGroup(),
                filter.chunk().column(),
                filter.length(),
                length,
                SplitBlocks.fpp(before),
                SplitBlocks.fpp(after)));
      }
    };
  }

  /** Folded filters are small and kept; if they are not, they are folded again when written. */
  private static Edit.Content folded(
      ChunkFilter filter, byte[] header, HeapBits folded, long kept) {
    if (kept <= MOST_KEPT_BYTES) {
      return (old, out) -> {
        out.write(header);
        ChunkFilter.write(out, folded);
      };
    }
    long blocks = SplitBlocks.blocks(folded);
    return (old, out) -> {
      out.write(header);
      ChunkFilter.write(out, SplitBlocks.resize(filter.bits(old), blocks));
    };
  }

  /** Returns what dropping would give; nothing is written. No columns means all. */
  public static ParquetRewrite planDrop(Path in, Set<String> columns) throws IOException {
    return planDrop(in, columns, Missing.REFUSE);
  }

  /** The same, but some columns may no longer have a filter, as in a repeated run. */
  public static ParquetRewrite planDrop(Path in, Set<String> columns, Missing missing)
      throws IOException {
    return ParquetRewrite.plan(
        in,
        (file, footer, edits, changes) -> {
          for (ChunkFilter filter : chosen(file, footer, columns, missing)) {
            edits.add(Edit.filter(filter, 0, Edit.Content.NONE));
            changes.add(
                new FilterChange(
                    filter.chunk().rowGroup(),
                    filter.chunk().column(),
                    filter.length(),
                    0,
                    SplitBlocks.fpp(filter.bits(file)),
                    null));
          }
        });
  }

  /** Returns the filters that are to be folded, in a file that can be changed. */
  private static List<ChunkFilter> chosen(FileChannel file, Footer footer, FoldRequest request)
      throws IOException {
    if (request.fields().isEmpty()) {
      return chosen(file, footer, request.columns(), request.missing());
    }
    boolean hasIds =
        footer.chunks().stream().anyMatch(chunk -> chunk.schemaColumn().fieldId().isPresent());
    return chosen(file, footer, Set.of(), Missing.SKIP).stream()
        .filter(filter -> isChosen(filter.chunk(), request.fields(), hasIds))
        .toList();
  }

  private static boolean isChosen(Chunk chunk, Map<Integer, String> fields, boolean hasIds) {
    OptionalLong id = chunk.schemaColumn().fieldId();
    return hasIds
        ? id.isPresent() && fields.containsKey((int) id.getAsLong())
        : fields.containsValue(chunk.column());
  }

  /**
   * Returns the filters of these columns, or of all if none are named, in a file that can be
   * changed.
   */
  private static List<ChunkFilter> chosen(
      FileChannel file, Footer footer, Set<String> columns, Missing missing) throws IOException {
    List<ChunkFilter> all = stored(file, footer);
    FileRegions.requireApart(footer, all);
    Set<String> known = new TreeSet<>();
    all.forEach(filter -> known.add(filter.chunk().column()));
    if (missing == Missing.SKIP) {
      requireColumns(footer, columns);
    }
    for (String column : columns) {
      if (missing == Missing.REFUSE && !known.contains(column)) {
        throw new IllegalArgumentException(
            "no filter of column %s: the file has filters of %s"
                .formatted(Prose.escape(column), names(known)));
      }
    }
    requireOne(footer.chunks(), columns);
    return columns.isEmpty()
        ? all
        : all.stream().filter(filter -> columns.contains(filter.chunk().column())).toList();
  }
}
