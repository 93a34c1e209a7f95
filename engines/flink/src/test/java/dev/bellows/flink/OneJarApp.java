package dev.bellows.flink;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A job of a user, for {@link OneJarCheck}. */
public final class OneJarApp {
  static final String DONE = "one jar is enough";

  private OneJarApp() {}

  public static void main(String[] arguments) throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(1);
    DataStream<Long> numbers =
        env.fromData(11L, 12L, 21L)
            .assignTimestampsAndWatermarks(
                WatermarkStrategy.<Long>forMonotonousTimestamps()
                    .withTimestampAssigner((number, before) -> number));
    List<Long> once = new ArrayList<>();
    Deduplicate.by((Long number) -> "id " + number % 10)
        .within(Duration.ofHours(24))
        .apply(numbers)
        .executeAndCollect()
        .forEachRemaining(once::add);
    if (once.equals(List.of(11L, 12L))) {
      System.out.println(DONE);
    }
  }
}
