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
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The Parquet files of a folder and of those in it: all whose first four bytes say so, whatever
 * their names, except hidden ones, whose names begin with a dot, or with an underscore and have no
 * equals sign. Links are followed.
 */
public final class ParquetFolder {
  private ParquetFolder() {}

  /** The Parquet files in a folder, by name; of a file, the file itself. */
  public static List<Path> files(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    List<Path> files = new ArrayList<>();
    for (Path file : candidates(path).keySet()) {
      if (isNamed(file)) {
        files.add(file);
      }
    }
    return files;
  }

  /** Whether it is a Parquet file, or one that cannot be read: whoever reads it is told so then. */
  private static boolean isNamed(Path file) {
    try {
      return isParquet(file);
    } catch (NoSuchFileException e) {
      return false; // it is gone
    } catch (IOException e) {
      return true;
    }
  }

  /** The files that may be Parquet files by their names, as they are now, without opening them. */
  static SortedMap<Path, BasicFileAttributes> candidates(Path folder) throws IOException {
    SortedMap<Path, BasicFileAttributes> files = new TreeMap<>();
    Files.walkFileTree(
        folder,
        EnumSet.of(FileVisitOption.FOLLOW_LINKS),
        Integer.MAX_VALUE,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path inner, BasicFileAttributes attributes) {
            return isHidden(inner) && !inner.equals(folder)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile() && !isHidden(file)) {
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

  /** Whether it begins as Parquet files do, plain or encrypted. */
  public static boolean isParquet(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] first = in.readNBytes(Footer.MAGIC.length);
      return Arrays.equals(first, Footer.MAGIC) || Arrays.equals(first, Footer.ENCRYPTED);
    }
  }
}
