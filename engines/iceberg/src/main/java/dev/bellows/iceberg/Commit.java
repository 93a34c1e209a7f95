package dev.bellows.iceberg;

import dev.bellows.iceberg.FileCopier.Outcome;
import dev.bellows.iceberg.FoldResult.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.exceptions.CleanableFailure;
import org.apache.iceberg.exceptions.ValidationException;
import org.jspecify.annotations.Nullable;

/**
 * Replaces data files by their copies, all of them at once.
 *
 * <p><b>Sequence numbers.</b> A copy keeps the data sequence number of its file, because it decides
 * which equality deletes apply: those with a higher one. A rewrite of Iceberg has one such number
 * for all files that it adds, so that there is a rewrite, and a snapshot, for each number, and a
 * transaction around them.
 *
 * <p><b>Old deletes.</b> A rewrite drops the delete files whose sequence number is lower than those
 * of all data files that <em>stay</em>; it does not look at the files that it adds. If it replaced
 * the oldest files of a table all at once, deletes that apply to their copies would be dropped, and
 * the deleted rows would return. So the highest sequence number comes first, and the files of the
 * lowest one are replaced by two rewrites: during the first one, the others stay, and during the
 * second one, the copies that the first has added. If the lowest number has one file only, all
 * deletes that apply to it must be at least as new as the next number; if they are not, the file is
 * left out. If one file is all there is, no delete may apply to it, now or at the time of the
 * commit.
 *
 * <p><b>Conflicts.</b> Iceberg refuses a rewrite if, since the snapshot that was read, one of its
 * files was removed, or position deletes or a deletion vector were added that refer to it. Those
 * files keep what the other commit did to them; their copies are deleted, and the others are
 * committed again. Appends and equality deletes are no conflict.
 */
final class Commit {
  /** Each round is lost to yet another commit that changes some of the remaining files. */
  private static final int MOST_ROUNDS = 10;

  private final Table table;
  private final List<Outcome> outcomes;

  /**
   * Commits copies.
   *
   * @param outcomes changed where a file is left out
   */
  Commit(Table table, List<Outcome> outcomes) {
    this.table = table;
    this.outcomes = outcomes;
  }

  /**
   * Commits, and returns the id of the last snapshot, or null if no copy is left.
   *
   * @param readId the snapshot that the copied files were read from
   */
  @Nullable Long commit(long readId) throws IOException {
    long fromId = readId;
    for (int round = 1; ; round++) {
      TreeMap<Long, List<Outcome>> groups = groups();
      if (groups.isEmpty()) {
        return null;
      }
      Transaction transaction = table.newTransaction();
      boolean isStaged = false;
      try {
        stage(transaction, groups, fromId);
        isStaged = true;
        transaction.commitTransaction();
        return transaction.table().currentSnapshot().snapshotId();
      } catch (RuntimeException e) {
        if (isStaged && !(e instanceof CleanableFailure)) {
          throw kept(e); // the table may have the copies, as after CommitStateUnknownException
        }
        if (!isStaged) {
          deleteStaged(transaction, e);
        }
        if (!(e instanceof ValidationException) || round == MOST_ROUNDS) {
          copies().forEach(copy -> FileCopier.delete(table, copy, e));
          throw e;
        }
        table.refresh();
        fromId = leaveOutChanged(e);
      }
    }
  }

  /**
   * Returns what is replaced, by data sequence numbers, without the oldest files if their deletes
   * would be dropped.
   */
  TreeMap<Long, List<Outcome>> groups() {
    TreeMap<Long, List<Outcome>> groups = new TreeMap<>();
    for (Outcome each : outcomes) {
      if (each.rewritten() != null) {
        groups.computeIfAbsent(sequence(each.file()), number -> new ArrayList<>()).add(each);
      }
    }
    while (!groups.isEmpty() && groups.firstEntry().getValue().size() == 1) {
      Outcome oldest = groups.firstEntry().getValue().get(0);
      Long next = groups.higherKey(groups.firstKey());
      if (leastDelete(oldest.task()) >= (next == null ? Long.MAX_VALUE : next)) {
        break;
      }
      groups.pollFirstEntry();
      leaveOut(
          oldest,
          Reason.EQUALITY_DELETES,
          "Iceberg would drop equality deletes that apply to it, because no older file is"
              + " rewritten with it: compact the file first, e.g. with rewrite_data_files");
    }
    return groups;
  }

  private static long sequence(DataFile file) {
    Long number = file.dataSequenceNumber();
    return number == null ? 0 : number; // a table of format 1 has none
  }

  /** Returns the lowest sequence number of the deletes that apply to a file. */
  private static long leastDelete(FileScanTask task) {
    long least = Long.MAX_VALUE;
    for (DeleteFile deletes : task.deletes()) {
      least = Math.min(least, deletes.dataSequenceNumber());
    }
    return least;
  }

  private void stage(Transaction transaction, TreeMap<Long, List<Outcome>> groups, long fromId) {
    boolean isOneFile = groups.size() == 1 && groups.firstEntry().getValue().size() == 1;
    groups
        .descendingMap()
        .forEach(
            (number, group) -> {
              boolean isOldest = number.equals(groups.firstKey());
              int first = isOldest && group.size() > 1 ? 1 : group.size();
              rewrite(transaction, fromId, number, group.subList(0, first), isOneFile);
              if (first < group.size()) {
                List<Outcome> others = group.subList(first, group.size());
                rewrite(transaction, fromId, number, others, isOneFile);
              }
            });
  }

  private static void rewrite(
      Transaction transaction, long fromId, long number, List<Outcome> files, boolean isOneFile) {
    RewriteFiles rewrite =
        transaction.newRewrite().validateFromSnapshot(fromId).dataSequenceNumber(number);
    if (isOneFile) {
      rewrite.validateWith(snapshots -> hasNoDeletes(snapshots, fromId));
    }
    for (Outcome each : files) {
      rewrite.deleteFile(each.file()).addFile(each.copy());
    }
    rewrite.commit();
  }

  /** Returns whether no snapshot after a given one has added deletes. */
  private static boolean hasNoDeletes(Iterable<Snapshot> newestFirst, long fromId) {
    for (Snapshot snapshot : newestFirst) {
      if (snapshot.snapshotId() == fromId) {
        return true;
      }
      if (snapshot.summary().containsKey(SnapshotSummary.ADDED_DELETE_FILES_PROP)) {
        return false;
      }
    }
    return false; // the table was rolled back
  }

  private List<String> copies() {
    List<String> locations = new ArrayList<>();
    for (Outcome each : outcomes) {
      if (each.copy() != null) {
        locations.add(each.copy().location());
      }
    }
    return locations;
  }

  private RuntimeException kept(RuntimeException failure) {
    failure.addSuppressed(
        new IllegalStateException(
            "it is unknown whether the commit succeeded, so these files were not deleted: "
                + String.join(", ", copies())));
    return failure;
  }

  /** Deletes the manifests of rewrites that were staged before another one was refused. */
  private void deleteStaged(Transaction transaction, RuntimeException cause) {
    table.refresh();
    Set<Long> known = new HashSet<>();
    table.snapshots().forEach(snapshot -> known.add(snapshot.snapshotId()));
    for (Snapshot staged : transaction.table().snapshots()) {
      if (!known.contains(staged.snapshotId())) {
        for (ManifestFile manifest : staged.allManifests(table.io())) {
          if (Objects.equals(manifest.snapshotId(), staged.snapshotId())) {
            FileCopier.delete(table, manifest.path(), cause);
          }
        }
        FileCopier.delete(table, staged.manifestListLocation(), cause);
      }
    }
  }

  /**
   * Leaves out the files that another commit has changed.
   *
   * @return the snapshot that the other files are now known to be unchanged in
   */
  private long leaveOutChanged(RuntimeException conflict) throws IOException {
    Map<String, FileScanTask> live = new HashMap<>();
    Snapshot now = table.currentSnapshot();
    if (now != null) {
      FoldFilters.tasks(table, now.snapshotId(), FoldFilters.ALL_ROWS)
          .forEach(task -> live.put(task.file().location(), task));
    }
    for (Outcome each : List.copyOf(outcomes)) {
      if (each.copy() != null) {
        FileScanTask task = live.get(each.file().location());
        if (task == null || FileCopier.refusal(task) != null) {
          leaveOut(
              each,
              Reason.CHANGED_MEANWHILE,
              "while it was copied, another commit "
                  + (task == null ? "removed it" : "deleted rows of it"));
        } else {
          outcomes.set(
              outcomes.indexOf(each), new Outcome(task, each.copy(), each.rewritten(), null));
        }
      }
    }
    if (now == null && !copies().isEmpty()) {
      throw conflict;
    }
    return now == null ? -1 : now.snapshotId();
  }

  private void leaveOut(Outcome outcome, Reason reason, String detail) {
    Throwable undeleted = new IllegalStateException();
    if (outcome.copy() != null) {
      FileCopier.delete(table, outcome.copy().location(), undeleted);
    }
    String problem =
        undeleted.getSuppressed().length == 0
            ? ""
            : "; " + undeleted.getSuppressed()[0].getMessage();
    outcomes.set(
        outcomes.indexOf(outcome), Outcome.skipped(outcome.task(), reason, detail + problem));
  }
}
