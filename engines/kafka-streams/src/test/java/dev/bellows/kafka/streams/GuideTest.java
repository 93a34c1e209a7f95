package dev.bellows.kafka.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.pages.PageCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/de-duplicate-a-stream.md for Kafka Streams. */
class GuideTest {
  @TempDir Path folder;

  @Test
  void theCodeOfThePageDeduplicates() throws Exception {
    Path root = Path.of(System.getProperty("bellows.root", ".."));
    String code = PageCode.blocks(root.resolve("docs/de-duplicate-a-stream.md"), "java kafka");
    assertThat(code).contains("processValues");
    List<StreamsBuilder> built = new ArrayList<>();
    PageCode.run(
        folder,
        PageCode.page(
            "import java.util.List;\n",
            "List<StreamsBuilder> built",
            "throws Exception",
            code + "built.add(builder);\n"),
        built);
    try (TopologyTestDriver driver =
        new TopologyTestDriver(built.get(0).build(), Events.properties())) {
      var in = driver.createInputTopic("orders", new StringSerializer(), new StringSerializer());
      var out =
          driver.createOutputTopic(
              "orders-once", new StringDeserializer(), new StringDeserializer());
      long time = 1_800_000_000_000L;
      in.pipeInput("a", "order 17: tea", time);
      in.pipeInput("a", "order 18: milk", time + 1);
      in.pipeInput("a", "order 17: tea", time + 86_399_999);
      in.pipeInput("a", "order 19: late", time);
      in.pipeInput("a", "order 17: tea", time + 100_000_000);
      assertThat(out.readValuesToList())
          .containsExactly("order 17: tea", "order 18: milk", "order 17: tea");
    }
  }
}
