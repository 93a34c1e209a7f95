package dev.bellows.parquet;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The Parquet files of a folder and its subfolders: all whose names end in {@code .parquet}, {@code
 * .parq} or {@code .pq}, and all whose first four bytes say so. A file with such a name is one even
 * if it is empty or damaged, so that its reader reports it. Hidden files and folders, whose names
 * begin with a dot, or with an underscore and have no equals sign, are left out.
 */
public final class ParquetFolder {
  private static final Pattern NAME =
      Pattern.compile(".*\\.(parquet|parq|pq)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private ParquetFolder() {}

  /**
   * What a folder contains.
   *
   * @param files the Parquet files, sorted
   * @param skippedLinks the symbolic links to Parquet files and to folders that were not followed,
   *     sorted
   */
  public record Listing(List<Path> files, List<Path> skippedLinks) {
    /** Copies the lists. */
    public Listing {
      files = List.copyOf(files);
      skippedLinks = List.copyOf(skippedLinks);
    }
  }

  /** Returns the Parquet files in a folder, sorted, links followed; of a file, the file itself. */
  public static List<Path> files(Path path) throws IOException {
    return list(path, true).files();
  }

  /**
   * Returns the Parquet files in a folder; of a file, the file itself. A path that is itself a link
   * is followed in any case.
   *
   * @param followLinks whether links inside the folder are followed
   */
  public static Listing list(Path path, boolean followLinks) throws IOException {
    if (!Files.isDirectory(path)) {
      return new Listing(List.of(path), List.of());
    }
    List<Path> files = new ArrayList<>();
    List<Path> links = new ArrayList<>();
    for (Map.Entry<Path, BasicFileAttributes> entry : walk(path, followLinks).entrySet()) {
      Path file = entry.getKey();
      if (entry.getValue().isDirectory() || isNamed(file)) {
        (!followLinks && Files.isSymbolicLink(file) ? links : files).add(file);
      }
    }
    return new Listing(files, links);
  }

  /**
   * Returns whether a file of a folder is a Parquet file, by its name or its content, or one that
   * cannot be read: its reader reports the error.
   */
  static boolean isNamed(Path file) {
    if (NAME.matcher(String.valueOf(file.getFileName())).matches()) {
      return true;
    }
    try {
      return isParquet(file);
    } catch (NoSuchFileException e) {
      return false; // it is gone, or a link to nothing
    } catch (IOException e) {
      return true;
    }
  }

  /**
   * Returns the files that may be Parquet files, links followed, as they are now, without opening
   * them.
   */
  static SortedMap<Path, BasicFileAttributes> candidates(Path folder) throws IOException {
    return walk(folder, true);
  }

  /** The same; links to folders are entries themselves if they are not followed. */
  private static SortedMap<Path, BasicFileAttributes> walk(Path folder, boolean followLinks)
      throws IOException {
    SortedMap<Path, BasicFileAttributes> files = new TreeMap<>();
    Files.walkFileTree(
        folder,
        EnumSet.of(FileVisitOption.FOLLOW_LINKS),
        Integer.MAX_VALUE,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path inner, BasicFileAttributes attributes) {
            if (inner.equals(folder)) {
              return FileVisitResult.CONTINUE;
            }
            if (!followLinks && Files.isSymbolicLink(inner) && !isHidden(inner)) {
              files.put(inner, attributes);
              return FileVisitResult.SKIP_SUBTREE;
            }
            return isHidden(inner) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            // the attributes are those of the link itself if it leads nowhere
            if ((attributes.isRegularFile() || attributes.isSymbolicLink()) && !isHidden(file)) {
              files.put(file, attributes);
            }
            return FileVisitResult.CONTINUE;
          }

          /** Files come and go while a folder is read, and a link may lead back to it. */
          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (!file.equals(folder)
                && (failure instanceof NoSuchFileException
                    || failure instanceof FileSystemLoopException)) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }
        });
    return files;
  }

  private static boolean isHidden(Path path) {
    String name = String.valueOf(path.getFileName());
    // a folder such as _year=2020 is a value of a column
    return name.startsWith(".") || (name.startsWith("_") && name.indexOf('=') < 0);
  }

  /** Returns whether it begins like a Parquet file, plain or encrypted. */
  public static boolean isParquet(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] first = in.readNBytes(Footer.MAGIC.length);
      return Arrays.equals(first, Footer.MAGIC) || Arrays.equals(first, Footer.ENCRYPTED);
    }
  }
}
