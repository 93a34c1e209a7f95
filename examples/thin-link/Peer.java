import dev.bellows.BloomFilter;
import dev.bellows.FoldedFilters;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * One of two peers that want the items of both. In each round both send a folding of the filter
 * of the ids they began with, then the items that the other certainly lacks: those that do not
 * pass all its foldings. False positives are withheld; the next folding releases most of them.
 *
 * <p>It ends: each round sends one of finitely many foldings. When there are none left, the ids
 * of all withheld items are exchanged, which is exact: an item that both began with passes
 * every folding, so that both withhold it and see its id in the other's list; every other id is
 * in one list only, and its item is sent. After every round a checksum of all ids tells whether
 * both sets are equal, and most often that ends it sooner.
 */
final class Peer {
  private final Link link;
  private final TreeMap<Long, String> items;

  /** The ids it began with and has not sent. */
  private final Set<Long> withheld;

  /** The cells of filters that it read, to create foldings and to query those that arrived. */
  private long cellsRead;

  /** Rounds, items known at the end, and cells read on the way. */
  record Result(int rounds, int items, boolean complete, long cellsRead) {}

  Peer(Link link, Map<Long, String> items) {
    this.link = link;
    this.items = new TreeMap<>(items);
    this.withheld = new TreeSet<>(items.keySet());
  }

  Result run(Method method, long filterId, Method.Setting setting) throws IOException {
    Supplier<Optional<BloomFilter>> parts =
        method.parts(
            Set.copyOf(items.keySet()), filterId, setting, cells -> cellsRead += cells);
    FoldedFilters theirs = null;
    for (int round = 1; ; round++) {
      byte[] mine = parts.get().map(BloomFilter::toBytes).orElse(new byte[0]);
      byte[] part = link.exchange(Link.Topic.FILTERS, mine);
      if (part.length > 0) {
        BloomFilter folding = BloomFilter.fromBytes(part);
        theirs = theirs == null ? FoldedFilters.of(folding) : theirs.with(folding);
      }
      if (theirs != null) {
        sendItems(absentFrom(theirs));
        if (isEqual()) {
          return new Result(round, items.size(), true, cellsRead);
        }
      }
      if (mine.length == 0 && part.length == 0) {
        exchangeIds();
        return new Result(round, items.size(), isEqual(), cellsRead);
      }
    }
  }

  /** Each query reads at most all positions of an item in every folding. */
  private Collection<Long> absentFrom(FoldedFilters theirs) {
    cellsRead += (long) withheld.size() * theirs.sizes().size() * theirs.stats().hashes();
    return withheld.stream().filter(id -> !theirs.mightContain(id)).toList();
  }

  private void exchangeIds() throws IOException {
    Set<Long> known = new HashSet<>();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    for (long id : withheld) {
      out.writeLong(id);
    }
    byte[] theirs = link.exchange(Link.Topic.IDS, bytes.toByteArray());
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(theirs));
    for (int i = 0; i < theirs.length / Long.BYTES; i++) {
      known.add(in.readLong());
    }
    sendItems(withheld.stream().filter(id -> !known.contains(id)).toList());
  }

  /** Sends these items and takes those that the other peer sends. */
  private void sendItems(Collection<Long> ids) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(ids.size());
    for (long id : ids) {
      out.writeLong(id);
      out.writeUTF(items.get(id));
    }
    byte[] theirs = link.exchange(Link.Topic.ITEMS, bytes.toByteArray());
    ids.forEach(withheld::remove);
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(theirs));
    for (int left = in.readInt(); left > 0; left--) {
      items.put(in.readLong(), in.readUTF());
    }
  }

  /** Whether both have the same ids, by their number and SHA-256. */
  private boolean isEqual() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    for (long id : items.keySet()) {
      out.writeLong(id);
    }
    try {
      byte[] mine = MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray());
      return Arrays.equals(mine, link.exchange(Link.Topic.CHECKS, mine));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
