package dev.bellows.cli.kinds;

import dev.bellows.Filter;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Console;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.growth.FingerprintFilter.PrefixStream;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.PathInput;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A part that arrived.
 *
 * @param filter the filter in it
 * @param prefixes how much of it came, if it is of kind fingerprint, which may end early; else null
 */
public record ReceivedPart(Filter filter, @Nullable PrefixStream prefixes) {
  /** More than any header takes, and the whole of a small filter. */
  private static final int HEADER_BYTES = 1 << 16;

  /** Reads a part; only one of kind fingerprint may end early. */
  public static ReceivedPart read(Console console, String file) throws IOException {
    if (!file.equals("-") && !Files.isRegularFile(Path.of(file))) {
      return new ReceivedPart(FilterFiles.read(console, file, null), null);
    }
    try (InputStream in =
        new BufferedInputStream(
            file.equals("-") ? console.unclosedIn() : PathInput.open(Path.of(file)))) {
      if (isFingerprint(in)) {
        PrefixStream arrived = PrefixStream.readFrom(in, ReadOptions.UNLIMITED);
        return new ReceivedPart(arrived.filter(), arrived);
      }
      Console rest = console.reading(in);
      return new ReceivedPart(
          FilterFiles.read(file.equals("-") ? rest : console, file, null), null);
    } catch (FilterFormatException e) {
      throw new CommandFailure(
          NamedFiles.name(file)
              + ": "
              + e.getMessage()
              + "; of a fingerprint filter at least the first part, all leading bits, must have"
              + " arrived",
          e);
    }
  }

  /** Returns whether the header of a file is that of a fingerprint filter, which may end early. */
  static boolean isFingerprint(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream in = new BufferedInputStream(PathInput.open(file))) {
      return isFingerprint(in);
    }
  }

  /** The same for a stream with marks, which stays where it is. */
  static boolean isFingerprint(InputStream in) throws IOException {
    in.mark(HEADER_BYTES);
    try {
      return FilterReader.open(in, ReadOptions.UNLIMITED).header().kind() == FilterKind.FINGERPRINT;
    } catch (FilterFormatException e) {
      return false; // reading it as a filter reports what is wrong
    } finally {
      in.reset();
    }
  }
}
