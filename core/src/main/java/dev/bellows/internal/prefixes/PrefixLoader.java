package dev.bellows.internal.prefixes;

import static dev.bellows.internal.prefixes.PrefixChunk.BUCKET_BITS;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** Builds the chunks of a store from prefixes in their order, in linear time. */
final class PrefixLoader {
  /** How many bits shallower than chunks the regions are in which prefixes are collected. */
  private static final int BASE = 9;

  /**
   * How much deeper chunks may be that would be too large otherwise; twice as much where no prefix
   * may change, so that what was written can be read.
   */
  private static final int RESERVE = 4;

  /**
   * How deep such chunks may be in any case: removals leave few prefixes in deep chunks. Their
   * directory takes 64 MiB.
   */
  private static final int ALWAYS = 24;

  private final int chunkKeys;
  private final LongConsumer limit;
  private final boolean mayCopy;
  private final boolean mayCover;
  private final boolean isSet;
  private final PrefixTally tally;
  private final List<long[]> chunks = new ArrayList<>();

  /** The depth of the regions in which prefixes are collected, and the region under way. */
  private final int depth;

  /** The most depth of a chunk that is not too large. */
  private final int deepest;

  private long region;
  private PrefixRun run = new PrefixRun();

  /** Prefixes that cover more than one region, as far as they reach beyond the present one. */
  private PrefixRun wide = new PrefixRun();

  private long bytes;

  private long lastBits;
  private int lastLength;
  private int repeated;
  private int longestRepeated;
  private int longestEnding;
  private boolean hasCovered;

  /**
   * @param expected about how many prefixes will come
   * @param isSet whether no prefix covers another
   * @param limit takes the bytes that are held so far, and may refuse them
   */
  PrefixLoader(
      int chunkKeys,
      long expected,
      boolean isSet,
      PrefixStore.Allowed allowed,
      LongConsumer limit,
      PrefixTally tally) {
    this.chunkKeys = chunkKeys;
    this.limit = limit;
    this.isSet = isSet;
    this.mayCopy = allowed == PrefixStore.Allowed.COPYING_AND_COVERING;
    this.mayCover = allowed != PrefixStore.Allowed.NOTHING;
    this.tally = tally;
    int balanced = 63 - Long.numberOfLeadingZeros(Math.max(1, expected / chunkKeys));
    // fewer bits than chunks will have, so that short prefixes need no copies here
    this.depth = Math.max(0, balanced - BASE);
    this.deepest = balanced + 1 + PrefixStore.MOST_DEEPER;
  }

  /** Adds the next prefix. */
  void add(long bits, int length) {
    repeated = bits == lastBits && length == lastLength ? repeated + 1 : 1;
    lastBits = bits;
    lastLength = length;
    if (repeated >= PrefixChunk.MAX_ENDINGS) {
      longestRepeated = Math.max(longestRepeated, length);
    }
    long its = region(bits);
    while (region != its) {
      endRegion();
    }
    int kept = length;
    if (length < depth) {
      wide.add(bits, length);
      copy((1L << (depth - length)) - 1);
      kept = depth;
    }
    run.add(bits, kept);
  }

  private void copy(long times) {
    if (!mayCopy) {
      throw new IllegalArgumentException("prefixes are too short for so many of them");
    }
    tally.addCopies(times);
  }

  private long region(long bits) {
    return depth == 0 ? 0 : bits >>> (64 - depth);
  }

  private void endRegion() {
    build(run, depth, depth == 0 ? 0 : region << (64 - depth));
    region++;
    run = new PrefixRun();
    long address = depth == 0 ? 0 : region << (64 - depth);
    PrefixRun still = new PrefixRun();
    for (int i = 0; i < wide.count(); i++) {
      if (still.count() < PrefixChunk.MAX_ENDINGS
          && PrefixSource.covers(wide.bits(i), wide.length(i), address, depth)) {
        still.add(wide.bits(i), wide.length(i));
        run.add(address, depth);
      }
    }
    wide = still;
  }

  private void build(PrefixRun part, int at, long address) {
    long slots = part.slots(at);
    // prefixes are copied only where a chunk would be too large, so that a copy is the same
    boolean isTooLarge = slots > PrefixChunk.MAX_SLOTS;
    int reserve = mayCover ? RESERVE : 2 * RESERVE;
    if (slots > chunkKeys
        && at < (isTooLarge ? Math.max(deepest + reserve, ALWAYS) : deepest)
        && (part.reaches(at + 1) || (isTooLarge && mayCopy))) {
      long middle = address | 1L << (63 - at);
      PrefixRun low = new PrefixRun();
      PrefixRun high = new PrefixRun();
      for (int i = 0; i < part.count(); i++) {
        boolean isWide = part.length(i) <= at;
        if (isWide) {
          if (low.count() < PrefixChunk.MAX_ENDINGS) {
            low.add(address, at + 1);
            high.add(middle, at + 1);
            copy(1);
          }
        } else {
          (Long.compareUnsigned(part.bits(i), middle) < 0 ? low : high)
              .add(part.bits(i), part.length(i));
        }
      }
      build(low, at + 1, address);
      build(high, at + 1, middle);
      return;
    }
    if (!isTooLarge) {
      chunks.add(chunk(part, at, (int) slots));
    } else if (mayCover) {
      PrefixRun covered = cover(part, at);
      chunks.add(chunk(covered, at, covered.count()));
    } else {
      throw new IllegalArgumentException(
          "%d prefixes agree in their first %d bits".formatted(slots, at));
    }
  }

  private PrefixRun cover(PrefixRun part, int at) {
    PrefixRun covered = part.covered(at, PrefixChunk.MAX_ENDINGS, isSet);
    hasCovered = true;
    if (!part.reaches(at)) {
      copy(Math.max(0, covered.count() - part.count()));
    }
    if (!isSet) {
      longestEnding = Math.max(longestEnding, at + BUCKET_BITS);
      // a removable filter that has copies keeps prefixes that may stand for more
      tally.addCopies(1);
    }
    return covered;
  }

  private long[] chunk(PrefixRun part, int at, int slots) {
    int width = Math.max(0, part.longest() - at - BUCKET_BITS) + 1;
    int words = PrefixChunk.words(width, PrefixChunk.roomFor(slots));
    bytes += 8L * words + PrefixStore.CHUNK_BYTES;
    limit.accept(bytes);
    long[] chunk = PrefixChunk.create(at, width, PrefixChunk.roomFor(slots));
    for (int i = 0; i < part.count(); i++) {
      if (part.length(i) >= at + BUCKET_BITS) {
        long slot = PrefixHead.slot(chunk[0], part.bits(i), part.length(i));
        chunk = PrefixChunk.appended(chunk, PrefixHead.bucket(chunk[0], part.bits(i)), slot);
        tally.add(part.length(i), 1);
      }
    }
    int before = 0;
    for (int i = 0; i < part.count(); i++) {
      int missing = at + BUCKET_BITS - part.length(i);
      before = part.isRepeated(i) ? before + 1 : 0;
      if (missing > 0 && before == PrefixChunk.MAX_ENDINGS - 1) {
        longestEnding = Math.max(longestEnding, at + BUCKET_BITS);
      }
      if (missing > 0 && before < PrefixChunk.MAX_ENDINGS) {
        copy((1L << missing) - 1);
        int bucket = PrefixHead.bucket(chunk[0], part.bits(i));
        for (int j = 0; j < 1 << missing; j++) {
          if (!PrefixChunk.hasRoom(chunk, chunk[0])) {
            chunk = PrefixChunk.enlarged(chunk, chunk[0], width);
          }
          int start = PrefixChunk.start(chunk, chunk[0], bucket + j);
          chunk[0] = PrefixChunk.insert(chunk, chunk[0], bucket + j, start, 1L << (width - 1));
        }
        tally.add(at + BUCKET_BITS, 1L << missing);
      }
    }
    // prefixes that agree in more bits than others need more room
    bytes += 8L * (chunk.length - words);
    limit.accept(bytes);
    return chunk;
  }

  /** The chunks of all that was added, as the entries of a directory. */
  long[][] end() {
    while (region < 1L << depth) {
      endRegion();
    }
    int deepest = 0;
    for (long[] chunk : chunks) {
      deepest = Math.max(deepest, PrefixHead.depth(chunk[0]));
    }
    limit.accept(bytes + (4L << deepest));
    return PrefixDirectory.of(chunks, deepest);
  }

  /** The most bits of a prefix that is there {@link PrefixChunk#MAX_ENDINGS} times or more. */
  int longestRepeated() {
    return longestRepeated;
  }

  /** The most bits of a prefix that was copied so often. */
  int longestEnding() {
    return longestEnding;
  }

  /** Whether there are fewer prefixes than were added, which cover others that were chosen. */
  boolean hasCovered() {
    return hasCovered;
  }

  int chunks() {
    return chunks.size();
  }
}
