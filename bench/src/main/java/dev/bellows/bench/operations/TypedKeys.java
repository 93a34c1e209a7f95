package dev.bellows.bench.operations;

import dev.bellows.BloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.HashScheme.KeyType;
import dev.bellows.bench.peers.BenchKeys;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the check of the key type costs: filters of both types, with both hash schemes, are used in
 * one JVM, so that no call is compiled for one of them only. The filters fit into the cache, where
 * hashing is the largest part of a query.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init")
public class TypedKeys {
  private static final int KEYS = 1 << 12;

  private final boolean[] hits = new boolean[KEYS];
  private long[] longs;
  private String[] texts;
  private byte[][] bytes;
  private BloomFilter ofLongs;
  private BloomFilter ofTexts;

  /** Fills the filters, and calls each method for every type and scheme. */
  @Setup
  public void fill() {
    longs = BenchKeys.longs(KEYS);
    texts = Arrays.stream(longs).mapToObj(Long::toHexString).toArray(String[]::new);
    bytes =
        Arrays.stream(texts)
            .map(text -> text.getBytes(StandardCharsets.UTF_8))
            .toArray(byte[][]::new);
    for (HashScheme scheme :
        new HashScheme[] {
          HashScheme.sipHash("0123456789abcdef".getBytes(StandardCharsets.UTF_8)),
          HashScheme.DEFAULT
        }) {
      for (KeyType type : new KeyType[] {KeyType.UNKNOWN, KeyType.LONGS, KeyType.TEXT}) {
        ofLongs = filter(scheme, type == KeyType.TEXT ? KeyType.LONGS : type);
        ofTexts = filter(scheme, type == KeyType.LONGS ? KeyType.TEXT : type);
        for (int i = 0; i < 20; i++) {
          putLongs();
          putTexts();
          queryLongs();
          queryBatch();
          queryTexts();
          queryBytes();
        }
      }
    }
  }

  private static BloomFilter filter(HashScheme scheme, KeyType type) {
    return BloomFilter.builder().keys(2 * KEYS).fpp(0.01).hashScheme(scheme).keyType(type).build();
  }

  /** Puts longs. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public int putLongs() {
    int count = 0;
    for (long key : longs) {
      count += ofLongs.put(key) ? 1 : 0;
    }
    return count;
  }

  /** Puts texts. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public int putTexts() {
    int count = 0;
    for (String key : texts) {
      count += ofTexts.put(key) ? 1 : 0;
    }
    return count;
  }

  /** Queries longs one by one. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public int queryLongs() {
    int count = 0;
    for (long key : longs) {
      count += ofLongs.mightContain(key) ? 1 : 0;
    }
    return count;
  }

  /** Queries longs in one call. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public int queryBatch() {
    return ofLongs.countMightContain(longs, hits);
  }

  /** Queries texts. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public int queryTexts() {
    int count = 0;
    for (String key : texts) {
      count += ofTexts.mightContain(key) ? 1 : 0;
    }
    return count;
  }

  /** Queries byte arrays. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public int queryBytes() {
    int count = 0;
    for (byte[] key : bytes) {
      count += ofTexts.mightContain(key) ? 1 : 0;
    }
    return count;
  }
}
