package dev.bellows.cli.keys;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.bellows.HashScheme;
import dev.bellows.cli.console.CommandFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The secret key of filters that were built with one. */
public final class SchemeOptions {
  public static final String FORMS = "16 raw bytes (no line end) or 32 hex digits.";

  private static final int KEY_BYTES = 16;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description =
          "The secret key that the filter was built with: "
              + FORMS
              + " Default: the file next to the filter with the same name and .key, as uniq"
              + " --state makes it.")
  public @Nullable String keyFile;

  /** Returns the keyed scheme, or null if no key was given. */
  public @Nullable HashScheme scheme() throws IOException {
    return keyFile == null ? null : keyed(keyFile);
  }

  /** Returns the scheme with the secret key of a file. */
  public static HashScheme keyed(String file) throws IOException {
    return HashScheme.sipHash(key(file));
  }

  /** Returns the scheme with a random secret key, which is kept nowhere. */
  public static HashScheme random() {
    return HashScheme.sipHash(randomKey());
  }

  private static byte[] randomKey() {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    return key;
  }

  /** Returns the file next to a filter that holds its secret key: its name and {@code .key}. */
  public static Path beside(String file) {
    Path path = Path.of(file).toAbsolutePath().normalize();
    return path.resolveSibling(path.getFileName() + ".key");
  }

  /**
   * Returns the file next to a new filter that holds its secret key. If it is missing, it is
   * created with a random key, for its owner alone.
   */
  public static Path makeBeside(String filter) throws IOException {
    Path file = beside(filter);
    boolean isPosix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] owners =
        isPosix
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    String line = HexFormat.of().formatHex(randomKey()) + "\n";
    try (FileChannel out = FileChannel.open(file, Set.of(CREATE_NEW, WRITE), owners)) {
      out.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII)));
      out.force(true);
    } catch (FileAlreadyExistsException e) {
      // of an earlier run that failed, or made by the user
    }
    return file;
  }

  private static byte[] key(String file) throws IOException {
    byte[] content;
    try (var in = Files.newInputStream(Path.of(file))) {
      content = in.readNBytes(1024);
    }
    String text = new String(content, StandardCharsets.ISO_8859_1);
    if (content.length == KEY_BYTES) {
      if (text.matches("[ -~]*\r?\n")) { // printable text, which 16 random bytes are not
        throw new CommandFailure(
            "key file %s has 16 bytes only with the end of its line: write 16 raw "
                + "bytes without one, or 32 hex digits, e.g. with openssl rand -hex 16",
            file);
      }
      return content;
    }
    String digits = text.strip();
    if (digits.matches("[0-9a-fA-F]{32}")) {
      return HexFormat.of().parseHex(digits);
    }
    throw new CommandFailure(
        "key file %s has %s%d bytes and is not a key: write 16 raw bytes or 32 "
            + "hex digits, e.g. with openssl rand -hex 16",
        file, content.length == 1024 ? "at least " : "", content.length);
  }
}
