package dev.bellows;

import java.nio.file.Path;

/** The root of the checkout, for files that are not resources. */
public final class Repository {
  private Repository() {}

  public static Path path(String relative) {
    return Path.of(System.getProperty("bellows.root", "..")).resolve(relative);
  }
}
