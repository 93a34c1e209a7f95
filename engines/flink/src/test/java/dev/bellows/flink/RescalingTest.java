package dev.bellows.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Failures of jobs in production, with a source that replays: each event is passed on as if nothing
 * had happened.
 */
@Tag("engines")
class RescalingTest {
  private static final Duration WINDOW = Duration.ofSeconds(1_000);
  private static final int EVENTS = 1_000_000;
  private static final double FPP = 1e-3;

  @TempDir Path folder;

  private static LocalFlink.Run run(long seed) {
    return new LocalFlink.Run(new Visit.Script(seed, 90_000, 30_000), EVENTS);
  }

  private static Deduplicate<Visit> byId() {
    return Deduplicate.by(Visit::id).within(WINDOW).fpp(FPP);
  }

  private static void check(LocalFlink.Run run, String what) {
    long near = WINDOW.toMillis() * 17 / 15 + run.script.disorder() + 2_000;
    Exactly result = Exactly.of(run.script, run.counts, WINDOW.toMillis(), near);
    System.out.printf(
        "[flink] %s: %,d events, %,d passed on, 0 duplicates, %d new ones dropped (%.2e)%n",
        what,
        EVENTS,
        result.passed(),
        result.dropped(),
        (double) result.dropped() / (result.passed() + result.dropped()));
    assertThat(result.dropped()).isPositive();
    result.requireRate(FPP);
  }

  @Test
  void aJobIsRescaledFromTwoToThreeToOne() throws Exception {
    LocalFlink.Run run = run(21);
    try (LocalFlink flink = new LocalFlink(2, 2)) {
      run.runTo(300_000);
      JobGraph two = LocalFlink.job(run, byId(), 2, 200, folder);
      flink.cluster.runDetached(two);
      run.awaitLimit();
      String first = flink.stop(run, two.getJobID(), folder);

      run.runTo(700_000);
      JobGraph three = LocalFlink.from(first, LocalFlink.job(run, byId(), 3, 200, folder));
      flink.cluster.runDetached(three);
      run.awaitLimit();
      String second = flink.stop(run, three.getJobID(), folder);

      run.runTo(EVENTS);
      flink.execute(LocalFlink.from(second, LocalFlink.job(run, byId(), 1, 200, folder)));
    }
    assertThat(run.restarts()).isEqualTo(2);
    check(run, "rescaled 2 -> 3 -> 1");
  }

  @Test
  void aTaskManagerIsKilled() throws Exception {
    LocalFlink.Run run = run(22);
    int kills = 5;
    int part = EVENTS / (kills + 1);
    try (LocalFlink flink = new LocalFlink(2, 1)) {
      run.runTo(part);
      JobGraph job = LocalFlink.job(run, byId(), 2, 100, folder);
      flink.cluster.runDetached(job);
      run.awaitLimit();
      flink.cluster.triggerCheckpoint(job.getJobID()).get(300, TimeUnit.SECONDS);
      for (int kill = 0; kill < kills; kill++) {
        // the source continues, so that there is something to replay
        run.runTo((kill + 2) * part);
        flink.cluster.terminateTaskManager(kill).get(300, TimeUnit.SECONDS);
        flink.cluster.startTaskManager();
        run.awaitRestarts(kill + 1);
        run.awaitLimit();
      }
      run.runTo(EVENTS);
      flink
          .cluster
          .requestJobResult(job.getJobID())
          .get(300, TimeUnit.SECONDS)
          .toJobExecutionResult(getClass().getClassLoader());
    }
    assertThat(run.restarts()).isEqualTo(kills);
    check(run, "a task manager killed " + kills + " times");
  }

  /** Each event reads and writes its slice: changes must not get lost between them. */
  @Test
  void rocksDbStateWorksToo() throws Exception {
    LocalFlink.Run run = new LocalFlink.Run(new Visit.Script(24, 2_000, 500), 10_000);
    run.backend = "rocksdb";
    run.failsAt = 7_000;
    Deduplicate<Visit> byId =
        Deduplicate.by(Visit::id).within(Duration.ofSeconds(30)).fpp(1e-9).slices(64);
    try (LocalFlink flink = new LocalFlink(1, 2)) {
      flink.execute(LocalFlink.job(run, byId, 2, 50, folder));
    }
    assertThat(run.restarts()).isEqualTo(1);
    assertThat(Exactly.of(run.script, run.counts, 30_000, 37_000).dropped()).isZero();
  }

  @Test
  void aJobFailsAndReplays() throws Exception {
    LocalFlink.Run run = run(23);
    run.failsAt = 600_000;
    try (LocalFlink flink = new LocalFlink(1, 4)) {
      flink.execute(LocalFlink.job(run, byId(), 3, 50, folder));
    }
    assertThat(run.restarts()).isEqualTo(1);
    check(run, "failed and replayed");
  }
}
