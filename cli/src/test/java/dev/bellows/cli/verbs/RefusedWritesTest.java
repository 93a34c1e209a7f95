package dev.bellows.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.cli.Cli;
import dev.bellows.cli.Processes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Write failures are reported in one line with the name of the user's file, and leave nothing
 * behind. The failures are real: each test fails if the system does not refuse.
 */
class RefusedWritesTest {
  /** Files end after half a MiB, or a quarter, as shells count. */
  private static final List<String> SHORT_FILES =
      List.of("sh", "-c", "ulimit -f 512 && exec \"$@\"", "sh");

  @TempDir Path folder;
  private Path keys;
  private Path out;

  @BeforeEach
  void write() throws IOException {
    keys = Files.writeString(folder.resolve("keys"), Cli.numbers(0, 2_000_000));
    out = folder.resolve("out.bloom");
  }

  /** Runs the command through another program; it must exit with code 2 and one line. */
  private static String refused(List<String> program, Object... arguments) throws Exception {
    Process process = Processes.through(program, arguments).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isEqualTo(2);
    assertThat(said).startsWith("bellows: ").containsOnlyOnce("\n");
    return said;
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  @Test
  void aWriteThatFailsHalfway() throws Exception {
    assertThat(refused(SHORT_FILES, "build", "--keys", "2M", "-o", out, keys))
        .startsWith("bellows: " + out + ": ")
        .doesNotContain(".part", ".lock");
    assertThat(files()).containsExactly("keys");
  }

  @Test
  void temporaryFiles() throws Exception {
    Files.writeString(keys, Cli.numbers(0, 4_000_000)); // more than a sixteenth of the heap
    Process process =
        Processes.through(
                List.of(
                    "sh",
                    "-c",
                    "ulimit -f 512 && JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=$0 exec \"$@\"",
                    folder.toString()),
                "build",
                "-o",
                out,
                keys)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isEqualTo(2);
    assertThat(said)
        .contains("bellows: " + folder + ", the folder for temporary files: ")
        .contains("--keys N", "-Djava.io.tmpdir=FOLDER")
        .doesNotContain(".spill");
    assertThat(files()).containsExactly("keys");
  }

  @Test
  void aDiskThatIsFull() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    List<String> program =
        List.of(
            "unshare",
            "--mount",
            "--map-root-user",
            "sh",
            "-c",
            "mount -t tmpfs -o size=64k none \"$0\" && exec \"$@\"",
            disk.toString());
    Path file = disk.resolve("out.bloom");
    if (mayMount(disk)) {
      assertThat(refused(program, "build", "--keys", "2M", "-o", file, keys))
          .isEqualTo("bellows: " + file + ": No space left on device\n");
    } else {
      System.out.println("[disk] nothing can be mounted here: /dev/full stands for a full disk");
      assertThat(refused(List.of("env"), "build", "--keys", "2M", "-o", "/dev/full", keys))
          .isEqualTo("bellows: /dev/full: No space left on device\n");
    }
  }

  private static boolean mayMount(Path disk) throws InterruptedException {
    try {
      return new ProcessBuilder(
                  "unshare",
                  "--mount",
                  "--map-root-user",
                  "mount",
                  "-t",
                  "tmpfs",
                  "none",
                  disk.toString())
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false; // no unshare
    }
  }

  /** Not even root can create a file there. */
  @Test
  void aFolderWithoutPermission() throws IOException {
    Path locked = Path.of("/sys");
    if (!Files.isDirectory(locked)) {
      locked = Files.createDirectory(folder.resolve("locked"));
      Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("r-xr-xr-x"));
    }
    Path file = locked.resolve("out.bloom");
    for (String[] verb : new String[][] {{"build", "-o"}, {"add"}, {"uniq", "--state"}}) {
      List<Object> words = new ArrayList<>(List.of((Object[]) verb));
      words.add(file);
      Cli.Result result = Cli.with("a\n", words.toArray()).refused(file.toString());
      assertThat(result.err()).doesNotContain(".part", ".lock");
      if (!verb[0].equals("add")) { // which finds no such file first
        assertThat(result.err()).containsAnyOf("no permission", "Read-only file system");
      }
    }
  }
}
