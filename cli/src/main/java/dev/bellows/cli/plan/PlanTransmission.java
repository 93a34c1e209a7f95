package dev.bellows.cli.plan;

import dev.bellows.Layout;
import dev.bellows.answers.JavaCode;
import dev.bellows.answers.PlanFields;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.Verb;
import dev.bellows.internal.base.Prose;
import dev.bellows.plan.BloomPlan;
import dev.bellows.plan.TransmissionPlan;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bellows plan transmission}: the most informative folding for a receiver. */
@Command(
    name = "transmission",
    description = {
      "Plans the next folding of a filter of --bits bits to send to a receiver that queries all"
          + " foldings together.",
      "Chooses the size within --budget with the lowest joint rate. A size that divides one already"
          + " sent adds no information."
    },
    footer = {
      "  bellows plan transmission --bits 55440 --hashes 4 --keys 400 --budget 320",
      "  bellows plan transmission --bits 55440 --hashes 4 --keys 400 --budget 320 \\",
      "    --sent 2520"
    })
final class PlanTransmission extends Verb {
  @Option(
      names = "--bits",
      paramLabel = "M",
      required = true,
      description = "The unfolded size in bits.")
  long bits;

  @Option(names = "--hashes", paramLabel = "K", required = true, description = "Bits per key.")
  int hashes;

  @Option(names = "--keys", paramLabel = "N", required = true, description = "Distinct keys in it.")
  long keys;

  @Option(
      names = "--budget",
      paramLabel = "BYTES",
      required = true,
      converter = Numbers.Size.class,
      description =
          "The maximum number of bytes of bits, e.g. 320, 8KiB; a file adds about 30 to them, or"
              + " 200 if they are more than 1024.")
  long budget;

  @Option(
      names = "--sent",
      paramLabel = "M1,M2",
      split = ",",
      description = "The sizes already sent, in bits.")
  List<Long> sent = List.of();

  @Mixin PlanLayout planLayout = new PlanLayout();

  @Override
  public Integer call() throws IOException {
    BloomPlan shape = new BloomPlan(planLayout.layout.withHashes(hashes), bits, 0);
    TransmissionPlan plan =
        TransmissionPlan.next(shape, keys, sent, budget).orElseThrow(() -> nothing(shape));
    return report(PlanFields.transmission(bits, plan), page(plan, shape.layout()));
  }

  private CommandFailure nothing(BloomPlan shape) {
    OptionalLong smallest = TransmissionPlan.smallest(shape, sent);
    return new CommandFailure(
        smallest.isEmpty()
            ? "nothing new is left to send: the whole filter of %d bits was sent".formatted(bits)
            : "no folding within --budget %d tells anything new: the smallest that does has %d bits, %d bytes"
                .formatted(budget, smallest.getAsLong(), (smallest.getAsLong() + 7) / 8));
  }

  private String page(TransmissionPlan plan, Layout layout) {
    Report facts =
        new Report()
            .add(
                "send",
                Prose.count(plan.bits()) + " bits",
                Prose.bytes(plan.bytes()) + ", folded by " + Prose.count(bits / plan.bits()))
            .add("fpp alone", plan.fpp())
            .add("fpp together", plan.jointFpp(), "of all foldings sent");
    if (plan.commonBits() > 0) {
      facts.add(
          "in common",
          Prose.count(plan.commonBits()) + " bits",
          "the largest common divisor with a size already sent");
    }
    String sizes =
        sent.stream().map(size -> size + "L").collect(Collectors.joining(", ", "List.of(", ")"));
    return facts
        + "\nIn Java:\n  TransmissionPlan.next(new BloomPlan(%s, %dL, 0), %dL, %s, %dL)\n"
            .formatted(JavaCode.layout(layout), bits, keys, sizes, budget);
  }
}
