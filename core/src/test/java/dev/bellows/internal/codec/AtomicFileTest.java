package dev.bellows.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {
  private static final byte[] CONTENT = {1, 2, 3};

  @TempDir Path folder;

  @Test
  void newFilesHaveThePermissionsOfAnyNewFile() throws IOException {
    Path written = folder.resolve("filter");
    AtomicFile.write(written, out -> out.write(CONTENT));
    Path plain = Files.write(folder.resolve("plain"), CONTENT);
    assertThat(written).hasBinaryContent(CONTENT);
    assertThat(Files.getPosixFilePermissions(written))
        .isEqualTo(Files.getPosixFilePermissions(plain));
  }

  @Test
  void existingFilesKeepTheirPermissionsAndLinksStayLinks() throws IOException {
    Path file = Files.write(folder.resolve("filter"), new byte[9]);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    AtomicFile.write(link, out -> out.write(CONTENT));
    assertThat(link).isSymbolicLink();
    assertThat(file).hasBinaryContent(CONTENT);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-rw-r--");
  }

  @Test
  void devicesAreWrittenNotReplaced() throws IOException {
    Path device = Path.of("/dev/null");
    AtomicFile.write(device, out -> out.write(CONTENT));
    assertThat(Files.isRegularFile(device)).isFalse();
  }

  @Test
  void failuresLeaveTheOldContentAndNothingElse() throws IOException {
    Path file = Files.write(folder.resolve("filter"), CONTENT);
    assertThatThrownBy(
            () ->
                AtomicFile.write(
                    file,
                    out -> {
                      out.write(9);
                      throw new IOException("disk full");
                    }))
        .hasMessage("disk full");
    assertThat(file).hasBinaryContent(CONTENT);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void aMissingFolderIsAnError() {
    assertThatThrownBy(
            () -> AtomicFile.write(folder.resolve("no/filter"), out -> out.write(CONTENT)))
        .isInstanceOf(NoSuchFileException.class);
  }
}
