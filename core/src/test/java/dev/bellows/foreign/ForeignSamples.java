package dev.bellows.foreign;

import dev.bellows.foreign.ForeignFilter.Format;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A small file of every foreign format and variant, as its own library writes it. */
public final class ForeignSamples {
  private ForeignSamples() {}

  /** A small file of a format, with the length of its header. */
  public record Sample(Format format, byte[] bytes, int headerBytes) {
    @Override
    public String toString() {
      return format + " of " + bytes.length + " bytes";
    }
  }

  public static List<Sample> all() throws IOException {
    List<Sample> samples = new ArrayList<>();
    for (Owner owner : Owner.all()) {
      long bits = owner.sizes().get(1);
      List<Object> keys = ForeignKeys.of(Format.KeyType.LONG, 30, 5);
      byte[] bytes = owner.built(bits, 4, Format.KeyType.LONG, keys);
      samples.add(new Sample(owner.format(), bytes, (int) (bytes.length - (bits + 7) / 8)));
    }
    byte[] header = ParquetHeader.encode(96);
    byte[] framed = Arrays.copyOf(header, header.length + 96);
    framed[header.length + 5] = 7;
    samples.add(new Sample(Format.PARQUET, framed, header.length));
    return samples;
  }
}
