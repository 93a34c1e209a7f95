package dev.bellows.cli.verbs;

import dev.bellows.BloomFilter;
import dev.bellows.FilterStats;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Facts;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.console.OutputName;
import dev.bellows.cli.console.Verb;
import dev.bellows.cli.kinds.Adapters;
import dev.bellows.cli.kinds.Cutting;
import dev.bellows.cli.kinds.FilterFiles;
import dev.bellows.cli.kinds.KindAdapter;
import dev.bellows.cli.kinds.Shipping;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.files.AtomicFile;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows ship}: the next part of an elastic filter for a receiver of the parts before. */
@Command(
    name = "ship",
    description = {
      "Writes the next folding to send of the elastic filter in FILE, which remembers what was sent.",
      "Of a fingerprint filter it writes the filter with its prefixes cut to a rate or a size, most telling bits first: a receiver may use what has arrived. Nothing is remembered.",
      "Each part of an elastic filter is chosen for a receiver who has all parts of the same content and asks them together (see receive). When keys come or go, parts begin anew. Without --budget and --to-fpp the part is the view that answers queries here, or the whole fingerprint filter."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  bellows build --kind elastic --keys 100k --fpp 1%% --id 7 -o users.elastic \\",
      "    users.txt",
      "  bellows ship users.elastic --budget 8KiB -o part1",
      "  bellows ship users.elastic --to-fpp 0.1%% -o part2",
      "  bellows ship keys.fingerprint --to-fpp 1%% -o keys.part"
    })
public final class Ship extends Verb {
  @Parameters(index = "0", paramLabel = "FILE", description = "The elastic or fingerprint filter.")
  @SuppressWarnings("NullAway.Init")
  String file;

  @ArgGroup(exclusive = true, multiplicity = "0..1")
  Wish wish = new Wish();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "PART",
      converter = OutputName.class,
      required = true,
      description = "The part's file; - is standard output.")
  @SuppressWarnings("NullAway.Init")
  String output;

  /** How much to send; at most one of them. */
  static final class Wish {
    @Option(
        names = "--budget",
        paramLabel = "BYTES",
        converter = Numbers.Size.class,
        description =
            "The part that tells the receiver most in a file of at most so many bytes, as 600, 8KiB.")
    @Nullable Long budget;

    @Option(
        names = "--to-fpp",
        paramLabel = "P",
        description =
            "The smallest part after which a receiver of all parts has at most this rate.")
    @Nullable Double fpp;
  }

  @Override
  public Integer call() throws IOException {
    if (file.equals("-")) {
      throw misuse("the filter remembers what was sent: name its file");
    }
    requireOutput(output, List.of(file));
    try (AtomicFile target = NamedFiles.lock(console(), file)) {
      ship(target);
    }
    return OK;
  }

  private void ship(AtomicFile target) throws IOException {
    KindAdapter<?> adapter = Adapters.of(FilterFiles.read(console(), file, null));
    Cutting cutting = adapter.cutting();
    if (cutting != null) {
      ship(cutting);
      return;
    }
    Shipping shipping = adapter.shipping();
    if (shipping == null) {
      throw new CommandFailure(
          "%s is of kind %s, which is not sent in parts: build it with --kind elastic and --id, or with --kind fingerprint"
              .formatted(file, adapter.kind().word()));
    }
    if (!shipping.hasId()) {
      throw new CommandFailure(
          file
              + " has no id, so that a receiver could not tell which filter a part comes from:"
              + " build it again with --id N");
    }
    NamedFiles.requireOneName(file);
    BloomFilter part = part(shipping);
    // in this order: if the second write fails, the part is sent again, which does no harm
    NamedFiles.write(console(), output, part::writeTo);
    target.replace(adapter.filter::writeTo);
    if (!output.equals("-")) {
      report(shipping, part);
    }
  }

  private void ship(Cutting cutting) throws IOException {
    FingerprintFilter part;
    if (wish.fpp != null) {
      part = cutting.toFpp(wish.fpp);
    } else {
      part = wish.budget != null ? cutting.toBytes(wish.budget) : cutting.whole();
    }
    NamedFiles.write(console(), output, part::writeTo);
    if (!output.equals("-")) {
      FilterStats stats = part.stats();
      Map<String, @Nullable Object> fields = Cutting.fields(output, stats);
      fields.put("jointFpp", stats.expectedFpp());
      fields.put("sent", null);
      report(fields, Cutting.facts(output, stats, cutting.whole()));
    }
  }

  private BloomFilter part(Shipping shipping) {
    if (wish.budget != null) {
      return shipping.next(wish.budget);
    }
    return wish.fpp != null ? shipping.toFpp(wish.fpp) : shipping.snapshot();
  }

  private void report(Shipping shipping, BloomFilter part) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("file", output);
    fields.put("bits", part.bits());
    fields.put("factor", shipping.factor(part));
    fields.put("bytes", part.sizeInBytes());
    fields.put("expectedFpp", part.expectedFpp());
    fields.put("jointFpp", shipping.jointFpp());
    fields.put("sent", shipping.sentSizes());
    report(
        fields,
        new Facts()
            .add("file", output, Prose.bytes(part.sizeInBytes()))
            .add(
                "bits",
                Prose.count(part.bits()),
                Prose.format("folded by %,d", shipping.factor(part)))
            .add("false positives", Prose.rate(part.expectedFpp()), "of this part alone")
            .add("with all parts", Prose.rate(shipping.jointFpp()), "at a receiver who has them")
            .add(
                "sent",
                shipping.sentSizes().stream().map(Prose::count).collect(Collectors.joining(" ")),
                "bits, since the content changed")
            .toString());
  }
}
