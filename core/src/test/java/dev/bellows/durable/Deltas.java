package dev.bellows.durable;

import dev.bellows.BloomFilter;
import dev.bellows.Durable;
import dev.bellows.KeyFilter;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.growth.ScalableBloomFilter;
import dev.bellows.internal.journal.Journal;
import dev.bellows.io.Filters;
import dev.bellows.io.ReadOptions;
import dev.bellows.window.WindowFilter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongPredicate;

/** Deltas that are the same in every run: those of a folder carry its random id. */
public final class Deltas {
  private static final long ID = 0x0123456789abcdefL;

  private Deltas() {}

  /** Hashes that were put into a Bloom filter, from version 100 on. */
  public static Delta hashes() {
    BloomFilter filter = BloomFilter.create(1000, 0.01);
    long[] runs = new long[2 + 50];
    runs[1] = 50;
    for (int i = 0; i < 50; i++) {
      runs[2 + i] = filter.hashScheme().hash("word " + i);
    }
    return Delta.ofHashes(
        filter.durableContent().settings(), filter.hashScheme(), ID, 7, 100, 150, runs);
  }

  /** Hashes of three times that were put into a window, whose clock went on between them. */
  public static Delta times() {
    WindowFilter filter = WindowFilter.builder().window(Duration.ofHours(1)).fpp(0.01).build();
    long[] runs = new long[3 * 2 + 50 + 2 * 2];
    int at = 0;
    for (int run = 0; run < 3; run++) {
      int some = run == 0 ? 20 : 15;
      runs[at++] = 1_700_000_000_000L + run * 3_000_000L;
      runs[at++] = some;
      for (int i = 0; i < some; i++) {
        runs[at++] = filter.hashScheme().hash("word " + (run * 15 + (run == 0 ? 0 : 5) + i));
      }
      if (run < 2) {
        runs[at++] = 1_700_000_000_000L + (run + 1) * 3_000_000L;
        runs[at++] = run == 0 ? Journal.TICK : Journal.EMPTYING_TICK;
      }
    }
    return Delta.ofHashes(
        filter.durableContent().settings(), filter.hashScheme(), ID, 0, 100, 152, runs);
  }

  /** No changes. */
  public static Delta nothing() {
    BloomFilter filter = BloomFilter.create(1000, 0.01);
    return Delta.ofHashes(
        filter.durableContent().settings(), filter.hashScheme(), ID, 0, 9, 9, new long[0]);
  }

  /** The whole content of a fingerprint filter. */
  public static Delta content() {
    return content(words(FingerprintFilter.create(0.001)), 100);
  }

  /** The whole content of a filter of many levels. */
  public static Delta levels() {
    return content(words(ScalableBloomFilter.builder().initialKeys(3).build()), 1L << 62);
  }

  /** The whole content of chunks that were split, some of whose prefixes were copied. */
  public static Delta chunks() {
    FingerprintFilter filter = FingerprintFilter.builder().fpp(0.9).removable().build();
    for (long key = 0; key < 3000; key++) {
      filter.put(key % 2900);
    }
    return content(filter, 3000);
  }

  /** The whole content of a folder, with its id. */
  static Delta contentOf(DurableFilter<?> source) throws IOException {
    Delta whole = content(source.copy(), source.version());
    return Delta.ofContent(
        whole.settings(), whole.hashScheme(), source.id(), 0, whole.to(), whole.image());
  }

  /** The whole content of a filter. */
  public static Delta content(Durable filter, long version) {
    try {
      ByteArrayOutputStream image = new ByteArrayOutputStream();
      filter.durableContent().image().writeTo(image);
      return Delta.ofContent(
          filter.durableContent().settings(),
          filter.hashScheme(),
          ID,
          0,
          version,
          image.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a delta puts: the hashes that it has, or those that pass its content. */
  public static LongPredicate hashes(Delta delta) {
    try {
      if (delta.hasContent()) {
        Durable empty =
            (Durable)
                Filters.format(delta.sourceKind()).empty(delta.settings(), ReadOptions.DEFAULT);
        return Replica.read(empty, delta)::mightContainHash;
      }
      Set<Long> hashes = new HashSet<>();
      delta.forEachFrom(0, 1 << 10, (time, some, to) -> Arrays.stream(some).forEach(hashes::add));
      return hashes::contains;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <F extends KeyFilter> F words(F filter) {
    for (int i = 0; i < 50; i++) {
      filter.put("word " + i);
      filter.put((long) i);
    }
    return filter;
  }
}
