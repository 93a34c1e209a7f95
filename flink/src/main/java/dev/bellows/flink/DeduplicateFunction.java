package dev.bellows.flink;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the events of a slice whose ids are new. The slice is taken from the state for each
 * event and kept in no field: between two events a checkpoint may begin, and the slice that it
 * writes must not change.
 *
 * @param <E> the events
 */
final class DeduplicateFunction<E> extends KeyedProcessFunction<Integer, E, E> {
  private static final long serialVersionUID = 1L;

  /** The numbers of a slice are taken again after this many new ids at the latest. */
  private static final int SAMPLED_EVERY = 256;

  private final Settings settings;
  private final IdHash<E> idHash;
  private final @Nullable OutputTag<E> lateTag;
  private final @Nullable OutputTag<E> duplicateTag;

  private transient ValueState<Slice> slices;
  private transient Counter duplicates;
  private transient Counter late;
  private transient Numbers numbers;

  DeduplicateFunction(
      Settings settings,
      IdHash<E> idHash,
      @Nullable OutputTag<E> lateTag,
      @Nullable OutputTag<E> duplicateTag) {
    this.settings = settings;
    this.idHash = idHash;
    this.lateTag = lateTag;
    this.duplicateTag = duplicateTag;
  }

  @Override
  public void open(OpenContext context) {
    slices =
        getRuntimeContext()
            .getState(new ValueStateDescriptor<>("slices", new SliceSerializer(settings)));
    MetricGroup group = getRuntimeContext().getMetricGroup().addGroup("bellows");
    duplicates = group.counter("duplicates");
    late = group.counter("late");
    numbers = new Numbers();
    Numbers its = numbers;
    group.gauge("keys", (Gauge<Long>) () -> its.keys);
    group.gauge("ahead", (Gauge<Long>) () -> its.ahead);
    group.gauge("expectedFpp", (Gauge<Double>) its::expectedFpp);
  }

  @Override
  public void processElement(E event, Context context, Collector<E> out) throws Exception {
    Long time = context.timestamp();
    if (time == null || time == TimestampAssigner.NO_TIMESTAMP) {
      throw new IllegalStateException(
          "an event without a time: call assignTimestampsAndWatermarks on the stream first");
    }
    Slice slice = slices.value();
    if (slice == null) {
      slice = new Slice(settings);
    }
    slice.advanceTo(context.timerService().currentWatermark());
    if (slice.isLate(time)) {
      late.inc();
      if (lateTag != null) {
        context.output(lateTag, event);
      }
    } else if (slice.add(idHash.of(event), time)) {
      long due = slice.due();
      if (due < slice.timer()) {
        context.timerService().registerEventTimeTimer(due);
        slice.setTimer(due);
      }
      slices.update(slice);
      numbers.count(context.getCurrentKey(), slice);
      out.collect(event);
    } else {
      duplicates.inc();
      if (duplicateTag != null) {
        context.output(duplicateTag, event);
      }
    }
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<E> out) throws Exception {
    Slice slice = slices.value();
    if (slice == null) {
      return;
    }
    long watermark = context.timerService().currentWatermark();
    slice.advanceTo(watermark);
    slice.settle();
    if (slice.isOver() || watermark == Long.MAX_VALUE) {
      slices.clear();
      numbers.forget(context.getCurrentKey());
      return;
    }
    if (timestamp >= slice.timer()) {
      long due = slice.due();
      context.timerService().registerEventTimeTimer(due);
      slice.setTimer(due);
    }
    slices.update(slice);
    numbers.take(context.getCurrentKey(), slice);
  }

  /**
   * The numbers of all slices of this subtask, as of a few new ids ago, for a reporter on another
   * thread. Slices that were restored count from their first new id on.
   */
  private static final class Numbers {
    private final Map<Integer, Of> slices = new HashMap<>();
    private volatile long keys;
    private volatile long ahead;
    private volatile double rates;
    private volatile int known;

    private static final class Of {
      int puts;
      long keys;
      long ahead;
      double rate;
    }

    void count(Integer key, Slice slice) {
      Of its = slices.computeIfAbsent(key, any -> new Of());
      int puts = ++its.puts;
      if (puts >= SAMPLED_EVERY || (puts & (puts - 1)) == 0) {
        its.puts = puts % SAMPLED_EVERY;
        set(its, slice.keys(), slice.aheadKeys(), slice.expectedFpp());
      }
    }

    void take(Integer key, Slice slice) {
      Of its = slices.computeIfAbsent(key, any -> new Of());
      set(its, slice.keys(), slice.aheadKeys(), slice.expectedFpp());
    }

    void forget(Integer key) {
      Of its = slices.remove(key);
      if (its != null) {
        set(its, 0, 0, 0);
      }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void set(Of its, long keys, long ahead, double rate) {
      this.keys += keys - its.keys;
      this.ahead += ahead - its.ahead;
      this.rates = Math.max(0, rates + rate - its.rate);
      this.known = slices.size();
      its.keys = keys;
      its.ahead = ahead;
      its.rate = rate;
    }

    /** New ids fall into all slices alike, so that their share is the average of the rates. */
    double expectedFpp() {
      return rates / Math.max(1, known);
    }
  }
}
