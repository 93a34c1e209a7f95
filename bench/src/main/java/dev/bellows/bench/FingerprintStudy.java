package dev.bellows.bench;

import dev.bellows.bench.GrowthCurve.HeapCheck;
import dev.bellows.bench.GrowthCurve.Point;
import dev.bellows.bench.GrowthPauses.Pauses;
import dev.bellows.bench.GrowthTimes.Time;
import dev.bellows.bench.GrowthWire.Size;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Filters that grow, compared with one of a fixed size: writes growth.json and growth.md.
 *
 * <pre>
 * java -Xmx6g -cp bench/target/launcher/bellows.jar dev.bellows.bench.FingerprintStudy --max 1e8
 * </pre>
 *
 * {@code --max} is the number of keys to grow to (1e6 if it is not given), {@code --out} the folder
 * (docs/bench).
 */
public final class FingerprintStudy {
  private static final long PEER_KEYS = 1_000_000;

  /** All of a run, in the order of growth.json. */
  record Results(
      String date,
      long maxKeys,
      Map<String, String> machine,
      HeapCheck heap,
      List<Point> fingerprint,
      List<Point> scalable,
      Map<String, Point> peers,
      List<Size> wire,
      List<Time> queries,
      List<Time> puts,
      List<Time> threads,
      List<Pauses> pauses) {}

  private FingerprintStudy() {}

  /** Measures and writes both files. */
  public static void main(String[] arguments) throws IOException {
    long max = PEER_KEYS;
    Path out = Path.of("docs", "bench");
    for (int i = 0; i + 1 < arguments.length; i += 2) {
      switch (arguments[i]) {
        case "--max" -> max = (long) Double.parseDouble(arguments[i + 1]);
        case "--out" -> out = Path.of(arguments[i + 1]);
        default -> throw new IllegalArgumentException(arguments[i] + " is none of --max, --out");
      }
    }
    Results results = run(max);
    Files.createDirectories(out);
    Files.writeString(out.resolve("growth.json"), GrowthPage.json(results));
    String page = GrowthPage.text(results);
    Files.writeString(out.resolve("growth.md"), page);
    System.out.println(page);
  }

  static Results run(long max) throws IOException {
    long peerKeys = Math.min(max, PEER_KEYS);
    Map<String, Point> peers = new LinkedHashMap<>();
    // the accounts of the collector first, while little else is there
    HeapCheck heap = GrowthCurve.heap(peerKeys);
    double boxes = GrowthCurve.boxes(peerKeys);
    peers.put("pre-sized BLOCKED", GrowthCurve.at(new Grower.Presized(peerKeys), peerKeys));
    peers.put("Hadoop DynamicBloomFilter", GrowthCurve.at(Grower.hadoopRows(), peerKeys));
    peers.put("Commons LayeredBloomFilter", GrowthCurve.at(Grower.commonsLayers(), peerKeys));
    peers.put("HashSet<Long>", new Point(peerKeys, boxes, false, 0, Double.NaN));
    List<Time> queries = new ArrayList<>(GrowthTimes.queries(peerKeys, true));
    if (max > peerKeys) {
      queries.addAll(GrowthTimes.queries(max, false));
    }
    return new Results(
        LocalDate.now().toString(),
        max,
        Machine.facts(),
        heap,
        GrowthCurve.fingerprint(max),
        GrowthCurve.scalable(max),
        peers,
        GrowthWire.sizes(max),
        queries,
        GrowthTimes.puts((int) peerKeys),
        GrowthTimes.threads((int) peerKeys),
        GrowthPauses.decades(max));
  }
}
