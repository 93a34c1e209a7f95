package dev.bellows.bench;

import com.google.common.hash.Funnels;
import dev.bellows.BloomFilter;
import dev.bellows.plan.Layout;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Put and query of both layouts beside Guava's filter: longs and ASCII text, 1 %. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@SuppressWarnings("UnstableApiUsage")
public class PutQueryBenchmark {
  private static final double FPP = 0.01;
  private static final int KEYS = 1_000_000;
  private static final int QUERIES = 1 << 16;

  /** The filters that are compared. */
  public enum Peer {
    GUAVA,
    CLASSIC,
    BLOCKED
  }

  /** One filter, whoever made it. */
  private interface Contender {
    boolean putLong(long key);

    boolean askLong(long key);

    boolean putText(String key);

    boolean askText(String key);
  }

  @Param Peer peer;

  private Contender filled;
  private final long[] longs = new long[KEYS];
  private final String[] texts = new String[KEYS];
  private final long[] askedLongs = new long[QUERIES];
  private final String[] askedTexts = new String[QUERIES];
  private int next;

  @Setup(Level.Trial)
  public void fill() {
    filled = contender(peer);
    SplittableRandom random = new SplittableRandom(42);
    for (int i = 0; i < KEYS; i++) {
      longs[i] = random.nextLong();
      texts[i] = text(longs[i]);
      filled.putLong(longs[i]);
      filled.putText(texts[i]);
    }
    for (int i = 0; i < QUERIES; i++) {
      boolean present = random.nextBoolean();
      int at = random.nextInt(KEYS);
      askedLongs[i] = present ? longs[at] : random.nextLong();
      askedTexts[i] = present ? texts[at] : text(random.nextLong());
    }
  }

  /** ASCII of 20 to 40 characters. */
  private static String text(long key) {
    String digits = Long.toUnsignedString(key | Long.MIN_VALUE);
    return "https://a.example/" + digits.substring(0, 2 + (int) (key & 15));
  }

  private static Contender contender(Peer peer) {
    if (peer == Peer.GUAVA) {
      var longs = com.google.common.hash.BloomFilter.create(Funnels.longFunnel(), KEYS, FPP);
      var texts =
          com.google.common.hash.BloomFilter.create(
              Funnels.stringFunnel(StandardCharsets.UTF_8), KEYS, FPP);
      return new Contender() {
        @Override
        public boolean putLong(long key) {
          return longs.put(key);
        }

        @Override
        public boolean askLong(long key) {
          return longs.mightContain(key);
        }

        @Override
        public boolean putText(String key) {
          return texts.put(key);
        }

        @Override
        public boolean askText(String key) {
          return texts.mightContain(key);
        }
      };
    }
    Layout layout = Layout.valueOf(peer.name());
    BloomFilter longs = BloomFilter.builder().keys(KEYS).fpp(FPP).layout(layout).build();
    BloomFilter texts = BloomFilter.builder().keys(KEYS).fpp(FPP).layout(layout).build();
    return new Contender() {
      @Override
      public boolean putLong(long key) {
        return longs.put(key);
      }

      @Override
      public boolean askLong(long key) {
        return longs.mightContain(key);
      }

      @Override
      public boolean putText(String key) {
        return texts.put(key);
      }

      @Override
      public boolean askText(String key) {
        return texts.mightContain(key);
      }
    };
  }

  /** Loads a fresh filter with a million keys; the time is per key. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public int putLong() {
    Contender fresh = contender(peer);
    int changed = 0;
    for (long key : longs) {
      changed += fresh.putLong(key) ? 1 : 0;
    }
    return changed;
  }

  /** Loads a fresh filter with a million texts; the time is per key. */
  @Benchmark
  @OperationsPerInvocation(KEYS)
  public int putText() {
    Contender fresh = contender(peer);
    int changed = 0;
    for (String key : texts) {
      changed += fresh.putText(key) ? 1 : 0;
    }
    return changed;
  }

  /** Half of the keys are present. */
  @Benchmark
  public boolean askLong() {
    return filled.askLong(askedLongs[next++ & (QUERIES - 1)]);
  }

  /** Half of the keys are present. */
  @Benchmark
  public boolean askText() {
    return filled.askText(askedTexts[next++ & (QUERIES - 1)]);
  }
}
