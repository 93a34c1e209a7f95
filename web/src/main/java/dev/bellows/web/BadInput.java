package dev.bellows.web;

/** An input that cannot be planned with, and the name of its field. */
final class BadInput extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String field;

  BadInput(String field, String message) {
    super(message);
    this.field = field;
  }

  String field() {
    return field;
  }
}
