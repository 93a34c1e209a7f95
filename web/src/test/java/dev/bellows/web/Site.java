package dev.bellows.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the page and its parts lie. */
final class Site {
  private static final Path ROOT = Path.of(System.getProperty("bellows.root", ".."));

  private Site() {}

  static Path path(String relative) {
    return ROOT.resolve(relative).toAbsolutePath().normalize();
  }

  /** The page as the build makes it. */
  static Path page() {
    return path("web/target/site/index.html");
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
