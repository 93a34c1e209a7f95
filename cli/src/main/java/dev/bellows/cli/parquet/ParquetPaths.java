package dev.bellows.cli.parquet;

import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Console;
import dev.bellows.cli.console.Failures;
import dev.bellows.internal.base.Prose;
import dev.bellows.parquet.ParquetFolder;
import dev.bellows.parquet.ParquetFormatException;
import dev.bellows.parquet.ParquetIndex;
import dev.bellows.parquet.RemoteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parquet files by the paths that a user gives, and how they are named in messages. */
final class ParquetPaths {
  /** Between the names of columns; one inside a name is written with a backslash. */
  static final String COMMA = "(?<!\\\\),";

  private static final int MOST_NAMES = 10;

  private ParquetPaths() {}

  /** A path on this machine, or the address of a file or folder on a store that Hadoop knows. */
  static final class Place implements ITypeConverter<Path> {
    @Override
    public Path convert(String name) {
      try {
        return RemoteStore.isAddress(name) ? RemoteStore.path(name) : Path.of(name);
      } catch (InvalidPathException e) {
        throw new TypeConversionException(e.getMessage());
      } catch (IllegalStateException e) {
        throw new CommandFailure(
            name
                + " is on a store that is read through Hadoop, which is not on the class path: run"
                + " it with ./bellows in a checkout, or copy the file to this machine first",
            e);
      } catch (IOException e) {
        throw new CommandFailure(Failures.message(e), e);
      }
    }
  }

  /** Returns the store of a remote path; null for a path on this machine. */
  static @Nullable RemoteStore store(@Nullable Path path) {
    return path != null && path.getFileSystem() instanceof RemoteStore store ? store : null;
  }

  /** Names of columns as the user wrote them. */
  static Set<String> columns(Set<String> written) {
    return written.stream()
        .map(name -> name.replace("\\,", ","))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Returns a path in a table: without control characters, which could move a terminal's cursor.
   */
  static String shown(Path path) {
    return Prose.visible(path.toString());
  }

  /** Returns some paths for a message, and how many more there are. */
  static String some(List<Path> paths) {
    String some =
        paths.stream().limit(MOST_NAMES).map(ParquetPaths::shown).collect(Collectors.joining(", "));
    int more = paths.size() - MOST_NAMES;
    return more > 0 ? some + " and " + Prose.count(more) + " more" : some;
  }

  /** Returns what is wrong, in one line, and with the file. */
  static String message(Path path, Throwable e) {
    String message = Failures.message(e);
    return message.contains(path.toString()) ? message : path + ": " + message;
  }

  /** Something that is done with a file. */
  @FunctionalInterface
  interface Work<T> {
    T of(Path path) throws IOException;
  }

  /** Returns the files, and those of the folders; it is an error if there is none. */
  static List<Path> files(List<Path> paths) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path path : paths) {
      if (!Files.exists(path)) {
        throw new NoSuchFileException(path.toString());
      }
      files.addAll(ParquetFolder.files(path));
    }
    if (files.isEmpty()) {
      throw new CommandFailure(
          "no Parquet file in " + String.join(", ", paths.stream().map(Path::toString).toList()));
    }
    return files;
  }

  /** Returns the file, or those of the folder; it is an error if there is none. */
  static ParquetFolder.Listing list(Path path, boolean followLinks) throws IOException {
    ParquetFolder.Listing listing = ParquetFolder.list(path, followLinks);
    if (listing.files().isEmpty()) {
      throw new CommandFailure(
          "no Parquet file in "
              + path
              + (listing.skippedLinks().isEmpty()
                  ? ""
                  : ", only symbolic links: --follow-links changes what they lead to"));
    }
    return listing;
  }

  /** Runs the action; failures are reported with the name of the file. */
  static <T> T named(Path path, Work<T> work) throws IOException {
    try {
      return work.of(path);
    } catch (ParquetFormatException | IllegalArgumentException e) {
      throw new CommandFailure(path + ": " + e.getMessage(), e);
    }
  }

  /** Says that an index names more files than its rate promises. */
  static void warnOfRates(Console console, ParquetIndex index) {
    if (index.filesAboveFpp() > 0) {
      console.say(
          "%d of %d files have a rate above %s, up to %s: the OR of their row "
              + "groups' filters is too full, as it is after folding; make the index of "
              + "unfolded files, or fold them to a lower rate",
          index.filesAboveFpp(),
          index.files().size(),
          Prose.shortRate(index.fpp()),
          Prose.shortRate(index.highestFpp()));
    }
  }
}
