package dev.bellows.cli.verbs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.cli.Cli;
import dev.bellows.cli.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.jr.ob.JSON;

/** The planner page: it is written out, and offers commands that print what it shows. */
class PageTest {
  @TempDir Path folder;

  @Test
  void writesThePage() throws IOException {
    Map<String, Object> json = Cli.run("page", "-o", folder.resolve("new/site"), "--json").json();
    Path file = folder.resolve("new/site/index.html");
    assertThat(json).containsEntry("file", file.toString());
    assertThat(json.get("bytes")).isEqualTo((int) Files.size(file));
    assertThat(Files.readString(file)).startsWith("<!doctype html>").contains("bellows.answer(");
  }

  /** Here the desktop's command is a script that prints what it is asked to open. */
  @Test
  @Timeout(600)
  void opensThePage() throws IOException, InterruptedException {
    Path asked = folder.resolve("asked");
    assertThat(new ProcessBuilder("mkfifo", asked.toString()).start().waitFor()).isZero();
    for (String name : List.of("xdg-open", "open")) {
      Path script = folder.resolve(name);
      Files.writeString(script, "#!/bin/sh\necho \"$1\" > '" + asked + "'\n");
      assertThat(script.toFile().setExecutable(true)).isTrue();
    }
    Path site = folder.resolve("a site, with spaces");
    Process process = open(folder, site);
    assertThat(Files.readString(asked).strip())
        .isEqualTo(site.resolve("index.html").toUri().toString());
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void withoutADesktopThePageIsStillWritten() throws IOException, InterruptedException {
    Path site = folder.resolve("site");
    Process process = open(Files.createDirectory(folder.resolve("empty")), site);
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).isEqualTo(2);
    assertThat(said).contains("no browser can be opened", site.resolve("index.html").toString());
    assertThat(site.resolve("index.html")).isRegularFile();
  }

  private static Process open(Path path, Path site) throws IOException {
    ProcessBuilder builder = Processes.bellows("page", "--open", "-o", site);
    builder.environment().put("PATH", path.toString());
    return builder.start();
  }

  @Test
  void aFileIsNotADirectory() throws IOException {
    Path file = Files.createFile(folder.resolve("taken"));
    Cli.run("page", "-o", file).refused("is a file", "name a folder");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "size keys=1M fpp=1%",
        "size keys=1M bits=1MiB layout=blocked",
        "size bits=9.6M fpp=1/1000 hashes=5",
        "fold capacity=55440 keys=100 hashes=4 fpp=1% tolerance=0.2%",
        "fold capacity=184320 keys=2k hashes=6 fpp=1% tolerance=0.5% layout=blocked",
        "capacity range=1k..20k fpp=1% tolerance=0.2%",
        "smooth from=50000 within=1000 smooth=11",
        "grow keys=1k fpp=1% initial=1k horizon=1G universe=2^30 unitkeys=1024",
        "grow keys=1k fpp=1% initial=1k horizon=1G universe=2^63 unitkeys=1024",
        "grow keys=3M fpp=0.4% initial=500 horizon=1M universe=1M unitkeys=99 layout=blocked",
        "range bits=512 hashes=8 domain=10k range=1000",
        "range bits=512 maxhashes=12 domain=10k range=100 scheme=division",
        "autoscale bits=10k hashes=100 keys=500 mintpr=97%",
        "autoscale bits=1000 hashes=20 keys=300 criterion=cost costfp=3 share=20%",
        "autoscale bits=1000 hashes=20 keys=300 theta=5"
      })
  void theCommandPrintsTheSame(String request) {
    String[] parts = request.split(" ", 2);
    Map<String, Object> answer =
        JSON.std.mapFrom(dev.bellows.web.Page.answer(parts[0], parts[1].replace(' ', '\n')));
    String command = (String) answer.get("command");
    assertThat(command).startsWith("./bellows plan ").endsWith(" --json");
    Object[] words = command.substring("./bellows ".length()).split(" ");
    // the command may print more than the page shows
    assertThat(Cli.run(words).json()).containsAllEntriesOf(plan(answer));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> plan(Map<String, Object> answer) {
    return (Map<String, Object>) answer.get("plan");
  }

  @Test
  void theCommandOfAProfilePrintsTheSame() {
    Map<String, Object> answer =
        JSON.std.mapFrom(
            dev.bellows.web.Page.answer(
                "profile",
                "bits=512\nhashes=8\nstrings=5\nattribute=Age:120:10\nattribute=Year:201:20"));
    String command = (String) answer.get("command");
    Map<String, Object> printed =
        Cli.run((Object[]) command.substring("./bellows ".length()).split(" ")).json();
    assertThat(printed.remove("schema")).isNotNull();
    assertThat(printed).isEqualTo(answer.get("plan"));
  }
}
