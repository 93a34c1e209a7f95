import dev.bellows.HashScheme;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangeSchema;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import java.util.SplittableRandom;

/**
 * Peers that look for each other without sending their profiles. A request (an age from 27 to
 * 36, an income, one of a few hobbies) travels as 64 bytes; every peer compares its own profile
 * with it and answers only if it fits. A comparison of the real values shows how many answers
 * are wrong.
 */
public final class ProfileMatching {
  private static final String[] HOBBIES = {"chess", "engines", "gardening", "music", "sailing"};
  private static final int PEERS = 20_000;

  public static void main(String[] arguments) {
    RangeSchema schema =
        RangeSchema.of(
                512,
                8,
                Attribute.overlapping("Age", Domain.of(1, 120), 8, 2),
                Attribute.divisionOverlapping("Income", Domain.of(0, 500_000), 8, 5000, 2))
            .withTexts("Hobby");
    RangeBloomFilter request = RangeBloomFilter.create(schema);
    request.putRange("Age", 27, 36);
    request.putRange("Income", 50_000, 99_999);
    request.put("Hobby", "engines");
    request.put("Hobby", "sailing");
    byte[] onTheWire = request.toBareBytes();

    RangeBloomFilter received = RangeBloomFilter.ofBareBytes(schema, HashScheme.DEFAULT, onTheWire);
    SplittableRandom random = new SplittableRandom(1);
    int fit = 0;
    int missed = 0;
    int wrong = 0;
    for (int peer = 0; peer < PEERS; peer++) {
      int age = 18 + random.nextInt(60);
      int income = random.nextInt(200_000);
      String hobby = HOBBIES[random.nextInt(HOBBIES.length)];
      RangeBloomFilter profile = RangeBloomFilter.create(schema);
      profile.put("Age", age);
      profile.put("Income", income);
      profile.put("Hobby", hobby);
      boolean answers = profile.isSubsetOf(received);
      boolean fits =
          age >= 27
              && age <= 36
              && income >= 50_000
              && income < 100_000
              && (hobby.equals("engines") || hobby.equals("sailing"));
      fit += fits ? 1 : 0;
      missed += fits && !answers ? 1 : 0;
      wrong += answers && !fits ? 1 : 0;
    }
    System.out.printf("the request travels as %d bytes%n", onTheWire.length);
    System.out.printf("of %,d peers %,d fit; missed: %d%n", PEERS, fit, missed);
    System.out.printf("answered without fitting: %,d%n", wrong);
    System.out.printf("age 30 asked alone: %s%n", received.mightContain("Age", 30) ? "maybe" : "no");
    System.out.printf("age 80 asked alone: %s%n", received.mightContain("Age", 80) ? "maybe" : "no");
  }
}
