package dev.bellows.cli.console;

import dev.bellows.internal.files.AtomicFile;
import dev.bellows.internal.files.FilterWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a verb writes its result, locked before the verb reads its inputs: the output may be one of
 * them, and what another process puts into it meanwhile must not be lost.
 */
public final class Output implements Closeable {
  private final Console console;
  private final String file;

  /** The locked file; null for standard output and devices. */
  private final @Nullable AtomicFile target;

  private Output(Console console, String file, @Nullable AtomicFile target) {
    this.console = console;
    this.file = file;
    this.target = target;
  }

  public static Output open(Console console, String file) throws IOException {
    boolean locks = !file.equals("-") && AtomicFile.isReplaced(Path.of(file));
    return new Output(console, file, locks ? NamedFiles.lockOrMake(console, file) : null);
  }

  public void write(FilterWriter.Content content) throws IOException {
    write(content, null);
  }

  /** Writes it; a new file takes its mode from another one. */
  public void write(FilterWriter.Content content, @Nullable Path model) throws IOException {
    if (target != null) {
      target.replace(content, model);
    } else if (file.equals("-")) {
      content.writeTo(console.out());
    } else {
      NamedFiles.requireWritable(file);
      AtomicFile.write(Path.of(file), content);
    }
  }

  @Override
  public void close() throws IOException {
    if (target != null) {
      target.close();
    }
  }
}
