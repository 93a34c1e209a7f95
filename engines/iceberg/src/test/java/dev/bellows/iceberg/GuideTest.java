package dev.bellows.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.pages.PageCode;
import java.nio.file.Path;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of docs/shrink-the-filters-in-your-parquet-files.md for Iceberg. */
class GuideTest {
  @TempDir Path folder;

  @Test
  void theCodeOfThePageFolds() throws Exception {
    Path root = Path.of(System.getProperty("bellows.root", ".."));
    String code =
        PageCode.blocks(
            root.resolve("docs/shrink-the-filters-in-your-parquet-files.md"), "java iceberg");
    assertThat(code).contains("FoldFilters");
    PartitionSpec spec = PartitionSpec.builderFor(TestTable.SCHEMA).identity("day").build();
    TestTable test = TestTable.create(folder.resolve("t"), 2, spec);
    PartitionData partition = new PartitionData(spec.partitionType());
    partition.set(0, 7);
    test.append(test.write(0, 500, 7, partition));
    long bytes = test.filterBytes();
    PageCode.run(
        folder,
        PageCode.page("", "org.apache.iceberg.Table table", "throws Exception", code),
        test.table());
    assertThat(test.filterBytes()).isLessThan(6 * bytes / 10);
    assertThat(test.ids()).hasSize(500);
    test.requireSound();
  }
}
