package dev.bellows.spark.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.spark.LocalSpark;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** With stand-ins for the classes of Spark Connect; {@code ConnectTest} has real ones. */
class RemoteSessionTest {
  @Test
  void aRemoteSessionIsRefusedInOneSentence() {
    assertThatThrownBy(() -> RemoteSession.refuse("This", LocalSpark.session(), "remote"))
        .isExactlyInstanceOf(UnsupportedOperationException.class)
        .hasMessage(
            "This needs the driver's own session, not one of Spark Connect: start the server with"
                + " spark.sql.extensions=dev.bellows.spark.BellowsExtensions, call the SQL"
                + " functions, and set spark.bellows.join.enabled=true to filter joins");
  }

  @Test
  void theDriversOwnSessionAndItsRowsAreNot() {
    SparkSession session = LocalSpark.session();
    RemoteSession.refuse("This", session, session.range(1), session.newSession());
    assertThat(RemoteSession.isRemote(session.range(1).toDF().getClass())).isFalse();
  }
}
