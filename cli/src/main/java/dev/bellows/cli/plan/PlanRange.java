package dev.bellows.cli.plan;

import dev.bellows.answers.PlanFields;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.console.Verb;
import dev.bellows.cli.kinds.RangeOptions;
import dev.bellows.cli.kinds.RangeSchemaJson;
import dev.bellows.cli.kinds.RangeText;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.files.AtomicFile;
import dev.bellows.range.ProfilePlan;
import dev.bellows.range.ProfilePlan.Profile;
import dev.bellows.range.ProfilePlan.RangeAttribute;
import dev.bellows.range.RangePlan;
import dev.bellows.range.RangeSchema;
import dev.bellows.range.RangeSchema.Domain;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code bellows plan range}: the shapes of numeric ranges in a filter. */
@Command(
    name = "range",
    description = {
      "Plans how numeric ranges become bits.",
      "Finds the best divide and shift (and hashes) for one attribute with --domain and --range, or"
          + " for several with --attribute and --strings.",
      "divide: neighboring numbers that share a key. shift: positions in which neighbors differ."
    },
    footer = {
      "  bellows plan range --bits 512 --hashes 8 --domain 10000 --range 1000 \\",
      "    --explain",
      "  bellows plan range --bits 512 --max-hashes 24 --strings 5 \\",
      "    --attribute age:1..120:10 --attribute income:0..5000000:500k -o scheme.json"
    })
final class PlanRange extends Verb {
  @Option(
      names = "--bits",
      paramLabel = "M",
      required = true,
      description = "Size of the filter in bits.")
  long bits;

  @Option(names = "--hashes", paramLabel = "K", description = "Positions of a number.")
  @Nullable Integer hashes;

  @Option(
      names = "--max-hashes",
      paramLabel = "H",
      description = "Search all hashes up to H instead (default: 24).")
  @Nullable Integer maxHashes;

  @Option(
      names = "--scheme",
      paramLabel = "SCHEME",
      converter = RangeOptions.SchemeWord.class,
      completionCandidates = RangeOptions.SchemeWord.class,
      defaultValue = "both",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  RangePlan.Scheme scheme;

  @Option(names = "--explain", description = "Show the curves around the optimum.")
  boolean explain;

  @ArgGroup(validate = false, heading = "%nOne attribute:%n", order = 10)
  One one = new One();

  @ArgGroup(validate = false, heading = "%nSeveral attributes:%n", order = 20)
  Several several = new Several();

  /** One attribute. */
  static final class One {
    @Option(
        names = "--domain",
        paramLabel = "R",
        converter = DomainText.class,
        description = "How many values it can take, or LOW..HIGH.")
    @Nullable Domain domain;

    @Option(names = "--range", paramLabel = "N", description = "How many of them its range holds.")
    @Nullable Long range;
  }

  /** Several attributes in one filter. */
  static final class Several {
    @Option(
        names = "--attribute",
        paramLabel = "NAME:R:N[:WEIGHT]",
        converter = AttributeText.class,
        description =
            "Its name, its domain (a number of values, or LOW..HIGH), the length of its range and"
                + " how often it is queried (default: 1); may be repeated.")
    List<Declared> attributes = new ArrayList<>();

    @Option(
        names = "--strings",
        paramLabel = "COUNT",
        description =
            "The number of texts, in addition to the attributes (default: one for each --text).")
    @Nullable Integer strings;

    @Option(
        names = "--text",
        paramLabel = "NAME",
        description =
            "A text attribute; may be repeated. With it, filters refuse names that"
                + " are not declared; without, every other name holds text.")
    List<String> texts = new ArrayList<>();

    @Option(names = "--mixed", description = "Each attribute may have its own number of hashes.")
    boolean mixed;

    @Option(
        names = {"-o", "--output"},
        paramLabel = "FILE",
        description = "Save the schema for bellows build --kind range --schema.")
    @Nullable String output;

    boolean isGiven() {
      return !attributes.isEmpty() || !texts.isEmpty() || strings != null;
    }

    Profile profile(long bits) {
      return Profile.of(
          bits,
          strings == null ? texts.size() : strings,
          attributes.stream().map(Declared::attribute).toList());
    }
  }

  /** An attribute, its domain and how it is used. */
  record Declared(Domain domain, RangeAttribute attribute) {}

  @Override
  public Integer call() throws IOException {
    if (hashes != null && maxHashes != null) {
      throw misuse("--hashes and --max-hashes exclude each other: use only one of them");
    }
    if (several.isGiven()) {
      if (one.domain != null || one.range != null) {
        throw misuse("--domain and --range plan one attribute: write them as --attribute NAME:R:N");
      }
      return several();
    }
    if (one.domain == null || one.range == null) {
      throw misuse("give --domain R and --range N, or --attribute NAME:R:N for each of several");
    }
    if (several.output != null || several.mixed) {
      throw misuse("-o and --mixed need names: give --attribute NAME:R:N");
    }
    return one(one.domain.size(), one.range);
  }

  private int most() {
    return maxHashes == null ? RangeOptions.DEFAULT_MAX_HASHES : maxHashes;
  }

  private Integer one(long size, long length) throws IOException {
    RangePlan plan =
        hashes == null
            ? RangePlan.bestUpTo(scheme, bits, most(), size, length)
            : RangePlan.best(scheme, bits, hashes, size, length);
    String page =
        RangePages.one(plan)
            + (explain ? RangePages.curves(plan, hashes == null ? most() : 0) : "");
    return report(PlanFields.range(plan), page);
  }

  private Integer several() throws IOException {
    if (several.mixed && hashes != null) {
      throw misuse("--mixed searches hashes: give --max-hashes instead of --hashes");
    }
    Profile profile = several.profile(bits);
    ProfilePlan uniform = RangeOptions.plan(profile, scheme, hashes, maxHashes);
    ProfilePlan plan = several.mixed ? ProfilePlan.bestMixed(profile, scheme, most()) : uniform;
    Map<String, Domain> domains = new LinkedHashMap<>();
    several.attributes.forEach(one -> domains.put(one.attribute.name(), one.domain));
    RangeSchema schema = RangeOptions.withTexts(RangeSchema.of(plan, domains), several.texts);
    if (several.output != null) {
      save(several.output, schema);
    }
    ProfilePlan compared = several.mixed ? uniform : null;
    Map<String, @Nullable Object> fields = PlanFields.profile(plan, compared);
    fields.put("schema", RangeSchemaJson.hash(schema));
    String page = RangePages.several(plan, compared, schema);
    return report(fields, explain ? page + RangePages.hashesCurve(profile, uniform) : page);
  }

  private void save(String file, RangeSchema schema) throws IOException {
    if (file.equals("-")) {
      throw misuse("-o - would mix the schema with the plan: name a file");
    }
    NamedFiles.requireWritable(file);
    byte[] text = RangeSchemaJson.write(schema).getBytes(StandardCharsets.UTF_8);
    AtomicFile.write(Path.of(file), out -> out.write(text));
  }

  /** A number of values, or {@code LOW..HIGH}. */
  static final class DomainText implements ITypeConverter<Domain> {
    @Override
    public Domain convert(String text) {
      try {
        return RangeText.domain(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(
            Prose.quote(text) + " is not a domain: " + e.getMessage());
      }
    }
  }

  /** {@code NAME:R:N} or {@code NAME:R:N:WEIGHT}. */
  static final class AttributeText implements ITypeConverter<Declared> {
    @Override
    public Declared convert(String text) {
      String[] parts = text.split(":", -1);
      if (parts.length < 3 || parts.length > 4) {
        throw new TypeConversionException(
            Prose.quote(text) + " is not an attribute: write NAME:R:N or NAME:R:N:WEIGHT");
      }
      try {
        Domain domain = RangeText.domain(parts[1]);
        double weight = parts.length == 4 ? Double.parseDouble(parts[3]) : 1;
        long length = Numbers.count(parts[2]);
        return new Declared(
            domain, new RangeAttribute(parts[0].strip(), domain.size(), length, weight));
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(
            Prose.quote(text) + " is not an attribute: " + e.getMessage());
      }
    }
  }
}
