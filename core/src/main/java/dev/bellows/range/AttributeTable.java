package dev.bellows.range;

import dev.bellows.HashScheme;
import dev.bellows.range.RangeSchema.Attribute;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The attributes of a schema by name: what their numbers and texts become. */
final class AttributeTable {
  private final RangeSchema schema;
  private final HashScheme scheme;

  /** Created when a query first needs them: not possible with a sealed hash scheme. */
  private volatile @Nullable Map<String, AttributeBits> numeric;

  AttributeTable(RangeSchema schema, HashScheme scheme) {
    this.schema = schema;
    this.scheme = scheme;
  }

  /** The bits of an attribute of numbers. */
  AttributeBits numeric(String name) {
    AttributeBits bits = numeric().get(name);
    if (bits == null) {
      throw new IllegalArgumentException(
          "no numeric attribute is called '%s': the schema has %s"
              .formatted(name, schema.attributes().stream().map(Attribute::name).toList()));
    }
    return bits;
  }

  /** The hash of a text under an attribute. */
  long textHash(String name, CharSequence text) {
    if (numeric().containsKey(name)) {
      throw new IllegalArgumentException(
          "attribute '%s' holds numbers, not the text '%s'".formatted(name, text));
    }
    schema.requireText(name);
    return scheme.hash(text) ^ AttributeBits.key(scheme, name, AttributeBits.TEXT);
  }

  private Map<String, AttributeBits> numeric() {
    Map<String, AttributeBits> made = numeric;
    if (made == null) {
      made = new HashMap<>();
      for (Attribute attribute : schema.attributes()) {
        made.put(attribute.name(), AttributeBits.of(schema.bits(), attribute, scheme));
      }
      numeric = made;
    }
    return made;
  }
}
