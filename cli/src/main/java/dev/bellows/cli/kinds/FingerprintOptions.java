package dev.bellows.cli.kinds;

import picocli.CommandLine.Option;

/** What {@code build --kind fingerprint} adds. */
public final class FingerprintOptions {
  @Option(
      names = "--removable",
      description =
          "Store every put, so that each can be removed once; without it the filter is a set, in"
              + " which repetitions take no memory.")
  boolean removable;
}
