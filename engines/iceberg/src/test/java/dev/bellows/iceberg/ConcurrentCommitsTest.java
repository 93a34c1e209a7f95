package dev.bellows.iceberg;

import static dev.bellows.iceberg.FoldFiltersTest.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.iceberg.FoldResult.Reason;
import dev.bellows.iceberg.FoldResult.SkippedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Other commits between the moment when the files are planned and the one when their copies are
 * committed: no row is lost, none returns, and no file is left over.
 */
class ConcurrentCommitsTest {
  @TempDir Path folder;

  private TestTable test;
  private DataFile first;
  private DataFile second;

  @BeforeEach
  void twoFiles() throws IOException {
    test = TestTable.create(folder.resolve("t"), 2);
    first = test.append(0, 500);
    second = test.append(500, 1000);
  }

  private static FoldResult fold(Table table) throws IOException {
    return FoldFilters.of(table).toFpp(0.01).execute();
  }

  private FoldResult foldWithWrites(Hooks.IoRunnable other) throws IOException {
    return fold(test.with(own -> Hooks.beforeWrite(own, Hooks.Action.once(other))));
  }

  private FoldResult foldWithCommits(Hooks.IoRunnable other) throws IOException {
    return fold(test.with(own -> Hooks.beforeCommit(own, Hooks.Action.once(other))));
  }

  @Test
  void appendsAreNoConflict() throws IOException {
    FoldResult result = foldWithWrites(() -> test.append(1000, 1100));
    assertThat(result.rewritten()).hasSize(2);
    assertThat(test.ids()).isEqualTo(ids(0, 1100));
    test.requireSound();
  }

  @Test
  void anAppendThatIsFasterIsNoConflict() throws IOException {
    FoldResult result = foldWithCommits(() -> test.append(1000, 1100));
    assertThat(result.rewritten()).hasSize(2);
    assertThat(test.ids()).isEqualTo(ids(0, 1100));
    test.requireSound();
  }

  private void requireLeftOut(FoldResult result, DataFile file) throws IOException {
    assertThat(result.rewritten()).hasSize(1);
    assertThat(result.skipped())
        .singleElement()
        .satisfies(
            skipped -> {
              assertThat(skipped.location()).isEqualTo(file.location());
              assertThat(skipped.reason()).isEqualTo(Reason.CHANGED_MEANWHILE);
            });
    test.requireSound();
  }

  @Test
  void rowsThatAreDeletedWhileFilesAreCopiedStayDeleted() throws IOException {
    FoldResult result = foldWithWrites(() -> test.deletePosition(first, 3));
    requireLeftOut(result, first);
    assertThat(test.ids()).hasSize(999).doesNotContain(3L);
  }

  @Test
  void rowsThatAreDeletedRightBeforeTheCommitStayDeleted() throws IOException {
    FoldResult result = foldWithCommits(() -> test.deletePosition(second, 3));
    requireLeftOut(result, second);
    assertThat(test.ids()).hasSize(999).doesNotContain(503L);
  }

  @Test
  void equalityDeletesAreNoConflictAndApply() throws IOException {
    FoldResult result = foldWithWrites(() -> test.deleteId(3));
    assertThat(result.rewritten()).hasSize(2);
    assertThat(test.ids()).hasSize(999).doesNotContain(3L);
    test.requireSound();
  }

  @Test
  void anEqualityDeleteRightBeforeTheCommitApplies() throws IOException {
    FoldResult result = foldWithCommits(() -> test.deleteId(503));
    assertThat(result.rewritten()).hasSize(2);
    assertThat(test.ids()).hasSize(999).doesNotContain(503L);
    test.requireSound();
  }

  /** The delete is newer than the only file, and older than all files that stay. */
  @Test
  void aDeleteAndAnAppendWhileTheOnlyFileIsReplaced() throws IOException {
    for (boolean isLate : new boolean[] {false, true}) {
      TestTable one = TestTable.create(folder.resolve("one-" + isLate), 2);
      one.append(0, 500);
      Hooks.Action other =
          Hooks.Action.once(
              () -> {
                one.deleteId(3);
                one.append(500, 1000);
              });
      FoldResult result =
          fold(
              one.with(
                  own -> isLate ? Hooks.beforeCommit(own, other) : Hooks.beforeWrite(own, other)));
      assertThat(result.skipped())
          .extracting(SkippedFile::reason)
          .containsExactly(Reason.EQUALITY_DELETES);
      assertThat(one.ids()).hasSize(999).doesNotContain(3L);
      one.requireSound();
    }
  }

  @Test
  void aFileThatIsRemovedMeanwhileStaysRemoved() throws IOException {
    FoldResult result = foldWithCommits(() -> test.table().newDelete().deleteFile(first).commit());
    requireLeftOut(result, first);
    assertThat(test.ids()).isEqualTo(ids(500, 1000));
  }

  @Test
  void ifAllFilesAreChangedNothingIsCommitted() throws IOException {
    FoldResult result =
        foldWithWrites(
            () -> {
              test.deletePosition(first, 0);
              test.deletePosition(second, 0);
            });
    assertThat(result.rewritten()).isEmpty();
    assertThat(result.snapshotId()).isNull();
    assertThat(result.skipped())
        .extracting(SkippedFile::reason)
        .containsExactly(Reason.CHANGED_MEANWHILE, Reason.CHANGED_MEANWHILE);
    assertThat(test.ids()).hasSize(998);
    test.requireSound();
  }

  @Test
  void aCommitThatFailsLeavesNoFiles() throws IOException {
    TreeSet<String> before = test.onDisk();
    Table failing =
        test.with(
            own ->
                Hooks.beforeCommit(
                    own,
                    time -> {
                      throw new CommitFailedException("another process is faster, always");
                    }));
    assertThatThrownBy(() -> fold(failing)).isInstanceOf(CommitFailedException.class);
    assertThat(test.onDisk()).isEqualTo(before);
    assertThat(test.ids()).isEqualTo(ids(0, 1000));
    test.requireSound();
  }

  @Test
  void ifItIsUnknownWhetherACommitSucceededItsFilesAreKept() throws IOException {
    Table lost =
        test.with(
            own ->
                Hooks.afterCommit(
                    own,
                    time -> {
                      throw new CommitStateUnknownException(new IOException("no answer"));
                    }));
    assertThatThrownBy(() -> fold(lost))
        .isInstanceOf(CommitStateUnknownException.class)
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .anySatisfy(
                        other ->
                            assertThat(other.getMessage())
                                .contains(test.files().keySet().toArray(new String[0]))));
    assertThat(test.files()).doesNotContainKeys(first.location(), second.location());
    assertThat(test.ids()).isEqualTo(ids(0, 1000));
    test.requireSound();
  }

  @Test
  void anUnexpectedFailureOfACommitKeepsItsFiles() throws IOException {
    Table lost =
        test.with(
            own ->
                Hooks.afterCommit(
                    own,
                    time -> {
                      throw new IllegalStateException("after the commit");
                    }));
    assertThatThrownBy(() -> fold(lost)).isInstanceOf(IllegalStateException.class);
    assertThat(test.files()).doesNotContainKeys(first.location(), second.location());
    assertThat(test.files().keySet())
        .allSatisfy(location -> assertThat(TestTable.path(location)).exists());
  }

  @Test
  void aFailureToWriteLeavesNoFiles() throws IOException {
    for (int id = 2; id < 10; id++) {
      test.append(500L * id, 500L * (id + 1));
    }
    TreeSet<String> before = test.onDisk();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (Executor executor : List.<Executor>of(Runnable::run, threads)) {
        Table full =
            test.with(
                own ->
                    Hooks.beforeWrite(
                        own,
                        time -> {
                          if (time == 4) {
                            throw new IOException("no space left");
                          }
                        }));
        assertThatThrownBy(() -> FoldFilters.of(full).toFpp(0.01).executor(executor).execute())
            .hasMessageContaining("no space left");
        assertThat(test.onDisk()).isEqualTo(before);
      }
      FoldResult result = FoldFilters.of(test.table()).toFpp(0.01).executor(threads).execute();
      assertThat(result.rewritten()).hasSize(10);
    } finally {
      threads.shutdown();
    }
    assertThat(test.ids()).isEqualTo(ids(0, 5000));
    test.requireSound();
  }
}
