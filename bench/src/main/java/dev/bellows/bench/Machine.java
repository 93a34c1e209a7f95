package dev.bellows.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** Where a run takes place: the processor, the JDK, the versions of the libraries. */
final class Machine {
  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

  private Machine() {}

  static Map<String, String> facts() throws IOException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("processor", processor());
    facts.put("cores", Runtime.getRuntime().availableProcessors() + " cores");
    facts.put("jdk", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    return facts;
  }

  private static String processor() throws IOException {
    if (Files.isReadable(PROCESSORS)) {
      for (String line : Files.readAllLines(PROCESSORS)) {
        if (line.startsWith("model name")) {
          return line.substring(line.indexOf(':') + 1).strip();
        }
      }
    }
    return System.getProperty("os.arch");
  }

  static Map<String, String> versions() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Machine.class.getResourceAsStream("versions.properties")) {
      properties.load(in);
    }
    Map<String, String> versions = new TreeMap<>();
    properties.forEach((name, version) -> versions.put(String.valueOf(name), version.toString()));
    return versions;
  }
}
