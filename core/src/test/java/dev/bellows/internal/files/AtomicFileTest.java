package dev.bellows.internal.files;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

  @Test
  void aLinkToNothingIsWrittenThrough() throws IOException {
    Path file = folder.resolve("later");
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("later"));
    AtomicFile.write(link, out -> out.write(CONTENT));
    assertThat(link).isSymbolicLink();
    assertThat(file).hasBinaryContent(CONTENT);
    Path loop = Files.createSymbolicLink(folder.resolve("loop"), Path.of("loop"));
    assertThatThrownBy(() -> AtomicFile.write(loop, out -> out.write(CONTENT)))
        .isInstanceOfSatisfying(
            FileSystemException.class, loops -> assertThat(loops.getReason()).isNotBlank());
  }

  /** If only the owner may read a file, the same holds for its successor from the first byte on. */
  @Test
  void theTemporaryFileIsAsPrivateAsTheTarget() throws IOException {
    Path file = Files.write(folder.resolve("secret"), CONTENT);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    AtomicFile.write(
        file,
        out -> {
          for (Path part : parts()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(part)))
                .isEqualTo("rw-------");
          }
          assertThat(parts()).hasSize(1);
          out.write(CONTENT);
        });
    assertThat(parts()).isEmpty();
  }

  private List<Path> parts() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(path -> path.toString().endsWith(".part")).toList();
    }
  }

  /** A process that finds the lock free knows that no living writer has a temporary file. */
  @Test
  void onlyTemporaryFilesOfDeadWritersAreDeleted() throws IOException {
    Path dead = Files.write(folder.resolve(".filter.0123456789abcdef.part"), CONTENT);
    Path lock = Files.write(folder.resolve(".filter.lock"), CONTENT);
    Path other = Files.write(folder.resolve(".other.0123456789abcdef.part"), CONTENT);
    Path notes = Files.write(folder.resolve(".filter.my-notes-on-keys.part"), CONTENT);
    Path longer = Files.write(folder.resolve(".filter.x.0123456789abcdef.part"), CONTENT);
    AtomicFile.write(folder.resolve("filter"), out -> out.write(CONTENT));
    assertThat(dead).doesNotExist();
    assertThat(lock).doesNotExist();
    assertThat(other).exists();
    assertThat(longer).exists();
    assertThat(notes).exists();
  }

  @Test
  void aFileThatAnotherProgramChangedIsNotOverwritten() throws IOException {
    Path file = Files.write(folder.resolve("filter"), CONTENT);
    try (AtomicFile update = AtomicFile.open(file, PathLock.Waiting.SILENT)) {
      Files.write(file, new byte[] {7, 7, 7, 7});
      assertThatThrownBy(() -> update.replace(out -> out.write(CONTENT)))
          .hasMessageContaining("changed by another program")
          .hasMessageContaining("try again");
    }
    assertThat(file).hasBinaryContent(new byte[] {7, 7, 7, 7});
    assertThat(parts()).isEmpty();
  }

  @Test
  void threadsUpdateOneAfterTheOther() throws Exception {
    Path file = folder.resolve("counter");
    Files.writeString(file, "0");
    Callable<Void> adder =
        () -> {
          for (int i = 0; i < 50; i++) {
            try (AtomicFile update = AtomicFile.open(file, PathLock.Waiting.SILENT)) {
              int next = Integer.parseInt(Files.readString(file)) + 1;
              update.replace(out -> out.write(Integer.toString(next).getBytes(US_ASCII)));
            }
          }
          return null;
        };
    ExecutorService threads = Executors.newFixedThreadPool(4);
    for (Future<Void> done : threads.invokeAll(Collections.nCopies(4, adder))) {
      done.get();
    }
    threads.shutdown();
    assertThat(file).hasContent("200");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void withoutWaitingAHeldLockFailsImmediately() throws IOException {
    Path file = folder.resolve("filter");
    PathLock.Waiting never =
        new PathLock.Waiting() {
          @Override
          public void waiting(Path path) throws IOException {
            throw new IOException("held: " + path.getFileName());
          }

          @Override
          public boolean isPatient() {
            return false;
          }
        };
    Path spelled = folder.resolve("./x/../filter");
    Path linked = Files.createSymbolicLink(folder.resolve("here"), folder).resolve("filter");
    try (AtomicFile held = AtomicFile.open(file, PathLock.Waiting.SILENT)) {
      assertThatThrownBy(() -> AtomicFile.open(file, never)).hasMessage("held: filter");
      assertThatThrownBy(() -> AtomicFile.open(spelled, never)).hasMessage("held: filter");
      assertThatThrownBy(() -> AtomicFile.open(linked, never)).hasMessage("held: filter");
      held.replace(out -> out.write(CONTENT));
    }
    AtomicFile.open(file, never).close();
    assertThat(file).hasBinaryContent(CONTENT);
  }

  /** The component before ".." in a path or in a link may be a link itself. */
  @Test
  void linkedFoldersAreResolvedLikeTheFileSystemDoes() throws IOException {
    Path inner = Files.createDirectories(folder.resolve("b/c"));
    Path outer = Files.createDirectories(folder.resolve("a"));
    Path link = Files.createSymbolicLink(outer.resolve("link"), inner);
    Files.createSymbolicLink(inner.resolve("s"), Path.of("../f"));
    BloomFilter filter = BloomFilter.create(10, 0.01);
    filter.put("key");
    filter.writeTo(link.resolve("s"));
    filter.writeTo(link.resolve("../g"));
    assertThat(BloomFilter.readFrom(folder.resolve("b/f"))).isEqualTo(filter);
    assertThat(BloomFilter.readFrom(folder.resolve("b/g"))).isEqualTo(filter);
    assertThat(outer).isDirectoryNotContaining(path -> !path.equals(link));
  }
}
