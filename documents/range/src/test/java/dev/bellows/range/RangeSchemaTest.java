package dev.bellows.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.HashScheme;
import dev.bellows.range.ProfilePlan.Profile;
import dev.bellows.range.ProfilePlan.RangeAttribute;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RangeSchemaTest {
  private static final Domain SMALL = Domain.of(1, 120);

  @Test
  void theOrderOfAttributesDoesNotMatter() {
    Attribute a = Attribute.plain("a", SMALL, 3);
    Attribute b = Attribute.division("\u00e4\ud83d\ude00", SMALL, 4, 7);
    Attribute c = Attribute.overlapping("z", SMALL, 4, 2);
    RangeSchema one = RangeSchema.of(100, 5, a, b, c);
    RangeSchema two = RangeSchema.of(100, 5, c, a, b);
    assertThat(one).isEqualTo(two);
    assertThat(one.toBytes()).isEqualTo(two.toBytes());
    assertThat(one.schemaHash())
        .isEqualTo(two.schemaHash())
        .isEqualTo(HashScheme.xxh3(0).hash(one.toBytes()));
    assertThat(one.attributes()).containsExactly(a, c, b);
  }

  @Test
  void textsHaveNamesOrTheSchemaIsOpen() {
    Attribute a = Attribute.plain("a", SMALL, 3);
    RangeSchema schema = RangeSchema.of(100, 5, a).withTexts("z", "b");
    assertThat(schema.texts()).containsExactly("b", "z");
    assertThat(schema.isOpen()).isFalse();
    assertThat(schema).isEqualTo(RangeSchema.of(100, 5, a).withTexts("b", "z"));
    assertThat(schema.open().isOpen()).isTrue();
    assertThat(schema.open().texts()).isEmpty();
    assertThat(
            Stream.of(
                    RangeSchema.of(100, 5, a),
                    schema,
                    schema.open(),
                    schema.withTexts("b"),
                    schema.withTexts("b", "y"))
                .map(RangeSchema::schemaHash))
        .doesNotHaveDuplicates();
    assertThatThrownBy(() -> schema.withTexts("a")).hasMessageContaining("named 'a'");
    assertThatThrownBy(() -> schema.withTexts("b", "b")).hasMessageContaining("named 'b'");
    assertThatThrownBy(() -> schema.withTexts("")).hasMessageContaining("1 to 255");
    assertThatThrownBy(() -> new RangeSchema(10, 1, List.of(), List.of("t"), true))
        .hasMessageContaining("not [t]");
  }

  @Test
  void everyFieldAffectsTheHash() {
    Attribute base = new Attribute("x", SMALL, RangePlan.Scheme.DIVISION_OVERLAPPING, 8, 4, 2);
    List<RangeSchema> schemas =
        List.of(
            RangeSchema.of(512, 8, base),
            RangeSchema.of(513, 8, base),
            RangeSchema.of(512, 9, base),
            RangeSchema.of(512, 8),
            with("y", SMALL, RangePlan.Scheme.DIVISION_OVERLAPPING, 8, 4, 2),
            with("x", Domain.of(0, 120), RangePlan.Scheme.DIVISION_OVERLAPPING, 8, 4, 2),
            with("x", Domain.of(1, 121), RangePlan.Scheme.DIVISION_OVERLAPPING, 8, 4, 2),
            with("x", new Domain(1, 120, 1, false), RangePlan.Scheme.DIVISION_OVERLAPPING, 8, 4, 2),
            with("x", Domain.ofSize(121), RangePlan.Scheme.DIVISION_OVERLAPPING, 8, 4, 2),
            with("x", SMALL, RangePlan.Scheme.DIVISION_OVERLAPPING, 9, 4, 2),
            with("x", SMALL, RangePlan.Scheme.DIVISION_OVERLAPPING, 8, 5, 2),
            with("x", SMALL, RangePlan.Scheme.DIVISION_OVERLAPPING, 8, 4, 3),
            with("x", SMALL, RangePlan.Scheme.DIVISION, 8, 4, 8));
    assertThat(schemas.stream().map(RangeSchema::schemaHash)).doesNotHaveDuplicates();
  }

  private static RangeSchema with(
      String name, Domain domain, RangePlan.Scheme scheme, int hashes, long divide, int shift) {
    return RangeSchema.of(512, 8, new Attribute(name, domain, scheme, hashes, divide, shift));
  }

  @Test
  void theCanonicalBytesAreThoseOfTheSpecification() {
    RangeSchema schema =
        RangeSchema.of(
                512,
                8,
                Attribute.divisionOverlapping(
                    "age", new Domain(-2, 0x0102030405060708L, 4, false), 7, 3, 2))
            .withTexts("cd", "b");
    byte[] expected = {
      0, 2, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, //
      3, 0, 4, 3, 7, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, //
      -2, -1, -1, -1, -1, -1, -1, -1, 8, 7, 6, 5, 4, 3, 2, 1, 'a', 'g', 'e', //
      1, 'b', 2, 'c', 'd'
    };
    assertThat(schema.toBytes()).isEqualTo(expected);
  }

  @Test
  void impossibleSchemasAreRefused() {
    assertThatThrownBy(() -> RangeSchema.of(0, 1)).hasMessageContaining("bits");
    assertThatThrownBy(() -> RangeSchema.of(10, 0)).hasMessageContaining("hashes");
    Attribute x = Attribute.plain("x", SMALL, 3);
    assertThatThrownBy(() -> RangeSchema.of(10, 1, x, x)).hasMessageContaining("named 'x'");
    assertThatThrownBy(() -> Domain.of(5, 4)).hasMessageContaining("from 5 to 4 is empty");
    assertThatThrownBy(() -> new Domain(1, 2, 0, true)).hasMessageContaining("counts from 0");
    assertThatThrownBy(() -> new Domain(1, 2, 19, false)).hasMessageContaining("scale");
    assertThatThrownBy(() -> Domain.ofSize(0)).hasMessageContaining("domain");
    assertThatThrownBy(() -> Attribute.plain("", SMALL, 3)).hasMessageContaining("1 to 255");
    assertThatThrownBy(() -> Attribute.plain("x".repeat(256), SMALL, 3))
        .hasMessageContaining("256");
    assertThatThrownBy(() -> Attribute.plain("\ud800", SMALL, 3)).hasMessageContaining("surrogate");
    assertThatThrownBy(() -> Attribute.plain("x", SMALL, 0)).hasMessageContaining("hashes of x");
    assertThatThrownBy(() -> Attribute.division("x", SMALL, 3, 0)).hasMessageContaining("divide");
    assertThatThrownBy(() -> Attribute.overlapping("x", SMALL, 3, 4)).hasMessageContaining("shift");
    assertThatThrownBy(() -> with("x", SMALL, RangePlan.Scheme.PLAIN, 3, 2, 3))
        .hasMessageContainingAll("plain", "divide 1", "'x'", "divide 2");
  }

  @Test
  void domainsKnowTheirSize() {
    assertThat(SMALL.size()).isEqualTo(120);
    assertThat(Domain.of(Long.MIN_VALUE, Long.MAX_VALUE).size()).isEqualTo(Long.MAX_VALUE);
    assertThat(Domain.of(0, Long.MAX_VALUE).size()).isEqualTo(Long.MAX_VALUE);
    assertThat(Domain.of(1, Long.MAX_VALUE).size()).isEqualTo(Long.MAX_VALUE);
    assertThat(Domain.ofSize(201)).hasToString("201 numbers").isEqualTo(Domain.ofSize(201));
    assertThat(new Domain(-1_800_000, 1_800_000, 4, false)).hasToString("[-180.0000, 180.0000]");
  }

  @Test
  void aPlanBecomesASchema() {
    Profile profile =
        Profile.of(
            512, 5, List.of(RangeAttribute.of("age", 120, 10), RangeAttribute.of("year", 201, 20)));
    ProfilePlan plan = ProfilePlan.best(profile, RangePlan.Scheme.DIVISION_OVERLAPPING, 8);
    RangeSchema schema = RangeSchema.of(plan, Map.of("age", SMALL));
    assertThat(schema.bits()).isEqualTo(512);
    assertThat(schema.hashes()).isEqualTo(8);
    assertThat(schema.attributes().get(0).domain()).isEqualTo(SMALL);
    assertThat(schema.attributes().get(1).domain()).isEqualTo(Domain.ofSize(201));
    assertThat(schema.attributes().get(1).divide()).isEqualTo(plan.attributes().get(1).divide());
    assertThat(schema.attributes().get(1).shift()).isEqualTo(plan.attributes().get(1).shift());
    assertThatThrownBy(() -> RangeSchema.of(plan, Map.of("age", Domain.of(0, 120))))
        .hasMessageContainingAll("121", "120");
    RangeSchema mixed =
        RangeSchema.of(
            ProfilePlan.bestMixed(profile, RangePlan.Scheme.DIVISION_OVERLAPPING, 16), Map.of());
    assertThat(mixed.attributes()).hasSize(2);
  }

  @Test
  void namesAreUtf8() {
    String name = "\u540d\u524d";
    byte[] bytes = RangeSchema.of(10, 1, Attribute.plain(name, SMALL, 1)).toBytes();
    assertThat(new String(bytes, StandardCharsets.UTF_8)).endsWith(name);
  }
}
