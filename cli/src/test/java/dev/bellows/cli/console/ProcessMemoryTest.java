package dev.bellows.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The peak of a process, as its operating system counts it. */
class ProcessMemoryTest {
  @Test
  void thePeakIsReadFromTheStatusOfTheProcess() {
    assertThat(ProcessMemory.peakBytes("Name:\tjava\nVmPeak:\t 9 kB\nVmHWM:\t  195000 kB\nX: 1\n"))
        .hasValue(1024L * 195_000);
    assertThat(ProcessMemory.peakBytes("Name:\tjava\n")).isEmpty();
    assertThat(ProcessMemory.peakBytes("VmHWM:\t many kB\n")).isEmpty();
  }

  @Test
  void itIsAtLeastTheHeapInUse() {
    if (Files.isReadable(Path.of("/proc/self/status"))) {
      assertThat(ProcessMemory.peakBytes()).isPresent();
      assertThat(ProcessMemory.peakBytes().getAsLong()).isGreaterThan(10_000_000);
    } else {
      assertThat(ProcessMemory.peakBytes()).isEmpty();
    }
  }
}
