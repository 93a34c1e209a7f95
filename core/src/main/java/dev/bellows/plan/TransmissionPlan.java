package dev.bellows.plan;

import dev.bellows.Layout;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.Divisors;
import dev.bellows.internal.math.JointRates;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/**
 * The next folding to send, chosen so that a receiver that queries all foldings of a filter
 * together has the fewest false positives (Folding paper, Section IV-C, entropy policy; see erratum
 * <a href="{@docRoot}/doc-files/errata.html#F15">F15</a>).
 *
 * <p>A size that divides one already sent adds no information and is never chosen. Of two similar
 * sizes, the one with the smaller greatest common divisors with the sizes sent adds more
 * information; of two sizes with similar common divisors, the larger one does. Sizes and common
 * divisors grow together along a ladder, so neither criterion is sufficient alone. The sizes are
 * therefore ranked by an estimate of the joint rate: the rate of the size itself multiplied, for
 * each size already sent, by the ratio of the joint rate of the two to the product of their rates.
 * The best few are then compared by the true joint rate.
 *
 * @param bits the size to fold to
 * @param bytes the number of bytes of its body, without the header
 * @param commonBits the largest greatest common divisor with any size already sent, 0 if none was
 *     sent
 * @param fpp the rate of this folding alone
 * @param jointFpp the joint rate of all foldings after this transmission
 */
public record TransmissionPlan(
    long bits, long bytes, long commonBits, double fpp, double jointFpp) {

  /** The number of sizes that are ranked: the largest ones within the budget. */
  private static final int CONSIDERED = 256;

  /** The number of sizes whose true joint rate is computed. */
  private static final int SHORTLIST = 4;

  /** The largest amount by which a rank exceeds the logarithm of the true joint rate. */
  private static final double RANK_ERROR = 2;

  /** The largest factor by which a filter's actual rate is by chance lower than predicted. */
  private static final double MOST_OFF = 2;

  /**
   * Returns the best size to send next, or empty if no size within the budget adds information.
   *
   * @param shape the unfolded filter, of which only size and layout matter
   * @param sent the sizes already sent, in bits
   * @param budgetBytes the maximum number of bytes for the body of the folding
   */
  public static Optional<TransmissionPlan> next(
      BloomPlan shape, long keys, List<Long> sent, long budgetBytes) {
    Checks.notNegative(keys, "keys");
    Checks.positive(budgetBytes, "budgetBytes");
    Layout layout = shape.layout();
    List<Long> informative = informative(shape.bits(), sent, layout);
    long[] fitting =
        fresh(shape.bits(), informative, layout)
            .filter(size -> bytes(size) <= budgetBytes)
            .toArray();
    Comparator<TransmissionPlan> best =
        Comparator.comparingDouble(TransmissionPlan::jointFpp)
            .thenComparingLong(TransmissionPlan::commonBits)
            .thenComparingLong(TransmissionPlan::bits);
    return Arrays.stream(fitting)
        .skip(Math.max(0, fitting.length - CONSIDERED))
        .mapToObj(size -> new Ranked(size, rank(size, informative, keys, layout)))
        .sorted(Comparator.comparingDouble(Ranked::logRate))
        .limit(SHORTLIST)
        .map(ranked -> plan(ranked.bits, informative, keys, layout))
        .min(best);
  }

  /**
   * Returns the smallest size after which the joint rate is at most {@code fpp}, or empty if even
   * the whole filter has a higher rate.
   */
  public static Optional<TransmissionPlan> toFpp(
      BloomPlan shape, long keys, List<Long> sent, double fpp) {
    return toFpp(shape, keys, sent, fpp, UnaryOperator.identity());
  }

  /**
   * Returns the smallest size after which the joint rate of a concrete filter is at most {@code
   * fpp}: where the predicted rate of a size is close to {@code fpp}, the measured rate decides.
   *
   * @param measured a function that replaces the rates of a plan with those of the filter's actual
   *     bits
   */
  public static Optional<TransmissionPlan> toFpp(
      BloomPlan shape,
      long keys,
      List<Long> sent,
      double fpp,
      UnaryOperator<TransmissionPlan> measured) {
    Checks.notNegative(keys, "keys");
    Checks.probability(fpp, "fpp");
    Layout layout = shape.layout();
    List<Long> informative = informative(shape.bits(), sent, layout);
    double known =
        informative.isEmpty()
            ? 0
            : logRate(keys, layout, informative.stream().mapToLong(Long::longValue).toArray());
    double log = Math.log(fpp) - known;
    return fresh(shape.bits(), informative, layout)
        .filter(size -> rank(size, informative, keys, layout) <= log + RANK_ERROR)
        .mapToObj(size -> plan(size, informative, keys, layout))
        .filter(plan -> plan.jointFpp <= MOST_OFF * fpp)
        .map(measured)
        .filter(plan -> plan.jointFpp <= fpp)
        .findFirst();
  }

  /**
   * Returns the smallest size that adds information to those sent; empty if the whole filter was
   * sent.
   */
  public static OptionalLong smallest(BloomPlan shape, List<Long> sent) {
    Layout layout = shape.layout();
    return fresh(shape.bits(), informative(shape.bits(), sent, layout), layout).findFirst();
  }

  /** Returns the sizes sent that do not divide another size sent. */
  private static List<Long> informative(long capacity, List<Long> sent, Layout layout) {
    for (long size : sent) {
      if (size < 1 || capacity % size != 0 || size % layout.cellBits() != 0) {
        throw new IllegalArgumentException(
            ("sizes sent must be multiples of %d bits that divide the capacity: %d "
                    + "is not such a divisor of %d")
                .formatted(layout.cellBits(), size, capacity));
      }
    }
    return sent.isEmpty()
        ? sent
        : LongStream.of(JointRates.informative(withSize(sent, sent.get(0)))).boxed().toList();
  }

  /** Returns the sizes that add information to those sent, in ascending order. */
  private static LongStream fresh(long capacity, List<Long> informative, Layout layout) {
    return Arrays.stream(FoldPlan.ladder(capacity, layout.cellBits()))
        .filter(size -> informative.stream().noneMatch(known -> known % size == 0));
  }

  private record Ranked(long bits, double logRate) {}

  /**
   * Returns the logarithm of the joint rate, estimated from the joint rates of the new size with
   * each size sent.
   */
  private static double rank(long size, List<Long> sent, long keys, Layout layout) {
    double alone = logRate(keys, layout, size);
    double rank = alone;
    for (long known : sent) {
      rank += logRate(keys, layout, size, known) - alone;
      rank -= logRate(keys, layout, known);
    }
    return rank;
  }

  private static double logRate(long keys, Layout layout, long... sizes) {
    double rate = layout.jointFpp(sizes, Math.max(1, keys));
    return Math.log(Math.max(Double.MIN_NORMAL, rate));
  }

  private static TransmissionPlan plan(long size, List<Long> sent, long keys, Layout layout) {
    long common = sent.stream().mapToLong(known -> Divisors.gcd(size, known)).max().orElse(0);
    return new TransmissionPlan(
        size,
        bytes(size),
        common,
        layout.jointFpp(new long[] {size}, keys),
        layout.jointFpp(withSize(sent, size), keys));
  }

  private static long[] withSize(List<Long> sent, long size) {
    return LongStream.concat(sent.stream().mapToLong(Long::longValue), LongStream.of(size))
        .toArray();
  }

  private static long bytes(long bits) {
    return (bits - 1) / Byte.SIZE + 1;
  }
}
