package dev.bellows.parquet;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Detects table formats that record the lengths or offsets of a Parquet file. Iceberg, Delta and
 * Hudi record the lengths of their files, and old writers a summary of all footers: a file that is
 * replaced behind their back breaks the table.
 */
public final class TableFolders {
  private TableFolders() {}

  /**
   * Refuses to write a file that would be, or is, part of a table.
   *
   * @throws IllegalArgumentException if it is; the message names the table and the way out
   */
  public static void requireNone(Path file) throws IOException {
    Path path = real(file);
    Path folder = path.getParent();
    if (folder != null && Files.exists(path)) {
      refuse(file, folder.resolve("_metadata"), "a summary of the footers of its folder");
    }
    for (Path at = folder, below = path; at != null; below = at, at = at.getParent()) {
      refuse(file, at.resolve("_delta_log"), "a Delta table");
      refuse(file, at.resolve(".hoodie"), "a Hudi table");
      Path metadata = at.resolve("metadata");
      boolean isData = below.getFileName().toString().equals("data");
      if (Files.isDirectory(metadata) && (isData || hasTableMetadata(metadata))) {
        refuse(file, metadata, "an Iceberg table");
      }
    }
  }

  /** Returns the path of the file, which may not exist, with links resolved as far as possible. */
  private static Path real(Path file) throws IOException {
    Path path = file.toAbsolutePath();
    for (Path at = path; at != null; at = at.getParent()) {
      if (Files.exists(at)) {
        return at.toRealPath().resolve(at.relativize(path)).normalize();
      }
    }
    return path.normalize();
  }

  private static boolean hasTableMetadata(Path metadata) throws IOException {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(metadata, "{*.metadata.json,version-hint.text}")) {
      return files.iterator().hasNext();
    }
  }

  private static void refuse(Path file, Path sign, String what) {
    if (Files.exists(sign)) {
      throw new IllegalArgumentException(
          "%s belongs to %s (%s), which records the length of its files: write to a folder outside of it, and let the table's own commands replace the file"
              .formatted(file, what, sign));
    }
  }

  /**
   * Returns the path of Hadoop's checksums of a local file; with old ones it refuses the new file.
   */
  static Path checksumOf(Path file) {
    return file.resolveSibling("." + file.getFileName() + ".crc");
  }
}
