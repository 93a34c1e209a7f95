package dev.bellows.spark.connect;

import dev.bellows.spark.BellowsFunctions;
import dev.bellows.spark.BloomJoin;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** What a session of Spark Connect gets from the API that needs the driver. */
public final class Refusals {
  /** How the lines of {@link #main} begin. */
  static final String RESULT = "refused: ";

  /** The last line that {@link #main} prints. */
  static final String DONE = "refusals are complete";

  private Refusals() {}

  /** Prints the refusals in a process of its own. */
  public static void main(String[] arguments) throws Exception {
    Class.forName("org.apache.spark.sql.classic.Dataset"); // with classes of the driver
    of(session(arguments[0])).forEach(refusal -> System.out.println(RESULT + refusal));
    System.out.println(DONE);
    Runtime.getRuntime().halt(0);
  }

  /** Returns a new session; without the mode, classes of the driver would start a driver. */
  static SparkSession session(String url) {
    return SparkSession.builder().config("spark.api.mode", "connect").remote(url).create();
  }

  /** Returns the type and message of what each call throws. */
  static List<String> of(SparkSession session) {
    Dataset<Row> large = session.range(3000).toDF("k");
    Dataset<Row> small = session.range(0, 3000, 7).toDF("k");
    List<Runnable> calls =
        List.of(
            () -> BloomJoin.join(large, small, "inner", "k"),
            () -> BloomJoin.prefilter(large, small, "k"),
            () -> BloomJoin.prefilter(large, small, 0.01, "k"),
            () -> BellowsFunctions.register(session));
    List<String> refusals = new ArrayList<>();
    for (Runnable call : calls) {
      try {
        call.run();
        refusals.add("nothing is thrown");
      } catch (Throwable e) { // a missing class is an Error
        refusals.add(e.toString());
      }
    }
    return refusals;
  }
}
