package dev.bellows.internal.prefixes;

import static dev.bellows.internal.prefixes.PrefixChunk.BUCKET_BITS;

import dev.bellows.internal.prefixes.PrefixStore.Allowed;
import dev.bellows.internal.prefixes.PrefixStore.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Builds the chunks of a store from sorted prefixes in linear time: it collects the prefixes of one
 * region of hashes after the other, and halves each region until its prefixes fit into a chunk.
 */
final class PrefixLoader {
  /**
   * The memory of a chunk in addition to its words: the header of its array and its directory
   * entry.
   */
  private static final int CHUNK_BYTES = 20;

  /**
   * The number of bits by which regions are shallower than chunks, so that short prefixes need no
   * copies.
   */
  private static final int BASE = 9;

  private static final int FEW = 16;

  /**
   * How many bits deeper chunks may be that would otherwise be too large. Twice as many if no
   * prefix may be changed, so that everything that was written can be read.
   */
  private static final int RESERVE = 4;

  /**
   * The depth that such chunks may have in any case, because removals leave deep chunks with few
   * prefixes. The directory then takes 64 MiB.
   */
  private static final int ALWAYS = 24;

  private final Tags tags;
  private final int chunkKeys;
  private final LongConsumer limit;
  private final Allowed allowed;
  private final boolean isSet;
  private final PrefixTally tally;
  private final List<long[]> chunks = new ArrayList<>();

  /** The depth of regions. */
  private final int depth;

  /** The maximum depth of a chunk that is not too large. */
  private final int deepest;

  private long region;
  private PrefixRun run;

  /** The prefixes that cover more than one region, including regions after the current one. */
  private PrefixRun wide;

  private long bytes;

  private long lastBits;
  private int lastLength;
  private int repeated;

  /**
   * The maximum length of a prefix of which there are at least {@link PrefixRun#STICKY_ENDINGS}.
   */
  int longestRepeated;

  /** The maximum length of an ending that this loader made sticky. */
  int longestSticky;

  /** Whether some of the added prefixes were covered by shorter ones. */
  boolean hasCovered;

  /**
   * @param expected the approximate number of prefixes
   * @param isSet whether no prefix covers another
   * @param limit receives the number of bytes held so far, and may throw
   */
  PrefixLoader(
      Tags tags,
      int chunkKeys,
      long expected,
      boolean isSet,
      Allowed allowed,
      LongConsumer limit,
      PrefixTally tally) {
    this.tags = tags;
    this.run = new PrefixRun(tags, FEW);
    this.wide = new PrefixRun(tags, FEW);
    this.chunkKeys = chunkKeys;
    this.limit = limit;
    this.isSet = isSet;
    this.allowed = allowed;
    this.tally = tally;
    int balanced = 63 - Long.numberOfLeadingZeros(Math.max(1, expected / chunkKeys));
    this.depth = Math.max(0, balanced - BASE);
    this.deepest = balanced + 1 + PrefixStore.MOST_DEEPER;
  }

  /** Adds the next prefix. */
  void add(long bits, int length, int tag) {
    if (length > PrefixChunk.MAX_LENGTH - tags.bits() || tag >>> tags.bits() != 0) {
      throw new IllegalArgumentException(
          "a prefix of %d bits with tag %d: tags have %d bits, and prefixes at most %d"
              .formatted(length, tag, tags.bits(), PrefixChunk.MAX_LENGTH - tags.bits()));
    }
    repeated = bits == lastBits && length == lastLength ? repeated + 1 : 1;
    lastBits = bits;
    lastLength = length;
    if (repeated >= PrefixRun.STICKY_ENDINGS) {
      longestRepeated = Math.max(longestRepeated, length);
    }
    while (address() != PrefixSource.first(bits, depth)) {
      endRegion();
    }
    if (length < depth) {
      requireCopying();
      wide.add(bits, length, tag);
      tally.addCopies((1L << (depth - length)) - 1);
    }
    run.add(bits, Math.max(length, depth), tag);
  }

  private void requireCopying() {
    if (allowed != Allowed.COPYING_AND_COVERING) {
      throw new IllegalArgumentException("the prefixes are too short for their number");
    }
  }

  private long address() {
    return depth == 0 ? 0 : region << (64 - depth);
  }

  private void endRegion() {
    build(run, depth, address());
    region++;
    run = new PrefixRun(tags, FEW);
    PrefixRun still = new PrefixRun(tags, FEW);
    // those with tags are merged later, and few cover one another
    int most = tags.bits() == 0 ? PrefixRun.STICKY_ENDINGS : Integer.MAX_VALUE;
    for (int i = 0; i < wide.count(); i++) {
      if (still.count() < most
          && PrefixSource.covers(wide.bits(i), wide.length(i), address(), depth)) {
        still.add(wide.bits(i), wide.length(i), wide.tag(i));
        run.add(address(), depth, wide.tag(i));
      }
    }
    wide = still;
  }

  private void build(PrefixRun part, int at, long address) {
    long slots = part.slots(at);
    // prefixes are copied only if a chunk would be too large, so a copy of the store is identical
    boolean isTooLarge = slots > PrefixChunk.MAX_SLOTS;
    int reserve = allowed == Allowed.NOTHING ? 2 * RESERVE : RESERVE;
    if (slots > chunkKeys
        && at < (isTooLarge ? Math.max(deepest + reserve, ALWAYS) : deepest)
        && (part.reaches(at + 1) || (isTooLarge && allowed == Allowed.COPYING_AND_COVERING))) {
      PrefixRun[] halves = part.halves(at, address);
      tally.addCopies(halves[1].copies());
      build(halves[0], at + 1, address);
      build(halves[1], at + 1, address | 1L << (63 - at));
    } else if (!isTooLarge) {
      chunk(part, at, Integer.MAX_VALUE);
    } else if (allowed != Allowed.NOTHING) {
      hasCovered = true;
      chunk(part, at, PrefixRun.STICKY_ENDINGS);
    } else {
      throw new IllegalArgumentException(
          "%d prefixes agree in their first %d bits".formatted(slots, at));
    }
  }

  /** Creates a chunk, and covers buckets with more than this many prefixes. */
  private void chunk(PrefixRun part, int at, int most) {
    boolean isCovered = most < Integer.MAX_VALUE;
    boolean isShort = !part.reaches(at);
    PrefixRun all = part;
    if (isShort) {
      requireCopying();
    }
    if (isShort || isCovered) {
      all = part.inBuckets(at, most, isSet);
      if (isShort) {
        // covering may leave fewer prefixes than before
        tally.addCopies(isCovered ? Math.max(0, all.count() - part.count()) : all.copies());
      }
      if (isCovered && !isSet) {
        // without a copy, a file would not record that prefixes are sticky
        tally.addCopies(1);
      }
      if (all.hasSticky()) {
        longestSticky = Math.max(longestSticky, at + BUCKET_BITS);
      }
    }
    int width = Math.max(0, all.longest() - at - BUCKET_BITS) + 1 + tags.bits();
    int words = PrefixChunk.words(width, PrefixChunk.roomFor(all.count()));
    limit.accept(bytes + 8L * words + CHUNK_BYTES);
    long[] chunk = all.chunk(at, 1);
    // the actual size, because prefixes that agree in many bits need more room
    bytes += 8L * chunk.length + CHUNK_BYTES;
    limit.accept(bytes);
    int[] counts = tally.changes();
    all.addTo(counts, 1);
    tally.addAll(counts, true);
    chunks.add(chunk);
  }

  /** Returns the chunks with all prefixes that were added, in the order of their addresses. */
  List<long[]> end() {
    while (region < 1L << depth) {
      endRegion();
    }
    return chunks;
  }

  /** Returns the number of bytes of the chunks. */
  long bytes() {
    return bytes;
  }
}
