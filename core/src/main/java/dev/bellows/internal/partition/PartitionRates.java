package dev.bellows.internal.partition;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Precise;
import dev.bellows.internal.math.BloomRates;

/**
 * Sizes and rates of partition filters, and of the lists of filters that they replace (Partition
 * paper).
 */
public final class PartitionRates {
  private PartitionRates() {}

  /**
   * Returns {@code ceil(1 / (1 - (1 - f^(1/k))^(1/(nk))))}: the fewest bits whose rate in the power
   * form is at most f. Partition paper, Eq. 1 uses the exponential form instead (see erratum <a
   * href="{@docRoot}/doc-files/errata.html#D1">D1</a>).
   */
  public static long classicBits(long keys, int hashes, double fpp) {
    double real = BloomRates.bitsAt(keys, hashes, fpp);
    if (!(real < Long.MAX_VALUE)) {
      throw new IllegalArgumentException(
          ("%d keys at fpp %s with %d hashes need %s bits: use fewer keys or a " + "higher fpp")
              .formatted(keys, fpp, hashes, real));
    }
    return Math.max(1, (long) Math.ceil(real * (1 - 1e-15)));
  }

  /**
   * Returns the rate averaged over all ids that are not keys: the absent ids of a leaf have the
   * rate of that leaf (erratum <a href="{@docRoot}/doc-files/errata.html#D11">D11</a>). Returns 0
   * if every id is a key.
   */
  public static double averageFpp(
      IdPartition partition, PartitionTree tree, long unitBits, int hashes) {
    double absent = 0;
    double accepted = 0;
    for (PartitionTree.Node leaf : tree.leaves()) {
      double ids =
          IdPartition.real(partition.nodeRange(leaf.level(), leaf.index()).size()) - leaf.keys();
      absent += ids;
      accepted += ids * BloomRates.fppClassic(unitBits, leaf.keys(), hashes);
    }
    return absent == 0 ? 0 : accepted / absent;
  }

  /** Returns the rate of the fullest leaf. */
  public static double worstFpp(PartitionTree tree, long unitBits, int hashes) {
    long most = tree.leaves().stream().mapToLong(PartitionTree.Node::keys).max().orElse(0);
    return BloomRates.fppClassic(unitBits, most, hashes);
  }

  /**
   * Returns the rate of a list of unit filters that are filled one after the other and tested one
   * by one (Guo's dynamic Bloom filter; Partition paper, appendix; see erratum <a
   * href="{@docRoot}/doc-files/errata.html#D12">D12</a>): {@code 1 - (1 - f)^full (1 - f_last)}.
   */
  public static double listFpp(long keys, long unitKeys, long unitBits, int hashes) {
    Checks.notNegative(keys, "keys");
    Checks.positive(unitKeys, "unitKeys");
    double unit = BloomRates.fpp(unitBits, unitKeys, hashes);
    double last = BloomRates.fpp(unitBits, keys % unitKeys, hashes);
    long full = keys / unitKeys;
    return -Precise.expm1((full == 0 ? 0 : full * Precise.log1p(-unit)) + Precise.log1p(-last));
  }

  /**
   * The rates of the AND of two equal filters (erratum <a
   * href="{@docRoot}/doc-files/errata.html#D9">D9</a>).
   *
   * @param fill fraction of one bits
   * @param neither rate for a key in neither set
   * @param onlyFirst rate for a key that is only in the first set: that of the second filter
   * @param onlySecond rate for a key that is only in the second set: that of the first filter
   * @param ofIntersection rate that a filter built from the common keys would have
   */
  public record Intersection(
      double fill, double neither, double onlyFirst, double onlySecond, double ofIntersection) {}

  /** Returns the rates of the AND of two equal filters with {@code both} keys in common. */
  public static Intersection intersection(
      long bits, int hashes, long first, long second, long both) {
    Checks.positive(bits, "bits");
    Checks.positive(hashes, "hashes");
    Checks.notNegative(both, "both");
    Checks.atLeast(both, first, "first");
    Checks.atLeast(both, second, "second");
    double common = set(bits, hashes, both);
    double chance = set(bits, hashes, first - both) * set(bits, hashes, second - both);
    double fill = common + (1 - common) * chance;
    return new Intersection(
        fill,
        Math.pow(fill, hashes),
        BloomRates.fppClassic(bits, second, hashes),
        BloomRates.fppClassic(bits, first, hashes),
        BloomRates.fppClassic(bits, both, hashes));
  }

  /** Returns the probability that a bit is set by this many keys, {@code 1 - (1 - 1/m)^(kn)}. */
  private static double set(long bits, int hashes, long keys) {
    return keys == 0 ? 0 : -Precise.expm1((double) hashes * keys * Precise.log1p(-1.0 / bits));
  }
}
