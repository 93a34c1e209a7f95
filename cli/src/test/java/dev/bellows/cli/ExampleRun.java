package dev.bellows.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Runs an example as documented: the source file, launched by the JVM, with the library on the
 * class path.
 */
public final class ExampleRun {
  /** The class path of a user of core. */
  private static final List<String> TYPES =
      List.of(
          "dev.bellows.BloomFilter",
          "dev.bellows.scalable.ScalableBloomFilter",
          "dev.bellows.durable.DurableFilter",
          "dev.bellows.partition.PartitionView",
          "dev.bellows.range.RangeBloomFilter",
          "dev.bellows.autoscale.BinarizedFilter",
          "com.dynatrace.hash4j.hashing.Hashing");

  /**
   * Options that shorten a short run. The collector is set because the serial one, the default on a
   * machine with one processor, leaves garbage in place that some programs would count.
   */
  public static final List<String> CHEAP = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseG1GC");

  private ExampleRun() {}

  /** Returns the output of the program, which must succeed. */
  static String of(String program, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(CHEAP);
    command.addAll(List.of("-Duser.language=en", "-cp", classPath()));
    command.add(Cli.ROOT.resolve("examples").resolve(program + ".java").toString());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  public static String classPath() throws URISyntaxException, ClassNotFoundException {
    Set<Path> places = new LinkedHashSet<>();
    for (String type : TYPES) {
      Class<?> found = Class.forName(type);
      places.add(Path.of(found.getProtectionDomain().getCodeSource().getLocation().toURI()));
    }
    return places.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }
}
