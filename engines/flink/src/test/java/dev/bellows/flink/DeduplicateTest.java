package dev.bellows.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on a cluster in this process. */
class DeduplicateTest {
  private static final Duration WINDOW = Duration.ofSeconds(100);

  private static LocalFlink flink;

  @TempDir Path folder;

  @BeforeAll
  static void start() throws Exception {
    flink = new LocalFlink(1, 4);
  }

  @AfterAll
  static void stop() throws Exception {
    flink.close();
  }

  private static Deduplicate<Visit> byId() {
    return Deduplicate.by(Visit::id).within(WINDOW).fpp(1e-2);
  }

  private static Exactly result(LocalFlink.Run run) {
    long near = WINDOW.toMillis() * 17 / 15 + run.script.disorder() + 2_000;
    return Exactly.of(run.script, run.counts, WINDOW.toMillis(), near);
  }

  @Test
  void aStreamIsDeDuplicated() throws Exception {
    LocalFlink.Run run = new LocalFlink.Run(new Visit.Script(11, 9_000, 3_000), 200_000);
    flink.execute(LocalFlink.job(run, byId().slices(64), 2, 0, folder));
    Exactly result = result(run);
    assertThat(result.passed()).isGreaterThan(90_000);
    assertThat(result.dropped()).as("nothing dropped: not a filter").isPositive();
    result.requireRate(1e-2);
  }

  @Test
  void metricsSayWhatHappens() throws Exception {
    LocalFlink.Run run = new LocalFlink.Run(new Visit.Script(15, 4_000, 0), 20_000);
    run.runTo(5_000);
    JobGraph job = LocalFlink.job(run, byId().slices(16), 2, 100, folder);
    flink.cluster.runDetached(job);
    run.awaitLimit();
    // emitted events may still be in transit until then
    run.awaitCheckpoint();
    double ids =
        IntStream.range(0, 5_000).mapToLong(i -> run.script.visit(i).id).distinct().count();
    assertThat(KeptMetrics.sum(run.name, "keys")).isBetween(ids * 0.98, ids);
    assertThat(KeptMetrics.sum(run.name, "duplicates")).isBetween(5_000 - ids, 5_000 - ids * 0.98);
    assertThat(KeptMetrics.sum(run.name, "late")).isZero();
    assertThat(KeptMetrics.sum(run.name, "ahead")).isZero();
    assertThat(KeptMetrics.sum(run.name, "expectedFpp") / 2).isBetween(1e-6, 1e-2);
    run.runTo(run.events);
    flink.cluster.requestJobResult(job.getJobID()).get(300, TimeUnit.SECONDS);
    assertThat(KeptMetrics.sum(run.name, "keys")).as("expired at the end").isZero();
  }

  /**
   * A checkpoint every few milliseconds, written while the slices change, and a failure: if a
   * checkpoint contained later changes, replayed events would be mistaken for duplicates.
   */
  @Test
  void checkpointsAreOfOneMoment() throws Exception {
    LocalFlink.Run run = new LocalFlink.Run(new Visit.Script(12, 9_000, 3_000), 60_000);
    run.failsAt = 40_000;
    Deduplicate<Visit> fine = byId().slices(16).fpp(1e-9);
    flink.execute(LocalFlink.job(run, fine, 2, 10, folder));
    assertThat(run.restarts()).isEqualTo(1);
    assertThat(result(run).dropped()).isZero();
  }

  /** They would stop the job, and again each time that it restarts; the watermark follows them. */
  @Test
  void timesThatAreNotMillisecondsAreLate() throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(1);
    long start = 1_800_000_000_000L;
    DataStream<Long> times =
        env.fromData(start, start * 1_000_000, start + 1, Long.MAX_VALUE)
            .assignTimestampsAndWatermarks(
                WatermarkStrategy.<Long>forGenerator(context -> new FollowEachEvent())
                    .withTimestampAssigner((time, before) -> time));
    OutputTag<Long> late = new OutputTag<>("late") {};
    SingleOutputStreamOperator<Long> once =
        Deduplicate.by((Long time) -> time)
            .within(Duration.ofHours(1))
            .sideOutputLateData(late)
            .apply(times);
    List<Long> passed = new ArrayList<>();
    once.map(time -> time)
        .returns(Types.LONG)
        .union(once.getSideOutput(late).map(time -> -time).returns(Types.LONG))
        .executeAndCollect()
        .forEachRemaining(passed::add);
    assertThat(passed)
        .containsExactlyInAnyOrder(start, -start * 1_000_000, -start - 1, -Long.MAX_VALUE);
  }

  private static final class FollowEachEvent implements WatermarkGenerator<Long> {
    @Override
    public void onEvent(Long event, long time, WatermarkOutput output) {
      output.emitWatermark(new Watermark(time - 1));
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {}
  }

  @Test
  void aSavepointNeedsTheSettingsItWasWrittenWith() throws Exception {
    LocalFlink.Run run = new LocalFlink.Run(new Visit.Script(13, 900, 0), 4_000);
    run.runTo(2_000);
    JobGraph job = LocalFlink.job(run, byId().slices(4), 1, 100, folder);
    flink.cluster.runDetached(job);
    run.awaitLimit();
    String savepoint = flink.stop(run, job.getJobID(), folder);
    run.runTo(run.events);
    List<Deduplicate<Visit>> others =
        List.of(
            byId().slices(8),
            byId().slices(4).fpp(1e-3),
            byId().slices(4).within(Duration.ofSeconds(99)),
            byId().slices(4).allowedLateness(Duration.ofSeconds(1)),
            byId().slices(4).secret("sixteen bytes at".getBytes(StandardCharsets.UTF_8)));
    List<String> words = List.of("slices", "fpp", "within", "allowedLateness", "hash");
    for (int i = 0; i < words.size(); i++) {
      JobGraph other = LocalFlink.from(savepoint, LocalFlink.job(run, others.get(i), 1, 0, folder));
      String word = words.get(i);
      assertThatThrownBy(() -> flink.execute(withoutRestarts(other)))
          .hasStackTraceContaining("written with other settings: " + word + " was");
    }
    flink.execute(LocalFlink.from(savepoint, LocalFlink.job(run, byId().slices(4), 2, 0, folder)));
    result(run).requireRate(1e-2);
  }

  private static JobGraph withoutRestarts(JobGraph graph) {
    graph
        .getJobConfiguration()
        .set(org.apache.flink.configuration.RestartStrategyOptions.RESTART_STRATEGY, "none");
    return graph;
  }

  /** Two readers half a stream apart, so that the watermark is far behind one of them. */
  @Test
  void sourcesMayDriftApart() throws Exception {
    Visit.Script script = new Visit.Script(14, 9_000, 0);
    int events = 60_000;
    StreamExecutionEnvironment env = local();
    DataStream<Visit> visits =
        env.fromSource(
                new NumberSequenceSource(0, events - 1),
                WatermarkStrategy.<Long>forMonotonousTimestamps()
                    .withTimestampAssigner((number, before) -> script.time(number)),
                "numbers")
            .setParallelism(2)
            .map(script::visit)
            .returns(Visit.class)
            .setParallelism(2);
    int[] counts = new int[events];
    collect(byId().slices(64).apply(visits)).forEach(visit -> counts[(int) visit.number]++);
    // keys in the filter are known until the watermark expires them
    Exactly.of(script, counts, WINDOW.toMillis(), 4 * WINDOW.toMillis()).requireRate(1e-2);
  }

  private static <T> List<T> collect(DataStream<T> stream) throws Exception {
    List<T> all = new ArrayList<>();
    try (var iterator = stream.executeAndCollect()) {
      iterator.forEachRemaining(all::add);
    }
    return all;
  }

  private static StreamExecutionEnvironment local() {
    return StreamExecutionEnvironment.createLocalEnvironment(2);
  }

  private static DataStream<Long> numbers(StreamExecutionEnvironment env, Long... numbers) {
    // punctuated: each event has its watermark
    return env.fromData(numbers)
        .assignTimestampsAndWatermarks(
            WatermarkStrategy.<Long>forGenerator(
                    context ->
                        new org.apache.flink.api.common.eventtime.WatermarkGenerator<>() {
                          private long max = Long.MIN_VALUE;

                          @Override
                          public void onEvent(
                              Long event,
                              long time,
                              org.apache.flink.api.common.eventtime.WatermarkOutput out) {
                            max = Math.max(max, time);
                            out.emitWatermark(
                                new org.apache.flink.api.common.eventtime.Watermark(max - 1));
                          }

                          @Override
                          public void onPeriodicEmit(
                              org.apache.flink.api.common.eventtime.WatermarkOutput out) {}
                        })
                .withTimestampAssigner((number, before) -> number));
  }

  @Test
  void lateEventsAndDuplicatesGoToTheirSideOutputs() throws Exception {
    OutputTag<Long> late = new OutputTag<>("late") {};
    OutputTag<Long> duplicates = new OutputTag<>("duplicates") {};
    SingleOutputStreamOperator<Long> once =
        Deduplicate.by((Long number) -> number % 1_000)
            .within(Duration.ofSeconds(100))
            .allowedLateness(Duration.ofSeconds(5))
            .sideOutputLateData(late)
            .sideOutputDuplicates(duplicates)
            .apply(numbers(local().setParallelism(1), 10_001L, 20_001L, 16_002L, 15_000L, 14_999L));
    DataStream<String> all =
        once.map(number -> "once " + number)
            .union(
                once.getSideOutput(late).map(number -> "late " + number),
                once.getSideOutput(duplicates).map(number -> "duplicate " + number));
    assertThat(collect(all))
        .containsExactlyInAnyOrder(
            "once 10001", "duplicate 20001", "once 16002", "late 15000", "late 14999");
  }

  @Test
  void idsOfAllTypesAreCompared() throws Exception {
    List<KeySelector<Long, ?>> selectors =
        List.of(
            number -> "id " + number % 10,
            number -> number % 10,
            number -> (int) (number % 10),
            number -> (short) (number % 10),
            number -> new byte[] {(byte) (number % 10)},
            number -> new UUID(number % 10, 1));
    StreamExecutionEnvironment env = local().setParallelism(1);
    DataStream<Long> numbers = numbers(env, 1_011L, 1_012L, 1_021L, 1_032L, 1_043L);
    DataStream<String> all = numbers.map(number -> "none").filter(none -> false);
    for (int i = 0; i < selectors.size(); i++) {
      int type = i;
      all = all.union(once(numbers, Deduplicate.by(selectors.get(i)), type + " "));
    }
    Deduplicate.Hasher<Point> hasher = (point, scheme) -> scheme.hash(point.x);
    all = all.union(once(numbers, Deduplicate.by(n -> new Point(n % 10), hasher), "point "));
    Deduplicate<Long> secret = Deduplicate.by(selectors.get(0));
    secret.secret("sixteen bytes at".getBytes(StandardCharsets.UTF_8));
    all = all.union(once(numbers, secret, "secret "));
    List<String> passed = collect(all);
    assertThat(passed).hasSize(8 * 3);
    for (String type : List.of("0 ", "1 ", "2 ", "3 ", "4 ", "5 ", "point ", "secret ")) {
      assertThat(passed).contains(type + 1_011, type + 1_012, type + 1_043);
    }
  }

  record Point(long x) {}

  private static DataStream<String> once(
      DataStream<Long> numbers, Deduplicate<Long> by, String type) {
    return by.within(WINDOW).fpp(1e-9).apply(numbers).map(number -> type + number);
  }

  @Test
  void errorsSayWhatIsMissing() {
    StreamExecutionEnvironment env = local().setParallelism(1);
    DataStream<Long> untimed = env.fromData(1L, 2L);
    assertThatThrownBy(() -> collect(Deduplicate.by((Long n) -> n).within(WINDOW).apply(untimed)))
        .hasStackTraceContaining("assignTimestampsAndWatermarks");
    assertThatThrownBy(
            () ->
                collect(
                    Deduplicate.by((Long n) -> (String) null)
                        .within(WINDOW)
                        .apply(numbers(env, 1L))))
        .hasStackTraceContaining("the id of an event is null");
    assertThatThrownBy(
            () ->
                collect(
                    Deduplicate.by((Long n) -> List.of(n)).within(WINDOW).apply(numbers(env, 1L))))
        .hasStackTraceContaining("use by(id, hasher)");
  }
}
