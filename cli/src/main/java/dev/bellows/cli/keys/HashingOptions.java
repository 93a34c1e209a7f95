package dev.bellows.cli.keys;

import dev.bellows.HashScheme;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Numbers;
import java.io.IOException;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How {@code build} hashes keys. */
public final class HashingOptions {
  @Option(
      names = "--seed",
      paramLabel = "S",
      converter = Numbers.Seed.class,
      description = "Seed of the hash; the file carries it (default: 0).")
  public @Nullable Long seed;

  @Option(
      names = "--random-seed",
      description =
          "A random seed, which the file carries: two filters then have different false positives.")
  boolean randomSeed;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description = "Hash with SipHash-2-4 under the secret key in FILE: " + SchemeOptions.FORMS)
  public @Nullable String keyFile;

  public HashScheme scheme() throws IOException {
    if (randomSeed && (seed != null || keyFile != null)) {
      throw new CommandFailure(
          "--random-seed, --seed and --key-file exclude each other: use only one of them");
    }
    if (seed != null && keyFile != null) {
      throw new CommandFailure(
          "--seed and --key-file exclude each other: a secret key needs no seed");
    }
    if (keyFile != null) {
      return SchemeOptions.keyed(keyFile);
    }
    if (randomSeed) {
      return HashScheme.xxh3(new SecureRandom().nextLong());
    }
    return seed == null ? HashScheme.DEFAULT : HashScheme.xxh3(seed);
  }
}
