package dev.bellows.redis;

import java.util.ArrayList;
import java.util.List;

/**
 * A range of bytes of a stripe that is folded into another stripe.
 *
 * @param stripe the source stripe
 * @param from the index of the first byte
 * @param to the index after the last byte
 * @param at the index in the target stripe that the first byte goes to
 */
record Range(int stripe, int from, int to, int at) {
  /** Returns all ranges of a part that fold into one stripe of a smaller or equal part. */
  static List<Range> into(Part source, Part target, int targetStripe) {
    long factor = source.bits() / target.bits();
    long targetFrom = (long) targetStripe * target.stripeBytes();
    List<Range> ranges = new ArrayList<>();
    for (long fold = 0; fold < factor; fold++) {
      long first = fold * target.bytes() + targetFrom;
      long end = first + target.length(targetStripe);
      for (long byteAt = first; byteAt < end; ) {
        int stripe = (int) (byteAt / source.stripeBytes());
        int from = (int) (byteAt % source.stripeBytes());
        int to = (int) Math.min(source.length(stripe), from + end - byteAt);
        ranges.add(new Range(stripe, from, to, (int) (byteAt - first)));
        byteAt += to - from;
      }
    }
    return ranges;
  }
}
