package dev.bellows.bench.peers;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Guava's filter with its default strategy, MURMUR128_MITZ_64. */
@SuppressWarnings("UnstableApiUsage")
final class Guava {
  private Guava() {}

  /**
   * Over keys of the role's type. Merges into a copy: a second merge of the same filter into one
   * would find nothing to write and measure less than a union.
   */
  public static final class Plain extends Contender {
    private final Funnel<Object> funnel;
    private final BloomFilter<Object> filter;
    private final long bits;

    @SuppressWarnings("unchecked")
    public Plain(Peer peer, Role role, long keys) {
      funnel =
          (Funnel<Object>)
              switch (role) {
                case TEXTS -> Funnels.stringFunnel(StandardCharsets.UTF_8);
                case BYTES -> Funnels.byteArrayFunnel();
                default -> Funnels.longFunnel();
              };
      filter = BloomFilter.create(funnel, keys, Peer.FPP);
      // the library does not expose the size of its store: the bits of its own formula
      bits = (long) (-keys * Math.log(Peer.FPP) / (Math.log(2) * Math.log(2)));
    }

    @Override
    public long bits() {
      return bits;
    }

    @Override
    public void put(long key) {
      filter.put(key);
    }

    @Override
    public boolean mightContain(long key) {
      return filter.mightContain(key);
    }

    @Override
    public void putObject(Object key) {
      filter.put(key);
    }

    @Override
    public boolean mightContainObject(Object key) {
      return filter.mightContain(key);
    }

    @Override
    public Object union(Contender other) {
      BloomFilter<Object> union = filter.copy();
      union.putAll(((Plain) other).filter);
      return union;
    }

    @Override
    public Object write(MemoryStream memory) throws IOException {
      filter.writeTo(memory);
      return memory;
    }

    @Override
    public Object read(byte[] bytes) throws IOException {
      return BloomFilter.readFrom(new ByteArrayInputStream(bytes), funnel);
    }
  }
}
