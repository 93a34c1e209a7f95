import dev.bellows.BloomFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Peers that search each other's documents by keywords, all of which must occur (the
 * applications that the Range thesis begins with).
 *
 * <p>Every peer has a directory of all peers: a filter of the words of each one's documents. A
 * search for several words is sent only to peers whose filter contains all of them.
 *
 * <p>If the index is divided by words instead, one peer has the list of documents of the first
 * word and another one that of the second. To find the documents with both, the first sends a
 * filter of its list, the second answers with those of its own list that pass, and the first
 * drops false positives: the result is exact.
 */
public final class PeerDirectory {
  private static final int PEERS = 100;
  private static final int DOCUMENTS_PER_PEER = 20;
  private static final int WORDS_PER_DOCUMENT = 40;
  private static final int WORDS = 30_000;
  private static final int SEARCHES = 300;
  private static final double FPP = 0.01;

  /** The words of a document, and the peer that has it. */
  private record Document(int id, int peer, Set<String> words) {}

  public static void main(String[] arguments) throws IOException {
    SplittableRandom random = new SplittableRandom(3);
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < PEERS * DOCUMENTS_PER_PEER; i++) {
      Set<String> words = new HashSet<>();
      while (words.size() < WORDS_PER_DOCUMENT) {
        // frequent words have low numbers
        words.add("word" + (long) Math.pow(WORDS, random.nextDouble()));
      }
      documents.add(new Document(i, i / DOCUMENTS_PER_PEER, words));
    }
    directory(documents, random);
    index(documents, random);
  }

  /** Queries the peers whose filter contains all words of a search. */
  private static void directory(List<Document> documents, SplittableRandom random)
      throws IOException {
    List<BloomFilter> peers = new ArrayList<>();
    long filterBytes = 0;
    long listBytes = 0;
    for (int peer = 0; peer < PEERS; peer++) {
      Set<String> words = new HashSet<>();
      for (Document document : documentsOf(documents, peer)) {
        words.addAll(document.words());
      }
      BloomFilter filter = BloomFilter.create(words.size(), FPP);
      words.forEach(filter::put);
      byte[] sent = filter.toBytes();
      peers.add(BloomFilter.fromBytes(sent));
      filterBytes += sent.length;
      listBytes += words.stream().mapToLong(word -> word.length() + 1).sum();
    }
    long asked = 0;
    long useful = 0;
    long missed = 0;
    for (int i = 0; i < SEARCHES; i++) {
      List<String> search = wordsOf(documents.get(random.nextInt(documents.size())), random, 3);
      for (int peer = 0; peer < PEERS; peer++) {
        boolean has =
            documentsOf(documents, peer).stream().anyMatch(d -> d.words().containsAll(search));
        boolean ask = search.stream().allMatch(peers.get(peer)::mightContain);
        asked += ask ? 1 : 0;
        useful += ask && has ? 1 : 0;
        missed += has && !ask ? 1 : 0;
      }
    }
    System.out.printf(
        "directory of %d peers: %,d bytes of filters, %,d bytes of words%n",
        PEERS, filterBytes, listBytes);
    System.out.printf(
        "%d searches for 3 words: %,d of %,d peers asked, %,d of them with a document; missed: %d%n",
        SEARCHES, asked, SEARCHES * PEERS, useful, missed);
  }

  private static List<Document> documentsOf(List<Document> documents, int peer) {
    return documents.subList(peer * DOCUMENTS_PER_PEER, (peer + 1) * DOCUMENTS_PER_PEER);
  }

  private static List<String> wordsOf(Document document, SplittableRandom random, int count) {
    List<String> words = new ArrayList<>(document.words());
    words.sort(null);
    List<String> some = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      some.add(words.remove(random.nextInt(words.size())));
    }
    return some;
  }

  /** Finds the documents with both words, of which two peers have one list each. */
  private static void index(List<Document> documents, SplittableRandom random)
      throws IOException {
    long filters = 0;
    long answers = 0;
    long lists = 0;
    long passed = 0;
    long found = 0;
    int wrong = 0;
    for (int i = 0; i < SEARCHES; i++) {
      List<String> search = wordsOf(documents.get(random.nextInt(documents.size())), random, 2);
      List<Integer> first = documentsWith(documents, search.get(0));
      List<Integer> second = documentsWith(documents, search.get(1));
      // the shorter list goes first, as a filter
      List<Integer> shorter = first.size() <= second.size() ? first : second;
      List<Integer> longer = first.size() <= second.size() ? second : first;
      BloomFilter filter = BloomFilter.create(shorter.size(), FPP);
      shorter.forEach(filter::put);
      byte[] sent = filter.toBytes();
      BloomFilter received = BloomFilter.fromBytes(sent);
      List<Integer> candidates = longer.stream().filter(received::mightContain).toList();
      Set<Integer> both = new HashSet<>(candidates);
      both.retainAll(new HashSet<>(shorter));
      Set<Integer> exact = new HashSet<>(first);
      exact.retainAll(new HashSet<>(second));
      filters += sent.length;
      answers += (long) Long.BYTES * candidates.size();
      lists += (long) Long.BYTES * (shorter.size() + exact.size());
      passed += candidates.size();
      found += both.size();
      wrong += both.equals(exact) ? 0 : 1;
    }
    System.out.printf(
        "%d searches for 2 words in lists: %,d documents passed a filter, %,d have both words%n",
        SEARCHES, passed, found);
    System.out.printf(
        "  %,d bytes of filters and %,d of answers; with lists instead of filters: %,d in all%n",
        filters, answers, lists);
    System.out.printf("  searches with another result than an exact one: %d%n", wrong);
  }

  private static List<Integer> documentsWith(List<Document> documents, String word) {
    return documents.stream().filter(d -> d.words().contains(word)).map(Document::id).toList();
  }
}
