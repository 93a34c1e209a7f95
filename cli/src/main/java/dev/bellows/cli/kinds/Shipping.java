package dev.bellows.cli.kinds;

import dev.bellows.BloomFilter;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.internal.base.Prose;
import dev.bellows.plan.TransmissionPlan;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** An elastic filter as one that is sent in parts: its next part, or why there is none. */
public final class Shipping {
  private final ElasticBloomFilter filter;

  Shipping(ElasticBloomFilter filter) {
    this.filter = filter;
  }

  /** Whether a receiver can tell which filter its parts come from. */
  public boolean hasId() {
    return filter.filterId() != 0;
  }

  /** The part that tells a receiver most in a file of at most so many bytes. */
  public BloomFilter next(long budget) {
    OptionalLong least = filter.smallestBudget();
    if (least.isEmpty()) {
      throw new CommandFailure(
          "nothing new is left to send: the whole filter was sent, and its content has not changed");
    }
    if (budget < least.getAsLong()) {
      throw new CommandFailure(
          "no folding of at most %d bytes tells a receiver of %s anything new: the smallest that does needs --budget %d"
              .formatted(budget, sent(), least.getAsLong()));
    }
    return ship(filter.nextTransmission(budget)).orElseThrow();
  }

  /** The smallest part after which a receiver of all parts has the rate. */
  public BloomFilter toFpp(double fpp) {
    double now = filter.sentFpp();
    if (now <= fpp) {
      throw new CommandFailure(
          "nothing needs to be sent: a receiver of %s has fpp %s, at most --to-fpp %s"
              .formatted(sent(), now, fpp));
    }
    return ship(filter.transmissionToFpp(fpp))
        .orElseThrow(
            () ->
                new CommandFailure(
                    "no folding takes a receiver of %s to fpp %s: the whole filter has too many keys for it; give a higher --to-fpp"
                        .formatted(sent(), fpp)));
  }

  /** The view as it is, or under the policy entropy another size of its band. */
  public BloomFilter snapshot() {
    List<Long> before = filter.sentSizes();
    BloomFilter part = filter.snapshot();
    if (before.stream().anyMatch(size -> size % part.bits() == 0)) {
      throw new CommandFailure(
          "a receiver of %s learns nothing from the view of %d bits: give --budget or --to-fpp"
              .formatted(sizes(before), part.bits()));
    }
    return part;
  }

  private Optional<BloomFilter> ship(Optional<TransmissionPlan> plan) {
    return plan.map(next -> filter.ship(next.bits()));
  }

  /** How many times smaller a part is than the whole filter. */
  public long factor(BloomFilter part) {
    return filter.capacity() / part.bits();
  }

  /** The rate of a receiver of all parts of this state. */
  public double jointFpp() {
    return filter.sentFpp();
  }

  /** The sizes sent in this state. */
  public List<Long> sentSizes() {
    return filter.sentSizes();
  }

  private String sent() {
    return sizes(filter.sentSizes());
  }

  private static String sizes(List<Long> sizes) {
    return sizes.isEmpty()
        ? "no parts"
        : sizes.stream().map(Prose::count).collect(Collectors.joining(" and ")) + " bits";
  }
}
