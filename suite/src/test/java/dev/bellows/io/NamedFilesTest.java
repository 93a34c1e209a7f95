package dev.bellows.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.foreign.ForeignFilter;
import dev.bellows.foreign.ForeignFilter.Format;
import dev.bellows.frozen.FrozenFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages name the file that cannot be read, and what to do about a heap that is too small. */
class NamedFilesTest {
  @TempDir Path folder;

  @Test
  void whatCannotBeReadIsNamed() throws IOException {
    byte[] whole = BloomFilter.create(1000, 0.01).toBytes();
    Path path = folder.resolve("cut.bloom");
    for (int length : new int[] {0, 50, whole.length - 1}) {
      Files.write(path, Arrays.copyOf(whole, length));
      for (ThrowingCallable read :
          new ThrowingCallable[] {
            () -> BloomFilter.readFrom(path),
            () -> BloomFilter.map(path),
            () -> FrozenFilter.readFrom(path),
            () -> Filters.readFrom(path),
            () -> ForeignFilter.readFrom(path, Format.GUAVA),
            () -> ForeignFilter.map(path, Format.GUAVA)
          }) {
        assertThatThrownBy(read)
            .isInstanceOf(FilterFormatException.class)
            .hasMessageStartingWith(path + ": ");
      }
    }
    assertThatThrownBy(() -> BloomFilter.fromBytes(new byte[3]))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageStartingWith("not a readable filter");
  }

  @Test
  void theOffsetOfANamedExceptionIsThatOfTheOther() {
    FilterFormatException named = new FilterFormatException(7, "x").in(Path.of("f"));
    assertThat(named).hasMessage("f: not a readable filter: x (at byte 7)");
    assertThat(named.shifted(3)).hasMessage("f: not a readable filter: x (at byte 10)");
    assertThat(FilterFormatException.otherScheme(1, "y").in(Path.of("f")).isOtherScheme()).isTrue();
  }

  @Test
  void aFilterThatIsLargerThanTheHeapNamesTheWaysOut() {
    long bits = 512 * (Runtime.getRuntime().maxMemory() / 512 * 16);
    assertThatThrownBy(() -> BloomFilter.builder().bits(bits).hashes(6).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("heap")
        .hasMessageContaining("map(path)");
  }
}
