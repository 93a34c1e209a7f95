package dev.bellows.parquet;

import dev.bellows.internal.files.AtomicFile;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.PathLock;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Writes files that readers see complete or not at all, on this machine and on remote stores. */
final class WholeFile {
  private WholeFile() {}

  /**
   * Writes a file.
   *
   * @param model the file from which a new local file takes its mode
   */
  static void write(Path path, FilterWriter.Content content, @Nullable Path model)
      throws IOException {
    if (path.getFileSystem() instanceof RemoteStore store) {
      store.write(path, content::writeTo);
    } else if (!AtomicFile.isReplaced(path)) {
      AtomicFile.write(path, content); // a device
    } else {
      try (AtomicFile file = AtomicFile.open(path, PathLock.Waiting.SILENT)) {
        file.replace(content, model);
      }
    }
  }
}
