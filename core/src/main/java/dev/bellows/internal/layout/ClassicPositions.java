package dev.bellows.internal.layout;

import dev.bellows.Layout;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.bits.MappedWords;
import dev.bellows.internal.bits.PackedCounters;
import dev.bellows.internal.bits.Words;
import dev.bellows.internal.math.BloomRates;
import java.util.Arrays;
import java.util.function.LongToDoubleFunction;

/**
 * The positions of layout CLASSIC: every key sets k bits anywhere. The positions are derived from a
 * sequence of values that begins with the hash, with one multiplication and one xor-shift per
 * probe. The measured rates match those of independent positions, while double hashing deviates
 * from the formulas by up to 500x at small and at highly composite sizes (decision 12).
 */
public final class ClassicPositions extends Positions {
  private static final long FACTOR = 0xd1342543de82ef95L;
  private static final long STEP = 0x9e3779b97f4a7c15L;

  /** The size up to which a store stays in the caches of most machines. */
  private static final long CACHED_BITS = 1L << 25;

  ClassicPositions(Layout.Classic layout, long bits) {
    super(layout, bits);
  }

  /**
   * Returns the next value of the sequence. The upper bits of a product depend on all bits of its
   * factor, the lower bits on few, so the shift mixes the upper half into the lower one. The
   * shifted bits remain part of the value, so that two keys that share a position do not share all
   * following ones.
   */
  static long next(long value) {
    long product = value * FACTOR + STEP;
    return product ^ (product >>> 32);
  }

  @Override
  public long begin(long hash) {
    return hash;
  }

  @Override
  public long step(long value, int probe) {
    return next(value);
  }

  @Override
  public long at(long hash, long value, int probe) {
    return cell(value);
  }

  @Override
  public boolean test(PackedCounters counters, long hash) {
    long value = hash;
    for (int i = 0; i < hashes; i++) {
      value = next(value);
      if (counters.get(cell(value)) == 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean set(HeapBits store, long hash) {
    boolean changed = false;
    long value = hash;
    for (int i = 0; i < hashes; i++) {
      value = next(value);
      long position = cell(value);
      changed |= store.or(position >>> 6, 1L << position);
    }
    return changed;
  }

  @Override
  public void load(HeapBits store, long hash) {
    long value = hash;
    for (int i = 0; i < hashes; i++) {
      value = next(value);
      long position = cell(value);
      store.load(position >>> 6, 1L << position);
    }
  }

  @Override
  public boolean test(BitStore store, long hash) {
    if (store instanceof HeapBits heap) {
      return pairs(heap, hash);
    }
    try {
      return oneByOne(store, hash);
    } catch (InternalError e) {
      throw store.fault(e);
    }
  }

  /**
   * Tests probes in pairs, without a branch inside a pair: three of four absent keys are rejected
   * after the first pair, fifteen of sixteen after the second.
   */
  private boolean pairs(Words store, long hash) {
    long value = hash;
    for (int left = hashes; left > 1; left -= 2) {
      long one = next(value);
      value = next(one);
      if ((bit(store, cell(one)) & bit(store, cell(value)) & 1) == 0) {
        return false;
      }
    }
    return (hashes & 1) == 0 || (bit(store, cell(next(value))) & 1) != 0;
  }

  private boolean oneByOne(BitStore store, long hash) {
    long value = hash;
    for (int i = 0; i < hashes; i++) {
      value = next(value);
      if (!store.isSet(cell(value))) {
        return false;
      }
    }
    return true;
  }

  /** Returns the bit at a position in the lowest place. */
  private static int bit(Words store, long position) {
    return (int) (store.word(position >>> 6) >>> position);
  }

  @Override
  public int test(BitStore store, Group group, int length, boolean[] hits, int at) {
    if (store instanceof HeapBits heap) {
      return rounds(heap, group, length, hits, at);
    }
    Words words = store.direct();
    return words instanceof MappedWords whole
        ? rounds(whole, group, length, hits, at)
        : rounds(words, group, length, hits, at);
  }

  /**
   * Tests all keys of a group in rounds of two probes each; keys that miss a bit drop out. The
   * reads of a round are independent of each other, so their cache misses overlap.
   */
  private int rounds(Words store, Group group, int length, boolean[] hits, int at) {
    long[] values = group.hashes;
    byte[] open = group.open;
    for (int i = 0; i < length; i++) {
      open[i] = (byte) i;
    }
    int count = length;
    for (int left = hashes; left > 0 && count > 0; left -= 2) {
      for (int i = 0; i < count; i++) {
        long value = next(values[i]);
        group.places[i] = cell(value);
        value = left == 1 ? value : next(value);
        group.others[i] = cell(value);
        values[i] = value;
      }
      int still = 0;
      for (int i = 0; i < count; i++) {
        values[still] = values[i];
        open[still] = open[i];
        still += bit(store, group.places[i]) & bit(store, group.others[i]) & 1;
      }
      count = still;
    }
    Arrays.fill(hits, at, at + length, false);
    for (int i = 0; i < count; i++) {
      hits[at + open[i]] = true;
    }
    return count;
  }

  @Override
  public int set(HeapBits store, Group group, int length) {
    if (bits > CACHED_BITS) {
      approach(store, group, length);
    }
    int count = 0;
    for (int i = 0; i < length; i++) {
      count += set(store, group.hashes[i]) ? 1 : 0;
    }
    return count;
  }

  /** Prefetches all words of a group, probe by probe. */
  private void approach(HeapBits store, Group group, int length) {
    long[] values = group.others;
    System.arraycopy(group.hashes, 0, values, 0, length);
    for (int probe = 0; probe < hashes; probe++) {
      for (int i = 0; i < length; i++) {
        values[i] = next(values[i]);
        group.places[i] = cell(values[i]) >>> 6;
      }
      group.touch(store, length);
    }
  }

  /**
   * {@inheritDoc} Bits are set probe by probe, because plain writes need no prior reads and overlap
   * best if they are close to each other.
   */
  @Override
  public void load(HeapBits store, Group group, int length) {
    long[] values = group.hashes;
    for (int probe = 0; probe < hashes; probe++) {
      for (int i = 0; i < length; i++) {
        values[i] = next(values[i]);
        group.places[i] = cell(values[i]);
      }
      for (int i = 0; i < length; i++) {
        long position = group.places[i];
        store.load(position >>> 6, 1L << position);
      }
    }
  }

  @Override
  Fill fill(BitStore store) {
    long ones = store.ones();
    return new Fill(ones, BloomRates.fppFromOnes(bits, ones, hashes));
  }

  @Override
  LongToDoubleFunction rateAfterFolding(Fill fill) {
    return factor -> BloomRates.fppFolded(bits, fill.ones(), hashes, factor);
  }

  @Override
  public double keysFromOnes(long ones) {
    // a full store only gives a lower bound: it is counted as if half a bit were missing
    return ones < bits
        ? BloomRates.keysFromOnes(bits, ones, hashes)
        : Math.max(1, -Math.log(0.5 / bits) * bits / hashes);
  }
}
