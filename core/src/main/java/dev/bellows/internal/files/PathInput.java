package dev.bellows.internal.files;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Opens paths for reading, including pipes and devices. */
public final class PathInput {
  private PathInput() {}

  /** Opens a path. A stream of {@link Files} would query the position, which pipes do not have. */
  public static InputStream open(Path path) throws IOException {
    return Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path)
        ? new FileInputStream(path.toFile())
        : Files.newInputStream(path);
  }
}
