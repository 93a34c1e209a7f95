package dev.bellows.bench.operations;

import dev.bellows.bench.peers.BenchKeys;
import dev.bellows.bench.peers.Contender;
import dev.bellows.bench.peers.Role;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Queries of a filter with a million keys. */
@SuppressWarnings("NullAway.Init")
public class QueryLongs extends PeerBenchmark {
  private static final int QUERIES = 1 << 17;

  @Param("LONGS")
  public Role role;

  @Param("HALF")
  public Mix mix;

  private Contender filter;
  private final long[] asked = new long[QUERIES];
  private final boolean[] hits = new boolean[QUERIES];

  @Setup
  public void fill() {
    int keys = role == Role.RANGES ? 1 : PutLongs.KEYS;
    filter = peer.make(role, keys);
    filter.load(BenchKeys.longs(keys));
    filter.loaded();
    mix.draw(asked, keys, keys, 42);
  }

  /** One by one, by a caller that branches on the answer. */
  @Benchmark
  @OperationsPerInvocation(QUERIES)
  public int query() {
    int count = 0;
    for (long key : asked) {
      if (filter.mightContain(key)) {
        count++;
      }
    }
    return count;
  }

  /** A whole array in one call. */
  @Benchmark
  @OperationsPerInvocation(QUERIES)
  public int queryBatch() {
    return filter.count(asked, hits);
  }
}
