package dev.bellows.range;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.range.RangeRates;
import dev.bellows.range.ProfilePlan.RangeAttribute;
import java.util.ArrayList;
import java.util.List;

/**
 * The shapes of several attributes in one filter, and their predicted false positive rates; a
 * search finds those with the lowest average rate (Range thesis, Section 3.4.2).
 *
 * <p>All attributes share the bits of the filter: if one attribute sets fewer bits, the rates of
 * all fall. The fill is computed from the insertion bits of all attributes, including {@code
 * hashes} for every string. The average is over all attributes, weighted by how often they are
 * queried (Range thesis, Eq. 3-14 and 3-15; see erratum <a
 * href="{@docRoot}/doc-files/errata.html#R7">R7</a>).
 *
 * @param profile the attributes and the size for which to plan
 * @param scheme how numbers are mapped to bits
 * @param hashes number of positions of a string, and of every attribute unless {@link #uniform} is
 *     false
 * @param attributes the shapes, in the order of the profile
 * @param stringFpp rate of a string attribute
 * @param totalBits average number of bits set by all attributes, counting coinciding bits
 *     separately
 * @param averageFpp weighted average rate of all attributes, including strings
 * @param runnerUpGap how much worse the second-best plan is, relative to averageFpp; 0 if the plan
 *     is not the result of a search
 */
public record ProfilePlan(
    Profile profile,
    RangePlan.Scheme scheme,
    int hashes,
    List<AttributePlan> attributes,
    double stringFpp,
    double totalBits,
    double averageFpp,
    double runnerUpGap) {

  /** A shape to evaluate: hashes, divide and shift of one attribute. */
  public record Shape(int hashes, long divide, int shift) {}

  public ProfilePlan {
    attributes = List.copyOf(attributes);
  }

  /** Returns the plan with given shapes, one for each numeric attribute. */
  public static ProfilePlan of(Profile profile, int hashes, List<Shape> shapes) {
    Checks.positive(hashes, "hashes");
    if (shapes.size() != profile.attributes().size()) {
      throw new IllegalArgumentException(
          "%d shapes for %d numeric attributes: give one for each"
              .formatted(shapes.size(), profile.attributes().size()));
    }
    return evaluate(profile, RangePlan.Scheme.DIVISION_OVERLAPPING, hashes, shapes, 0);
  }

  /** Returns the plan with the best divides and shifts if all attributes have this many hashes. */
  public static ProfilePlan best(Profile profile, RangePlan.Scheme scheme, int hashes) {
    return search(profile, scheme, hashes, hashes, false);
  }

  /**
   * Returns the plan with the best divides and shifts, and the best number of hashes up to a limit
   * (Range thesis, Figure 4-5).
   */
  public static ProfilePlan bestUpTo(Profile profile, RangePlan.Scheme scheme, int maxHashes) {
    return search(profile, scheme, 1, maxHashes, false);
  }

  /**
   * Returns the best plan in which the strings and each attribute may have their own number of
   * hashes, a configuration that the thesis does not cover. It is never worse than {@link
   * #bestUpTo}.
   */
  public static ProfilePlan bestMixed(Profile profile, RangePlan.Scheme scheme, int maxHashes) {
    return search(profile, scheme, 1, maxHashes, true);
  }

  private static ProfilePlan search(
      Profile profile, RangePlan.Scheme scheme, int minHashes, int maxHashes, boolean mixed) {
    Checks.inRange(1, RangePlan.MAX_HASHES, maxHashes, "hashes");
    ProfileSearch search = new ProfileSearch(profile, scheme);
    for (int hashes = minHashes; hashes <= maxHashes; hashes++) {
      search.searchUniform(hashes);
    }
    if (mixed) {
      search.searchMixed(maxHashes);
    }
    return search.plan();
  }

  /** Returns whether strings and attributes all have the same number of hashes. */
  public boolean uniform() {
    return attributes.stream().allMatch(a -> a.hashes() == hashes);
  }

  /** Returns the weighted sum of all rates. */
  public double totalFpp() {
    return averageFpp * profile.totalWeight();
  }

  /** Returns the shapes of the attributes. */
  public List<Shape> shapes() {
    return attributes.stream().map(a -> new Shape(a.hashes(), a.divide(), a.shift())).toList();
  }

  static ProfilePlan evaluate(
      Profile profile,
      RangePlan.Scheme scheme,
      int hashes,
      List<Shape> shapes,
      double runnerUpGap) {
    double totalBits = (double) profile.strings() * hashes;
    for (int i = 0; i < shapes.size(); i++) {
      totalBits += insertionBits(profile.attributes().get(i), shapes.get(i));
    }
    double fill = RangeRates.fill(profile.bits(), totalBits);
    List<AttributePlan> plans = new ArrayList<>();
    for (int i = 0; i < shapes.size(); i++) {
      RangeAttribute attribute = profile.attributes().get(i);
      Shape shape = shapes.get(i);
      plans.add(
          new AttributePlan(
              attribute,
              shape.hashes,
              shape.divide,
              shape.shift,
              insertionBits(attribute, shape),
              fpp(attribute, shape, fill)));
    }
    double stringFpp = RangeRates.power(fill, hashes);
    double total = profile.strings() * profile.stringWeight() * stringFpp;
    for (AttributePlan plan : plans) {
      total += plan.attribute.weight() * plan.fpp;
    }
    return new ProfilePlan(
        profile,
        scheme,
        hashes,
        plans,
        stringFpp,
        totalBits,
        total / profile.totalWeight(),
        runnerUpGap);
  }

  /** Returns the false positive rate of an attribute in a filter with this fraction of ones. */
  static double fpp(RangeAttribute attribute, Shape shape, double fill) {
    return RangeRates.fppAtFill(
        shape.hashes, attribute.domain(), attribute.range(), shape.divide, shape.shift, fill);
  }

  static double insertionBits(RangeAttribute attribute, Shape shape) {
    return RangeRates.insertionBits(attribute.range(), shape.divide, shape.shift, shape.hashes);
  }

  /**
   * The content of one filter: string attributes and numeric attributes (Range thesis, Section
   * 4.2).
   *
   * @param bits size of the filter
   * @param strings number of string attributes, one key each
   * @param stringWeight how often each string attribute is queried, relative to the others
   * @param attributes the numeric attributes
   */
  public record Profile(
      long bits, int strings, double stringWeight, List<RangeAttribute> attributes) {
    public Profile {
      Checks.positive(bits, "bits");
      Checks.notNegative(strings, "strings");
      RangeAttribute.checkWeight(stringWeight, "strings");
      attributes = List.copyOf(attributes);
      if (strings == 0 && attributes.isEmpty()) {
        throw new IllegalArgumentException(
            "a profile of 0 strings and 0 numeric attributes has nothing to plan: add at least"
                + " one");
      }
      double weight = strings * stringWeight;
      for (RangeAttribute attribute : attributes) {
        weight += attribute.weight();
      }
      if (!(weight > 0)) {
        throw new IllegalArgumentException(
            "the weights of all attributes are 0: set at least one to a positive number");
      }
    }

    /** Returns a profile whose attributes are all queried equally often. */
    public static Profile of(long bits, int strings, List<RangeAttribute> attributes) {
      return new Profile(bits, strings, 1, attributes);
    }

    /** Returns the sum of all weights. */
    public double totalWeight() {
      return strings * stringWeight + attributes.stream().mapToDouble(RangeAttribute::weight).sum();
    }

    /**
     * Returns the number of bits that storing both ends of every numeric attribute exactly would
     * take.
     */
    public long exactBits() {
      return attributes.stream().mapToLong(a -> RangeRates.exactBits(a.domain())).sum();
    }
  }

  /**
   * A numeric attribute to plan for.
   *
   * @param name the name
   * @param domain the number of values it can take, both ends inclusive (erratum <a
   *     href="{@docRoot}/doc-files/errata.html#R8">R8</a>)
   * @param range the number of values in its range
   * @param weight how often it is queried, relative to the other attributes
   */
  public record RangeAttribute(String name, long domain, long range, double weight) {
    public RangeAttribute {
      Checks.positive(range, "range of " + name);
      Checks.atLeast(range, domain, "domain of " + name);
      checkWeight(weight, name);
    }

    /** Returns an attribute that is queried as often as any other. */
    public static RangeAttribute of(String name, long domain, long range) {
      return new RangeAttribute(name, domain, range, 1);
    }

    /** Returns the same attribute with this weight. */
    public RangeAttribute withWeight(double weight) {
      return new RangeAttribute(name, domain, range, weight);
    }

    static void checkWeight(double weight, String name) {
      if (!(weight >= 0 && weight < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "weight of " + name + " must be a finite number of at least 0: " + weight);
      }
    }
  }

  /**
   * The shape of one numeric attribute inside a profile.
   *
   * @param attribute the attribute to plan for
   * @param hashes the number of positions of a number
   * @param divide the number of neighboring numbers that share a key
   * @param shift the number of positions in which neighbors differ
   * @param insertionBits the average number of bits that its range sets
   * @param fpp its false positive rate in a filter with the whole profile (Range thesis, Eq. 3-15;
   *     see erratum <a href="{@docRoot}/doc-files/errata.html#R7">R7</a>)
   */
  public record AttributePlan(
      RangeAttribute attribute,
      int hashes,
      long divide,
      int shift,
      double insertionBits,
      double fpp) {

    /** Returns the name of the attribute. */
    public String name() {
      return attribute.name();
    }
  }
}
