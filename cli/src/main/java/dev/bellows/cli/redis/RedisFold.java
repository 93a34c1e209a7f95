package dev.bellows.cli.redis;

import dev.bellows.Foldable.FoldSize;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.kinds.FoldTarget;
import dev.bellows.cli.kinds.RateLimit;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.layout.RateRule;
import dev.bellows.redis.JedisBits;
import dev.bellows.redis.SharedBloomFilter;
import java.io.IOException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bellows redis fold}: folds a filter on the server. */
@Command(
    name = "fold",
    description = {
      "Folds a filter on the server while other clients put and query: smaller, with the same keys"
          + " and a higher rate."
    },
    footer = "  bellows redis fold --url redis://localhost users --to-fpp 2%%")
final class RedisFold extends RedisVerb {
  @ArgGroup(exclusive = true, multiplicity = "1")
  FoldTarget target;

  @Mixin RateLimit limit = new RateLimit();

  @Override
  int run(JedisBits bits) throws IOException {
    SharedBloomFilter filter = SharedBloomFilter.open(bits, name);
    long before = filter.bits();
    long chosen = factor(filter);
    for (FoldSize size : filter.ladder()) {
      if (size.factor() == chosen) { // refused or warned of before anything is folded
        limit.check(
            console(),
            new RateLimit.Case(
                "%s folded to %d bits".formatted(name, size.bits()),
                size.expectedFpp(),
                target.fpp,
                RateRule.target(filter.stats()),
                () -> "fold less, for instance --to-fpp 2%"));
      }
    }
    filter.foldBy(chosen);
    long factor = before / filter.bits();
    return report(
        new Report()
            .field("name", name)
            .add("filter", name)
            .both("bits", filter.bits(), Prose.format("folded by %,d", factor))
            .field("factor", factor)
            .fpp(filter.expectedFpp()));
  }

  private long factor(SharedBloomFilter filter) {
    if (target.factor != null) {
      return target.factor;
    }
    if (target.bits != null) {
      if (target.bits < 1 || filter.bits() % target.bits != 0) {
        throw new CommandFailure(
            "%d bits cannot be folded to %d: the size must be a multiple of that",
            filter.bits(), target.bits);
      }
      return filter.bits() / target.bits;
    }
    for (FoldSize size : filter.ladder()) {
      if (target.fpp != null && size.expectedFpp() <= target.fpp) {
        return size.factor();
      }
    }
    throw new CommandFailure(
        "no folding has fpp %s: even the %d bits of now have %s",
        target.fpp, filter.bits(), Prose.fpp(filter.expectedFpp()));
  }
}
