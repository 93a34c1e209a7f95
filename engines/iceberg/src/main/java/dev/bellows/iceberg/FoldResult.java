package dev.bellows.iceberg;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@link FoldFilters} did to a table, or would do.
 *
 * @param snapshotId the last snapshot that was committed; null if nothing was rewritten, and of a
 *     plan
 * @param rewritten the data files with smaller filters
 * @param skipped all other data files, with the reasons
 */
public record FoldResult(
    @Nullable Long snapshotId, List<RewrittenFile> rewritten, List<SkippedFile> skipped) {
  /** Copies the lists. */
  public FoldResult {
    rewritten = List.copyOf(rewritten);
    skipped = List.copyOf(skipped);
  }

  /**
   * A data file that has, or would have, a copy with smaller filters.
   *
   * @param location the file
   * @param copy the file that takes its place; null of a plan
   * @param filters the number of filters that become smaller
   * @param bytesBefore the length of the file
   * @param bytesAfter the length of the copy
   */
  public record RewrittenFile(
      String location, @Nullable String copy, int filters, long bytesBefore, long bytesAfter) {}

  /**
   * A data file that stays as it is.
   *
   * @param location the file
   * @param reason why
   * @param detail a sentence about it
   */
  public record SkippedFile(String location, Reason reason, String detail) {}

  /** Why a data file stays as it is. */
  public enum Reason {
    /** It has no filters of these columns, or they cannot become smaller. */
    NOTHING_TO_FOLD,
    /** It is a file of Avro, ORC or another format. */
    NOT_PARQUET,
    /** It is encrypted. */
    ENCRYPTED,
    /** Position deletes or a deletion vector refer to it by its name and its rows' positions. */
    DELETED_ROWS,
    /** Iceberg would drop equality deletes that apply to it, because it is the oldest file. */
    EQUALITY_DELETES,
    /** Some of its rows have ids in the file and others have not, so that a copy would mix them. */
    ROW_IDS,
    /** The snapshot lists it more than once. */
    LISTED_TWICE,
    /** It cannot be read: it is damaged, or has something that is unknown. */
    UNREADABLE,
    /** While it was copied, another commit deleted rows of it, or replaced it. */
    CHANGED_MEANWHILE
  }

  /** Returns the length of the rewritten files before. */
  public long bytesBefore() {
    return rewritten.stream().mapToLong(RewrittenFile::bytesBefore).sum();
  }

  /** Returns the length of the rewritten files after. */
  public long bytesAfter() {
    return rewritten.stream().mapToLong(RewrittenFile::bytesAfter).sum();
  }
}
