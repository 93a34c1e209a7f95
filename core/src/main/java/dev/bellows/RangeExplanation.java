package dev.bellows;

import dev.bellows.RangeSchema.Attribute;
import dev.bellows.plan.RangeScheme;

/** The page that a range filter explains itself with. */
final class RangeExplanation {
  private RangeExplanation() {}

  static String of(RangeBloomFilter filter) {
    FilterStats stats = filter.stats();
    RangeSchema schema = filter.schema();
    StringBuilder page = new StringBuilder();
    page.append("A Bloom filter of numeric ranges and texts.\n\n");
    page.append(
        Explanation.page(
            """
              size               %,d bits (%s in a file, schema included)
              hash scheme        %s
              schema             %016x
              ones               %,d of %,d (%.2f %%)
              opaque comparison  %s
            """,
            stats.bits(),
            Explanation.bytes(stats.bytes()),
            stats.hashScheme(),
            schema.schemaHash(),
            stats.ones(),
            stats.bits(),
            100 * stats.fill(),
            schema.comparable()
                ? "possible with filters of the same schema"
                : "not possible: an attribute is dyadic"));
    page.append("\nNumbers that are not in it, far from those that are, pass as follows.\n\n");
    page.append(
        Explanation.page(
            "  %-16s %-24s %-12s %7s %8s %6s  %s\n",
            "attribute", "domain", "scheme", "hashes", "divide", "shift", "false positives"));
    for (Attribute attribute : schema.attributes()) {
      page.append(
          Explanation.page(
              "  %-16s %-24s %-12s %7d %8d %6d  %s\n",
              attribute.name(),
              attribute.domain(),
              attribute.scheme().word(),
              attribute.hashes(),
              attribute.divide(),
              attribute.shift(),
              Explanation.rate(attribute.farFpp(stats.fill()))));
    }
    page.append(
        Explanation.page(
            "  %-16s %-24s %-12s %7d %8s %6s  %s\n",
            "(text)",
            "any other name",
            "-",
            schema.hashes(),
            "-",
            "-",
            Explanation.rate(Math.pow(stats.fill(), schema.hashes()))));
    page.append(limits(schema));
    return page.toString();
  }

  private static String limits(RangeSchema schema) {
    StringBuilder text = new StringBuilder("\n");
    if (schema.attributes().stream().anyMatch(a -> a.divide() > 1)) {
      text.append("A number that shares its division with one that is in it always passes.\n");
    }
    if (schema.attributes().stream().anyMatch(a -> a.scheme() != RangeScheme.DYADIC)) {
      text.append("A question about a range takes (range / divide) * shift probes.\n");
    }
    long exact = schema.exactBits();
    if (exact > 0 && exact < schema.bits()) {
      text.append(
          Explanation.page(
              "Storing both ends of one range per numeric attribute exactly takes %,d bits, less"
                  + " than these %,d:\ndo that unless others must compare without reading it.\n",
              exact, schema.bits()));
    }
    return text.toString();
  }
}
