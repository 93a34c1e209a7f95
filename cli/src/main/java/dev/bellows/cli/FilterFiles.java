package dev.bellows.cli;

import dev.bellows.BloomFilter;
import dev.bellows.Filter;
import dev.bellows.FoldableFilter;
import dev.bellows.HashScheme;
import dev.bellows.KeyFilter;
import dev.bellows.Membership;
import dev.bellows.RemovableKeys;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterWriter;
import dev.bellows.io.ReadLimits;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Filters in files; {@code -} is standard input or output. */
final class FilterFiles {
  private static final int SIPHASH_ID = 2;

  /** A file that is wrong here is no file of ours. */
  private static final int MAGIC_BYTES = 8;

  private FilterFiles() {}

  /** Reads a filter of any kind. */
  static Filter read(Console console, String file, @Nullable HashScheme scheme) throws IOException {
    try {
      if (file.equals("-")) {
        return Filter.readFrom(new BufferedInputStream(console.in()), ReadLimits.NONE, scheme);
      }
      if (Files.isDirectory(Path.of(file))) {
        throw new CommandFailure(file + " is a directory, not a filter");
      }
      return Filter.readFrom(Path.of(file), ReadLimits.NONE, scheme);
    } catch (FilterFormatException e) {
      String hint =
          e.offset() < MAGIC_BYTES
              ? "; is it of guava, spark, parquet or hadoop? info, query, fold and convert read"
                  + " that with --format"
              : "";
      throw new CommandFailure(name(file) + ": " + e.getMessage() + hint, e);
    }
  }

  /** Reads a filter that can be asked for keys, with its secret key if it has one. */
  static Filter readForKeys(
      Console console, String file, SchemeOptions options, KeyOptions keyOptions)
      throws IOException {
    Filter filter = read(console, file, options.scheme());
    HashScheme scheme = filter.stats().hashScheme();
    if (scheme.id() == SIPHASH_ID && options.keyFile == null) {
      throw new CommandFailure(
          name(file) + " was built with a secret key: give it with --key-file (" + scheme + ")");
    }
    return IdKeys.adapt(filter, keyOptions);
  }

  /** The filter as one that answers for keys. */
  static Membership asking(Filter filter, String file) {
    return as(Membership.class, filter, file, "holds no plain keys: ask it with query NAME=VALUE");
  }

  /** The filter as one that takes keys. */
  static KeyFilter taking(Filter filter, String file) {
    return as(KeyFilter.class, filter, file, "does not take keys");
  }

  /** The filter as one that gives keys back. */
  static RemovableKeys removing(Filter filter, String file) {
    return as(
        RemovableKeys.class,
        filter,
        file,
        "cannot remove keys: kinds counting, autoscale and partition can");
  }

  /** The filter as one of bits. */
  static BloomFilter bits(Filter filter, String file) {
    return as(BloomFilter.class, filter, file, "cannot be intersected: kind bloom can");
  }

  /** The filter as one that folds. */
  static FoldableFilter<?> folding(Filter filter, String file) {
    return as(FoldableFilter.class, filter, file, "does not fold: kinds bloom and counting do");
  }

  private static <T> T as(Class<T> type, Filter filter, String file, String refusal) {
    if (type.isInstance(filter)) {
      return type.cast(filter);
    }
    throw new CommandFailure(
        "%s is of kind %s, which %s".formatted(name(file), filter.stats().kind().word(), refusal));
  }

  /** Writes a filter as {@link #write(Console, String, FilterWriter.Content)} does. */
  static void write(Console console, String file, Filter filter) throws IOException {
    write(console, file, (FilterWriter.Content) filter::writeTo);
  }

  /** Writes a file aside and renames it, or writes to standard output. */
  static void write(Console console, String file, FilterWriter.Content content) throws IOException {
    if (file.equals("-")) {
      content.writeTo(console.out());
      return;
    }
    requireWritable(file);
    FilterWriter.writeFile(Path.of(file), content);
  }

  /** Refuses an output that cannot be written, before the work begins. */
  static void requireWritable(String file) {
    Path path = Path.of(file);
    if (Files.isDirectory(path)) {
      throw new CommandFailure(file + " is a directory: name a file to write");
    }
    Path folder = path.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw new CommandFailure("no such directory: " + folder);
    }
  }

  /** Whether both names mean the same existing file. */
  static boolean same(String one, String other) throws IOException {
    if (one.equals("-") || other.equals("-")) {
      return false;
    }
    try {
      return Files.isSameFile(Path.of(one), Path.of(other));
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  static String name(String file) {
    return file.equals("-") ? "standard input" : file;
  }
}
