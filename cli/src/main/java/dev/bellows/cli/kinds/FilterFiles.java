package dev.bellows.cli.kinds;

import dev.bellows.Durable;
import dev.bellows.Filter;
import dev.bellows.HashScheme;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Console;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.keys.SchemeOptions;
import dev.bellows.durable.DurableFilter;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.Filters;
import dev.bellows.io.ReadOptions;
import dev.bellows.parquet.ParquetIndex;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Filters in files; {@code -} is standard input or output. */
public final class FilterFiles {
  /** Every Bellows file begins with these bytes. */
  private static final int MAGIC_BYTES = 8;

  private FilterFiles() {}

  /** Reads a filter of any kind, however large: the user named it. */
  public static Filter read(Console console, String file, @Nullable HashScheme scheme)
      throws IOException {
    return read(console, file, scheme, false);
  }

  /**
   * The same for a filter that is only queried: a plain one in a regular file is mapped, so that
   * only what is queried is read.
   */
  public static Filter map(Console console, String file, @Nullable HashScheme scheme)
      throws IOException {
    return read(console, file, scheme, true);
  }

  private static Filter read(
      Console console, String file, @Nullable HashScheme scheme, boolean isOnlyAsked)
      throws IOException {
    ReadOptions options = options(scheme);
    boolean isFingerprint = false;
    try {
      if (file.equals("-")) {
        InputStream in = new BufferedInputStream(console.in());
        isFingerprint = ReceivedPart.isFingerprint(in);
        Filter filter = Filters.readFrom(in, options);
        if (in.read() >= 0) {
          throw new CommandFailure(
              NamedFiles.name(file) + " has more bytes after the filter: give a single filter");
        }
        return filter;
      }
      Path path = Path.of(file);
      if (DurableFolders.isDurable(file)) {
        try (DurableFilter<Durable> folder = DurableFolders.read(file, scheme)) {
          return folder.read(filter -> filter);
        }
      }
      if (Files.isDirectory(path)) {
        throw new CommandFailure(file + " is a directory, not a filter");
      }
      return isOnlyAsked && Files.isRegularFile(path)
          ? FilterReader.map(
              path, options, reader -> Filters.format(reader.header().kind()).read(reader))
          : Filters.readFrom(path, options);
    } catch (FilterFormatException e) {
      if (e.isOtherScheme()) {
        throw unreadable(NamedFiles.name(file), e);
      }
      if (isFingerprint || !file.equals("-") && ReceivedPart.isFingerprint(Path.of(file))) {
        throw new CommandFailure(
            ("%s: %s; if this is a part of a fingerprint filter that ended early, "
                    + "bellows receive STORE %s makes a filter of what arrived")
                .formatted(NamedFiles.name(file), problem(file, e), file),
            e);
      }
      if (!file.equals("-") && isParquetIndex(Path.of(file))) {
        throw new CommandFailure(
            file + " is an index of Parquet files: query it with parquet find INDEX VALUE", e);
      }
      String hint =
          !isOurs(e)
              ? "; is it of guava, spark, parquet or hadoop? info, query, fold and convert read"
                  + " that with --format"
              : "";
      throw new CommandFailure(NamedFiles.name(file) + ": " + problem(file, e) + hint, e);
    }
  }

  /**
   * Returns the message of an exception without the file, which the caller names as the user did.
   */
  public static String problem(String file, FilterFormatException e) {
    String message = String.valueOf(e.getMessage());
    String named = Path.of(file) + ": ";
    return message.startsWith(named) ? message.substring(named.length()) : message;
  }

  /**
   * Returns the filter of a file as one of the type; one of another kind is refused.
   *
   * @param why what is wrong with another kind and the way out: the rest of the sentence
   */
  public static <T> T require(Class<T> type, Filter filter, String file, String why) {
    if (!type.isInstance(filter)) {
      throw ofKind(filter, file, why);
    }
    return type.cast(filter);
  }

  /** Returns why the filter of a file cannot be used: its kind, and the rest of the sentence. */
  public static CommandFailure ofKind(Filter filter, String file, String why) {
    return new CommandFailure(
        "%s is of kind %s%s", NamedFiles.name(file), filter.kind().word(), why);
  }

  /** Returns whether an unreadable file begins like ours. */
  public static boolean isOurs(FilterFormatException damage) {
    return damage.offset() >= MAGIC_BYTES;
  }

  /** Reads a filter that keys are hashed for, with its secret key if it has one. */
  public static KindAdapter<?> open(Console console, String file, SchemeOptions options)
      throws IOException {
    return open(file, read(console, file, scheme(file, options)), options);
  }

  /** The same for a filter that is only queried. */
  public static KindAdapter<?> openMapped(Console console, String file, SchemeOptions options)
      throws IOException {
    return open(file, map(console, file, scheme(file, options)), options);
  }

  /**
   * Returns the scheme with the secret key that was given, or with the one in the file next to a
   * filter that was built with a secret; null if there is neither.
   */
  public static @Nullable HashScheme scheme(String file, SchemeOptions options) throws IOException {
    if (options.keyFile == null && !file.equals("-") && Files.exists(Path.of(file))) {
      Path beside = SchemeOptions.beside(file);
      if (Files.isRegularFile(beside) && isKeyed(file)) {
        options.keyFile = beside.toString();
      }
    }
    return options.scheme();
  }

  private static boolean isKeyed(String file) throws IOException {
    try {
      FilterHeader header =
          DurableFolders.isDurable(file)
              ? FilterReader.ofHeader(DurableFilter.settings(Path.of(file)), ReadOptions.UNLIMITED)
                  .header()
              : header(Path.of(file));
      return HashScheme.named(header.hashScheme(), header.hashIdentity()).isKeyed();
    } catch (FilterFormatException | IllegalArgumentException e) {
      return false; // refused when it is read
    }
  }

  private static FilterHeader header(Path file) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      return FilterReader.open(in, ReadOptions.UNLIMITED).header();
    }
  }

  private static KindAdapter<?> open(String file, Filter filter, SchemeOptions options) {
    requireKey(filter.hashScheme(), NamedFiles.name(file), options.keyFile != null);
    return Adapters.of(filter);
  }

  /** Refuses a filter that needs a secret key that was not given. */
  public static void requireKey(HashScheme scheme, String name, boolean isGiven) {
    if (scheme.isKeyed() && !isGiven) {
      throw new CommandFailure(
          "%s was built with a secret key: give it with --key-file (%s)", name, scheme);
    }
  }

  /** Returns how a filter of any size is read, with the scheme of a secret key if there is one. */
  static ReadOptions options(@Nullable HashScheme scheme) {
    return scheme == null ? ReadOptions.UNLIMITED : ReadOptions.UNLIMITED.withHashScheme(scheme);
  }

  /** Returns why a file or folder cannot be read; with another scheme, what to do about it. */
  static CommandFailure unreadable(String name, FilterFormatException e) {
    String wayOut = e.isOtherScheme() ? ": give the --key-file that it was built with, if any" : "";
    return new CommandFailure(name + ": " + problem(name, e) + wayOut, e);
  }

  /** Returns whether a file can be read and is an index of Parquet files. */
  public static boolean isParquetIndex(Path path) {
    try {
      return Files.isRegularFile(path) && ParquetIndex.isIndex(path);
    } catch (IOException e) {
      return false;
    }
  }
}
