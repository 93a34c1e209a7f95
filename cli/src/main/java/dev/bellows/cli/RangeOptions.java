package dev.bellows.cli;

import dev.bellows.RangeSchema;
import dev.bellows.RangeSchema.Attribute;
import dev.bellows.RangeSchema.Domain;
import dev.bellows.plan.Profile;
import dev.bellows.plan.ProfilePlan;
import dev.bellows.plan.RangeAttribute;
import dev.bellows.plan.RangeScheme;
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
final class RangeOptions {
  static final int DEFAULT_MAX_HASHES = 24;

  /** A range is planned to hold this share of its domain if nobody says more. */
  private static final long TYPICAL_SHARE = 10;

  @Option(
      names = "--domain",
      paramLabel = "NAME:LOW:HIGH[:N]",
      converter = DomainText.class,
      description =
          "Kind range: a numeric attribute and its domain, as age:0:120, income:0:5M or price:0.00:99.99, planned"
              + " for ranges of N numbers (default: a tenth of them). Other names hold text.")
  List<Declared> domains = new ArrayList<>();

  @Option(
      names = "--scheme",
      paramLabel = "SCHEME",
      converter = SchemeWord.class,
      completionCandidates = SchemeWord.Words.class,
      description = "Kind range: ${COMPLETION-CANDIDATES} (default: both).")
  @Nullable RangeScheme scheme;

  @Option(
      names = "--max-hashes",
      paramLabel = "H",
      converter = Numbers.SmallCount.class,
      description = "Kind range: search all hashes up to H (default: 24) instead of --hashes.")
  @Nullable Integer maxHashes;

  @Option(
      names = "--strings",
      paramLabel = "COUNT",
      converter = Numbers.SmallCount.class,
      description = "Kind range: texts to plan for (default: 0).")
  @Nullable Integer strings;

  @Option(
      names = "--scheme-file",
      paramLabel = "FILE",
      description = "Kind range: the schema that bellows plan range -o wrote.")
  @Nullable String schemeFile;

  /** A domain and the length of the ranges to plan for. */
  record Declared(String name, Domain domain, long range) {}

  boolean given() {
    return !domains.isEmpty()
        || scheme != null
        || maxHashes != null
        || strings != null
        || schemeFile != null;
  }

  /** The schema: of the file, or planned. It depends on nothing but the options. */
  RangeSchema schema(@Nullable Long bits, @Nullable Integer hashes) throws IOException {
    if (schemeFile != null) {
      if (bits != null
          || hashes != null
          || scheme != null
          || maxHashes != null
          || strings != null) {
        throw new CommandFailure(
            "--scheme-file settles bits, hashes and schemes: leave out --bits, --hashes,"
                + " --max-hashes, --scheme and --strings");
      }
      return refined(RangeSchemaJson.read(schemeFile));
    }
    if (domains.isEmpty() || bits == null) {
      throw new CommandFailure(
          "kind range needs --domain NAME:LOW:HIGH and --bits M, or --scheme-file FILE");
    }
    if (hashes != null && maxHashes != null) {
      throw new CommandFailure("--hashes and --max-hashes exclude each other: give one of them");
    }
    Map<String, Domain> byName = new LinkedHashMap<>();
    List<RangeAttribute> attributes = new ArrayList<>();
    for (Declared declared : domains) {
      byName.put(declared.name, declared.domain);
      attributes.add(RangeAttribute.of(declared.name, declared.domain.size(), declared.range));
    }
    Profile profile = Profile.of(bits, strings == null ? 0 : strings, attributes);
    return RangeSchema.of(plan(profile, scheme, hashes, maxHashes), byName);
  }

  static ProfilePlan plan(
      Profile profile,
      @Nullable RangeScheme scheme,
      @Nullable Integer hashes,
      @Nullable Integer maxHashes) {
    RangeScheme how = scheme == null ? RangeScheme.DIVISION_OVERLAPPING : scheme;
    return hashes == null
        ? ProfilePlan.bestUpTo(profile, how, maxHashes == null ? DEFAULT_MAX_HASHES : maxHashes)
        : ProfilePlan.best(profile, how, hashes);
  }

  /** The schema with the ends of domains of which it knows only the size. */
  private RangeSchema refined(RangeSchema schema) {
    List<Attribute> attributes = new ArrayList<>(schema.attributes());
    for (Declared declared : domains) {
      int index = attributes.stream().map(Attribute::name).toList().indexOf(declared.name);
      if (index < 0) {
        throw new CommandFailure(
            "%s has no numeric attribute '%s', which --domain declares"
                .formatted(schemeFile, declared.name));
      }
      Attribute old = attributes.get(index);
      if (!old.domain().equals(declared.domain)
          && !(old.domain().open() && old.domain().size() == declared.domain.size())) {
        throw new CommandFailure(
            "the domain of '%s' is %s in %s, not %s"
                .formatted(declared.name, old.domain(), schemeFile, declared.domain));
      }
      attributes.set(
          index,
          new Attribute(
              old.name(),
              declared.domain,
              old.scheme(),
              old.hashes(),
              old.divide(),
              old.shift(),
              old.marks()));
    }
    return new RangeSchema(schema.bits(), schema.hashes(), attributes);
  }

  /** {@code NAME:LOW:HIGH} or {@code NAME:LOW:HIGH:N}. */
  static final class DomainText implements ITypeConverter<Declared> {
    @Override
    public Declared convert(String text) {
      String[] parts = text.split(":", -1);
      if (parts.length < 3 || parts.length > 4) {
        throw new TypeConversionException(
            Text.quote(text) + " is no domain: write NAME:LOW:HIGH or NAME:LOW:HIGH:N");
      }
      try {
        Domain domain = RangeText.domain(parts[1], parts[2]);
        long range =
            parts.length == 4
                ? new Numbers.Count().convert(parts[3])
                : Math.max(1, domain.size() / TYPICAL_SHARE);
        return new Declared(parts[0].strip(), domain, range);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(Text.quote(text) + " is no domain: " + e.getMessage());
      }
    }
  }

  /** Schemes by their word. */
  static final class SchemeWord implements ITypeConverter<RangeScheme> {
    @Override
    public RangeScheme convert(String text) {
      try {
        return RangeScheme.of(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }

    /** The words, for completion. */
    static final class Words extends ArrayList<String> {
      private static final long serialVersionUID = 1L;

      Words() {
        super(List.of(RangeScheme.values()).stream().map(RangeScheme::word).toList());
      }
    }
  }
}
