package dev.bellows.bench.operations;

import dev.bellows.bench.peers.BenchKeys;
import dev.bellows.bench.peers.Contender;
import dev.bellows.bench.peers.Role;
import java.util.List;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A filter of a hundred million keys. Filling it takes long, so one fork does everything: every
 * iteration is a step of 2^20 operations, first those that fill, then queries whose kinds take
 * turns.
 */
@BenchmarkMode(Mode.SingleShotTime)
@Warmup(iterations = 0)
@Measurement(iterations = LargeFilter.FILLS + 40) // ten of each kind of query
@SuppressWarnings("NullAway.Init")
public class LargeFilter extends PeerBenchmark {
  /** The operations of one iteration. */
  public static final int STEP = 1 << 20;

  /** The iterations that fill. */
  public static final int FILLS = 96;

  /** The keys when it is full: about 1e8. */
  public static final long KEYS = (long) FILLS * STEP;

  /** What the iterations after those that fill do, in turn. */
  public static final List<Kind> KINDS = List.of(Kind.HALF, Kind.MISS, Kind.HIT, Kind.BATCH);

  /** What an iteration does. */
  public enum Kind {
    FILL(Mix.HIT),
    HALF(Mix.HALF),
    MISS(Mix.MISS),
    HIT(Mix.HIT),
    BATCH(Mix.HALF);

    private final Mix mix;

    Kind(Mix mix) {
      this.mix = mix;
    }

    /** Returns what the iteration of a number does. */
    public static Kind of(int iteration) {
      return iteration < FILLS ? FILL : KINDS.get((iteration - FILLS) % KINDS.size());
    }
  }

  /** The keys found in an iteration (in one of misses, the false positives) and the bits tested. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Found {
    public long found;
    public long bits;
  }

  @Param("LONGS")
  public Role role;

  /** Whether one owner fills it, by the fastest path. */
  @Param("false")
  public boolean load;

  private Contender filter;
  private final boolean[] hits = new boolean[STEP];
  private final long[] keys = new long[STEP];
  private Kind kind;
  private int iteration;

  /** Makes the filter, after a warm-up of every kind on a small one. */
  @Setup(Level.Trial)
  public void warmUpAndFill() {
    Found ignored = new Found();
    filter = peer.make(role, STEP);
    for (int round = 0; round < 3; round++) {
      for (Kind warmedUp : Kind.values()) {
        kind = warmedUp;
        draw(STEP, round);
        step(ignored);
        filter.loaded();
      }
    }
    filter = peer.make(role, KEYS);
  }

  /** Draws the keys of the next step. */
  @Setup(Level.Iteration)
  public void draw() {
    kind = Kind.of(iteration);
    if (iteration == FILLS) {
      filter.loaded();
    }
    draw(KEYS, iteration);
    iteration++;
  }

  private void draw(long present, int step) {
    if (kind == Kind.FILL) {
      BenchKeys.fill(keys, (long) step * STEP % present);
    } else {
      kind.mix.draw(keys, present, KEYS + (long) step * STEP, step);
    }
  }

  @Benchmark
  @OperationsPerInvocation(STEP)
  public Contender step(Found count) {
    switch (kind) {
      case FILL -> fill();
      case BATCH -> count.found += filter.count(keys, hits);
      default -> {
        count.found += query();
        count.bits = filter.bits();
      }
    }
    return filter;
  }

  private void fill() {
    if (load) {
      filter.load(keys);
    } else {
      for (long key : keys) {
        filter.put(key);
      }
    }
  }

  /** By a caller that branches on the answer. */
  private int query() {
    int count = 0;
    for (long key : keys) {
      if (filter.mightContain(key)) {
        count++;
      }
    }
    return count;
  }
}
