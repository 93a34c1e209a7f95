import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.PartitionView;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Peers that route a search to where the document is, instead of flooding it (the second
 * application that the Partition paper names). Peers are the nodes of a tree, and their numbers of
 * documents differ by a factor of 500. For every neighbor a peer has a view of all documents that can
 * be reached over it: the union of the views of the peers there, which that neighbor made from what
 * its own neighbors told it.
 *
 * <p>A union of views accepts every document that one of them accepts, so that their rates add up.
 * Views are therefore made for the number of unions ({@code viewFpp}), and no union exceeds the
 * rate, however many peers there are behind a link.
 */
public final class PeerRouting {
  private static final int PEERS = 40;
  private static final long UNIVERSE = 1L << 32;
  private static final int DEPTH = 22;
  private static final double FPP = 0.01;
  private static final int SEARCHES = 2000;

  private final List<Set<Long>> documents = new ArrayList<>();
  private final List<List<Integer>> neighbors = new ArrayList<>();

  /** The views that a peer has of what lies behind each neighbor. */
  private final List<Map<Integer, PartitionView>> routes = new ArrayList<>();

  private long bytesOfViews;
  private double worst;

  public static void main(String[] arguments) throws IOException {
    PeerRouting net = new PeerRouting(new SplittableRandom(4));
    net.tell();
    net.search(new SplittableRandom(5));
  }

  private PeerRouting(SplittableRandom random) {
    for (int peer = 0; peer < PEERS; peer++) {
      int most = (int) (10 * Math.pow(500, random.nextDouble()));
      documents.add(new HashSet<>(random.longs(most, 0, UNIVERSE).boxed().toList()));
      neighbors.add(new ArrayList<>());
      routes.add(new HashMap<>());
      if (peer > 0) {
        int parent = random.nextInt(Math.max(0, peer - 6), peer);
        neighbors.get(peer).add(parent);
        neighbors.get(parent).add(peer);
      }
    }
  }

  /** Each peer tells each neighbor what can be reached over it, once it knows that itself. */
  private void tell() throws IOException {
    Deque<int[]> links = new ArrayDeque<>();
    for (int from = 0; from < PEERS; from++) {
      for (int to : neighbors.get(from)) {
        links.add(new int[] {from, to});
      }
    }
    while (!links.isEmpty()) {
      int[] link = links.remove();
      if (!tell(link[0], link[1])) {
        links.add(link);
      }
    }
  }

  private boolean tell(int from, int to) throws IOException {
    List<Integer> others = neighbors.get(from).stream().filter(n -> n != to).toList();
    if (!routes.get(from).keySet().containsAll(others)) {
      return false;
    }
    PartitionView reachable = own(from);
    for (int other : others) {
      reachable = reachable.union(routes.get(from).get(other));
    }
    byte[] message = reachable.toBytes();
    bytesOfViews += message.length;
    worst = Math.max(worst, reachable.expectedFpp());
    routes.get(to).put(from, PartitionView.fromBytes(message));
    return true;
  }

  private PartitionView own(int peer) {
    DynamicPartitionBloomFilter filter = DynamicPartitionBloomFilter.create(UNIVERSE, DEPTH, FPP);
    documents.get(peer).forEach(filter::putId);
    return filter.view(filter.plan().viewFpp(PEERS - 1));
  }

  private void search(SplittableRandom random) {
    long messages = 0;
    long needed = 0;
    long missed = 0;
    long inVain = 0;
    for (int i = 0; i < SEARCHES; i++) {
      int start = random.nextInt(PEERS);
      boolean exists = i % 2 == 0;
      List<Long> some = new ArrayList<>(documents.get(random.nextInt(PEERS)));
      long document =
          exists ? some.get(random.nextInt(some.size())) : random.nextLong(UNIVERSE);
      Set<Integer> found = new HashSet<>();
      int sent = route(document, start, -1, found);
      messages += sent;
      needed += exists ? distanceToAll(document, start, -1) : 0;
      inVain += exists ? 0 : sent;
      for (int peer = 0; peer < PEERS; peer++) {
        missed += documents.get(peer).contains(document) && !found.contains(peer) ? 1 : 0;
      }
    }
    long all = documents.stream().mapToLong(Set::size).sum();
    System.out.printf(
        "%d peers with %,d documents, from %,d to %,d each%n",
        PEERS,
        all,
        documents.stream().mapToInt(Set::size).min().orElseThrow(),
        documents.stream().mapToInt(Set::size).max().orElseThrow());
    System.out.printf(
        "%,d bytes of views over %d links in both directions; lists of ids: %,d bytes%n",
        bytesOfViews, PEERS - 1, (long) Long.BYTES * all * (PEERS - 1));
    System.out.printf("highest rate of a union of views: %.3f %%%n", 100 * worst);
    System.out.printf(
        "%,d searches, half of them for a document that no peer has: %,d messages%n",
        SEARCHES, messages);
    System.out.printf("  needed to reach all holders: %,d%n", needed);
    System.out.printf("  for documents that no peer has: %,d%n", inVain);
    System.out.printf("  with flooding: %,d%n", (long) SEARCHES * (PEERS - 1));
    System.out.printf("holders missed: %d%n", missed);
  }

  /** Forwards a search over the links whose view has the document; returns the messages. */
  private int route(long document, int peer, int from, Set<Integer> found) {
    if (documents.get(peer).contains(document)) {
      found.add(peer);
    }
    int messages = 0;
    for (int next : neighbors.get(peer)) {
      if (next != from && routes.get(peer).get(next).mightContainId(document)) {
        messages += 1 + route(document, next, peer, found);
      }
    }
    return messages;
  }

  /** The links of the smallest part of the tree that has this peer and all holders beyond it. */
  private int distanceToAll(long document, int peer, int from) {
    int links = 0;
    for (int next : neighbors.get(peer)) {
      if (next != from) {
        int beyond = distanceToAll(document, next, peer);
        boolean needed = beyond > 0 || documents.get(next).contains(document);
        links += needed ? beyond + 1 : 0;
      }
    }
    return links;
  }
}
