package dev.bellows.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.legacy.RichSinkFunction;
import org.apache.flink.streaming.api.functions.source.legacy.SourceFunction;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.watermark.Watermark;

/**
 * A Flink cluster in this process, and the job of the tests: a source that replays from its
 * checkpointed position, a de-duplication, and a sink whose checkpointed state says how often each
 * event was passed on, so that its numbers are exactly-once.
 */
final class LocalFlink implements AutoCloseable {
  /** A limit against hangs, and not a time that anything is expected to take. */
  static final Duration WATCHDOG = Duration.ofMinutes(5);

  private static final Map<String, Run> RUNS = new ConcurrentHashMap<>();
  private static final AtomicInteger NAMES = new AtomicInteger();

  final MiniCluster cluster;

  LocalFlink(int taskManagers, int slots) throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(64));
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(32));
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(32));
    configuration.setString("metrics.reporters", "kept");
    configuration.setString("metrics.reporter.kept.factory.class", KeptMetrics.class.getName());
    cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(taskManagers)
                .setNumSlotsPerTaskManager(slots)
                .withRandomPorts()
                .build());
    cluster.start();
  }

  @Override
  public void close() throws Exception {
    cluster.close();
  }

  /** What the functions of a job and its test share, by name: all run in this process. */
  static final class Run {
    final String name = "run " + NAMES.incrementAndGet();
    final Visit.Script script;
    final int events;

    /** The source waits before this event. */
    private int limit;

    /** The source fails once before this event, and waits half-way for a checkpoint. */
    volatile int failsAt = Integer.MAX_VALUE;

    /** Where the state is kept: hashmap or rocksdb. */
    String backend = "hashmap";

    private boolean isReached;
    private int checkpoints;
    private int restarts;
    volatile int[] counts = new int[0];

    Run(Visit.Script script, int events) {
      this.script = script;
      this.events = events;
      this.limit = events;
      RUNS.put(name, this);
    }

    /** Lets the source run up to an event, where it waits. */
    synchronized void runTo(int number) {
      isReached = false;
      limit = number;
      notifyAll();
    }

    synchronized int restarts() {
      return restarts;
    }

    synchronized void awaitRestarts(int count) throws InterruptedException {
      await(() -> restarts >= count);
    }

    synchronized void awaitLimit() throws InterruptedException {
      await(() -> isReached);
    }

    /**
     * Waits for a checkpoint that began after this call, so that all tasks run and all events that
     * were emitted before have been processed: one that is in progress may have begun earlier, the
     * next one has not.
     */
    synchronized void awaitCheckpoint() throws InterruptedException {
      int enough = checkpoints + 2;
      await(() -> checkpoints >= enough);
    }

    /** Waits for a change of this object after which a condition holds. */
    private void await(BooleanSupplier condition) throws InterruptedException {
      long deadline = System.nanoTime() + WATCHDOG.toNanos();
      while (!condition.getAsBoolean()) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        assertThat(left).as("time left").isPositive();
        wait(left);
      }
    }

    /** For the source: waits as long as it must not emit an event and is not cancelled. */
    private synchronized void awaitTurn(int next, BooleanSupplier isCancelled)
        throws InterruptedException {
      while (!isCancelled.getAsBoolean() && (next >= limit || isEarlyFailure(next))) {
        if (next >= limit) {
          isReached = true;
          notifyAll();
        }
        wait();
      }
    }

    private boolean isEarlyFailure(int next) {
      return next >= failsAt / 2 && failsAt < events && checkpoints == 0;
    }

    private synchronized void cancelled() {
      notifyAll();
    }

    private synchronized void checkpointed() {
      checkpoints++;
      notifyAll();
    }

    private synchronized void restarted() {
      restarts++;
      notifyAll();
    }
  }

  /** The job, with checkpoints at an interval in milliseconds, or none for 0. */
  static JobGraph job(
      Run run, Deduplicate<Visit> deduplicate, int parallelism, int checkpointEvery, Path folder) {
    Configuration configuration = new Configuration();
    configuration.set(StateBackendOptions.STATE_BACKEND, run.backend);
    configuration.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, folder.toUri().toString());
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1000);
    configuration.set(
        RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(50));
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    env.setMaxParallelism(128);
    if (checkpointEvery > 0) {
      env.enableCheckpointing(checkpointEvery);
    }
    SingleOutputStreamOperator<Visit> visits =
        env.addSource(new Replay(run.name), "visits", Types.POJO(Visit.class))
            .setParallelism(1)
            .uid("visits");
    deduplicate
        .apply(visits)
        .setParallelism(parallelism)
        .uid("once")
        .addSink(new Passed(run.name))
        .setParallelism(1)
        .uid("passed");
    StreamGraph graph = env.getStreamGraph();
    graph.setJobName(run.name);
    return graph.getJobGraph();
  }

  /** Runs a job to its end. */
  void execute(JobGraph graph) throws Exception {
    cluster.executeJobBlocking(graph);
  }

  /**
   * Stops a job that has checkpoints with a savepoint in a folder, once all its tasks run: before,
   * it is refused.
   */
  String stop(Run run, JobID job, Path folder) throws Exception {
    run.awaitCheckpoint();
    return cluster
        .stopWithSavepoint(job, folder.toUri().toString(), false, SavepointFormatType.CANONICAL)
        .get(WATCHDOG.toSeconds(), TimeUnit.SECONDS);
  }

  static JobGraph from(String savepoint, JobGraph graph) {
    graph.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(savepoint));
    return graph;
  }

  /** Emits a script from where the last checkpoint was, with a watermark after 100 events. */
  private static final class Replay
      implements SourceFunction<Visit>, CheckpointedFunction, CheckpointListener {
    private final String name;
    private transient ListState<long[]> state;
    private transient volatile boolean isCancelled;
    private int next;
    private long max = Long.MIN_VALUE / 2;

    Replay(String name) {
      this.name = name;
    }

    @Override
    public void run(SourceContext<Visit> out) throws Exception {
      Run run = RUNS.get(name);
      while (!isCancelled && next < run.events) {
        run.awaitTurn(next, () -> isCancelled);
        if (isCancelled) {
          return;
        }
        if (next >= run.failsAt) {
          run.failsAt = Integer.MAX_VALUE;
          throw new IllegalStateException("a failure that was asked for");
        } else {
          synchronized (out.getCheckpointLock()) {
            Visit visit = run.script.visit(next++);
            out.collectWithTimestamp(visit, visit.time);
            max = Math.max(max, visit.time);
            if (next % 100 == 0) {
              out.emitWatermark(new Watermark(max - run.script.disorder() - 1));
            }
          }
        }
      }
    }

    @Override
    public void cancel() {
      isCancelled = true;
      RUNS.get(name).cancelled();
    }

    @Override
    public void notifyCheckpointComplete(long checkpoint) {
      RUNS.get(name).checkpointed();
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
      state.update(List.of(new long[] {next, max}));
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
      state =
          context
              .getOperatorStateStore()
              .getListState(
                  new ListStateDescriptor<>(
                      "position", PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO));
      for (long[] position : state.get()) {
        next = (int) position[0];
        max = position[1];
      }
      if (context.isRestored()) {
        RUNS.get(name).restarted();
      }
    }
  }

  /** Counts how often each event was passed on. */
  private static final class Passed extends RichSinkFunction<Visit>
      implements CheckpointedFunction {
    private final String name;
    private transient ListState<int[]> state;
    private transient int[] counts;

    Passed(String name) {
      this.name = name;
    }

    @Override
    public void invoke(Visit visit, Context context) {
      counts[(int) visit.number]++;
    }

    @Override
    public void finish() {
      RUNS.get(name).counts = counts;
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
      // its numbers of passed events, so that savepoints stay small
      List<Integer> numbers = new ArrayList<>();
      for (int i = 0; i < counts.length; i++) {
        for (int j = 0; j < counts[i]; j++) {
          numbers.add(i);
        }
      }
      state.update(List.of(numbers.stream().mapToInt(Integer::intValue).toArray()));
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
      state =
          context
              .getOperatorStateStore()
              .getListState(
                  new ListStateDescriptor<>(
                      "passed", PrimitiveArrayTypeInfo.INT_PRIMITIVE_ARRAY_TYPE_INFO));
      counts = new int[RUNS.get(name).events];
      for (int[] numbers : state.get()) {
        Arrays.stream(numbers).forEach(number -> counts[number]++);
      }
    }
  }
}
