package dev.bellows;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.MappedBits;
import dev.bellows.internal.bits.MappedFile;
import dev.bellows.internal.layout.Positions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupsTest {
  @TempDir Path folder;

  /** The JVM reports the fault of a read some time later, possibly between two groups. */
  @Test
  void aFaultReportedBetweenGroupsIsAttributedToTheFile() throws IOException {
    Path path = Files.write(folder.resolve("words"), new byte[6400]);
    Positions positions = Positions.of(Layout.Family.BLOCKED.withHashes(8), 8 * 6400);
    BitStore store = MappedBits.map(MappedFile.open(path), 0, 8 * 6400, ByteOrder.BIG_ENDIAN);
    Groups.Source late =
        (group, from) -> {
          if (from > 0) {
            throw new InternalError("a fault occurred in a recent unsafe memory access");
          }
          return group.take(new long[100], from, 100);
        };
    assertThatThrownBy(() -> Groups.count(positions, store, 0, 100, late, new boolean[100]))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("was truncated");
  }
}
