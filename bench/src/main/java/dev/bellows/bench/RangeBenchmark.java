package dev.bellows.bench;

import dev.bellows.RangeBloomFilter;
import dev.bellows.RangeSchema;
import dev.bellows.RangeSchema.Attribute;
import dev.bellows.RangeSchema.Domain;
import dev.bellows.plan.RangePlan;
import dev.bellows.plan.RangeScheme;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Putting and asking a range of 1,000 of 10,000 numbers in 512 bits, scheme by scheme. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RangeBenchmark {
  private static final long DOMAIN = 10_000;
  private static final long RANGE = 1000;

  @Param({"PLAIN", "DIVISION", "OVERLAPPING", "DIVISION_OVERLAPPING", "DYADIC"})
  RangeScheme scheme;

  private RangeBloomFilter filter;
  private long next;

  @Setup
  public void fill() {
    RangePlan plan = RangePlan.best(scheme, 512, 8, DOMAIN, RANGE);
    Attribute attribute =
        new Attribute("x", Domain.of(0, DOMAIN - 1), scheme, 8, plan.divide(), plan.shift(), 0);
    filter = RangeBloomFilter.create(RangeSchema.of(512, 8, attribute));
    filter.putRange("x", 4000, 4000 + RANGE - 1);
  }

  @Benchmark
  public boolean putRange() {
    return filter.putRange("x", 4000, 4000 + RANGE - 1);
  }

  @Benchmark
  public boolean askNumber() {
    next = (next + 7919) % DOMAIN;
    return filter.mightContain("x", next);
  }

  @Benchmark
  public boolean askRangeInside() {
    return filter.mightContainRange("x", 4100, 4899);
  }

  @Benchmark
  public boolean askOverlap() {
    return filter.mightIntersect("x", 6000, 6999);
  }
}
