package dev.bellows.internal.prefixes;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Takes prefixes out of a store that nobody else uses. */
final class PrefixSubtraction {
  private final PrefixStore store;

  PrefixSubtraction(PrefixStore store) {
    this.store = store;
  }

  /** A slot whose prefix covers the one that is taken away, or is covered by it. */
  private record Match(int bucket, int place, long slot, int length) {}

  void subtract(PrefixSource others) {
    boolean has = others.next();
    while (has) {
      long bits = others.bits();
      int length = others.length();
      int times = 0;
      do {
        times++;
        has = others.next();
      } while (has && others.bits() == bits && others.length() == length);
      subtract(bits, length, times);
    }
  }

  private void subtract(long bits, int length, int times) {
    long[] chunk = store.chunk(bits);
    if (length < PrefixHead.depth(chunk[0])) {
      // it reaches over several chunks: nobody can tell
      return;
    }
    List<Match> matches = matches(chunk, bits, length);
    long extending = matches.stream().filter(match -> match.length > length).count();
    if (extending > 0 && (extending != times || matches.size() > extending)) {
      return;
    }
    matches.stream()
        .sorted(Comparator.comparingInt(match -> -match.length))
        .limit(times)
        // those that stay may be those of all the others, and then no shorter one is
        .takeWhile(match -> !store.stays(chunk, chunk[0], match.bucket, match.slot))
        // from the last on, so that the others keep their place
        .sorted(Comparator.comparingInt(match -> -match.place))
        .forEach(match -> delete(chunk, match));
  }

  private static List<Match> matches(long[] chunk, long bits, int length) {
    long head = chunk[0];
    long address = PrefixSource.first(bits, PrefixHead.depth(head));
    int missing = PrefixHead.depth(head) + PrefixChunk.BUCKET_BITS - length;
    int first = PrefixHead.bucket(head, bits);
    List<Match> matches = new ArrayList<>();
    for (int bucket = first; bucket < first + (1 << Math.max(0, missing)); bucket++) {
      int start = PrefixChunk.start(chunk, head, bucket);
      int run = PrefixChunk.run(chunk, head, bucket);
      int spill = PrefixChunk.spill(chunk, head, bucket, run);
      for (int i = 0; i < run; i++) {
        long slot = PrefixChunk.get(chunk, head, start, spill, i);
        int its = PrefixHead.length(head, slot);
        long prefix = PrefixHead.prefix(head, address, bucket, slot);
        if (PrefixSource.covers(prefix, its, bits, length)
            || PrefixSource.covers(bits, length, prefix, its)) {
          matches.add(new Match(bucket, i, slot, its));
        }
      }
    }
    return matches;
  }

  private void delete(long[] chunk, Match match) {
    chunk[0] = PrefixChunk.delete(chunk, chunk[0], match.bucket, match.place);
    store.tally().add(match.length, -1);
  }
}
