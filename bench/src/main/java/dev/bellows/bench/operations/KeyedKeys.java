package dev.bellows.bench.operations;

import dev.bellows.bench.peers.KeyedFilter;
import dev.bellows.bench.peers.Keys;
import dev.bellows.bench.peers.Peer;
import dev.bellows.bench.peers.Role;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Puts into and queries of a filter with a million texts or byte arrays. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init")
public class KeyedKeys {
  private static final int QUERIES = 1 << 16;

  @Param("BLOCKED")
  public Peer peer;

  @Param("TEXTS")
  public Role role;

  @Param("HALF")
  public Mix mix;

  private KeyedFilter<Object> filter;
  private final Object[] keys = new Object[PutLongs.KEYS];
  private final Object[] asked = new Object[QUERIES];

  @Setup
  public void fill() {
    filter = peer.keyed(role, PutLongs.KEYS);
    for (int i = 0; i < keys.length; i++) {
      keys[i] = key(i);
      filter.put(keys[i]);
    }
    long[] numbers = mix.numbers(QUERIES, keys.length, keys.length, 42);
    for (int i = 0; i < QUERIES; i++) {
      asked[i] = key(numbers[i]);
    }
  }

  private Object key(long number) {
    return role == Role.TEXTS ? Keys.text(number) : Keys.bytes(number);
  }

  /** A million keys into a fresh filter, its allocation included; the time is per key. */
  @Benchmark
  @OperationsPerInvocation(PutLongs.KEYS)
  public KeyedFilter<Object> put() {
    KeyedFilter<Object> fresh = peer.keyed(role, PutLongs.KEYS);
    for (Object key : keys) {
      fresh.put(key);
    }
    return fresh;
  }

  /** One by one, by a caller that branches on the answer. */
  @Benchmark
  @OperationsPerInvocation(QUERIES)
  public int query() {
    int count = 0;
    for (Object key : asked) {
      if (filter.mightContain(key)) {
        count++;
      }
    }
    return count;
  }
}
