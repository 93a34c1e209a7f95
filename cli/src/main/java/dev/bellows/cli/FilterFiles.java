package dev.bellows.cli;

import dev.bellows.Filter;
import dev.bellows.HashScheme;
import dev.bellows.internal.codec.AtomicFile;
import dev.bellows.internal.codec.FilterWriter;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.ReadOptions;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Filters in files; {@code -} is standard input or output. */
final class FilterFiles {
  private static final int SIPHASH_ID = 2;

  /** A file with other first bytes is not one of ours. */
  private static final int MAGIC_BYTES = 8;

  private FilterFiles() {}

  /** Reads a filter of any kind, however large: the user named it. */
  static Filter read(Console console, String file, @Nullable HashScheme scheme) throws IOException {
    ReadOptions options =
        scheme == null ? ReadOptions.UNLIMITED : ReadOptions.UNLIMITED.withHashScheme(scheme);
    try {
      if (file.equals("-")) {
        InputStream in = new BufferedInputStream(console.in());
        Filter filter = Filter.readFrom(in, options);
        if (in.read() >= 0) {
          throw new CommandFailure(
              name(file) + " holds more bytes after the filter: give one filter only");
        }
        return filter;
      }
      if (Files.isDirectory(Path.of(file))) {
        throw new CommandFailure(file + " is a directory, not a filter");
      }
      return Filter.readFrom(Path.of(file), options);
    } catch (FilterFormatException e) {
      String hint =
          e.offset() < MAGIC_BYTES
              ? "; is it of guava, spark, parquet or hadoop? info, query, fold and convert read"
                  + " that with --format"
              : "";
      throw new CommandFailure(name(file) + ": " + e.getMessage() + hint, e);
    }
  }

  /** Reads a filter that keys are hashed for, with its secret key if it has one. */
  static KindAdapter<?> open(Console console, String file, SchemeOptions options)
      throws IOException {
    KindAdapter<?> adapter = Adapters.of(read(console, file, options.scheme()));
    HashScheme scheme = adapter.hashScheme();
    if (scheme.id() == SIPHASH_ID && options.keyFile == null) {
      throw new CommandFailure(
          name(file) + " was built with a secret key: give it with --key-file (" + scheme + ")");
    }
    return adapter;
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
    AtomicFile.write(Path.of(file), content);
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
