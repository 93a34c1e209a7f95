package dev.bellows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.scalable.ScalableBloomFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;
import java.util.stream.Collector;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A view for keys of one type behaves like its filter, without passing the hasher to every call.
 */
class TypedFilterTest {
  private record Point(int x, int y) {
    static final KeyHasher<Point> HASHER =
        KeyHasher.of((point, sink) -> sink.putLong(point.x).putLong(point.y));
  }

  static Stream<TypedFilter<Point>> views() {
    return Stream.of(
        BloomFilter.create(20_000, 0.001).typed(Point.HASHER),
        CountingBloomFilter.create(20_000, 0.001).typed(Point.HASHER),
        ScalableBloomFilter.create(0.001).typed(Point.HASHER),
        ElasticBloomFilter.builder().keys(20_000).fpp(0.001).build().typed(Point.HASHER),
        TypedFilter.of(BloomFilter.create(20_000, 0.001), Point.HASHER));
  }

  private static Stream<Point> points(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> new Point(i, -i));
  }

  @ParameterizedTest
  @MethodSource("views")
  void putsAndQueriesReachTheFilter(TypedFilter<Point> view) {
    Point point = new Point(3, 4);
    assertThat(view.mightContain(point)).isFalse();
    assertThat(view.put(point)).isTrue();
    assertThat(view.put(point)).isFalse();
    assertThat(view.mightContain(point)).isTrue();
    assertThat(view.test(new Point(3, 4))).isTrue();
    assertThat(view).rejects(new Point(4, 3)).accepts(new Point(3, 4));
    assertThat(((Membership) view.filter()).mightContain(point, Point.HASHER)).isTrue();
    assertThat(view.putAll(points(0, 1000).toList())).isPositive().isLessThanOrEqualTo(1000);
    assertThat(view.putAll(points(0, 1000))).isZero();
    assertThat(points(0, 1000)).allMatch(view);
    assertThat(view.toString()).startsWith("TypedFilter[");
  }

  @ParameterizedTest
  @MethodSource("views")
  void parallelStreamsFillOneFilterAndLoseNothing(TypedFilter<Point> view) {
    TypedFilter<Point> collected = points(0, 20_000).parallel().collect(view.collector());
    assertThat(collected).isSameAs(view);
    assertThat(points(0, 20_000)).allMatch(view);
  }

  /** Two threads are inside a put at the same time, which each waits for. */
  @Test
  void collectorsDoNotSerializePuts() throws Exception {
    CyclicBarrier both = new CyclicBarrier(2);
    KeyHasher<Long> waiting =
        KeyHasher.of(
            (key, sink) -> {
              try {
                both.await(1, TimeUnit.MINUTES);
              } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                throw new IllegalStateException(e);
              }
              sink.putLong(key);
            });
    TypedFilter<Long> view = CountingBloomFilter.create(100, 0.01).typed(waiting);
    put(view.collector(), view);
    assertThat(((CountingBloomFilter) view.filter()).approximateElementCount()).isEqualTo(2);
  }

  private static <A> void put(Collector<Long, A, ?> collector, TypedFilter<Long> view)
      throws Exception {
    A container = collector.supplier().get();
    assertThat(container).isSameAs(view);
    CompletableFuture.allOf(
            CompletableFuture.runAsync(() -> collector.accumulator().accept(container, 1L), START),
            CompletableFuture.runAsync(() -> collector.accumulator().accept(container, 2L), START))
        .get(2, TimeUnit.MINUTES);
  }

  private static final Executor START = task -> new Thread(task).start();

  @Test
  void theViewIsAPredicateOfAnyStream() {
    TypedFilter<UUID> seen = BloomFilter.create(100, 0.0001).typed(KeyHasher.UUIDS);
    LongFunction<UUID> id = i -> new UUID(i, ~i);
    LongStream.range(0, 50).forEach(i -> seen.put(id.apply(i)));
    List<UUID> orders = new ArrayList<>(LongStream.range(40, 60).mapToObj(id).toList());
    orders.removeIf(seen);
    assertThat(orders).hasSize(10).noneMatch(seen);
  }

  /** A hasher for a supertype is accepted. */
  @Test
  void aHasherOfASuperTypeIsAccepted() {
    TypedFilter<String> words = BloomFilter.create(100, 0.01).typed(KeyHasher.TEXT);
    assertThat(words.put("a")).isTrue();
    assertThat(((BloomFilter) words.filter()).mightContain("a")).isTrue();
  }

  @Test
  void collectorsShareOneFilterAmongAllThreads() {
    Collector<Long, ?, BloomFilter> collector =
        BloomFilter.collector(100_000, 0.01, KeyHasher.LONGS);
    assertThat(collector.characteristics())
        .contains(Collector.Characteristics.CONCURRENT, Collector.Characteristics.UNORDERED);
    int[] built = new int[1];
    BloomFilter collected =
        LongStream.range(0, 100_000).boxed().parallel().collect(counting(collector, built));
    assertThat(built[0]).isEqualTo(1);
    BloomFilter expected = BloomFilter.create(100_000, 0.01);
    expected.putAll(LongStream.range(0, 100_000).toArray());
    assertThat(collected).isEqualTo(expected);
  }

  /** The same collector, which counts the filters that it creates. */
  private static <T, A, R> Collector<T, A, R> counting(Collector<T, A, R> collector, int[] built) {
    return Collector.of(
        () -> {
          synchronized (built) {
            built[0]++;
          }
          return collector.supplier().get();
        },
        collector.accumulator(),
        collector.combiner(),
        collector.finisher(),
        collector.characteristics().toArray(Collector.Characteristics[]::new));
  }
}
