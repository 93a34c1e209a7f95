package dev.bellows.growth;

import dev.bellows.growth.FingerprintFilter.PrefixStream;
import dev.bellows.internal.prefixes.PrefixSource;
import dev.bellows.io.FilterFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A random sequence of operations on a fingerprint filter and on an exact multiset of hashes: no
 * hash of the multiset may ever be missing, and the number of keys of a removable filter is exact
 * as long as no prefix stands for more puts than are stored.
 *
 * <p>There are three sorts of hashes: arbitrary ones, ones equal to one of a few, and ones that
 * agree with one of a few in any number of leading bits.
 */
final class FingerprintModel {
  private static final int STEPS = 12;

  private final SplittableRandom random;
  private final boolean removable;
  private final long[] chosen;
  private final int agreeing;

  private FingerprintFilter filter;
  private Map<Long, Integer> model = new HashMap<>();

  /** The number of stored keys, or -1 once it does not follow from the answers. */
  private long stored;

  FingerprintModel(long seed) {
    this.random = new SplittableRandom(seed);
    this.removable = random.nextInt(3) > 0;
    this.chosen = random.longs(1 + random.nextInt(3)).toArray();
    this.agreeing = random.nextInt(65);
    this.filter = empty();
  }

  private FingerprintFilter empty() {
    double fpp = Math.min(0.9, Math.pow(10, -random.nextDouble(random.nextInt(4) == 0 ? 14 : 4)));
    FingerprintFilter.Builder builder = FingerprintFilter.builder().fpp(fpp);
    return (removable ? builder.removable() : builder).build();
  }

  /** Runs the sequence; throws an {@link AssertionError} at the first deviation. */
  void run() throws IOException {
    for (int step = 0; step < STEPS; step++) {
      switch (random.nextInt(14)) {
        case 0, 1, 2 -> putSome(filter, model, true);
        case 3, 4 -> removeSome();
        case 5 -> unite();
        case 6 -> intersect();
        case 7 -> subtract();
        case 8 -> fold();
        case 9 -> filter = filter.copy();
        case 10 -> read();
        case 11 -> trim();
        case 12 -> confirmSome();
        default -> stream();
      }
      verify();
    }
  }

  private long hash() {
    long any = random.nextLong();
    long near = chosen[random.nextInt(chosen.length)];
    return switch (random.nextInt(4)) {
      case 0 -> any;
      case 1 -> near;
      default -> agreeing == 64 ? near : near ^ (any >>> agreeing);
    };
  }

  /** Small numbers more often than large ones, and sometimes enough to fill a bucket. */
  private int some() {
    int scale = random.nextInt(20);
    return 1 + random.nextInt(scale == 0 ? 3000 : scale < 5 ? 600 : 60);
  }

  private void putSome(FingerprintFilter to, Map<Long, Integer> keys, boolean counts) {
    for (int i = some(); i > 0; i--) {
      long hash = hash();
      int times = removable && random.nextInt(100) == 0 ? 1 + random.nextInt(300) : 1;
      for (int j = 0; j < times; j++) {
        boolean isStored = to.putHash(hash);
        if (counts) {
          count(isStored ? 1 : Long.MIN_VALUE);
        }
      }
      keys.merge(hash, times, Integer::sum);
    }
  }

  /** Counts, or gives up. */
  private void count(long change) {
    stored = stored < 0 || change == Long.MIN_VALUE ? -1 : stored + change;
  }

  private void removeSome() {
    if (!removable) {
      return;
    }
    Long[] keys = model.keySet().toArray(Long[]::new);
    Arrays.sort(keys);
    boolean isAll = random.nextInt(5) == 0;
    for (Long key : keys) {
      int times = model.get(key);
      if (isAll || random.nextInt(3) == 0) {
        int removed = isAll ? times : 1 + random.nextInt(times);
        for (int i = 0; i < removed; i++) {
          count(filter.removeHash(key) ? -1 : Long.MIN_VALUE);
        }
        model.put(key, times - removed);
      }
    }
    model.values().removeIf(times -> times == 0);
  }

  private void unite() {
    FingerprintFilter other = empty();
    putSome(other, model, false);
    filter = random.nextBoolean() ? filter.union(other, 1) : other.union(filter, 1);
    stored = -1;
  }

  private void intersect() {
    FingerprintFilter other = empty();
    Map<Long, Integer> both = new HashMap<>();
    Map<Long, Integer> rest = new HashMap<>();
    putSome(other, rest, false);
    rest.forEach(
        (hash, times) -> {
          int common = Math.min(times, model.getOrDefault(hash, 0));
          if (common > 0) {
            both.put(hash, common);
          }
        });
    model.forEach(
        (hash, times) -> {
          if (random.nextInt(3) > 0 && !both.containsKey(hash)) {
            for (int i = 0; i < times; i++) {
              other.putHash(hash);
            }
            both.put(hash, times);
          }
        });
    filter = random.nextBoolean() ? filter.intersection(other, 1) : other.intersection(filter, 1);
    model = both;
    stored = -1;
  }

  private void subtract() {
    if (!removable) {
      return;
    }
    FingerprintFilter other = empty();
    Map<Long, Integer> rest = new HashMap<>();
    model.forEach(
        (hash, times) -> {
          int gone = random.nextInt(3) == 0 ? random.nextInt(times + 1) : 0;
          for (int i = 0; i < gone; i++) {
            other.putHash(hash);
          }
          if (times > gone) {
            rest.put(hash, times - gone);
          }
        });
    if (other.store().tally().copies() == 0) {
      filter = filter.subtract(other);
      model = rest;
      stored = -1;
    }
  }

  private void fold() {
    double fpp = filter.expectedFpp() * (1 + random.nextDouble(random.nextInt(3) == 0 ? 1000 : 3));
    if (fpp >= 1e-14 && fpp < 0.999) {
      if (random.nextBoolean()) {
        filter.foldInPlace(fpp);
      } else {
        filter = filter.foldToFpp(fpp);
      }
    }
  }

  /** Written filters are read back equal. */
  private void read() throws IOException {
    FingerprintFilter read = FingerprintFilter.fromBytes(filter.toBytes());
    if (!read.equals(filter)) {
      throw new AssertionError("%s was read as %s".formatted(filter, read));
    }
    filter = read;
  }

  private void trim() {
    double before = filter.expectedFpp();
    FingerprintFilter.Trim trim = filter.trim();
    double most = Math.max(before, filter.plan().fppAt(filter.approximateElementCount()));
    if (trim.fppBefore() != before
        || trim.fppAfter() != filter.expectedFpp()
        || trim.fppAfter() > most * (1 + 1e-9)) {
      throw new AssertionError("%s of %s gave %s".formatted(trim, before, filter));
    }
  }

  /** Prefixes of keys of the multiset get their bits back. */
  private void confirmSome() {
    if (!removable) {
      return;
    }
    int every = 1 + random.nextInt(3);
    for (long hash : model.keySet()) {
      if (hash % every == 0) {
        double before = filter.expectedFpp();
        long prefixes = filter.prefixes().count();
        boolean isLonger = filter.confirmHash(hash);
        double after = filter.expectedFpp();
        if ((isLonger ? after > before * (1 + 1e-12) : after != before)
            || filter.prefixes().count() != prefixes
            || !filter.mightContainHash(hash)) {
          throw new AssertionError(
              "%x was confirmed in %s: %s, rate from %s to %s, prefixes from %d to %d"
                  .formatted(
                      hash, filter, isLonger, before, after, prefixes, filter.prefixes().count()));
        }
      }
    }
  }

  /** The filter of the bytes that arrived before a stream ended. */
  private void stream() throws IOException {
    byte[] bytes = filter.toBytes();
    int arrived = bytes.length - random.nextInt(bytes.length);
    try {
      filter =
          PrefixStream.readFrom(new ByteArrayInputStream(Arrays.copyOf(bytes, arrived))).filter();
    } catch (FilterFormatException e) {
      if (arrived == bytes.length) {
        throw e;
      }
    }
  }

  private void verify() {
    for (long hash : model.keySet()) {
      if (!filter.mightContainHash(hash)) {
        throw new AssertionError("%x is lost in %s".formatted(hash, filter));
      }
    }
    double sum = 0;
    for (PrefixSource all = filter.store().prefixes(); all.next(); ) {
      sum += Math.scalb(1.0, -all.length());
    }
    if (Math.abs(filter.expectedFpp() - Math.min(1, sum)) > 1e-9 * sum) {
      throw new AssertionError("prefixes for a rate of %s in %s".formatted(sum, filter));
    }
    if (removable
        && stored >= 0
        && filter.store().tally().copies() == 0
        && stored != filter.approximateElementCount()) {
      throw new AssertionError("%d keys were stored in %s".formatted(stored, filter));
    }
  }
}
