package dev.bellows.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The output of a run: results.json, index.md, the picture, and the lines of the README. */
final class RunFolder {
  private RunFolder() {}

  /** Writes it; the README of the project around the folder only after a run of everything. */
  static void write(Path folder, Run run, boolean everything) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("results.json"), run.json());
    Files.writeString(folder.resolve("index.md"), index(run));
    Files.writeString(folder.resolve("bench.svg"), Picture.of(run));
    Path readme = folder.toAbsolutePath().normalize().resolve("../../README.md").normalize();
    if (everything && Files.exists(readme)) {
      String text = Files.readString(readme);
      if (text.contains(Readme.BEGIN)) {
        Files.writeString(readme, Readme.replaced(text, run));
      }
    }
  }

  /** Returns the page of the run. */
  static String index(Run run) throws IOException {
    return new RunPages(run).markdown(resource("preamble.txt"));
  }

  /** Returns the text of a resource of this package. */
  static String resource(String name) throws IOException {
    try (InputStream in = RunFolder.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
