package dev.bellows.internal.files;

import dev.bellows.internal.prefixes.PrefixSource;
import dev.bellows.internal.prefixes.PrefixStore;
import dev.bellows.internal.prefixes.PrefixTally;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * An encoding of prefixes in parts. The first part contains the leading bits ("base") of all
 * prefixes, as the gaps between them in Rice's code; the second part lists the prefixes that are
 * shorter than the others. Each of the following planes contains the next bit of every prefix that
 * has it, and halves the rate. The first two parts and any number of planes suffice to restore all
 * prefixes, although some may be cut.
 *
 * <p>The second part is relative to the usual length. This is the longest one, of which a growing
 * filter has most prefixes; in a filter that was cut and then took a few keys, whose prefixes are
 * longer, it is the length that most prefixes have.
 *
 * @param count the number of prefixes
 * @param base the number of bits of each prefix in the first part
 * @param longest the number of bits of the longest prefix
 * @param usual the number of bits of a usual prefix
 * @param signed whether exceptions have a sign, because they may be longer than usual
 * @param shorter the index before which prefixes have one bit less than {@code usual}
 * @param exceptions the number of prefixes that have another number of bits than that
 * @param gapBits the number of low bits of Rice's code for the gaps between prefixes
 * @param exceptionBits the number of low bits of Rice's code for the gaps between exceptions
 */
public record PrefixPlanes(
    long count,
    int base,
    int longest,
    int usual,
    boolean signed,
    long shorter,
    long exceptions,
    int gapBits,
    int exceptionBits) {
  /** The number of parameters in a header. */
  public static final int PARAMETERS = 7;

  /** The number of parts before the planes. */
  public static final int FIRST_PARTS = 2;

  private static final int MOST_BITS = 63;

  /** The number of bits of the longest length in its parameter, before those of its distance. */
  private static final int LONGEST_BITS = 6;

  private static final int SIGNED = 1 << (2 * LONGEST_BITS);

  /** Checks the arguments. */
  public PrefixPlanes {
    require(count >= 0 && count <= 1L << 40, "number of prefixes", count);
    require(base >= 0 && base <= MOST_BITS, "first bits", base);
    require(longest >= base && longest <= MOST_BITS, "bits of a prefix", longest);
    require(usual <= longest && usual >= Math.min(longest, 1), "usual bits of a prefix", usual);
    require(signed || usual == longest, "usual bits without signs", usual);
    require(shorter >= 0 && shorter <= count, "shorter prefixes", shorter);
    require(exceptions >= 0 && exceptions <= count, "exceptions", exceptions);
    require(gapBits >= 0 && gapBits <= MOST_BITS - 6, "bits of gaps", gapBits);
    require(exceptionBits >= 0 && exceptionBits <= MOST_BITS - 6, "bits of gaps", exceptionBits);
    require(count > 0 || longest == 0, "bits of no prefix", longest);
    require(base > 0 || count == 0, "first bits", base);
  }

  private static void require(boolean isTrue, String what, long value) {
    if (!isTrue) {
      throw new IllegalArgumentException(what + " " + value + " is not valid");
    }
  }

  /** Returns the description with these parameters, in the order of the header. */
  static PrefixPlanes of(List<Long> parameters) {
    int lengths = small(parameters.get(2));
    int longest = lengths & ((1 << LONGEST_BITS) - 1);
    return new PrefixPlanes(
        parameters.get(0),
        small(parameters.get(1)),
        longest,
        longest - ((lengths & ~SIGNED) >>> LONGEST_BITS),
        (lengths & SIGNED) != 0,
        parameters.get(3),
        parameters.get(4),
        small(parameters.get(5)),
        small(parameters.get(6)));
  }

  private static int small(long parameter) {
    return (int) Math.min(Integer.MAX_VALUE, parameter);
  }

  /** Returns the parameters of the header. */
  public List<Long> parameters() {
    return List.of(
        count,
        (long) base,
        longest | ((long) (longest - usual) << LONGEST_BITS) | (signed ? SIGNED : 0),
        shorter,
        exceptions,
        (long) gapBits,
        (long) exceptionBits);
  }

  /** Returns the description of the prefixes of a store that does not change. */
  public static PrefixPlanes of(PrefixStore store) {
    PrefixTally tally = store.tally();
    long count = tally.total();
    if (count == 0) {
      return new PrefixPlanes(0, 0, 0, 0, false, 0, 0, 0, 0);
    }
    int longest = tally.longest();
    // gaps of 16 to 32 on average: with smaller ones, encoding the order of equal bases wastes bits
    int base = Math.min(longest, 68 - Long.numberOfLeadingZeros(count - 1));
    int usual = usual(tally);
    long usualOnes = 0;
    long first = -1; // the index of the first usual one
    long fitting = 0; // prefixes that are as long as nominal if those before first are shorter
    long score = 0; // of one bit less, minus usual ones
    long best = 0;
    long boundary = 0;
    long index = 0;
    for (PrefixSource all = store.prefixes(); all.next(); index++) {
      int missing = usual - all.length();
      if (missing == 0) {
        usualOnes++;
        first = first < 0 ? index : first;
        score--;
      } else if (missing == 1) {
        fitting += first < 0 ? 1 : 0;
        if (++score > best) {
          best = score;
          boundary = index + 1;
        }
      }
    }
    long shorter = first < 0 ? count : first;
    long exceptions = count - fitting - usualOnes;
    long fewer = count - usualOnes - best;
    boolean signed = usual < longest;
    if (fewer < exceptions / 2) {
      shorter = boundary;
      exceptions = fewer;
      signed = true;
    }
    return new PrefixPlanes(
        count,
        base,
        longest,
        usual,
        signed,
        shorter,
        exceptions,
        BitOutput.riceBits(count, Math.scalb(1.0, base)),
        exceptions == 0
            ? 0
            : BitOutput.riceBits(exceptions, signed ? 2.0 * count : (double) count));
  }

  /**
   * Returns the length that, with the next lower one, most prefixes have, or the longest one if
   * those are not three quarters of all: only then do the differences take more bits than their
   * signs.
   */
  private static int usual(PrefixTally tally) {
    int usual = tally.longest();
    long most = tally.total() / 4 * 3;
    for (int length = tally.longest(); length >= tally.shortest(); length--) {
      long both = tally.count(length) + tally.count(length - 1);
      if (both > most) {
        usual = length;
        most = both;
      }
    }
    return usual;
  }

  private static int nominal(long index, long shorter, int usual) {
    return index < shorter ? usual - 1 : usual;
  }

  /** Returns the encoded parts of the prefixes of a store that does not change. */
  public List<byte[]> encode(PrefixStore store) {
    BitOutput gaps = new BitOutput();
    BitOutput lengths = new BitOutput();
    List<BitOutput> planes = new ArrayList<>();
    for (int i = base; i < longest; i++) {
      planes.add(new BitOutput());
    }
    long last = 0;
    long lastException = -1;
    long index = 0;
    for (PrefixSource all = store.prefixes(); all.next(); index++) {
      long first = all.bits() >>> (64 - base);
      gaps.rice(first - last, gapBits);
      last = first;
      int missing = nominal(index, shorter, usual) - all.length();
      if (missing != 0) {
        long between = index - lastException - 1;
        lengths.rice(signed ? 2 * between + (missing < 0 ? 1 : 0) : between, exceptionBits);
        lengths.unary(Math.abs(missing) - 1);
        lastException = index;
      }
      for (int i = base; i < all.length(); i++) {
        planes.get(i - base).put(all.bits() >>> (63 - i) & 1, 1);
      }
    }
    List<byte[]> parts = new ArrayList<>(List.of(gaps.toBytes(), lengths.toBytes()));
    planes.forEach(plane -> parts.add(plane.toBytes()));
    return parts;
  }

  /**
   * Returns the tags of the prefixes of a store that does not change, in order, as another part.
   * Kinds with tags write it before the planes, so that a truncated file still contains it.
   *
   * @param codes maps a tag to the number that is written for it
   * @param bits the number of bits of these numbers, 0 to 8
   */
  public static byte[] encodeTags(PrefixStore store, IntUnaryOperator codes, int bits) {
    BitOutput tags = new BitOutput();
    for (PrefixSource all = store.prefixes(); all.next(); ) {
      int code = codes.applyAsInt(all.tag());
      if (code >>> bits != 0) {
        throw new IllegalArgumentException(
            "code %d of tag %d does not fit into %d bits".formatted(code, all.tag(), bits));
      }
      tags.put(code, bits);
    }
    return tags.toBytes();
  }

  /**
   * Returns the prefixes of {@link #decode} with the numbers of {@link #encodeTags} as their tags.
   *
   * @param bits the number of bits of each number, 0 to 8
   */
  public PrefixSource decode(List<byte[]> parts, byte[] tags, int bits) {
    PrefixSource prefixes = decode(parts);
    BitInput codes = new BitInput(tags);
    return new PrefixSource() {
      @Override
      public boolean next() {
        if (!prefixes.next()) {
          codes.end();
          return false;
        }
        return found(prefixes.bits(), prefixes.length(), (int) codes.get(bits));
      }
    };
  }

  /** Returns the prefixes that the first two parts and all available planes encode. */
  public PrefixSource decode(List<byte[]> parts) {
    BitInput gaps = new BitInput(parts.get(0));
    BitInput lengths = new BitInput(parts.get(1));
    List<BitInput> planes =
        parts.subList(FIRST_PARTS, parts.size()).stream().map(BitInput::new).toList();
    if (count > 8L * parts.get(0).length) {
      throw new IllegalArgumentException(
          "%d prefixes in %d bytes".formatted(count, parts.get(0).length));
    }
    return new PrefixSource() {
      private long index = -1;
      private long first;
      private long seen;
      private boolean isLonger;
      private long exception = nextException();

      private long nextException() {
        if (seen == exceptions) {
          return count;
        }
        seen++;
        long from = index < 0 ? 0 : index + 1;
        if (!signed) {
          return from + lengths.rice(exceptionBits, count - 1 - from);
        }
        long between = lengths.rice(exceptionBits, 2 * (count - 1 - from) + 1);
        isLonger = (between & 1) == 1;
        return from + between / 2;
      }

      @Override
      public boolean next() {
        if (++index >= count) {
          end();
          return false;
        }
        first += gaps.rice(gapBits, (1L << base) - 1 - first);
        int length = nominal(index, shorter, usual);
        if (index == exception) {
          long difference = 1 + lengths.unary();
          length =
              (int)
                  (isLonger
                      ? Math.min(length + difference, MOST_BITS + 1)
                      : Math.max(0, length - difference));
          if (length > longest) {
            throw new IllegalArgumentException("a prefix is longer than the longest one");
          }
          exception = nextException();
        }
        int known = Math.min(length, base + planes.size());
        long bits = first << (64 - base);
        for (int i = base; i < known; i++) {
          bits |= planes.get(i - base).get(1) << (63 - i);
        }
        int order = Long.compareUnsigned(bits(), bits);
        if (known < 1 || first(bits, known) != bits) {
          throw new IllegalArgumentException("a prefix has bits after its last one");
        }
        if (order > 0 || (order == 0 && length() > known)) {
          throw new IllegalArgumentException("its prefixes are not in order");
        }
        return found(bits, known);
      }

      private void end() {
        gaps.end();
        lengths.end();
        planes.forEach(BitInput::end);
        if (seen < exceptions || exception < count) {
          throw new IllegalArgumentException("exceptions follow the last prefix");
        }
      }
    };
  }
}
