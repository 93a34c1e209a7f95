package dev.bellows.cli;

import dev.bellows.HashScheme;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How {@code build} hashes keys. */
final class HashingOptions {
  @Option(
      names = "--seed",
      paramLabel = "S",
      converter = Numbers.Seed.class,
      description = "Seed of the hash; the file carries it (default: 0).")
  @Nullable Long seed;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = "Hash with SipHash-2-4 under the secret key in FILE: " + SchemeOptions.FORMS)
  @Nullable String keyFile;

  HashScheme scheme() throws IOException {
    if (seed != null && keyFile != null) {
      throw new CommandFailure(
          "--seed and --key-file exclude each other: a secret key needs no seed");
    }
    if (keyFile != null) {
      return SchemeOptions.keyed(keyFile);
    }
    return seed == null ? HashScheme.DEFAULT : HashScheme.xxh3(seed);
  }
}
