package dev.bellows.cli.verbs;

import dev.bellows.cli.console.CommandFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * The work of a verb that another module provides as a service: the papers and the benchmarks need
 * libraries that the command line itself does not have.
 */
public interface Study {
  /** The verb it does the work of. */
  String verb();

  /** Does the work. */
  Report run(Request request, Steps steps) throws IOException;

  /**
   * The request.
   *
   * @param out the folder for what is written, or null if none was given
   * @param only the beginning of the names to do, or null for all
   * @param quick whether a short run is enough
   */
  record Request(@Nullable Path out, @Nullable String only, boolean quick) {}

  /**
   * The result.
   *
   * @param fields the JSON object
   * @param text the same for a person
   * @param success whether every check held
   */
  record Report(Map<String, ?> fields, String text, boolean success) {}

  /** Receives progress, from any thread. */
  interface Steps {
    /** The number of steps in all is known. */
    void total(int steps);

    /** One more step is done. */
    void done(String step);
  }

  /** Returns the study for a verb. */
  static Study of(String verb) {
    for (Study study : ServiceLoader.load(Study.class)) {
      if (study.verb().equals(verb)) {
        return study;
      }
    }
    throw new CommandFailure(
        "%s is not in this jar: run ./bellows %s in a checkout, which builds it", verb, verb);
  }
}
