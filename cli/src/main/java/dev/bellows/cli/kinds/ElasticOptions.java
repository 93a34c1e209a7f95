package dev.bellows.cli.kinds;

import dev.bellows.cli.console.Numbers;
import dev.bellows.elastic.ElasticBloomFilter.FoldPolicy;
import dev.bellows.internal.base.Prose;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What {@code build --kind elastic} adds. */
public final class ElasticOptions {
  @Option(
      names = "--tolerance",
      paramLabel = "E",
      description = "Keep the rate in --fpp +- E (default: half of --fpp).")
  @Nullable Double tolerance;

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      converter = PolicyWord.class,
      completionCandidates = PolicyWord.class,
      description =
          "Which size to take inside that band: ${COMPLETION-CANDIDATES} (default: independent, the"
              + " smallest).")
  @Nullable FoldPolicy policy;

  @Option(
      names = "--id",
      paramLabel = "N",
      converter = Id.class,
      description = "A number, not 0, by which a receiver knows its parts; ship needs it.")
  @Nullable Long id;

  /** Ids: any 64-bit number but 0, in decimal or as {@code 0x} and up to 16 hex digits. */
  static final class Id implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      try {
        long id =
            text.startsWith("0x")
                ? Long.parseUnsignedLong(text.substring(2), 16)
                : Long.parseLong(text);
        if (id != 0) {
          return id;
        }
      } catch (NumberFormatException e) {
        // refused below
      }
      throw new TypeConversionException(
          Prose.quote(text)
              + " is not an id: write a 64-bit number other than 0, e.g. 42 or 0xcafe");
    }
  }

  /** Policies by their word. */
  static final class PolicyWord extends Numbers.Word<FoldPolicy> {
    PolicyWord() {
      super("a policy", FoldPolicy.values(), policy -> policy.name().toLowerCase(Locale.ROOT));
    }
  }
}
