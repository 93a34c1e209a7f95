package dev.bellows.papers.range;

import dev.bellows.papers.Item;
import dev.bellows.papers.Result;

/** A figure of document 003: everything but its numbers. */
abstract class Figure implements Item {
  private final String number;
  private final String title;
  private final String paragraph;

  Figure(String number, String title, String paragraph) {
    this.number = number;
    this.title = title;
    this.paragraph = paragraph.strip().replace('\n', ' ');
  }

  @Override
  public final String id() {
    return "003/figure-" + number;
  }

  @Override
  public final String title() {
    return "Figure " + number + ": " + title;
  }

  @Override
  public final String paragraph() {
    return paragraph;
  }

  /** Begins one of its numbers. */
  final Result.Builder number(String place, String what) {
    return Result.of(id() + "/" + place, what);
  }
}
