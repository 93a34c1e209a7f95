package dev.bellows.cli.kinds;

import dev.bellows.FilterStats;
import dev.bellows.cli.console.Report;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.math.HashFloor;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Kind fingerprint: needs no number of keys, it grows as they come. */
public final class FingerprintAdapter extends KindAdapter<FingerprintFilter> {
  FingerprintAdapter(FingerprintFilter filter) {
    super(filter, "the sum over its prefixes", false);
  }

  public static Built build(BuildRequest request, Options own) throws IOException {
    Size size = request.size();
    request.refuse(size.bits() != null, "--bits", "it grows: give --fpp");
    request.refuse(size.hashes() != null, "--hashes", "it keeps prefixes: give --fpp");
    request.refuse(size.pattern() != null, "--pattern", "it keeps prefixes: give --fpp");
    request.refuse(size.layout() != null, "--layout", "it keeps prefixes");
    request.refuse(size.capacity() != null, "--capacity", "it grows");
    FingerprintFilter.Builder builder =
        FingerprintFilter.builder().fpp(size.fppOrDefault()).hashScheme(request.scheme());
    if (own.removable) {
      builder.removable();
    }
    FingerprintFilter filter = builder.build();
    long lines = new FingerprintAdapter(filter).put(request.keys(), null).lines();
    long keys = filter.approximateElementCount();
    // a prefix has 63 bits, one less than a hash
    HashFloor.requireOfPrefixes(size.fppOrDefault(), keys);
    return Built.of(
        filter, lines, keys, filter.isRemovable() ? Built.Known.PUTS : Built.Known.NEW_ONES);
  }

  @Override
  public String wayOut(KindAdapter<?> other, String name, String otherName) {
    if (!(other.filter instanceof FingerprintFilter second)) {
      return " (prefixes are not hashes: build %s again with --kind fingerprint)"
          .formatted(otherName);
    }
    return second.isRemovable() != filter.isRemovable()
        ? " (build %s again with --removable)".formatted(filter.isRemovable() ? otherName : name)
        : "";
  }

  @Override
  @Nullable String refusal(Ability ability, String name) {
    return filter.isRemovable() || ability != Ability.REMOVE && ability != Ability.SUBTRACT
        ? null
        : name
            + " is a set, from which no key can be removed, because a prefix may stand for several"
            + " keys: build it with --removable";
  }

  @Override
  public void addBuilt(Report report, FileSize size) {
    report.field("bitsPerKey", PrefixCut.bitsPerKey(filter, size.bits()));
  }

  /** Its bits are those of its prefixes in a file. */
  @Override
  public FileSize size(FilterStats stats) {
    FingerprintFilter.FileSize size = filter.fileSize();
    return new FileSize(Byte.SIZE * size.payloadBytes(), size.bytes());
  }

  @Override
  public void addFields(Map<String, @Nullable Object> fields, FileSize size) {
    FingerprintFilter.Prefixes prefixes = filter.prefixes();
    fields.put("keys", filter.approximateElementCount());
    fields.put("fpp", filter.plan().fpp());
    fields.put("removable", filter.isRemovable());
    fields.put("prefixes", prefixes.count());
    fields.put("shortestPrefix", prefixes.shortest());
    fields.put("longestPrefix", prefixes.longest());
    fields.put("payloadBytes", size.bits() / Byte.SIZE);
    fields.put("bitsPerKey", PrefixCut.bitsPerKey(filter, size.bits()));
    fields.put("wireBytes", size.bytes());
  }

  @Override
  public String newWord() {
    return filter.isRemovable() ? "stored" : super.newWord();
  }

  /** Prefixes that stand for more puts than are counted stay, and then a key is not absent. */
  @Override
  public String absentWord() {
    return "not removed";
  }

  @Override
  public @Nullable String remark(List<KindAdapter<?>> inputs, List<String> names, MergeRule rule) {
    if (rule != MergeRule.DIFFERENCE) {
      return null;
    }
    long taken = count(inputs.get(0)) - filter.approximateElementCount();
    long asked = inputs.stream().skip(1).mapToLong(FingerprintAdapter::count).sum();
    return taken >= asked
        ? null
        : "about %s of %s keys to subtract are left, because their prefixes may be those of keys that stay: build %s with a lower --fpp"
            .formatted(
                Prose.count(asked - taken),
                Prose.count(asked),
                String.join(", ", names.subList(1, names.size())));
  }

  private static long count(KindAdapter<?> adapter) {
    return ((FingerprintFilter) adapter.filter).approximateElementCount();
  }

  /** What {@code build --kind fingerprint} adds. */
  public static final class Options {
    @Option(
        names = "--removable",
        description =
            "Store every put, so that each can be removed once; without it the filter is a set, in"
                + " which repetitions take no memory.")
    boolean removable;
  }
}
