package dev.bellows.cli.kinds;

import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Numbers;
import dev.bellows.internal.base.Prose;
import dev.bellows.range.ProfilePlan;
import dev.bellows.range.ProfilePlan.Profile;
import dev.bellows.range.ProfilePlan.RangeAttribute;
import dev.bellows.range.RangePlan;
import dev.bellows.range.RangeSchema;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What {@code build --kind range} has to know: a schema, or enough to plan one. */
public final class RangeOptions {
  public static final int DEFAULT_MAX_HASHES = 24;

  /** A range is planned to hold this share of its domain unless the user says otherwise. */
  private static final long TYPICAL_SHARE = 10;

  @Option(
      names = "--domain",
      paramLabel = "NAME:LOW:HIGH[:N]",
      converter = DomainText.class,
      description =
          "A numeric attribute and its domain, planned for ranges of N numbers (default: a tenth of"
              + " them), e.g. age:0:120, income:0:5M or price:0.00:99.99.")
  List<Declared> domains = new ArrayList<>();

  @Option(
      names = "--text",
      paramLabel = "NAME",
      description =
          "A text attribute; may be repeated. With it, names that are not declared are refused;"
              + " without, every name without a domain holds text.")
  List<String> texts = new ArrayList<>();

  @Option(
      names = "--scheme",
      paramLabel = "SCHEME",
      converter = SchemeWord.class,
      completionCandidates = SchemeWord.class,
      description = "${COMPLETION-CANDIDATES} (default: both).")
  RangePlan.@Nullable Scheme scheme;

  @Option(
      names = "--max-hashes",
      paramLabel = "H",
      description = "Search all hashes up to H (default: 24) instead of --hashes.")
  @Nullable Integer maxHashes;

  @Option(
      names = "--strings",
      paramLabel = "COUNT",
      description = "Texts to plan for (default: one for each --text).")
  @Nullable Integer strings;

  @Option(
      names = "--schema",
      paramLabel = "FILE",
      description = "The schema that bellows plan range -o wrote.")
  @Nullable String schemeFile;

  /** The name that the option had at first. */
  @Option(names = "--scheme-file", paramLabel = "FILE", hidden = true)
  void setSchemeFile(String file) {
    schemeFile = file;
  }

  /** A domain and the length of the ranges to plan for. */
  record Declared(String name, Domain domain, long range) {}

  /** Returns the name of an option that plans a schema, or null if none was given. */
  private @Nullable String planning() {
    if (!texts.isEmpty()) {
      return "--text";
    }
    if (scheme != null) {
      return "--scheme";
    }
    return maxHashes != null ? "--max-hashes" : strings != null ? "--strings" : null;
  }

  /** Returns the schema: of the file, or planned. It depends on nothing but the options. */
  RangeSchema schema(@Nullable Long bits, @Nullable Integer hashes) throws IOException {
    if (schemeFile != null) {
      String contradiction = bits != null ? "--bits" : hashes != null ? "--hashes" : planning();
      if (contradiction != null) {
        throw new CommandFailure(
            "--schema determines the whole schema: leave out " + contradiction);
      }
      return refined(RangeSchemaJson.read(schemeFile));
    }
    if (domains.isEmpty() || bits == null) {
      throw new CommandFailure(
          "--kind range needs --domain NAME:LOW:HIGH and --bits M, or --schema FILE");
    }
    if (hashes != null && maxHashes != null) {
      throw new CommandFailure(
          "--hashes and --max-hashes exclude each other: use only one of them");
    }
    Map<String, Domain> byName = new LinkedHashMap<>();
    List<RangeAttribute> attributes = new ArrayList<>();
    for (Declared declared : domains) {
      byName.put(declared.name, declared.domain);
      attributes.add(RangeAttribute.of(declared.name, declared.domain.size(), declared.range));
    }
    Profile profile = Profile.of(bits, strings == null ? texts.size() : strings, attributes);
    return withTexts(RangeSchema.of(plan(profile, scheme, hashes, maxHashes), byName), texts);
  }

  /** Returns the schema with text under these names, or under any name if there are none. */
  public static RangeSchema withTexts(RangeSchema schema, List<String> names) {
    return names.isEmpty() ? schema.open() : schema.withTexts(names.toArray(new String[0]));
  }

  public static ProfilePlan plan(
      Profile profile,
      RangePlan.@Nullable Scheme scheme,
      @Nullable Integer hashes,
      @Nullable Integer maxHashes) {
    RangePlan.Scheme how = scheme == null ? RangePlan.Scheme.DIVISION_OVERLAPPING : scheme;
    return hashes == null
        ? ProfilePlan.bestUpTo(profile, how, maxHashes == null ? DEFAULT_MAX_HASHES : maxHashes)
        : ProfilePlan.best(profile, how, hashes);
  }

  /** Returns the schema with the ends of domains of which it knows only the size. */
  private RangeSchema refined(RangeSchema schema) {
    List<Attribute> attributes = new ArrayList<>(schema.attributes());
    for (Declared declared : domains) {
      int index = attributes.stream().map(Attribute::name).toList().indexOf(declared.name);
      if (index < 0) {
        throw new CommandFailure(
            "%s has no numeric attribute '%s', which --domain declares", schemeFile, declared.name);
      }
      Attribute old = attributes.get(index);
      if (!old.domain().equals(declared.domain)
          && !(old.domain().open() && old.domain().size() == declared.domain.size())) {
        throw new CommandFailure(
            "the domain of '%s' is %s in %s, not %s",
            declared.name, old.domain(), schemeFile, declared.domain);
      }
      attributes.set(
          index,
          new Attribute(
              old.name(), declared.domain, old.scheme(), old.hashes(), old.divide(), old.shift()));
    }
    return new RangeSchema(
        schema.bits(), schema.hashes(), attributes, schema.texts(), schema.isOpen());
  }

  /** {@code NAME:LOW:HIGH} or {@code NAME:LOW:HIGH:N}. */
  static final class DomainText implements ITypeConverter<Declared> {
    @Override
    public Declared convert(String text) {
      String[] parts = text.split(":", -1);
      if (parts.length < 3 || parts.length > 4) {
        throw new TypeConversionException(
            Prose.quote(text) + " is not a domain: write NAME:LOW:HIGH or NAME:LOW:HIGH:N");
      }
      try {
        Domain domain = RangeText.domain(parts[1], parts[2]);
        long range =
            parts.length == 4
                ? Numbers.count(parts[3])
                : Math.max(1, domain.size() / TYPICAL_SHARE);
        return new Declared(parts[0].strip(), domain, range);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(
            Prose.quote(text) + " is not a domain: " + e.getMessage());
      }
    }
  }

  /** Schemes by their word. */
  public static final class SchemeWord extends Numbers.Word<RangePlan.Scheme> {
    SchemeWord() {
      super("a scheme", RangePlan.Scheme.values(), RangePlan.Scheme::word);
    }
  }
}
