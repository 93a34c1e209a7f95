package dev.bellows.iceberg;

import dev.bellows.iceberg.FoldResult.Reason;
import dev.bellows.iceberg.FoldResult.RewrittenFile;
import dev.bellows.iceberg.FoldResult.SkippedFile;
import dev.bellows.parquet.FoldRequest;
import dev.bellows.parquet.ParquetCopy;
import dev.bellows.parquet.ParquetFilters;
import dev.bellows.parquet.ParquetFormatException;
import dev.bellows.parquet.RowNumbers;
import java.io.IOException;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.PositionOutputStream;
import org.jspecify.annotations.Nullable;

/** Copies single data files of a table, with folded filters. */
final class FileCopier {
  private final Table table;
  private final FoldRequest request;
  private final boolean isDry;
  private final BooleanSupplier isStopped;

  /** In the names of all copies of a run. */
  private final UUID run = UUID.randomUUID();

  /**
   * Copies files of a table.
   *
   * @param isDry whether nothing is written
   * @param isStopped asked now and then: once it is true, copying ends with an exception
   */
  FileCopier(Table table, FoldRequest request, boolean isDry, BooleanSupplier isStopped) {
    this.table = table;
    this.request = request;
    this.isDry = isDry;
    this.isStopped = isStopped;
  }

  /**
   * What became of a data file: a copy, or the reason why there is none.
   *
   * @param task the data file, with the deletes that apply to it
   * @param copy the new data file; null if there is none, or nothing is written
   * @param rewritten what the copy saves, or would save; null if there is none
   * @param skipped why there is no copy; null if there is one
   */
  record Outcome(
      FileScanTask task,
      @Nullable DataFile copy,
      @Nullable RewrittenFile rewritten,
      @Nullable SkippedFile skipped) {
    DataFile file() {
      return task.file();
    }

    static Outcome skipped(FileScanTask task, Reason reason, String detail) {
      return new Outcome(task, null, null, new SkippedFile(task.file().location(), reason, detail));
    }
  }

  /**
   * Returns why a file must not be replaced by a copy, which has another name; null if it may.
   * Equality deletes are no reason: they apply to a copy as they do to the file, because they refer
   * to values, and the copy keeps the data sequence number.
   */
  static @Nullable Outcome refusal(FileScanTask task) {
    DataFile file = task.file();
    if (file.format() != FileFormat.PARQUET) {
      return Outcome.skipped(
          task,
          Reason.NOT_PARQUET,
          "its format is %s, and only the filters of Parquet files are folded"
              .formatted(file.format()));
    }
    if (file.keyMetadata() != null) {
      return Outcome.skipped(
          task, Reason.ENCRYPTED, "it is encrypted, and its copy would need another key");
    }
    for (DeleteFile deletes : task.deletes()) {
      if (deletes.content() == FileContent.POSITION_DELETES) {
        return Outcome.skipped(
            task,
            Reason.DELETED_ROWS,
            ("the %s in %s refers to it by its name, so that the deleted rows would return in a"
                    + " copy: compact the file first, e.g. with rewrite_data_files")
                .formatted(
                    deletes.format() == FileFormat.PUFFIN ? "deletion vector" : "position delete",
                    deletes.location()));
      }
    }
    return null;
  }

  /** Refuses a file that a snapshot has several times, so that its rows count several times. */
  static Outcome listedTwice(FileScanTask task) {
    return Outcome.skipped(
        task,
        Reason.LISTED_TWICE,
        "the snapshot lists it more than once, so that its rows are read more than once");
  }

  /** Copies a file, if it may be replaced and becomes smaller. */
  Outcome copy(FileScanTask task, int number) throws IOException {
    Outcome refused = refusal(task);
    if (refused != null) {
      return refused;
    }
    requireRunning();
    DataFile file = task.file();
    try (IcebergChannel in =
        new IcebergChannel(
            table.io().newInputFile(file.location(), file.fileSizeInBytes()),
            file.fileSizeInBytes())) {
      ParquetCopy copy;
      try {
        copy = ParquetFilters.planFold(in, request, rowIds(file));
      } catch (ParquetFormatException e) {
        return Outcome.skipped(task, Reason.UNREADABLE, e.getMessage());
      } catch (IllegalArgumentException e) {
        return Outcome.skipped(task, Reason.ROW_IDS, e.getMessage());
      }
      if (copy.bytesAfter() >= copy.bytesBefore()) {
        return Outcome.skipped(
            task,
            Reason.NOTHING_TO_FOLD,
            copy.filters().isEmpty()
                ? "it has no filters of these columns"
                : "its filters cannot become smaller");
      }
      DataFile written = isDry ? null : write(in, copy, task.spec(), file, number);
      RewrittenFile rewritten =
          new RewrittenFile(
              file.location(),
              written == null ? null : written.location(),
              copy.changes().size(),
              copy.bytesBefore(),
              copy.bytesAfter());
      return new Outcome(task, written, rewritten, null);
    }
  }

  /**
   * Returns the ids of a file's rows, which a table of format 3 knows by the id of the first one.
   * Iceberg gives another first id to every file that is added, so that a copy has the ids as a
   * column, as all rows have that are moved.
   */
  private static @Nullable RowNumbers rowIds(DataFile file) {
    Long first = file.firstRowId();
    return first == null
        ? null
        : new RowNumbers(MetadataColumns.ROW_ID.name(), MetadataColumns.ROW_ID.fieldId(), first);
  }

  private DataFile write(
      IcebergChannel in, ParquetCopy copy, PartitionSpec spec, DataFile file, int number)
      throws IOException {
    String name =
        FileFormat.PARQUET.addExtension(String.format(Locale.ROOT, "%05d-fold-%s", number, run));
    String location =
        spec.isPartitioned()
            ? table.locationProvider().newDataLocation(spec, file.partition(), name)
            : table.locationProvider().newDataLocation(name);
    try {
      try (PositionOutputStream out = table.io().newOutputFile(location).create()) {
        copy.writeTo(in, out, done -> requireRunning());
        if (out.getPos() != copy.bytesAfter()) {
          throw new IOException(
              "%d bytes were written to %s, where %d were planned"
                  .formatted(out.getPos(), location, copy.bytesAfter()));
        }
      }
    } catch (IOException | RuntimeException e) {
      delete(table, location, e);
      throw e;
    }
    return DataFiles.builder(spec)
        .copy(file)
        .withPath(location)
        .withFileSizeInBytes(copy.bytesAfter())
        .withSplitOffsets(copy.rowGroupOffsets())
        .withFirstRowId(null)
        .build();
  }

  private void requireRunning() {
    if (isStopped.getAsBoolean()) {
      throw new CancellationException("stopped, because another file cannot be copied");
    }
  }

  /** Deletes a copy that will not be part of the table; a failure is added to the other one. */
  static void delete(Table table, String location, Throwable cause) {
    try {
      table.io().deleteFile(location);
    } catch (RuntimeException e) {
      cause.addSuppressed(
          new IllegalStateException(location + " is not part of the table and was not deleted", e));
    }
  }
}
