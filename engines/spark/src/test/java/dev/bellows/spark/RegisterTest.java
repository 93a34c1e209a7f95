package dev.bellows.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A session without the extension that is given what the extension adds. */
class RegisterTest {
  private SparkSession plain;

  @BeforeEach
  void startWithoutExtension() {
    LocalSpark.stop();
    plain =
        SparkSession.builder()
            .master("local[1]")
            .config("spark.ui.enabled", false)
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.autoBroadcastJoinThreshold", -1)
            .config("spark.bellows.join.enabled", true)
            .getOrCreate();
  }

  @AfterEach
  void stop() {
    LocalSpark.stop();
  }

  /** The number of filters in the plan of a join. */
  private static int filters(SparkSession session) {
    SparkSession.setActiveSession(session);
    String plan =
        session
            .sql("SELECT * FROM range(3000) JOIN range(30) USING (id)")
            .queryExecution()
            .optimizedPlan()
            .toString();
    return plan.split("bellows_may_match", -1).length - 1;
  }

  @Test
  void joinsAreFilteredAsWithTheExtension() {
    assertThat(filters(plain)).isZero();
    SparkSession before = plain.newSession();
    BellowsFunctions.register(plain);
    BellowsFunctions.register(plain);
    assertThat(filters(plain)).isEqualTo(1);
    assertThat(plain.experimental().extraOptimizations().size()).isEqualTo(1);
    assertThat(filters(before)).isEqualTo(1);
    assertThat(filters(plain.newSession())).isEqualTo(1);
    assertThat(plain.sql("SELECT bellows_info(bellows_agg(id, 0.01)) FROM range(9)").count())
        .isEqualTo(1);
  }
}
