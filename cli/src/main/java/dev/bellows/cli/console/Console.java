package dev.bellows.cli.console;

import dev.bellows.internal.base.Prose;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The three streams of a command and what is known about them.
 *
 * @param in standard input, keys or a filter
 * @param out standard output, results only
 * @param err standard error, everything else
 * @param inTerminal whether a person types the input
 * @param outTerminal whether a person reads the output
 * @param errTerminal whether a person reads the messages
 * @param isPatient whether to wait for files that another process updates
 * @param isQuiet whether to print only warnings and errors
 */
public record Console(
    InputStream in,
    OutputStream out,
    PrintStream err,
    boolean inTerminal,
    boolean outTerminal,
    boolean errTerminal,
    boolean isPatient,
    boolean isQuiet) {
  /** The launcher lists the descriptors that are terminals here, as digits. */
  private static final String TERMINALS = "bellows.terminals";

  /** The root of the command line, from which every verb gets its streams. */
  public interface Owner {
    /** Returns the streams of the command. */
    Console console();
  }

  public Console(
      InputStream in,
      OutputStream out,
      PrintStream err,
      boolean inTerminal,
      boolean outTerminal,
      boolean errTerminal) {
    this(in, out, err, inTerminal, outTerminal, errTerminal, true, false);
  }

  /** The same streams for a command that does not wait. */
  public Console impatient() {
    return new Console(in, out, err, inTerminal, outTerminal, errTerminal, false, isQuiet);
  }

  /** The same streams for a command that prints only warnings and errors. */
  public Console quiet() {
    return new Console(in, out, err, inTerminal, outTerminal, errTerminal, isPatient, true);
  }

  /** The same streams with another input. */
  public Console reading(InputStream input) {
    return new Console(input, out, err, inTerminal, outTerminal, errTerminal, isPatient, isQuiet);
  }

  public static Console system() {
    String terminals = System.getProperty(TERMINALS, "");
    return new Console(
        new FileInputStream(FileDescriptor.in),
        new StandardOutput(new FileOutputStream(FileDescriptor.out)),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
        terminals.contains("0"),
        terminals.contains("1"),
        terminals.contains("2"));
  }

  /** Returns whether output may be colored: a terminal, and NO_COLOR is not set. */
  public boolean colours() {
    String refusal = System.getenv("NO_COLOR");
    return outTerminal && (refusal == null || refusal.isEmpty());
  }

  /** Standard input, protected from being closed by its reader. */
  public InputStream unclosedIn() {
    return new FilterInputStream(in) {
      @Override
      public void close() {}
    };
  }

  /** Prints a result. */
  public void print(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Prints a line that is not part of the result; a quiet command says only warnings. */
  public void note(String message, @Nullable Object... values) {
    if (!isQuiet || message.startsWith("warning: ")) {
      say(message, values);
    }
  }

  /** Prints lines that are not part of the result, unless it is quiet. */
  public void notePage(Object page) {
    if (!isQuiet) {
      err.print(page);
    }
  }

  /** Returns whether a bar may show the progress of long work. */
  public boolean showsProgress() {
    return errTerminal && !isQuiet;
  }

  /** Prints a warning or an error, on one line. */
  public void say(String message, @Nullable Object... values) {
    String line = Messages.of(message, values).strip().replaceAll("\\s*\\R\\s*", " ");
    err.println("bellows: " + Prose.visible(line)); // a file name may have control characters
  }
}
