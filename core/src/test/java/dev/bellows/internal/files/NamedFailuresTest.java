package dev.bellows.internal.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Failures next to a file, or without a name, are reported under the name of the file. */
class NamedFailuresTest {
  @Test
  void aFolderWithoutPermission() {
    IOException named = AtomicFile.named(new AccessDeniedException("/x/.out.lock"), Path.of("out"));
    assertThat(named)
        .isInstanceOf(AccessDeniedException.class)
        .hasMessage("out: cannot create files in its directory")
        .hasCauseInstanceOf(AccessDeniedException.class);
  }

  @Test
  void aFullDisk() {
    assertThat(AtomicFile.named(new IOException("No space left on device"), Path.of("out")))
        .isInstanceOf(FileSystemException.class)
        .hasMessage("out: No space left on device");
    assertThat(
            AtomicFile.named(
                new FileSystemException("/x/.out.part", null, "Read-only file system"),
                Path.of("out")))
        .hasMessage("out: Read-only file system");
  }
}
