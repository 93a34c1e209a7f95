package dev.bellows.cli.redis;

import dev.bellows.FoldSize;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Facts;
import dev.bellows.cli.kinds.FoldWish;
import dev.bellows.internal.base.Prose;
import dev.bellows.redis.JedisBits;
import dev.bellows.redis.SharedBloomFilter;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;

/** {@code bellows redis fold}: a filter becomes smaller where it is. */
@Command(
    name = "fold",
    description = {
      "Folds a filter on the server, while others put and ask: smaller, with the same keys and a higher rate."
    },
    footerHeading = "%nExample:%n",
    footer = "  bellows redis fold --url redis://localhost users --to-fpp 2%%")
final class RedisFold extends RedisVerb {
  @ArgGroup(exclusive = true, multiplicity = "1")
  @SuppressWarnings("NullAway.Init")
  FoldWish wish;

  @Override
  int run(JedisBits bits) throws IOException {
    SharedBloomFilter filter = SharedBloomFilter.open(bits, name);
    long before = filter.bits();
    filter.foldBy(factor(filter));
    double fpp = filter.expectedFpp();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", name);
    fields.put("bits", filter.bits());
    fields.put("factor", before / filter.bits());
    fields.put("expectedFpp", fpp);
    report(
        fields,
        new Facts()
            .add("filter", name)
            .add(
                "bits",
                Prose.count(filter.bits()),
                Prose.format("folded by %,d", before / filter.bits()))
            .add("false positives", Prose.rate(fpp))
            .toString());
    return OK;
  }

  private long factor(SharedBloomFilter filter) {
    if (wish.factor != null) {
      return wish.factor;
    }
    if (wish.bits != null) {
      if (wish.bits < 1 || filter.bits() % wish.bits != 0) {
        throw new CommandFailure(
            "%d bits do not fold to %d: its size must be a multiple of that"
                .formatted(filter.bits(), wish.bits));
      }
      return filter.bits() / wish.bits;
    }
    for (FoldSize size : filter.ladder()) {
      if (wish.fpp != null && size.expectedFpp() <= wish.fpp) {
        return size.factor();
      }
    }
    throw new CommandFailure(
        "no folding has fpp %s: even the %d bits of now have %s"
            .formatted(wish.fpp, filter.bits(), filter.expectedFpp()));
  }
}
