package dev.bellows.flink;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes on the events of a slice whose ids are new. The slice is taken from the state for each
 * event and kept in no field: between two events a checkpoint may begin, and the slice that it
 * writes must not change.
 *
 * @param <E> the events
 */
final class DeduplicateFunction<E> extends KeyedProcessFunction<Integer, E, E> {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(DeduplicateFunction.class);

  private final Settings settings;
  private final IdHash<E> idHash;
  private final @Nullable OutputTag<E> lateTag;
  private final @Nullable OutputTag<E> duplicateTag;

  private transient ValueState<Slice> slices;
  private transient Counter duplicates;
  private transient Counter late;
  private transient Counter outOfRange;
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
    outOfRange = group.counter("outOfRange");
    numbers = new Numbers();
    Numbers its = numbers;
    group.gauge("keys", (Gauge<Long>) its::keys);
    group.gauge("ahead", (Gauge<Long>) its::ahead);
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
    numbers.add(context.getCurrentKey(), slice);
    slice.advanceTo(context.timerService().currentWatermark());
    boolean isTime = Settings.isTime(time);
    if (!isTime) {
      outOfRange(time);
    }
    if (!isTime || slice.isLate(time)) {
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
      out.collect(event);
    } else {
      duplicates.inc();
      if (duplicateTag != null) {
        context.output(duplicateTag, event);
      }
    }
  }

  /** Counts an event whose time cannot be in milliseconds: it comes again with each restart. */
  private void outOfRange(long time) {
    if (outOfRange.getCount() == 0) {
      LOG.warn(
          "events with times such as {} are treated as late: times must be in milliseconds (this is logged once; see the metric outOfRange)",
          time);
    }
    outOfRange.inc();
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
    numbers.add(context.getCurrentKey(), slice);
  }

  /**
   * The slices of this subtask that have had an event since it began, as a reporter reads their
   * numbers, on its own thread: filters answer any thread. State owns the slices: those that it has
   * replaced, or that it keeps elsewhere than on the heap, are not held here.
   */
  private static final class Numbers {
    private final Map<Integer, WeakReference<Slice>> slices = new ConcurrentHashMap<>();

    void add(Integer key, Slice slice) {
      if (!slice.isReported()) {
        slices.put(key, new WeakReference<>(slice));
      }
    }

    void forget(Integer key) {
      slices.remove(key);
    }

    long keys() {
      return present().mapToLong(Slice::keys).sum();
    }

    long ahead() {
      return present().mapToLong(Slice::aheadKeys).sum();
    }

    /** New ids fall into all slices alike, so that their share is the average of the rates. */
    double expectedFpp() {
      return present().mapToDouble(Slice::expectedFpp).average().orElse(0);
    }

    private Stream<Slice> present() {
      return slices.values().stream().map(WeakReference::get).filter(Objects::nonNull);
    }
  }
}
