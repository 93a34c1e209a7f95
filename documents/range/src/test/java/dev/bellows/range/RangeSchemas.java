package dev.bellows.range;

import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import java.util.List;

/** Schemas of one attribute "x" for the tests. */
final class RangeSchemas {
  private RangeSchemas() {}

  static RangeSchema one(long bits, Attribute attribute) {
    return RangeSchema.of(bits, 4, attribute).withTexts("name", "t");
  }

  /** An attribute of the scheme with some divide and shift that suit it. */
  static Attribute attribute(RangePlan.Scheme scheme, Domain domain, int hashes, long divide) {
    int shift = Math.max(1, hashes / 3);
    return new Attribute(
        "x",
        domain,
        scheme,
        hashes,
        scheme.divides() ? divide : 1,
        scheme.shifts() ? shift : hashes);
  }

  /** Every scheme over one domain. */
  static List<Attribute> all(Domain domain, int hashes, long divide) {
    return List.of(
        attribute(RangePlan.Scheme.PLAIN, domain, hashes, divide),
        attribute(RangePlan.Scheme.DIVISION, domain, hashes, divide),
        attribute(RangePlan.Scheme.OVERLAPPING, domain, hashes, divide),
        attribute(RangePlan.Scheme.DIVISION_OVERLAPPING, domain, hashes, divide));
  }
}
