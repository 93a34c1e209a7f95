package dev.bellows.flink;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.source.legacy.SourceFunction;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The numbers of docs/bench/streams.md about Flink: {@code mvn -B -pl engines/flink -am test
 * -Pflink-bench}. A stream of ids of 16 characters, each twice, all within one window of 24 hours;
 * CPU times of the threads, in rounds that alternate.
 */
class StreamsBench {
  private static final int IDS = Integer.getInteger("bench.ids", 1_000_000);
  private static final int ROUNDS = Integer.getInteger("bench.rounds", 1);
  private static final String ONLY = System.getProperty("bench.only", "");
  private static final long WINDOW = Duration.ofHours(24).toMillis();

  /** The watermark after the last id. */
  private static final long LAST = (long) (WINDOW * 0.95);

  private static volatile CountDownLatch end = new CountDownLatch(1);
  private static volatile CountDownLatch over = new CountDownLatch(1);

  @TempDir Path folder;

  enum Way {
    BELLOWS("bellows-flink, fpp 1e-4"),
    EXACT("ValueState<Boolean> per id"),
    EXACT_TTL("ValueState<Boolean> per id, with a TTL of 24 hours");

    final String words;

    Way(String words) {
      this.words = words;
    }
  }

  /** Ids, each twice: the second time a thousand events later. */
  private static final class Ids implements SourceFunction<String> {
    private final int ids;

    Ids(int ids) {
      this.ids = ids;
    }

    @Override
    public void run(SourceContext<String> out) throws Exception {
      for (int i = 0; i < ids + 1_000 && over.getCount() > 0; i++) {
        long time = (long) ((double) i / ids * WINDOW * 0.9);
        if (i < ids) {
          out.collectWithTimestamp(id(i), time);
        }
        if (i >= 1_000) {
          out.collectWithTimestamp(id(i - 1_000), time);
        }
        if (i % 1_000 == 0) {
          out.emitWatermark(new Watermark(time - 1));
        }
      }
      out.emitWatermark(new Watermark(LAST));
      over.await();
    }

    private static String id(int i) {
      long hash = i * 0x9e37_79b9_7f4a_7c15L;
      byte[] text = new byte[16];
      for (int j = 0; j < 16; j++) {
        text[j] = (byte) "0123456789abcdef".charAt((int) (hash >>> 4 * j) & 15);
      }
      return new String(text, java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    @Override
    public void cancel() {
      over.countDown();
    }
  }

  /** The usual way. */
  private static final class Exact extends KeyedProcessFunction<String, String, String> {
    private final boolean hasTtl;
    private transient ValueState<Boolean> seen;

    Exact(boolean hasTtl) {
      this.hasTtl = hasTtl;
    }

    @Override
    public void open(OpenContext context) {
      ValueStateDescriptor<Boolean> descriptor = new ValueStateDescriptor<>("seen", Types.BOOLEAN);
      if (hasTtl) {
        descriptor.enableTimeToLive(StateTtlConfig.newBuilder(Duration.ofHours(24)).build());
      }
      seen = getRuntimeContext().getState(descriptor);
    }

    @Override
    public void processElement(String id, Context context, Collector<String> out) throws Exception {
      if (seen.value() == null) {
        seen.update(true);
        out.collect(id);
      }
    }
  }

  /** Signals that the last watermark has passed the de-duplication, with all events. */
  private static final class Ended extends AbstractStreamOperator<String>
      implements OneInputStreamOperator<String, String> {
    @Override
    public void processElement(StreamRecord<String> id) {}

    @Override
    public void processWatermark(Watermark mark) throws Exception {
      super.processWatermark(mark);
      if (mark.getTimestamp() >= LAST) {
        end.countDown();
      }
    }
  }

  record Result(double operatorNanos, double jobNanos, double heapBytes, double savepointBytes) {}

  private Result run(Way way, int ids, String backend, boolean savepoint) throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(StateBackendOptions.STATE_BACKEND, backend);
    configuration.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, folder.toUri().toString());
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    env.setMaxParallelism(128).setParallelism(1);
    DataStream<String> stream = env.addSource(new Ids(ids), "ids", Types.STRING);
    DataStream<String> once =
        way == Way.BELLOWS
            ? Deduplicate.by((String id) -> id)
                .within(Duration.ofMillis(WINDOW))
                .fpp(1e-4)
                .apply(stream)
            : stream.keyBy(id -> id).process(new Exact(way == Way.EXACT_TTL)).name("deduplicate");
    end = new CountDownLatch(1);
    over = new CountDownLatch(1);
    once.transform("ended", Types.STRING, new Ended())
        .sinkTo(new org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink<>());
    JobGraph job = env.getStreamGraph().getJobGraph();
    long before = usedHeap();
    try (LocalFlink flink = new LocalFlink(1, 1)) {
      long cpu = processCpu();
      flink.cluster.runDetached(job);
      end.await(1, TimeUnit.HOURS);
      long operator = operatorCpu();
      long jobCpu = processCpu() - cpu;
      long heap = usedHeap() - before;
      long bytes = 0;
      if (savepoint) {
        String path =
            flink
                .cluster
                .triggerSavepoint(
                    job.getJobID(), folder.toUri().toString(), false, SavepointFormatType.CANONICAL)
                .get(1, TimeUnit.HOURS);
        try (Stream<Path> files = Files.walk(Path.of(java.net.URI.create(path)))) {
          bytes = files.mapToLong(file -> file.toFile().length()).sum();
        }
      }
      over.countDown();
      flink.cluster.cancelJob(job.getJobID()).get(1, TimeUnit.HOURS);
      double events = 2.0 * ids;
      return new Result(
          operator / events, jobCpu / events, heap / (double) ids, bytes / (double) ids);
    }
  }

  private static long processCpu() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** The CPU time of the thread that de-duplicates. */
  private static long operatorCpu() {
    long sum = 0;
    var threads = ManagementFactory.getThreadMXBean();
    for (long id : threads.getAllThreadIds()) {
      var info = threads.getThreadInfo(id);
      if (info != null && info.getThreadName().startsWith("deduplicate")) {
        sum += threads.getThreadCpuTime(id);
      }
    }
    return sum;
  }

  private static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static void print(String line, Object... arguments) {
    System.out.printf(Locale.ROOT, "[streams] " + line + "%n", arguments);
  }

  @Test
  void theSameStreamBothWays() throws Exception {
    run(Way.BELLOWS, 100_000, "hashmap", false);
    run(Way.EXACT, 100_000, "hashmap", false);
    print("%,d ids, each twice; CPU ns per event, bytes per id", IDS);
    for (int round = 0; round < ROUNDS; round++) {
      for (Way way : Way.values()) {
        if (!ONLY.isEmpty() && !ONLY.equals(way.name())) {
          continue;
        }
        Result result = run(way, IDS, "hashmap", round == 0);
        print(
            "round %d | %s | operator %.0f | job %.0f | heap %.2f | savepoint %.2f",
            round,
            way.words,
            result.operatorNanos,
            result.jobNanos,
            result.heapBytes,
            result.savepointBytes);
      }
    }
  }

  /** Windows one after the other, so that ids expire: what a slice takes per id of a window. */
  @Test
  void aSliceInASteadyState() {
    for (int perWindow : new int[] {100, 1_000, 10_000, 100_000}) {
      Settings settings = new Settings(WINDOW, 0, 1e-4, 1024, new byte[0]);
      Slice slice = new Slice(settings);
      SplittableRandom hashes = new SplittableRandom(5);
      double sum = 0;
      int samples = 0;
      double rate = 0;
      for (int i = 0; i < 5 * perWindow; i++) {
        long time = (long) ((double) i / perWindow * WINDOW);
        slice.advanceTo(time - 1);
        slice.add(hashes.nextLong(), time);
        if (i > 3 * perWindow && i % Math.max(1, perWindow / 50) == 0) {
          sum += slice.heapBytes();
          rate = Math.max(rate, slice.expectedFpp());
          samples++;
        }
      }
      print(
          "%,d ids per window and slice: %.2f bytes of heap per id, at most 1 in %,.0f",
          perWindow, sum / samples / perWindow, 1 / rate);
    }
  }

  /** What RocksDB pays for each event: the slice is read and written as a whole. */
  @Test
  void aSliceReadAndWritten() throws Exception {
    for (int ids : new int[] {100, 1_000, 10_000}) {
      Settings settings = new Settings(WINDOW, 0, 1e-4, 1024, new byte[0]);
      Slice slice = new Slice(settings);
      slice.advanceTo(0);
      SplittableRandom hashes = new SplittableRandom(5);
      for (int i = 0; i < ids; i++) {
        slice.add(hashes.nextLong(), 1 + i);
      }
      double best = Double.MAX_VALUE;
      double copy = Double.MAX_VALUE;
      int length = 0;
      for (int round = 0; round < 10; round++) {
        int times = 200_000 / ids + 1;
        long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int i = 0; i < times; i++) {
          ByteArrayOutputStream out = new ByteArrayOutputStream();
          slice.writeTo(new DataOutputStream(out));
          length = out.size();
          slice =
              Slice.read(
                  settings, new DataInputStream(new ByteArrayInputStream(out.toByteArray())));
        }
        long middle = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int i = 0; i < times; i++) {
          slice = slice.copy();
        }
        long finish = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        best = Math.min(best, (middle - begin) / 1e3 / times);
        copy = Math.min(copy, (finish - middle) / 1e3 / times);
      }
      print(
          "%,d ids in a slice: %,d bytes (%.2f per id), read and written in %.0f us, copied in %.0f"
              + " us",
          ids, length, (double) length / ids, best, copy);
    }
  }
}
