import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Two processes, each with a set of items, that bring each other up to date over a socket with few
 * bytes (Folding paper: filters in networks with scarce bandwidth). The first process starts the
 * second, runs five ways to do it, and prints what each sent, and the energy it took one node.
 */
public final class ThinLink {
  private final int items;
  private final int common;
  private final Method.Setting setting;
  private final Prices prices;

  /**
   * What a node pays. The defaults are of the order of a radio of IEEE 802.15.4 (some 17 mA at 3 V
   * and 250 kbit/s) and of a few instructions of a microcontroller: replace them by those of your
   * node.
   *
   * @param nanojoulesPerByte for a byte that is sent or received
   * @param nanojoulesPerRead for a cell of a filter that is read
   */
  private record Prices(double nanojoulesPerByte, double nanojoulesPerRead) {
    static final Prices DEFAULT = new Prices(1700, 1);

    double millijoules(long bytes, long cellsRead) {
      return (bytes * nanojoulesPerByte + cellsRead * nanojoulesPerRead) / 1e6;
    }
  }

  private ThinLink(int items, int common, long budget, long most, Prices prices) {
    if (items < 1 || common < 0 || common > items || most < items || budget < 100) {
      throw new IllegalArgumentException(
          "ITEMS COMMON BUDGET MOST: COMMON <= ITEMS <= MOST, and a BUDGET of at least 100 bytes");
    }
    if (!(prices.nanojoulesPerByte >= 0) || !(prices.nanojoulesPerRead >= 0)) {
      throw new IllegalArgumentException("prices are at least 0: " + prices);
    }
    this.items = items;
    this.common = common;
    this.setting = new Method.Setting(most, budget);
    this.prices = prices;
  }

  private static final String USAGE =
      "ThinLink [ITEMS COMMON BUDGET MOST [NANOJOULES_PER_BYTE NANOJOULES_PER_READ]]";

  /** Numbers as in the usage; the second process gets {@code PORT} and the port before them. */
  public static void main(String[] arguments) throws Exception {
    List<String> numbers = List.of(arguments);
    boolean isSecond = numbers.size() > 1 && numbers.get(0).equals("PORT");
    List<String> given = isSecond ? numbers.subList(2, numbers.size()) : numbers;
    List<String> own = given.isEmpty() ? List.of("4000", "3600", "4096", "40000") : given;
    if (own.size() != 4 && own.size() != 6) {
      throw new IllegalArgumentException(USAGE);
    }
    ThinLink peers =
        new ThinLink(
            Integer.parseInt(own.get(0)),
            Integer.parseInt(own.get(1)),
            Long.parseLong(own.get(2)),
            Long.parseLong(own.get(3)),
            own.size() == 4
                ? Prices.DEFAULT
                : new Prices(Double.parseDouble(own.get(4)), Double.parseDouble(own.get(5))));
    if (isSecond) {
      peers.second(Integer.parseInt(numbers.get(1)));
    } else {
      peers.first(own);
    }
  }

  private void first(List<String> numbers) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      server.setSoTimeout(60_000);
      Process other = start(server.getLocalPort(), numbers);
      try (Link link = new Link(server.accept(), true)) {
        System.out.printf(
            "Two processes, %,d items each, %,d of them in common; at most %,d items are planned for.%n",
            items, common, setting.most());
        System.out.printf(
            "A filter may take %,d bytes in a round. Bytes in both directions, cells of one node.%n",
            setting.budget());
        System.out.printf(
            "A node pays %s nJ for a byte that it sends or receives and %s nJ for a cell that it"
                + " reads.%n%n",
            prices.nanojoulesPerByte, prices.nanojoulesPerRead);
        System.out.printf(
            "%-24s %6s %9s %9s %7s %9s %9s %10s %9s%n",
            "", "rounds", "filters", "ids", "checks", "items", "in all", "cells read", "energy");
        for (Method method : Method.values()) {
          print(method, new Peer(link, items(1)).run(method, 1, setting), link);
        }
      } finally {
        if (other.waitFor() != 0) {
          throw new IllegalStateException("the second process failed");
        }
      }
    }
  }

  private void second(int port) throws IOException {
    try (Link link = new Link(new Socket(InetAddress.getLoopbackAddress(), port), false)) {
      for (Method method : Method.values()) {
        requireComplete(method, new Peer(link, items(2)).run(method, 2, setting));
      }
    }
  }

  private static Process start(int port, List<String> numbers) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(
            "-cp", System.getProperty("java.class.path"), "ThinLink", "PORT", String.valueOf(port)));
    command.addAll(numbers);
    return new ProcessBuilder(command).inheritIO().start();
  }

  /** The items of a peer: ids and what they stand for. */
  private Map<Long, String> items(int peer) {
    Map<Long, String> all = new TreeMap<>();
    add(all, new SplittableRandom(3), common);
    add(all, new SplittableRandom(peer), items);
    return all;
  }

  private static void add(Map<Long, String> all, SplittableRandom random, int size) {
    while (all.size() < size) {
      long id = random.nextLong();
      all.put(id, "reading %016x: %.3f degrees".formatted(id, 20 + 5 * random.nextDouble()));
    }
  }

  private void print(Method method, Peer.Result result, Link link) {
    requireComplete(method, result);
    long filters = link.take(Link.Topic.FILTERS);
    long ids = link.take(Link.Topic.IDS);
    long checks = link.take(Link.Topic.CHECKS);
    long sent = link.take(Link.Topic.ITEMS);
    // a filter larger than the budget takes the rounds that its bytes need
    long rounds = Math.max(result.rounds(), (filters / 2 + setting.budget() - 1) / setting.budget());
    long all = filters + ids + checks + sent;
    System.out.printf(
        "%-24s %,6d %,9d %,9d %,7d %,9d %,9d %,10d %,6.1f mJ   both have all %,d%n",
        method.words(),
        rounds,
        filters,
        ids,
        checks,
        sent,
        all,
        result.cellsRead(),
        prices.millijoules(all, result.cellsRead()),
        result.items());
  }

  private void requireComplete(Method method, Peer.Result result) {
    if (!result.complete() || result.items() != 2 * items - common) {
      throw new IllegalStateException(
          "%s ended with %d items of %d"
              .formatted(method, result.items(), 2 * items - common));
    }
  }
}
