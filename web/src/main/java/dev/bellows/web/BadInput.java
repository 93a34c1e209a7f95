package dev.bellows.web;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Invalid inputs: the names of their fields, and what is wrong with each. */
final class BadInput extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String field;
  private final transient Map<String, String> faults = new LinkedHashMap<>();

  BadInput(String field, String message) {
    super(message);
    this.field = field;
    faults.put(field, message);
  }

  /** Combines several invalid inputs; the message is that of the first. */
  static BadInput of(List<BadInput> all) {
    BadInput first = all.get(0);
    for (BadInput other : all) {
      other.faults.forEach(first.faults::putIfAbsent);
    }
    return first;
  }

  String field() {
    return field;
  }

  /** What is wrong, by field. */
  Map<String, String> faults() {
    return faults;
  }
}
