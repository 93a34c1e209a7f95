package dev.bellows.plan;

import dev.bellows.Layout;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.numbers.Divisors;
import dev.bellows.internal.rates.Cells;
import dev.bellows.internal.rates.JointRates;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * The next folding to send so that a receiver, who queries all foldings of one filter together, has
 * the fewest errors (000 section IV-C, entropy policy; errata <a
 * href="{@docRoot}/doc-files/errata.html#F15">F15</a>).
 *
 * <p>A size that divides one already sent adds no information and is never chosen. Of two similar
 * sizes, the one with the smaller greatest common divisor with those sent adds more; of two with
 * similar common divisors, the larger size does. Both grow together along a ladder, so neither is
 * enough alone: the sizes are ranked by their own rate times, for each size sent, the joint rate of
 * the two over the product of their rates, and the best few by the true joint rate.
 *
 * @param bits the size to fold to
 * @param bytes the bytes of its body, a header not included
 * @param commonBits the largest greatest common divisor with a size already sent, 0 if none was
 *     sent
 * @param fpp the rate of this folding alone
 * @param jointFpp the rate of all foldings together after this transmission
 */
public record TransmissionPlan(
    long bits, long bytes, long commonBits, double fpp, double jointFpp) {

  /** The number of sizes considered: the largest that fit. */
  private static final int CONSIDERED = 256;

  /** The number of sizes of which the true joint rate is computed. */
  private static final int SHORTLIST = 4;

  /**
   * Chooses the next size, or none if no size that fits the budget adds information.
   *
   * @param capacity the unfolded size in bits
   * @param sent the sizes already sent, in bits
   * @param budgetBytes the most bytes for the body of the folding
   */
  public static Optional<TransmissionPlan> next(
      long capacity, Layout layout, long keys, int hashes, List<Long> sent, long budgetBytes) {
    Checks.notNegative(keys, "keys");
    Checks.positive(budgetBytes, "budgetBytes");
    Cells cells = Cells.of(layout, hashes);
    for (long size : sent) {
      if (size < 1 || capacity % size != 0 || size % cells.cellBits() != 0) {
        throw new IllegalArgumentException(
            "sizes sent divide the capacity into whole cells of %d bits: %d does not divide %d so"
                .formatted(cells.cellBits(), size, capacity));
      }
    }
    List<Long> informative =
        sent.isEmpty()
            ? sent
            : LongStream.of(JointRates.informative(withSize(sent, sent.get(0)))).boxed().toList();
    long[] fitting =
        Arrays.stream(FoldPlan.ladder(capacity, cells.cellBits()))
            .filter(size -> bytes(size) <= budgetBytes)
            .filter(size -> informative.stream().noneMatch(known -> known % size == 0))
            .toArray();
    Comparator<TransmissionPlan> best =
        Comparator.comparingDouble(TransmissionPlan::jointFpp)
            .thenComparingLong(TransmissionPlan::commonBits)
            .thenComparingLong(TransmissionPlan::bits);
    return Arrays.stream(fitting)
        .skip(Math.max(0, fitting.length - CONSIDERED))
        .mapToObj(size -> new Ranked(size, rank(size, informative, keys, cells)))
        .sorted(Comparator.comparingDouble(Ranked::logRate))
        .limit(SHORTLIST)
        .map(ranked -> plan(ranked.bits, informative, keys, cells))
        .min(best);
  }

  private record Ranked(long bits, double logRate) {}

  /**
   * The logarithm of the joint rate, estimated from the pairs of the new size and each size sent.
   */
  private static double rank(long size, List<Long> sent, long keys, Cells cells) {
    double alone = logRate(keys, cells, size);
    double rank = alone;
    for (long known : sent) {
      rank += logRate(keys, cells, size, known) - alone;
      rank -= logRate(keys, cells, known);
    }
    return rank;
  }

  private static double logRate(long keys, Cells cells, long... sizes) {
    double rate = cells.jointFpp(sizes, Math.max(1, keys));
    return Math.log(Math.max(Double.MIN_NORMAL, rate));
  }

  private static TransmissionPlan plan(long size, List<Long> sent, long keys, Cells cells) {
    long common = sent.stream().mapToLong(known -> Divisors.gcd(size, known)).max().orElse(0);
    return new TransmissionPlan(
        size,
        bytes(size),
        common,
        cells.jointFpp(new long[] {size}, keys),
        cells.jointFpp(withSize(sent, size), keys));
  }

  private static long[] withSize(List<Long> sent, long size) {
    return LongStream.concat(sent.stream().mapToLong(Long::longValue), LongStream.of(size))
        .toArray();
  }

  private static long bytes(long bits) {
    return (bits - 1) / Byte.SIZE + 1;
  }
}
