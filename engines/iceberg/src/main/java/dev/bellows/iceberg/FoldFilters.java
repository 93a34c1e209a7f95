package dev.bellows.iceberg;

import dev.bellows.iceberg.FileCopier.Outcome;
import dev.bellows.iceberg.FoldResult.RewrittenFile;
import dev.bellows.iceberg.FoldResult.SkippedFile;
import dev.bellows.parquet.FoldRequest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * Folds the Bloom filters in the data files of an Iceberg table.
 *
 * <pre>{@code
 * FoldResult result = FoldFilters.of(table).toFpp(0.01).columns("id", "user").execute();
 * System.out.println(result.bytesBefore() + " -> " + result.bytesAfter());
 * result.skipped().forEach(System.out::println);
 * }</pre>
 *
 * <p>Files are copied with smaller filters, and a commit replaces them: a query reads the old files
 * or the new ones, and old snapshots keep the old ones until they expire. The rows, their order and
 * their statistics are the same. A copy keeps the partition, the sort order, the metrics and the
 * data sequence number of its file, so that equality deletes apply to it as before; the length and
 * the offsets of row groups are its own.
 *
 * <p>A file that position deletes or a deletion vector refer to is skipped and named, and so is one
 * that another commit changes meanwhile: no deleted row returns. Appends at the same time are no
 * conflict. If the commit fails, the copies are deleted; if it is unknown whether it failed, they
 * are kept, and the exception names them.
 *
 * <p>Immutable, and so thread-safe if the table is.
 */
public final class FoldFilters {
  static final Expression ALL_ROWS = Expressions.alwaysTrue();

  private final Table table;
  private final @Nullable FoldRequest request;
  private final List<String> columns;
  private final Expression rows;
  private final Executor executor;

  private FoldFilters(
      Table table,
      @Nullable FoldRequest request,
      List<String> columns,
      Expression rows,
      Executor executor) {
    this.table = table;
    this.request = request;
    this.columns = columns;
    this.rows = rows;
    this.executor = executor;
  }

  /** Starts a request for the data files of the table's current snapshot, as of its execution. */
  public static FoldFilters of(Table table) {
    Objects.requireNonNull(table, "table");
    return new FoldFilters(table, null, List.of(), ALL_ROWS, Runnable::run);
  }

  /**
   * To the smallest size whose false positive rate, computed from the bits of each filter, is at
   * most fpp. A filter that has a higher rate already stays as it is.
   */
  public FoldFilters toFpp(double fpp) {
    return new FoldFilters(table, FoldRequest.toFpp(fpp), columns, rows, executor);
  }

  /** To the largest size of at most this many bytes, in each filter. */
  public FoldFilters toSize(long bytes) {
    return new FoldFilters(table, FoldRequest.toSize(bytes), columns, rows, executor);
  }

  /**
   * Only the filters of these columns, by their names in the table; by default, those of all
   * columns. A column is found in old files too if it was renamed since.
   */
  public FoldFilters columns(String... names) {
    return new FoldFilters(table, request, List.of(names), rows, executor);
  }

  /**
   * Only files that may have rows for which this is true, as a scan of the table would read, e.g.
   * the files of some partitions.
   */
  public FoldFilters where(Expression expression) {
    return new FoldFilters(table, request, columns, Expressions.and(rows, expression), executor);
  }

  /**
   * Copies files in the threads of an executor; by default, in the calling thread, one after the
   * other. Each file that is being copied needs memory for about three times its largest filter.
   */
  public FoldFilters executor(Executor threads) {
    return new FoldFilters(table, request, columns, rows, threads);
  }

  /** Returns what would be done; nothing is written. */
  public FoldResult plan() throws IOException {
    return run(true);
  }

  /**
   * Copies the files whose filters become smaller, and commits the copies in their place. The
   * commit has one snapshot for each data sequence number of the files, and one more.
   *
   * @throws IllegalArgumentException if the table has no such column
   * @throws IOException if a file cannot be read or written; nothing is committed then, and the
   *     copies are deleted
   * @throws org.apache.iceberg.exceptions.CommitFailedException if other commits are faster as
   *     often as the table's settings allow; the copies are deleted
   * @throws org.apache.iceberg.exceptions.CommitStateUnknownException if it is unknown whether the
   *     commit succeeded; the copies are kept
   */
  public FoldResult execute() throws IOException {
    return run(false);
  }

  private FoldResult run(boolean isDry) throws IOException {
    FoldRequest what = requested();
    table.refresh();
    Snapshot snapshot = table.currentSnapshot();
    if (snapshot == null) {
      return new FoldResult(null, List.of(), List.of());
    }
    List<Outcome> outcomes = copies(what, tasks(table, snapshot.snapshotId(), rows), isDry);
    Commit commit = new Commit(table, outcomes);
    Long committed = null;
    if (isDry) {
      commit.groups(); // leaves out what would be left out
    } else {
      committed = commit.commit(snapshot.snapshotId());
    }
    List<RewrittenFile> rewritten = new ArrayList<>();
    List<SkippedFile> skipped = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      if (outcome.rewritten() != null) {
        rewritten.add(outcome.rewritten());
      }
      if (outcome.skipped() != null) {
        skipped.add(outcome.skipped());
      }
    }
    return new FoldResult(committed, rewritten, skipped);
  }

  private FoldRequest requested() {
    if (request == null) {
      throw new IllegalStateException(
          "it is not said how small the filters are to become: use toFpp or toSize");
    }
    Map<Integer, String> fields = new HashMap<>();
    for (String column : columns) {
      Types.NestedField field = table.schema().findField(column);
      if (field == null) {
        throw new IllegalArgumentException(
            "no column %s: the table has %s"
                .formatted(
                    column,
                    String.join(
                        ", ",
                        table.schema().columns().stream().map(Types.NestedField::name).toList())));
      }
      if (!field.type().isPrimitiveType()) {
        throw new IllegalArgumentException(
            "%s is a %s, and only the columns inside it have filters: name them, as in %s.name"
                .formatted(column, field.type().typeId().name().toLowerCase(Locale.ROOT), column));
      }
      fields.put(field.fieldId(), column);
    }
    return fields.isEmpty() ? request : request.fields(fields);
  }

  /**
   * Returns the data files of a snapshot, with their metrics and the deletes that apply to them.
   */
  static List<FileScanTask> tasks(Table table, long snapshotId, Expression rows)
      throws IOException {
    List<FileScanTask> tasks = new ArrayList<>();
    try (CloseableIterable<FileScanTask> files =
        table.newScan().useSnapshot(snapshotId).filter(rows).includeColumnStats().planFiles()) {
      files.forEach(tasks::add);
    }
    return tasks;
  }

  /** Copies all files that may be copied; if one of them fails, none is left. */
  private List<Outcome> copies(FoldRequest what, List<FileScanTask> tasks, boolean isDry)
      throws IOException {
    Map<String, Integer> listed = new HashMap<>();
    tasks.forEach(task -> listed.merge(task.file().location(), 1, Integer::sum));
    AtomicReference<Throwable> failure = new AtomicReference<>();
    FileCopier copier = new FileCopier(table, what, isDry, () -> failure.get() != null);
    List<FutureTask<@Nullable Outcome>> copies = new ArrayList<>();
    for (FileScanTask task : tasks) {
      int number = copies.size();
      boolean isTwice = listed.get(task.file().location()) > 1;
      copies.add(
          new FutureTask<>(
              () -> {
                try {
                  return isTwice ? FileCopier.listedTwice(task) : copier.copy(task, number);
                } catch (Throwable e) {
                  failure.compareAndSet(null, e); // and stops the others
                  return null;
                }
              }));
    }
    try {
      copies.forEach(executor::execute);
    } catch (RejectedExecutionException e) {
      failure.compareAndSet(null, e);
      copies.forEach(FutureTask::run); // those that were not accepted, which end at once
    }
    List<Outcome> outcomes = new ArrayList<>();
    for (FutureTask<@Nullable Outcome> copy : copies) {
      Outcome outcome = await(copy, failure);
      if (outcome != null) {
        outcomes.add(outcome);
      }
    }
    Throwable cause = failure.get();
    if (cause == null) {
      return outcomes;
    }
    for (Outcome outcome : outcomes) {
      if (outcome.copy() != null) {
        FileCopier.delete(table, outcome.copy().location(), cause);
      }
    }
    if (cause instanceof RuntimeException e) {
      throw e;
    }
    throw cause instanceof IOException e ? e : new IOException("a file cannot be copied", cause);
  }

  /** Waits even if interrupted: a copy that is stopped deletes what it wrote. */
  private static @Nullable Outcome await(
      FutureTask<@Nullable Outcome> copy, AtomicReference<Throwable> failure) {
    boolean isInterrupted = false;
    try {
      while (true) {
        try {
          return copy.get();
        } catch (InterruptedException e) {
          isInterrupted = true;
          failure.compareAndSet(
              null, new InterruptedIOException("interrupted; nothing is changed"));
        } catch (ExecutionException e) {
          throw new AssertionError(e); // all failures are caught
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
