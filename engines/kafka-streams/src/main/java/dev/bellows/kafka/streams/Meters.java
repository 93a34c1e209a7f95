package dev.bellows.kafka.streams;

import java.util.Map;
import java.util.function.DoubleSupplier;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.MeasurableStat;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.StreamsMetrics;
import org.apache.kafka.streams.processor.TaskId;

/** The metrics of a store, in the group {@link #GROUP}, by task and store name. */
final class Meters implements AutoCloseable {
  static final String GROUP = "stream-bellows-metrics";
  static final String OUT_OF_RANGE = "out-of-range-total";

  private final StreamsMetrics metrics;
  private final Sensor sensor;
  private final Map<String, String> tags;

  private Meters(StreamsMetrics metrics, TaskId task, String owner) {
    this.metrics = metrics;
    this.tags = Map.of("task-id", task.toString(), "store", owner);
    this.sensor = metrics.addSensor("bellows." + task + "." + owner, Sensor.RecordingLevel.INFO);
  }

  static Meters ofStore(StreamsMetrics metrics, TaskId task, WindowFilterStore store) {
    Meters meters = new Meters(metrics, task, store.name());
    meters.add("keys", "Ids that the window holds, estimated", store::approximateKeys);
    meters.add("duplicates-total", "Events that were duplicates", store::duplicates);
    meters.add("late-total", "Events that came after the grace period", store::lateEvents);
    meters.add(
        OUT_OF_RANGE, "Late events whose times are not in milliseconds", store::outOfRangeEvents);
    meters.add(
        "false-drop-share",
        "The maximum share of new events that are mistaken for duplicates",
        store::expectedFpp);
    meters.add("heap-bytes", "The heap that the ids take", store::heapBytes);
    return meters;
  }

  private void add(String name, String description, DoubleSupplier value) {
    sensor.add(new MetricName(name, GROUP, description, tags), new Reading(value));
  }

  @Override
  public void close() {
    metrics.removeSensor(sensor);
  }

  /** A metric that is read and never recorded. */
  private record Reading(DoubleSupplier value) implements MeasurableStat {
    @Override
    public double measure(MetricConfig config, long now) {
      return value.getAsDouble();
    }

    @Override
    public void record(MetricConfig config, double recorded, long time) {}
  }
}
