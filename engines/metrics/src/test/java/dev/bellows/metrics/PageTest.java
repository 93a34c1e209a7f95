package dev.bellows.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.pages.PageCode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page about production: its code is compiled and run, and its meters are those it made. */
class PageTest {
  private static final Path PAGE =
      Path.of(System.getProperty("bellows.root"), "docs/in-production.md");

  @TempDir Path folder;

  @Test
  void theCodeBindsTheMetersOfTheTable() throws Exception {
    String code = PageCode.blocks(PAGE, "java metrics");
    assertThat(code).isNotEmpty();
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    PageCode.run(
        folder,
        PageCode.page(
            "",
            "dev.bellows.Filter filter, io.micrometer.core.instrument.MeterRegistry registry",
            "",
            code),
        BloomFilter.create(1000, 0.01),
        registry);
    String page = Files.readString(PAGE);
    assertThat(registry.getMeters())
        .extracting(meter -> meter.getId().getName())
        .isNotEmpty()
        .allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
  }
}
