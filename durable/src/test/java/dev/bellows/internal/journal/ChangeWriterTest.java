package dev.bellows.internal.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.internal.files.DurableContent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** After its end a writer refuses every change: its folder may belong to another process. */
class ChangeWriterTest {
  @TempDir Path path;

  /** A set of hashes. */
  private static final class Hashes implements ChangeWriter.Target {
    private final BloomFilter filter = BloomFilter.create(1000, 1e-6);

    @Override
    public DurableContent<?> content() {
      return filter.durableContent();
    }

    @Override
    public boolean isKnown(int operation, long time, long hash) {
      return filter.mightContainHash(hash);
    }

    @Override
    public void committed(int operation, long time, long version, long[] words, int from, int to) {}
  }

  @Test
  void nothingIsChangedAfterTheEnd() throws IOException {
    for (boolean isBuffered : new boolean[] {false, true}) {
      Path its = Files.createDirectory(path.resolve("buffered-" + isBuffered));
      Folder folder = Folder.create(Disk.REAL, its, 1, new byte[8]);
      Manifest none = new Manifest(0, 1, null, 0, List.of());
      Journal journal = Journal.recover(folder, none, false, (a, b, c, d, e, f) -> {});
      FolderLock lock = FolderLock.acquire(its);
      journal.own(lock, lock.claim(1, ""));
      Hashes target = new Hashes();
      try (ChangeWriter writer =
          isBuffered
              ? new BufferedWriter(journal, target, Duration.ofHours(1).toNanos(), "test")
              : new GroupWriter(journal, target, false)) {
        assertThat(writer.change(Changes.PUT, 0, 7)).isTrue();
        writer.end();
        assertThat(journal.version()).isEqualTo(1);
        Changes clear = new Changes();
        clear.addClear();
        for (Step change :
            List.<Step>of(
                () -> writer.change(Changes.PUT, 0, 8),
                () -> writer.changeGroup(Changes.PUT, 0, new long[] {8, 9}, 0, 2),
                () -> writer.changeAll(() -> clear, target.filter::clear))) {
          assertThatThrownBy(change::run).isInstanceOf(IOException.class);
        }
        assertThat(target.filter.mightContainHash(7)).isTrue();
        assertThat(target.filter.mightContainHash(8)).isFalse();
        assertThat(target.filter.mightContainHash(9)).isFalse();
        assertThat(journal.version()).isEqualTo(1);
      }
      journal.release();
      lock.close();
    }
  }

  private interface Step {
    void run() throws IOException;
  }
}
