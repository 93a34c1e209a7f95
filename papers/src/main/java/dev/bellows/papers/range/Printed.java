package dev.bellows.papers.range;

import dev.bellows.papers.Result;

/** Printed numbers that are exact as they stand. */
final class Printed {
  private Printed() {}

  /** A whole number: nothing else rounds to it. */
  static Result.Builder count(String id, String what, String digits) {
    return Result.of(id, what).printed(Long.parseLong(digits), 0);
  }

  /** A number of bits, printed with its fraction wherever it has one. */
  static Result.Builder bits(String id, String what, String digits) {
    return digits.contains(".") ? Result.of(id, what).printed(digits) : count(id, what, digits);
  }
}
