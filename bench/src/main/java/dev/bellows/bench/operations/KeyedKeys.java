package dev.bellows.bench.operations;

import dev.bellows.bench.peers.BenchKeys;
import dev.bellows.bench.peers.Contender;
import dev.bellows.bench.peers.Role;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Puts into and queries of a filter with a million texts or byte arrays. */
@SuppressWarnings("NullAway.Init")
public class KeyedKeys extends PeerBenchmark {
  private static final int QUERIES = 1 << 16;

  @Param("TEXTS")
  public Role role;

  @Param("HALF")
  public Mix mix;

  private Contender filter;
  private final Object[] keys = new Object[PutLongs.KEYS];
  private final Object[] asked = new Object[QUERIES];

  @Setup
  public void fill() {
    filter = peer.make(role, PutLongs.KEYS);
    for (int i = 0; i < keys.length; i++) {
      keys[i] = BenchKeys.object(role, i);
      filter.putObject(keys[i]);
    }
    long[] numbers = mix.numbers(QUERIES, keys.length, keys.length, 42);
    for (int i = 0; i < QUERIES; i++) {
      asked[i] = BenchKeys.object(role, numbers[i]);
    }
  }

  /** Puts a million keys into a new filter, including its allocation; the time is per key. */
  @Benchmark
  @OperationsPerInvocation(PutLongs.KEYS)
  public Contender put() {
    Contender fresh = peer.make(role, PutLongs.KEYS);
    for (Object key : keys) {
      fresh.putObject(key);
    }
    return fresh;
  }

  /** One by one, by a caller that branches on the answer. */
  @Benchmark
  @OperationsPerInvocation(QUERIES)
  public int query() {
    int count = 0;
    for (Object key : asked) {
      if (filter.mightContainObject(key)) {
        count++;
      }
    }
    return count;
  }
}
