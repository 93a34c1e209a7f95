package dev.bellows.cli.console;

import dev.bellows.internal.base.Prose;
import dev.bellows.redis.SharedFilterException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns failures into one line and an exit code. */
public final class Failures {
  private Failures() {}

  /** Reports an invalid command line. */
  public static int usage(Console console, ParameterException e, String[] arguments) {
    if (e.getCause() instanceof CommandFailure failure) {
      return execution(console, failure, arguments); // an argument that cannot be opened
    }
    CommandSpec spec = e.getCommandLine().getCommandSpec();
    console.say(complaint(e, spec, arguments) + " (see: " + spec.qualifiedName(" ") + " --help)");
    trace(console, e, arguments);
    return Verb.BAD;
  }

  private static String complaint(ParameterException e, CommandSpec spec, String[] arguments) {
    if (e instanceof UnmatchedArgumentException unmatched) {
      String word = unmatched.getUnmatched().get(0);
      if (unmatched.isUnknownOption()) {
        return unknownOption(word, spec);
      }
      String what = spec.subcommands().isEmpty() ? "unexpected argument '" : "unknown verb '";
      return what + word + "'" + near(word, spec.subcommands().keySet());
    }
    String misspelled = e instanceof MissingParameterException ? misspelled(spec, arguments) : null;
    if (misspelled != null) {
      return unknownOption(misspelled, spec);
    }
    String message = String.valueOf(e.getMessage());
    return message.startsWith("Error: ") ? message.substring("Error: ".length()) : message;
  }

  private static String unknownOption(String argument, CommandSpec spec) {
    List<String> options =
        spec.options().stream()
            .filter(option -> !option.hidden())
            .flatMap(option -> Arrays.stream(option.names()))
            .filter(option -> option.startsWith("--"))
            .toList();
    return "Unknown option: '" + argument + "'" + near(name(argument), options);
  }

  private static String near(String word, Collection<String> known) {
    List<String> near = Spelling.near(word, known);
    return near.isEmpty() ? "" : "; did you mean " + Messages.list(near, "or") + "?";
  }

  private static String name(String argument) {
    return argument.split("=", 2)[0];
  }

  /**
   * Returns an unknown option, or null if there is none: if another one is missing, a misspelled
   * option is the more likely reason.
   */
  private static @Nullable String misspelled(CommandSpec spec, String[] arguments) {
    return Arrays.stream(arguments)
        .takeWhile(argument -> !argument.equals("--"))
        .map(Failures::name)
        .filter(name -> name.matches("--[a-z][a-z-]*") && !spec.optionsMap().containsKey(name))
        .findFirst()
        .orElse(null);
  }

  /** Reports a command that failed. */
  public static int execution(Console console, Throwable e, String[] arguments) {
    if (e instanceof StandardOutput.ReaderGone) {
      return Verb.OK;
    }
    console.say(message(e));
    trace(console, e, arguments);
    return Verb.BAD;
  }

  private static void trace(Console console, Throwable e, String[] arguments) {
    if (List.of(arguments).contains("--debug")) {
      e.printStackTrace(console.err());
    }
  }

  /** Throws what another thread failed with, if it did. */
  public static void rethrow(@Nullable Throwable failure) throws IOException {
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
    if (failure != null) {
      throw new IllegalStateException(failure);
    }
  }

  /** Whether a path was an address such as s3a://bucket/file; a path keeps one of its slashes. */
  private static boolean isUrl(String file) {
    return file.matches("[A-Za-z][A-Za-z0-9+.-]+:/(?!/).*");
  }

  public static String message(Throwable e) {
    if (e instanceof UncheckedIOException && e.getCause() != null) {
      return message(e.getCause());
    }
    if (e instanceof NoSuchFileException missing) {
      String file = missing.getFile();
      return "no such file: " + file + (isUrl(file) ? ": copy it to this machine first" : "");
    }
    if (e instanceof AccessDeniedException denied) {
      return "no permission: "
          + denied.getFile()
          + (denied.getReason() == null ? "" : ": " + denied.getReason());
    }
    if (e instanceof FileSystemException file) {
      return file.getReason() == null
          ? file.getMessage()
          : file.getFile() + ": " + file.getReason();
    }
    if (e instanceof OutOfMemoryError || e.getCause() instanceof OutOfMemoryError) {
      return "not enough memory ("
          + Prose.bytes(Runtime.getRuntime().maxMemory())
          + " of heap): give more, for instance BELLOWS_JAVA_OPTS=-Xmx8g";
    }
    boolean expected =
        e instanceof CommandFailure
            || e instanceof SharedFilterException
            || e instanceof IOException
            || e instanceof IllegalArgumentException
            || e instanceof IllegalStateException;
    return expected && e.getMessage() != null
        ? e.getMessage()
        : "internal error: " + e + " (run it again with --debug and report the trace)";
  }
}
