import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Two web caches that inform each other about their content. Each keeps a counting filter, from
 * which pages are removed when they are evicted, and ships its bits now and then; a cache that
 * misses a page looks into the other's summary before it goes to the origin.
 */
public final class CacheSummaries {
  private static final int PAGES_HELD = 2000;
  private static final int PAGES_IN_ALL = 20_000;
  private static final int REQUESTS = 100_000;
  private static final int REQUESTS_PER_SUMMARY = 500;

  /** A cache that evicts the least recently used page. */
  private static final class Cache {
    final CountingBloomFilter held = CountingBloomFilter.create(PAGES_HELD, 0.01);
    final Map<String, Boolean> pages =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            boolean evict = size() > PAGES_HELD;
            if (evict) {
              held.remove(eldest.getKey());
            }
            return evict;
          }
        };

    void store(String page) {
      if (pages.put(page, true) == null) {
        held.put(page);
      }
    }

    /** The summary for the other cache: one bit for each counter. */
    byte[] summary() {
      return held.toBloomFilter().toBytes();
    }
  }

  public static void main(String[] arguments) throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    Cache[] caches = {new Cache(), new Cache()};
    BloomFilter[] summaryOfOther = new BloomFilter[2];
    long shipped = 0;
    int local = 0;
    int fromPeer = 0;
    int askedInVain = 0;
    int notAsked = 0;
    for (int i = 0; i < REQUESTS; i++) {
      if (i % REQUESTS_PER_SUMMARY == 0) {
        for (int c = 0; c < 2; c++) {
          byte[] summary = caches[1 - c].summary();
          summaryOfOther[c] = BloomFilter.fromBytes(summary);
          shipped += summary.length;
        }
      }
      int c = i % 2;
      // popular pages have low numbers
      String page = "/page/" + (long) Math.pow(PAGES_IN_ALL, random.nextDouble());
      Cache mine = caches[c];
      if (mine.pages.get(page) != null) {
        local++;
        continue;
      }
      boolean there = caches[1 - c].pages.containsKey(page);
      if (!summaryOfOther[c].mightContain(page)) {
        notAsked++;
      } else if (there) {
        fromPeer++;
      } else {
        askedInVain++;
      }
      mine.store(page);
    }
    int missed = REQUESTS - local;
    System.out.printf("%,d requests, %,d answered from the cache itself%n", REQUESTS, local);
    System.out.printf("of %,d misses: %,d from the other cache%n", missed, fromPeer);
    System.out.printf("               %,d unneeded requests%n", askedInVain);
    System.out.printf("               %,d straight to the origin%n", notAsked);
    System.out.printf(
        "a summary takes %,d bytes; the list of its pages %,d%n",
        shipped / (2 * REQUESTS / REQUESTS_PER_SUMMARY), listBytes(caches[0]));
    System.out.printf("pages that a summary of this moment denies: %d%n", denied(caches[0]));
  }

  /** The page names themselves, each with a line end. */
  private static long listBytes(Cache cache) {
    return cache.pages.keySet().stream().mapToLong(page -> page.length() + 1).sum();
  }

  /** None, after all those removals. */
  private static long denied(Cache cache) {
    BloomFilter now = cache.held.toBloomFilter();
    return cache.pages.keySet().stream().filter(page -> !now.mightContain(page)).count();
  }
}
