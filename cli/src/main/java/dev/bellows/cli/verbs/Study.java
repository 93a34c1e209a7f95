package dev.bellows.cli.verbs;

import dev.bellows.cli.console.CommandFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Long work behind a verb that another module brings, found as a service: the papers and the
 * benchmarks come with libraries that the command line itself does not carry.
 */
public interface Study {
  /** The verb it does the work of. */
  String verb();

  /** Does the work. */
  Report run(Request request, Steps steps) throws IOException;

  /**
   * What was asked for.
   *
   * @param out the folder for what is written, or null if none was given
   * @param only the beginning of the names to do, or null for all
   * @param quick whether a short look will do
   */
  record Request(@Nullable Path out, @Nullable String only, boolean quick) {}

  /**
   * What came of it.
   *
   * @param fields the JSON object
   * @param text the same for a person
   * @param success whether every check held
   */
  record Report(Map<String, ?> fields, String text, boolean success) {}

  /** Is told of progress, from any thread. */
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
        "%s is not in this jar: run ./bellows %s in a checkout, which builds it"
            .formatted(verb, verb));
  }
}
