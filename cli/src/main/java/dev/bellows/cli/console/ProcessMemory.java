package dev.bellows.cli.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The memory of this process as the operating system counts it. */
public final class ProcessMemory {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Pattern PEAK = Pattern.compile("(?m)^VmHWM:\\s*(\\d+) kB$");

  private ProcessMemory() {}

  /**
   * Returns the maximum number of bytes that were resident at one time; empty if the system does
   * not report it.
   */
  public static OptionalLong peakBytes() {
    try {
      return Files.isReadable(STATUS) ? peakBytes(Files.readString(STATUS)) : OptionalLong.empty();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  static OptionalLong peakBytes(String status) {
    Matcher peak = PEAK.matcher(status);
    return peak.find()
        ? OptionalLong.of(1024 * Long.parseLong(peak.group(1)))
        : OptionalLong.empty();
  }
}
