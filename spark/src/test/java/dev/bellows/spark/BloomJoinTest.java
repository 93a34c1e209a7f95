package dev.bellows.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.spark.internal.SharedFilter;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

class BloomJoinTest {
  private final SparkSession spark = LocalSpark.session();

  private static List<String> sorted(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(Row::toString).sorted().toList();
  }

  @Test
  void theJoinIsTheSameAndTheLargeSideSmall() {
    Dataset<Row> small = spark.sql("SELECT cast(id * 50 AS INT) AS k, id AS s FROM range(0, 2000)");
    Dataset<Row> large =
        spark.sql("SELECT id AS k, concat('r', id) AS l FROM range(0, 200000, 1, 6)");
    int readsBefore = SharedFilter.reads();
    Dataset<Row> likely = BloomJoin.prefilter(large, small, "k");
    assertThat(likely.count()).isBetween(2000L, 2000L + 2 * 1980L);
    assertThat(SharedFilter.reads() - readsBefore).as("once for six tasks").isEqualTo(1);
    assertThat(sorted(likely.join(small, "k"))).isEqualTo(sorted(large.join(small, "k")));
    assertThat(BloomJoin.prefilter(large, small, 1e-5, "k").count())
        .isLessThanOrEqualTo(likely.count());
  }

  @Test
  void severalKeysAreOneKey() {
    Dataset<Row> small = spark.sql("SELECT id AS a, concat('b', id) AS b FROM range(0, 500)");
    Dataset<Row> large =
        spark.sql(
            "SELECT if(id = 7, NULL, id) AS a, concat('b', id + id % 2) AS b"
                + " FROM range(0, 500, 1, 2)");
    Dataset<Row> likely = BloomJoin.prefilter(large, small, 1e-4, "a", "b");
    assertThat(likely.count()).as("but for even ids no pair matches").isBetween(250L, 252L);
    List<String> keys = List.of("a", "b");
    assertThat(sorted(likely.join(small, keys.toArray(String[]::new))))
        .isEqualTo(sorted(large.join(small, keys.toArray(String[]::new))));
  }

  @Test
  void anEmptySideLeavesNothing() {
    Dataset<Row> large = spark.sql("SELECT id AS k FROM range(100)");
    assertThat(BloomJoin.prefilter(large, large.limit(0), "k").count()).isZero();
  }

  @Test
  void keysThatHashDifferentlyAreRefused() {
    Dataset<Row> large = spark.sql("SELECT id AS k FROM range(10)");
    Dataset<Row> small = spark.sql("SELECT cast(id AS STRING) AS k FROM range(10)");
    assertThatThrownBy(() -> BloomJoin.prefilter(large, small, "k"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hashed as long on the large side and as text on the small side");
    assertThatThrownBy(() -> BloomJoin.prefilter(large, small))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least one key");
  }
}
