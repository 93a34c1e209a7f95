package dev.bellows.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.bench.operations.LargeFilter;
import dev.bellows.bench.peers.Peer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.results.AverageTimeResult;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ResultRole;

/** The catalog of operations. */
class OperationsTest {
  @Test
  void everyOperationHasABenchmarkAndContendersThatPlayIt() {
    for (Operation operation : Operations.all(false)) {
      assertThat(operation.trials()).as(operation.name()).isNotEmpty();
      for (Trial trial : operation.trials()) {
        assertThat(trial.peer().plays(operation.role())).as("%s", trial).isTrue();
        assertThat(trial.benchmark().getMethods())
            .as("%s", trial)
            .anyMatch(
                m -> m.getName().equals(trial.method()) && m.isAnnotationPresent(Benchmark.class));
      }
    }
  }

  @Test
  void everyPeerTakesPart() {
    assertThat(Operations.all(false).stream().flatMap(o -> o.peers().stream()).distinct())
        .containsExactlyInAnyOrder(Peer.values());
  }

  @Test
  void namesDifferAndAPrefixSelects() {
    List<String> names = Operations.all(false).stream().map(Operation::name).toList();
    assertThat(names).doesNotHaveDuplicates();
    assertThat(Operations.named(false, "query-long"))
        .extracting(Operation::name)
        .containsExactly(
            "query-long-miss",
            "query-long-5",
            "query-long-half",
            "query-long-95",
            "query-long-hit");
    assertThatThrownBy(() -> Operations.named(true, "nonsense"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("no quick operation begins with nonsense: there are put-long, ")
        .hasMessageNotContaining("1e8");
  }

  @Test
  void callersThatBranchAreMeasuredAtFiveSharesOfHits() {
    List<Operation> shares = Operations.named(false, "query-long");
    assertThat(shares)
        .allSatisfy(
            operation ->
                assertThat(operation.peers())
                    .contains(
                        Peer.BLOCKED,
                        Peer.CLASSIC,
                        Peer.GUAVA,
                        Peer.FASTFILTER_BLOOM,
                        Peer.FASTFILTER_BLOCKED));
    assertThat(shares.stream().map(o -> o.trials().get(0).parameters().get("mix")))
        .containsExactly("MISS", "FEW", "HALF", "MOST", "HIT");
  }

  @Test
  void aFullRunIsPlannedForHalfAnHour() {
    List<Trial> order = BenchStudy.order(Operations.all(false), false);
    assertThat(order.stream().mapToDouble(Trial::seconds).sum() / 60).isBetween(20.0, 35.0);
  }

  @Test
  void operationsOfALargeFilterUseTheSameForks() {
    List<Operation> large = Operations.all(false).stream().filter(o -> o.kind() != null).toList();
    assertThat(large).hasSize(8);
    BenchmarkResult result = steps();
    assertThat(named(large, "1e8-query-long-half").nanos(result)).containsExactly(2, 2);
    assertThat(named(large, "1e8-query-long-miss").nanos(result)).containsExactly(3, 3);
    assertThat(named(large, "1e8-batch-query-long").nanos(result)).containsExactly(5, 5);
    assertThat(named(large, "1e8-put-long").nanos(result)).containsExactly(1);
  }

  @Test
  void bytesMovedPerNanosecondAreReadAndWritten() {
    long bits = 8 * 1024;
    assertThat(Operation.Unit.COPIED.scaled(10, bits)).isEqualTo(5);
    assertThat(Operation.Unit.HALVED.scaled(15, bits)).isEqualTo(10);
    assertThat(Operation.Unit.KEY.scaled(15, bits)).isEqualTo(15);
  }

  private static Operation named(List<Operation> operations, String name) {
    return operations.stream().filter(o -> o.name().equals(name)).findFirst().orElseThrow();
  }

  /** Distinct times for the kinds of iterations: fill 1, half 2, miss 3, hit 4, batch 5. */
  private static BenchmarkResult steps() {
    List<IterationResult> iterations = new ArrayList<>();
    for (int i = 0; i < LargeFilter.FILLS + 2 * LargeFilter.KINDS.size(); i++) {
      IterationResult iteration = new IterationResult(null, null, null);
      int nanos = 1 + LargeFilter.Kind.of(i).ordinal();
      iteration.addResult(
          new AverageTimeResult(ResultRole.PRIMARY, "step", 1, nanos, TimeUnit.NANOSECONDS));
      iterations.add(iteration);
    }
    return new BenchmarkResult(null, iterations);
  }
}
