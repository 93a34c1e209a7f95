package dev.bellows.cli;

import dev.bellows.Filter;
import dev.bellows.HashScheme;
import dev.bellows.internal.files.AtomicFile;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.PathLock;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.Filters;
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
  /** A file with other first bytes is not one of ours. */
  private static final int MAGIC_BYTES = 8;

  private FilterFiles() {}

  /** Reads a filter of any kind, however large: the user named it. */
  static Filter read(Console console, String file, @Nullable HashScheme scheme) throws IOException {
    return read(console, file, scheme, false);
  }

  /**
   * The same for a filter that is only asked: a plain one in a regular file is mapped, so that only
   * what is asked for is read.
   */
  static Filter map(Console console, String file, @Nullable HashScheme scheme) throws IOException {
    return read(console, file, scheme, true);
  }

  private static Filter read(
      Console console, String file, @Nullable HashScheme scheme, boolean isOnlyAsked)
      throws IOException {
    ReadOptions options =
        scheme == null ? ReadOptions.UNLIMITED : ReadOptions.UNLIMITED.withHashScheme(scheme);
    boolean isFingerprint = false;
    try {
      if (file.equals("-")) {
        InputStream in = new BufferedInputStream(console.in());
        isFingerprint = Arrival.isFingerprint(in);
        Filter filter = Filters.readFrom(in, options);
        if (in.read() >= 0) {
          throw new CommandFailure(
              name(file) + " holds more bytes after the filter: give one filter only");
        }
        return filter;
      }
      Path path = Path.of(file);
      if (Files.isDirectory(path)) {
        throw new CommandFailure(file + " is a directory, not a filter");
      }
      return isOnlyAsked && Files.isRegularFile(path)
          ? FilterReader.map(path, options, FilterFiles::readAny)
          : Filters.readFrom(path, options);
    } catch (FilterFormatException e) {
      if (e.isOtherScheme()) {
        throw new CommandFailure(
            name(file)
                + ": "
                + e.getMessage()
                + ": give the --key-file that it was built with, if any",
            e);
      }
      if (isFingerprint || !file.equals("-") && Arrival.isFingerprint(Path.of(file))) {
        throw new CommandFailure(
            "%s: %s; if this is a part of a fingerprint filter that ended early, bellows receive STORE %s makes a filter of what arrived"
                .formatted(name(file), e.getMessage(), file),
            e);
      }
      if (!file.equals("-") && ParquetPaths.isIndex(Path.of(file))) {
        throw new CommandFailure(
            file + " is an index of Parquet files: ask it with parquet find INDEX VALUE", e);
      }
      String hint =
          !isOurs(e)
              ? "; is it of guava, spark, parquet or hadoop? info, query, fold and convert read"
                  + " that with --format"
              : "";
      throw new CommandFailure(name(file) + ": " + e.getMessage() + hint, e);
    }
  }

  private static Filter readAny(FilterReader reader) throws IOException {
    return Filters.format(reader.header().kind()).read(reader);
  }

  /** Whether what could not be read begins as our files do. */
  static boolean isOurs(FilterFormatException damage) {
    return damage.offset() >= MAGIC_BYTES;
  }

  /** Reads a filter that keys are hashed for, with its secret key if it has one. */
  static KindAdapter<?> open(Console console, String file, SchemeOptions options)
      throws IOException {
    return open(file, read(console, file, options.scheme()), options);
  }

  /** The same for a filter that is only asked. */
  static KindAdapter<?> openMapped(Console console, String file, SchemeOptions options)
      throws IOException {
    return open(file, map(console, file, options.scheme()), options);
  }

  private static KindAdapter<?> open(String file, Filter filter, SchemeOptions options) {
    KindAdapter<?> adapter = Adapters.of(filter);
    HashScheme scheme = adapter.hashScheme();
    if (scheme.isKeyed() && options.keyFile == null) {
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
    Path path = Path.of(file);
    if (!AtomicFile.isReplaced(path)) {
      AtomicFile.write(path, content);
      return;
    }
    try (AtomicFile target = AtomicFile.open(path, new Wait(console, file))) {
      target.replace(content);
    }
  }

  /**
   * Locks a file that is read, changed and written: other updates wait until this one is closed. It
   * is an error if the file is missing.
   */
  static AtomicFile lock(Console console, String file) throws IOException {
    Files.getLastModifiedTime(Path.of(file)); // fails if it is missing
    return lockOrMake(console, file);
  }

  /** The same for a file that is created if missing. */
  static AtomicFile lockOrMake(Console console, String file) throws IOException {
    requireWritable(file);
    Path path = Path.of(file);
    if (!AtomicFile.isReplaced(path)) {
      throw new CommandFailure(file + " is no regular file: it cannot be updated in place");
    }
    return AtomicFile.open(path, new Wait(console, file));
  }

  /** Refuses to update a file that has further names, which would keep the old content. */
  static void requireOneName(String file) throws IOException {
    Path path = Path.of(file);
    if (!Files.isRegularFile(path)
        || !path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return;
    }
    int names = (int) Files.getAttribute(path, "unix:nlink");
    if (names > 1) {
      throw new CommandFailure(
          "%s has %d names (hard links), and an update would separate it from the others: use symbolic links, or separate it first (cp -p %s COPY && mv COPY %s)"
              .formatted(file, names, file, file));
    }
  }

  /** Tells the user why nothing happens, or refuses to wait. */
  private record Wait(Console console, String file) implements PathLock.Waiting {
    @Override
    public void waiting(Path path) {
      if (!console.isPatient()) {
        throw new CommandFailure(
            file + " is being updated by another process: try again, or leave out --no-wait");
      }
      console.note("waiting for another process that updates " + file);
    }

    @Override
    public boolean isPatient() {
      return console.isPatient();
    }
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
