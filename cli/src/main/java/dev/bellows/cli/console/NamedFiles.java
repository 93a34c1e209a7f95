package dev.bellows.cli.console;

import dev.bellows.internal.files.AtomicFile;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.PathLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Files by the names that a user gives; {@code -} is standard input or output. */
public final class NamedFiles {
  /** The files that every folder of a durable filter has. */
  private static final List<String> IN_DURABLE_FOLDERS = List.of("filter", "lock");

  /** The names of all its files. */
  private static final Pattern OF_DURABLE_FILTER =
      Pattern.compile(
          "filter|lock|owner|reached|followed|manifest-\\d+|(journal|snapshot)-\\d+-\\d+");

  private NamedFiles() {}

  /** Writes a temporary file and renames it, or writes to standard output. */
  public static void write(Console console, String file, FilterWriter.Content content)
      throws IOException {
    try (Output output = Output.open(console, file)) {
      output.write(content);
    }
  }

  /**
   * Locks a file that is read, changed and written: other updates wait until this one is closed. It
   * is an error if the file is missing.
   */
  public static AtomicFile lock(Console console, String file) throws IOException {
    Files.getLastModifiedTime(Path.of(file)); // fails if it is missing
    return lockOrMake(console, file);
  }

  /** The same for a file that is created if missing. */
  public static AtomicFile lockOrMake(Console console, String file) throws IOException {
    requireWritable(file);
    Path path = Path.of(file);
    if (!AtomicFile.isReplaced(path)) {
      throw new CommandFailure(file + " is not a regular file: it cannot be updated in place");
    }
    return AtomicFile.open(path, new Wait(console, file));
  }

  /**
   * Refuses to update a file with several hard links, because the others would keep the old
   * content.
   */
  public static void requireOneName(String file) throws IOException {
    Path path = Path.of(file);
    if (!Files.isRegularFile(path)
        || !path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return;
    }
    int names = (int) Files.getAttribute(path, "unix:nlink");
    if (names > 1) {
      throw new CommandFailure(
          "%s has %d names (hard links), and an update would separate it from the "
              + "others: use symbolic links, or separate it first (cp -p %s COPY && mv "
              + "COPY %s)",
          file, names, file, file);
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
  public static void requireWritable(String file) {
    Path path = Path.of(file);
    if (Files.isDirectory(path)) {
      throw new CommandFailure(file + " is a directory: name a file to write");
    }
    Path folder = path.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw new CommandFailure("no such directory: " + folder);
    }
    if (folder != null
        && OF_DURABLE_FILTER.matcher(path.getFileName().toString()).matches()
        && IN_DURABLE_FOLDERS.stream().map(folder::resolve).allMatch(Files::exists)) {
      throw new CommandFailure(
          "%s is a file of the durable filter in %s, which it would destroy: name another file"
              .formatted(file, folder));
    }
  }

  /** Returns whether both names mean the same existing file. */
  public static boolean same(String one, String other) throws IOException {
    if (one.equals("-") || other.equals("-")) {
      return false;
    }
    try {
      return Files.isSameFile(Path.of(one), Path.of(other));
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** Returns the name in messages. */
  public static String name(String file) {
    return file.equals("-") ? "standard input" : file;
  }
}
