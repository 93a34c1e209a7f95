package dev.bellows.redis;

import dev.bellows.HashScheme;
import dev.bellows.growth.ScalableBloomFilter;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.PackedLongs;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import dev.bellows.redis.Wire.Command;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds levels of another filter to a growing one. Its keys are counted before its bits come: a
 * client that dies in between leaves a level that is taken for fuller than it is.
 */
final class LevelUnion {
  /** Levels during whose transfer the state changed are begun again, this often. */
  private static final int MOST_ATTEMPTS = 20;

  private final StateAccess access;

  LevelUnion(StateAccess access) {
    this.access = access;
  }

  /** ORs the bits of a level into a part; false if a state has changed. */
  @FunctionalInterface
  interface Source {
    boolean or(SharedState state, Part target);
  }

  /** Adds a level: to one of its size where its keys fit, otherwise as a further one. */
  void add(int index, long bits, long capacity, long keys, Source source) {
    Part target = null;
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      access.refresh();
      SharedState state = access.settle();
      if (state.isFolding()) {
        throw SharedFilterException.refused(
            "another client folds filter '%s' now: wait until it has ended".formatted(access.name));
      }
      if (target == null || !state.live().contains(target)) {
        target = roomFor(state, index, bits, keys);
      }
      if (target == null) {
        target = access.addLevel(state, index, bits, capacity, keys);
      }
      if (target != null && source.or(access.state(), target)) {
        return;
      }
    }
    throw SharedFilterException.refused(
        "filter '%s' changed its state %d times while a level was added: try again later"
            .formatted(access.name, MOST_ATTEMPTS));
  }

  private @Nullable Part roomFor(SharedState state, int index, long bits, long keys) {
    for (int level = 0; level < state.live().size(); level++) {
      Part part = state.live().get(level);
      if (part.index() == index && part.bits() == bits) {
        Command reserve =
            Command.run(
                Script.RESERVE,
                List.of(access.stateKey()),
                List.of(
                    Wire.bytes(state.version()),
                    Wire.bytes(SharedState.keysField(state.live(), level)),
                    Wire.decimal(keys),
                    Wire.decimal(part.capacity())));
        if (StateAccess.allDone(access.wire.change("the union", List.of(reserve)))) {
          return part;
        }
      }
    }
    return null;
  }

  /** A level of a local filter. */
  record LocalLevel(int index, long capacity, long keys, HeapBits bits) {}

  /** The levels of a local filter, newest first, by way of its file. */
  static List<LocalLevel> levels(ScalableBloomFilter local, HashScheme scheme) {
    try {
      Path file = Files.createTempFile("bellows", ".scalable");
      try {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
          local.writeTo(out);
        }
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
          ReadOptions options = ReadOptions.UNLIMITED.withHashScheme(scheme);
          return levels(FilterReader.open(in, options).expect(FilterKind.SCALABLE));
        }
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<LocalLevel> levels(FilterReader reader) throws IOException {
    PackedLongs.Reader table = new PackedLongs.Reader(reader.bytes());
    if (table.count() != 1) {
      throw new IllegalArgumentException(
          "an intersection of growing filters has two series of levels, a shared filter has one: put"
              + " the keys");
    }
    List<Integer> indexes = new ArrayList<>();
    List<Long> sizes = new ArrayList<>();
    List<long[]> counts = new ArrayList<>();
    for (int left = table.count(); left > 0; left--) {
      indexes.add((int) table.next(Integer.MAX_VALUE));
      sizes.add(table.next(Long.MAX_VALUE));
      counts.add(new long[] {table.next(Long.MAX_VALUE), table.next(Long.MAX_VALUE)});
    }
    table.end();
    List<HeapBits> stores = reader.bits(sizes);
    List<LocalLevel> levels = new ArrayList<>();
    for (int i = 0; i < stores.size(); i++) {
      long[] count = counts.get(i);
      levels.add(new LocalLevel(indexes.get(i), count[0], count[1], stores.get(i)));
    }
    return levels;
  }
}
