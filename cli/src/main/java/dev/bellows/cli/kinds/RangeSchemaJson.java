package dev.bellows.cli.kinds;

import dev.bellows.cli.console.CommandFailure;
import dev.bellows.range.RangePlan;
import dev.bellows.range.RangeSchema;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.jr.ob.JSON;

/** A schema as JSON, for people and for {@code build --schema}. */
public final class RangeSchemaJson {
  private static final JSON WRITER = JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT);

  private RangeSchemaJson() {}

  public static String write(RangeSchema schema) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("schema", hash(schema));
    fields.put("bits", schema.bits());
    fields.put("hashes", schema.hashes());
    fields.put("attributes", schema.attributes().stream().map(Attribute::fields).toList());
    if (schema.isOpen()) {
      fields.put("open", true);
    } else {
      fields.put("texts", schema.texts());
    }
    return WRITER.asString(fields) + "\n";
  }

  public static String hash(RangeSchema schema) {
    return "%016x".formatted(schema.schemaHash());
  }

  static RangeSchema read(String file) throws IOException {
    try {
      return parse(Files.readString(Path.of(file)));
    } catch (JacksonException e) {
      throw new CommandFailure(file + " is not JSON: " + e.getOriginalMessage(), e);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(file + " is not a schema: " + e.getMessage(), e);
    }
  }

  private static RangeSchema parse(String json) {
    Map<String, Object> fields = JSON.std.mapFrom(json);
    if (!(fields.get("attributes") instanceof List<?> list)) {
      throw new IllegalArgumentException("the list 'attributes' is missing");
    }
    List<Attribute> attributes = new ArrayList<>();
    for (Object element : list) {
      if (!(element instanceof Map<?, ?> attribute)) {
        throw new IllegalArgumentException("an attribute is " + element + ", not an object");
      }
      attributes.add(attribute(attribute));
    }
    boolean old = !fields.containsKey("texts") && !fields.containsKey("open");
    RangeSchema schema =
        new RangeSchema(
            whole(fields, "bits", null),
            small(fields, "hashes", null),
            attributes,
            texts(fields.get("texts")),
            old || isOpen(fields.get("open")));
    // files without either field are older than both, and have a different hash
    Object said = old ? null : fields.get("schema");
    if (said != null && !said.equals(hash(schema))) {
      throw new IllegalArgumentException(
          "it was changed: its hash is %s and not %s; delete the field 'schema' if that is right"
              .formatted(hash(schema), said));
    }
    return schema;
  }

  private static List<String> texts(@Nullable Object value) {
    if (value instanceof List<?> names && names.stream().allMatch(String.class::isInstance)) {
      return names.stream().map(String.class::cast).toList();
    }
    if (value != null) {
      throw new IllegalArgumentException(
          "field 'texts' is %s, but must be a list of names".formatted(value));
    }
    return List.of();
  }

  private static boolean isOpen(@Nullable Object value) {
    if (value != null && !(value instanceof Boolean)) {
      throw new IllegalArgumentException(
          "field 'open' is %s, but must be true or false".formatted(value));
    }
    return Boolean.TRUE.equals(value);
  }

  private static Attribute attribute(Map<?, ?> fields) {
    if (!(fields.get("name") instanceof String name)) {
      throw new IllegalArgumentException("an attribute has no name");
    }
    RangePlan.Scheme scheme =
        RangePlan.Scheme.of(fields.get("scheme") instanceof String word ? word : "both");
    int hashes = small(fields, "hashes", null);
    Domain domain =
        fields.containsKey("domain")
            ? Domain.ofSize(whole(fields, "domain", null))
            : new Domain(
                whole(fields, "low", null),
                whole(fields, "high", null),
                small(fields, "scale", 0L),
                false);
    return new Attribute(
        name,
        domain,
        scheme,
        hashes,
        whole(fields, "divide", 1L),
        small(fields, "shift", (long) hashes));
  }

  private static int small(Map<?, ?> fields, String name, @Nullable Long otherwise) {
    long value = whole(fields, name, otherwise);
    if (value != (int) value) {
      throw new IllegalArgumentException(name + " " + value + " is too large");
    }
    return (int) value;
  }

  private static long whole(Map<?, ?> fields, String name, @Nullable Long otherwise) {
    Object value = fields.get(name);
    if (value == null && otherwise != null) {
      return otherwise;
    }
    if (value instanceof Integer || value instanceof Long) {
      return ((Number) value).longValue();
    }
    throw new IllegalArgumentException(
        "field '%s' is %s, but must be a whole number".formatted(name, value));
  }
}
