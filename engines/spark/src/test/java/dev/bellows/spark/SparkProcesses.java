package dev.bellows.spark;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A Spark master and two workers on loopback, each a process of its own, over a SPARK_HOME that is
 * made of the jars of this process's class path.
 */
final class StandaloneCluster implements AutoCloseable {
  private static final Pattern MASTER = Pattern.compile("Starting Spark master at (spark://\\S+)");
  private static final Pattern REGISTERED = Pattern.compile("Successfully registered with master");
  private static final List<String> WORKERS = List.of("worker-1", "worker-2");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Path home;
  private final Map<String, Process> members = new LinkedHashMap<>();
  private final List<String> folders = new ArrayList<>();
  private String url = "";

  private StandaloneCluster(Path home) {
    this.home = home;
  }

  static StandaloneCluster start(Path home) throws Exception {
    StandaloneCluster cluster = new StandaloneCluster(home);
    try {
      cluster.assembleHome();
      cluster.launch("master", "org.apache.spark.deploy.master.Master");
      cluster.url = cluster.await("master", MASTER).group(1);
      for (String worker : WORKERS) {
        String work = Files.createDirectories(home.resolve(worker)).toString();
        String[] size = {"--cores", "1", "--memory", "700M", "--work-dir", work, cluster.url};
        cluster.launch(worker, "org.apache.spark.deploy.worker.Worker", size);
      }
      for (String worker : WORKERS) {
        cluster.await(worker, REGISTERED);
      }
      return cluster;
    } catch (Exception | Error e) {
      cluster.close();
      throw e;
    }
  }

  String url() {
    return url;
  }

  /** The class folders, which no directory of jars can hold. */
  String folders() {
    return String.join(File.pathSeparator, folders);
  }

  private void assembleHome() throws IOException {
    Path jars = Files.createDirectories(home.resolve("jars"));
    StringTokenizer entries =
        new StringTokenizer(System.getProperty("java.class.path"), File.pathSeparator);
    while (entries.hasMoreTokens()) {
      Path path = Path.of(entries.nextToken());
      if (Files.isDirectory(path)) {
        folders.add(path.toAbsolutePath().toString());
      } else if (Files.exists(path) && !Files.exists(jars.resolve(path.getFileName()))) {
        Files.createSymbolicLink(jars.resolve(path.getFileName()), path.toAbsolutePath());
      }
    }
    Files.writeString(
        Files.createDirectories(home.resolve("conf")).resolve("log4j2.properties"),
        """
        rootLogger.level = info
        rootLogger.appenderRef.console.ref = console
        appender.console.type = Console
        appender.console.name = console
        appender.console.target = SYSTEM_ERR
        appender.console.layout.type = PatternLayout
        appender.console.layout.pattern = %d{HH:mm:ss} %p %c{1}: %m%n
        """);
  }

  private void launch(String name, String mainClass, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith("--add-opens"))
            .toList());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-Dlog4j2.configurationFile=" + home.resolve("conf/log4j2.properties"));
    command.addAll(List.of("-cp", home.resolve("jars/*") + File.pathSeparator + folders()));
    command.addAll(List.of(ClusterMember.class.getName(), mainClass));
    command.addAll(List.of("--host", "127.0.0.1", "--port", "0", "--webui-port", "0"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log(name).toFile());
    builder.environment().put("SPARK_HOME", home.toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    members.put(name, builder.start());
  }

  private Path log(String name) {
    return home.resolve(name + ".log");
  }

  /** The line in the log of a member, which must live until then. */
  private Matcher await(String name, Pattern line) throws Exception {
    Process member = members.get(name);
    Path log = log(name);
    Instant end = Instant.now().plus(PATIENCE);
    boolean hasEnded = false;
    while (!hasEnded && Instant.now().isBefore(end)) {
      hasEnded = member.waitFor(100, TimeUnit.MILLISECONDS);
      Matcher found = line.matcher(Files.readString(log));
      if (found.find()) {
        return found;
      }
    }
    throw new IllegalStateException(line + " is not in " + log + ":\n" + Files.readString(log));
  }

  /** The executors that run now: the workers' children. */
  List<ProcessHandle> executors() {
    return members.values().stream()
        .flatMap(member -> member.toHandle().descendants())
        .filter(ProcessHandle::isAlive)
        .collect(Collectors.toList());
  }

  @Override
  public void close() {
    List<ProcessHandle> all = new ArrayList<>(executors());
    members.values().forEach(member -> all.add(0, member.toHandle()));
    all.forEach(ProcessHandle::destroyForcibly);
    all.forEach(process -> process.onExit().join());
  }
}
