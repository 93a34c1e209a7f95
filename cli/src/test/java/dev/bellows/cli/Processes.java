package dev.bellows.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Runs commands in separate processes. */
public final class Processes {
  /** The index of the argument that sets the heap size. */
  private static final int HEAP = 1;

  private Processes() {}

  /** Returns the command, not yet started, with both output streams merged. */
  public static ProcessBuilder bellows(Object... arguments) {
    return new ProcessBuilder(command(arguments)).redirectErrorStream(true);
  }

  /** The same with another heap size, e.g. 48m. */
  public static ProcessBuilder withHeap(String heap, Object... arguments) {
    List<String> command = command(arguments);
    command.set(HEAP, "-Xmx" + heap);
    return new ProcessBuilder(command).redirectErrorStream(true);
  }

  /** The same through another program, whose last arguments are the command. */
  public static ProcessBuilder through(List<String> program, Object... arguments) {
    List<String> command = new ArrayList<>(program);
    command.addAll(command(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true);
  }

  private static List<String> command(Object... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(Main.class.getName());
    Stream.of(arguments).map(Object::toString).forEach(command::add);
    return command;
  }

  /** The same for a process that receives signals, even if this one ignores them. */
  public static ProcessBuilder interruptible(Object... arguments)
      throws IOException, InterruptedException {
    List<String> reset = List.of("env", "--default-signal=INT,TERM");
    List<String> probe = new ArrayList<>(reset);
    probe.add("true");
    List<String> command = new ArrayList<>();
    if (new ProcessBuilder(probe).start().waitFor() == 0) {
      command.addAll(reset);
    }
    command.addAll(command(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true);
  }

  /** The temporary files of writers in a folder. */
  public static List<Path> parts(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.getFileName().toString().endsWith(".part")).toList();
    }
  }
}
