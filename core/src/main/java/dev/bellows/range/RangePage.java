package dev.bellows.range;

import dev.bellows.FilterStats;
import dev.bellows.internal.base.Prose;
import dev.bellows.range.RangeSchema.Attribute;
import java.util.List;

/** The text of {@code explain()} of a range filter. */
final class RangePage {
  private RangePage() {}

  static String of(RangeBloomFilter filter) {
    FilterStats stats = filter.stats();
    RangeSchema schema = filter.schema();
    StringBuilder page = new StringBuilder();
    page.append("A Bloom filter of numeric ranges and texts.\n\n");
    page.append(
        Prose.format(
            """
              size               %,d bits (%s in a file, schema included)
              hash scheme        %s
              schema             %016x
              ones               %,d of %,d (%.2f %%)
              opaque comparison  %s
            """,
            stats.bits(),
            Prose.bytes(stats.bytes()),
            stats.hashScheme(),
            schema.schemaHash(),
            Math.round(filter.fill() * stats.bits()),
            stats.bits(),
            100 * filter.fill(),
            schema.comparable()
                ? "possible with filters of the same schema"
                : "not possible: an attribute is dyadic"));
    page.append("\nNumbers that are not in it, far from those that are, pass as follows.\n\n");
    page.append(
        Prose.format(
            "  %-16s %-24s %-12s %7s %8s %6s  %s\n",
            "attribute", "domain", "scheme", "hashes", "divide", "shift", "false positives"));
    for (Attribute attribute : schema.attributes()) {
      page.append(
          Prose.format(
              "  %-16s %-24s %-12s %7d %8d %6d  %s\n",
              Prose.escape(attribute.name()),
              attribute.domain(),
              attribute.scheme().word(),
              attribute.hashes(),
              attribute.divide(),
              attribute.shift(),
              Prose.rate(attribute.farFpp(filter.fill()))));
    }
    for (String text : schema.isOpen() ? List.of("(text)") : schema.texts()) {
      page.append(textRow(text, schema, filter.fill()));
    }
    page.append(limits(schema));
    return page.toString();
  }

  private static String textRow(String name, RangeSchema schema, double fill) {
    return Prose.format(
        "  %-16s %-24s %-12s %7d %8s %6s  %s\n",
        Prose.escape(name),
        schema.isOpen() ? "any other name" : "text",
        "-",
        schema.hashes(),
        "-",
        "-",
        Prose.rate(Math.pow(fill, schema.hashes())));
  }

  private static String limits(RangeSchema schema) {
    StringBuilder text = new StringBuilder("\n");
    if (schema.attributes().stream().anyMatch(a -> a.divide() > 1)) {
      text.append("A number that shares its division with one that is in it always passes.\n");
    }
    if (schema.attributes().stream().anyMatch(a -> a.scheme() != RangePlan.Scheme.DYADIC)) {
      text.append("A query for a range takes (range / divide) * shift probes.\n");
    }
    long exact = schema.exactBits();
    if (exact > 0 && exact < schema.bits()) {
      text.append(
          Prose.format(
              "Storing both ends of one range per numeric attribute exactly takes %,d bits, less"
                  + " than these %,d:\ndo that unless peers must compare filters without knowing their"
                  + " values.\n",
              exact, schema.bits()));
    }
    return text.toString();
  }
}
