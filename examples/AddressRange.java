import dev.bellows.HashScheme;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangePlan;
import dev.bellows.range.RangeSchema;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import java.util.SplittableRandom;

/**
 * A class C network in a filter of 512 bits (Range thesis, Chapter 1: a range of 256 addresses
 * as the profile of a node). A plain filter gets 256 keys and answers yes to nearly everything.
 * Divided and overlapping, the range sets a few dozen bits; and because a network begins at a
 * multiple of 256, a division of 256 addresses is the network itself.
 */
public final class AddressRange {
  private static final int BITS = 512;
  private static final int HASHES = 8;
  private static final Domain ADDRESSES = Domain.of(0, (1L << 32) - 1);
  private static final long FIRST = address(198, 51, 100, 0);
  private static final long LAST = address(198, 51, 100, 255);
  private static final int SEEDS = 200;

  public static void main(String[] arguments) {
    RangePlan best =
        RangePlan.best(
            RangePlan.Scheme.DIVISION_OVERLAPPING,
            BITS,
            HASHES,
            ADDRESSES.size(),
            LAST - FIRST + 1);
    System.out.printf(
        "%s to %s in %d bits, %d bits per address%n%n", text(FIRST), text(LAST), BITS, HASHES);
    show("each address by itself", Attribute.plain("address", ADDRESSES, HASHES));
    show(
        "divide %d, shift %d, the best for ranges that begin anywhere"
            .formatted(best.divide(), best.shift()),
        Attribute.divisionOverlapping(
            "address", ADDRESSES, HASHES, best.divide(), best.shift()));
    show("divide 256: networks", Attribute.division("address", ADDRESSES, HASHES, 256));
  }

  private static void show(String words, Attribute attribute) {
    RangeSchema schema = RangeSchema.of(BITS, HASHES, attribute);
    long fill = 0;
    int missed = 0;
    long near = 0;
    long far = 0;
    int farAsked = 2000;
    SplittableRandom random = new SplittableRandom(1);
    for (long seed = 0; seed < SEEDS; seed++) {
      RangeBloomFilter network = RangeBloomFilter.create(schema, HashScheme.xxh3(seed));
      network.putRange("address", FIRST, LAST);
      fill += Math.round(network.fill() * BITS);
      for (long address = FIRST; address <= LAST; address++) {
        missed += network.mightContain("address", address) ? 0 : 1;
      }
      for (long distance = 1; distance <= 256; distance++) {
        near += network.mightContain("address", FIRST - distance) ? 1 : 0;
        near += network.mightContain("address", LAST + distance) ? 1 : 0;
      }
      for (int i = 0; i < farAsked; i++) {
        // other networks; the chance that it is this one is one in 16 million
        far += network.mightContain("address", random.nextLong(ADDRESSES.size())) ? 1 : 0;
      }
    }
    System.out.println(words);
    System.out.printf("  bits set: %d of %d%n", fill / SEEDS, BITS);
    System.out.printf("  addresses of the network that are missed: %d%n", missed);
    System.out.printf(
        "  addresses of the networks next to it that pass: %.4f %%%n",
        100.0 * near / (512.0 * SEEDS));
    System.out.printf(
        "  other addresses that pass: %.4f %%%n%n", 100.0 * far / ((double) farAsked * SEEDS));
  }

  private static long address(int a, int b, int c, int d) {
    return ((long) a << 24) | b << 16 | c << 8 | d;
  }

  private static String text(long address) {
    return "%d.%d.%d.%d"
        .formatted(address >>> 24, address >>> 16 & 255, address >>> 8 & 255, address & 255);
  }
}
