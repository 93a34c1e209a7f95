package dev.bellows.flink;

import java.util.SplittableRandom;

/** An event of the tests: the number of its place in the stream, an id and a time. */
public final class Visit {
  public long number;
  public long id;
  public long time;

  /** For Flink, for which this is a POJO. */
  public Visit() {}

  Visit(long number, long id, long time) {
    this.number = number;
    this.id = id;
    this.time = time;
  }

  public long id() {
    return id;
  }

  /**
   * The stream of a seed: one event every 10 milliseconds, up to {@code disorder} before its turn.
   * Half of them repeat the id of one of the last {@code reach} events, which may be a repetition
   * itself, so that ids come again at all distances.
   *
   * @param seed of all choices
   * @param reach in events
   * @param disorder in milliseconds
   */
  record Script(long seed, int reach, int disorder) implements java.io.Serializable {
    static final int STEP = 10;

    Visit visit(long number) {
      return new Visit(number, id(number), time(number));
    }

    long time(long number) {
      return number * STEP - choices(number, 1).nextInt(disorder + 1);
    }

    private long id(long number) {
      long first = number;
      while (true) {
        SplittableRandom choices = choices(first, 2);
        if (first < reach || choices.nextBoolean()) {
          return first;
        }
        first -= 1 + choices.nextInt(reach);
      }
    }

    private SplittableRandom choices(long number, int about) {
      return new SplittableRandom(seed * 1_000_003 + number * 8 + about);
    }
  }
}
