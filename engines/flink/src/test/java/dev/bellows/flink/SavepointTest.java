package dev.bellows.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * State that version 1 wrote is restored: a savepoint of half a stream, from the repository, and
 * the other half continues where it stopped.
 */
class SavepointTest {
  private static final Duration WINDOW = Duration.ofSeconds(30);
  private static final int EVENTS = 6_000;
  private static final int HALF = 3_000;

  @TempDir Path folder;

  private static LocalFlink.Run run() {
    return new LocalFlink.Run(new Visit.Script(31, 2_000, 60_000), EVENTS);
  }

  /** The disorder of the stream is two windows: there are ids in the filters, and ahead of them. */
  private static Deduplicate<Visit> byId() {
    return Deduplicate.by(Visit::id)
        .within(WINDOW)
        .fpp(1e-9)
        .allowedLateness(Duration.ofSeconds(1))
        .slices(4);
  }

  private static Path written() {
    return Path.of(System.getProperty("bellows.root", ".."))
        .resolve("engines/flink/src/test/resources/dev/bellows/flink/savepoint-1");
  }

  @Test
  void aSavepointOfVersion1IsRestored() throws Exception {
    LocalFlink.Run run = run();
    try (LocalFlink flink = new LocalFlink(1, 2)) {
      if (Boolean.getBoolean("bellows.savepoint.write") && !Files.exists(written())) {
        write(flink);
      }
      // a copy: Flink may claim the files
      Path copy = folder.resolve("savepoint");
      copy(written(), copy);
      JobGraph job = LocalFlink.job(run, byId(), 2, 0, folder);
      flink.execute(LocalFlink.from(copy.toUri().toString(), job));
    }
    assertThat(run.restarts()).isEqualTo(1);
    long near = WINDOW.toMillis() * 17 / 15 + 64_000;
    Exactly result = Exactly.of(run.script, run.counts, WINDOW.toMillis(), near);
    assertThat(result.dropped()).isZero();
    assertThat(result.passed()).isGreaterThan(3_000);
  }

  private void write(LocalFlink flink) throws Exception {
    LocalFlink.Run run = run();
    run.runTo(HALF);
    JobGraph job = LocalFlink.job(run, byId(), 1, 100, folder);
    flink.cluster.runDetached(job);
    run.awaitLimit();
    copy(Path.of(java.net.URI.create(flink.stop(run, job.getJobID(), folder))), written());
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }
}
