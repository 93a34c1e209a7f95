package dev.bellows.cli.kinds;

import dev.bellows.Layout;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.keys.KeyCode;
import dev.bellows.cli.keys.KeyInput;
import dev.bellows.internal.base.Prose;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Kind autoscale: bits and hashes as they are given. It gets each key of an input once, because a
 * key that is put twice counts twice.
 */
public final class AutoscaleAdapter extends KindAdapter<AutoscalingBloomFilter> {
  /** A similarity that disjoint sets do not reach: 7 standard deviations, each 1/sqrt(bits). */
  private static final double CERTAIN_DEVIATIONS = 7;

  AutoscaleAdapter(AutoscalingBloomFilter filter) {
    super(filter);
  }

  public static Built build(BuildRequest request, ThresholdOptions own) throws IOException {
    Size size = request.size();
    if (size.bits() == null || size.hashes() == null) {
      throw new CommandFailure(
          "--kind autoscale is for a size that is fixed: give --bits and --hashes (where they are"
              + " free, --kind bloom is better)");
    }
    request.refuse(
        size.fpp() != null, "--fpp", "its rate follows its keys: give --min-tpr or none");
    request.refuse(size.keys() != null, "--keys", "it takes any number of them");
    request.refuse(size.pattern() != null, "--pattern", "it is classic");
    request.refuse(size.capacity() != null, "--capacity", "it does not fold");
    request.requireLayout(Layout.Family.CLASSIC);
    AutoscalingBloomFilter filter =
        AutoscalingBloomFilter.builder()
            .bits(size.bits())
            .hashes(size.hashes())
            .hashScheme(request.scheme())
            .criterion(own.criterion())
            .minTpr(own.minTpr())
            .build();
    long lines = new AutoscaleAdapter(filter).put(request.keys(), null).lines();
    return Built.of(filter, lines, filter.approximateElementCount(), Built.Known.COUNTED);
  }

  @Override
  long forEach(KeyInput input, KeyCode code, KeyCode.Group group) throws IOException {
    return input.forEachDistinct(code, group);
  }

  @Override
  public ThresholdPlan.Rates rates() {
    return filter.rates();
  }

  @Override
  public String advice(
      List<KindAdapter<?>> inputs, List<String> names, MergeRule rule, double maxFpp) {
    return "tune %s for fewer false positives (add --criterion)"
        .formatted(NamedFiles.name(names.get(0)));
  }

  /** A key of two inputs counts twice, which their similarity shows. */
  @Override
  public @Nullable String remark(List<KindAdapter<?>> inputs, List<String> names, MergeRule rule) {
    for (int i = 0; i < inputs.size(); i++) {
      for (int j = i + 1; j < inputs.size(); j++) {
        if (inputs.get(i).filter instanceof AutoscalingBloomFilter one
            && inputs.get(j).filter instanceof AutoscalingBloomFilter other) {
          double similarity = one.similarity(other);
          if (similarity > CERTAIN_DEVIATIONS / Math.sqrt(one.bits())) {
            return "%s and %s have about %s keys in common, each of which counts twice in the union and raises its thresholds (similarity %.3f)"
                .formatted(
                    names.get(i),
                    names.get(j),
                    Prose.count(Math.round(one.commonKeys(other))),
                    similarity);
          }
        }
      }
    }
    return null;
  }

  /** Repetitions make the rates of the thresholds worse, and the share of keys found unknown. */
  @Override
  public @Nullable String complaint() {
    return filter.repetition().orElseGet(super::complaint);
  }

  @Override
  public @Nullable String doubt(long presentKeys) {
    long puts = filter.puts();
    return puts <= presentKeys
        ? null
        : "the filter counted %d keys and %d were given: a key that is put twice counts twice"
            .formatted(puts, presentKeys);
  }

  @Override
  public double leastTpr() {
    return filter.leastTpr();
  }

  @Override
  public void addFields(Map<String, @Nullable Object> fields, FileSize size) {
    ThresholdPlan.Rates rates = filter.rates();
    fields.put("keys", filter.approximateElementCount());
    fields.put("puts", filter.puts());
    fields.put("counterBits", filter.counterBits());
    fields.put("saturatedCounters", filter.saturatedCounters());
    fields.put("theta", filter.theta());
    fields.put("decision", filter.decision());
    if (filter.rule() instanceof ThresholdPlan.Rule.Tuned tuned) {
      fields.put("criterion", tuned.criterion().word());
      fields.putAll(tuned.criterion().numbers());
      fields.put("minTpr", tuned.minTpr());
    }
    fields.put("tpr", rates.tpr());
    fields.put("leastTpr", filter.leastTpr());
    fields.put("fpr", rates.fpr());
    fields.put("accuracy", rates.accuracy());
  }
}
