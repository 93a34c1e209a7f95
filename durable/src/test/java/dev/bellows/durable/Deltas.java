package dev.bellows.durable;

import dev.bellows.BloomFilter;
import dev.bellows.Durable;
import dev.bellows.KeyFilter;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.journal.Changes;
import dev.bellows.io.Filters;
import dev.bellows.io.ReadOptions;
import dev.bellows.scalable.ScalableBloomFilter;
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
    Changes changes = new Changes();
    for (int i = 0; i < 50; i++) {
      changes.add(Changes.PUT, 0, filter.hashScheme().hash("word " + i));
    }
    return Delta.of(filter, ID, 7, 100, 150, false, Delta.runs(changes));
  }

  /** Hashes of three times that were put into a window, whose clock went on between them. */
  public static Delta times() {
    WindowFilter filter = WindowFilter.builder().window(Duration.ofHours(1)).fpp(0.01).build();
    Changes changes = new Changes();
    long time = 1_700_000_000_000L;
    for (int i = 0; i < 50; i++) {
      if (i == 20 || i == 35) {
        time += 3_000_000L;
        changes.add(Changes.ADVANCE, time, i == 20 ? 0 : 1);
      }
      changes.add(Changes.PUT, time, filter.hashScheme().hash("word " + i));
    }
    return Delta.of(filter, ID, 0, 100, 152, false, Delta.runs(changes));
  }

  /** No changes. */
  public static Delta nothing() {
    return Delta.of(BloomFilter.create(1000, 0.01), ID, 0, 9, 9, false, new byte[0]);
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
    Durable copy = source.copy();
    return Delta.of(
        copy, source.id(), 0, 0, source.version(), true, content(copy, source.version()).image());
  }

  /** The whole content of a filter. */
  public static Delta content(Durable filter, long version) {
    try {
      ByteArrayOutputStream image = new ByteArrayOutputStream();
      filter.durableContent().image().writeTo(image);
      return Delta.of(filter, ID, 0, 0, version, true, image.toByteArray());
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
        Replica<Durable> replica = Replica.of(empty);
        replica.apply(delta);
        return replica::mightContainHash;
      }
      Set<Long> hashes = new HashSet<>();
      delta.forEachFrom(
          0,
          1 << 10,
          (operation, time, words, to) -> {
            if (operation == Changes.PUT) {
              Arrays.stream(words).forEach(hashes::add);
            }
          });
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
