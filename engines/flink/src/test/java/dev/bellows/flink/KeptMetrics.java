package dev.bellows.flink;

import java.util.List;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/** Keeps the metrics of Bellows that Flink reports, also after their job has ended. */
public final class KeptMetrics implements MetricReporter, MetricReporterFactory {
  private static final List<Kept> KEPT = new CopyOnWriteArrayList<>();

  private record Kept(String job, String name, Metric metric) {}

  /** The sum over all subtasks of a job, by the name of the job. */
  static double sum(String job, String name) {
    return KEPT.stream()
        .filter(kept -> kept.job.equals(job) && kept.name.equals(name))
        .mapToDouble(kept -> value(kept.metric))
        .sum();
  }

  private static double value(Metric metric) {
    return metric instanceof Counter counter
        ? counter.getCount()
        : ((Number) ((Gauge<?>) metric).getValue()).doubleValue();
  }

  @Override
  public MetricReporter createMetricReporter(Properties properties) {
    return this;
  }

  @Override
  public void open(MetricConfig config) {}

  @Override
  public void close() {}

  @Override
  public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
    if (List.of(group.getScopeComponents()).contains("bellows")) {
      KEPT.add(new Kept(group.getAllVariables().get("<job_name>"), name, metric));
    }
  }

  @Override
  public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {}
}
