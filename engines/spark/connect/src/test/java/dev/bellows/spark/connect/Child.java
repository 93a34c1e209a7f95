package dev.bellows.spark.connect;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process with a class path of its own. It ends when it is closed or when this process ends,
 * because then its standard input ends.
 */
final class Child implements AutoCloseable {
  /** Only against hangs, and less than the time limit of a test. */
  private static final long PATIENCE_MINUTES = 8;

  private final Process process;
  private final StringBuilder output = new StringBuilder();
  private final CompletableFuture<Matcher> found = new CompletableFuture<>();

  private Child(Process process, Pattern line) {
    this.process = process;
    Thread reader = new Thread(() -> read(line), "output of a child");
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts a process.
   *
   * @param folder where it keeps its files
   * @param line the line of its output that {@link #await} returns
   * @param properties as {@code name=value}
   */
  static Child start(
      Path folder,
      String classPath,
      Pattern line,
      List<String> properties,
      String main,
      String... arguments)
      throws IOException, URISyntaxException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith("--add-opens"))
            .toList());
    command.addAll(List.of("-Xmx768m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-Djava.io.tmpdir=" + folder);
    properties.forEach(property -> command.add("-D" + property));
    command.add("-cp");
    command.add(classPath + File.pathSeparator + classes());
    command.addAll(List.of(Child.class.getName(), main));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).directory(folder.toFile());
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    return new Child(builder.start(), line);
  }

  private static Path classes() throws URISyntaxException {
    return Path.of(Child.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private void read(Pattern line) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
      for (String text = lines.readLine(); text != null; text = lines.readLine()) {
        synchronized (output) {
          output.append(text).append('\n');
        }
        Matcher matcher = line.matcher(text);
        if (matcher.find()) {
          found.complete(matcher);
        }
      }
      throw new IllegalStateException("the process ended without " + line);
    } catch (IOException | RuntimeException e) {
      found.completeExceptionally(e);
    }
  }

  /** Returns the line once it is in the output. */
  Matcher await() throws Exception {
    try {
      return found.get(PATIENCE_MINUTES, TimeUnit.MINUTES);
    } catch (Exception e) {
      throw new IllegalStateException(output(), e);
    }
  }

  /** Returns what the process has printed so far. */
  String output() {
    synchronized (output) {
      return output.toString();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Runs a main class and ends with the parent process. */
  public static void main(String[] arguments) throws Exception {
    Thread watch = new Thread(Child::endWithInput, "watch of the parent");
    watch.setDaemon(true);
    watch.start();
    Class.forName(arguments[0])
        .getMethod("main", String[].class)
        .invoke(null, (Object) Arrays.copyOfRange(arguments, 1, arguments.length));
  }

  private static void endWithInput() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      Runtime.getRuntime().halt(1);
    }
  }
}
