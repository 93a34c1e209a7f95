package dev.bellows.papers.range;

import dev.bellows.papers.Item;

/** A figure of the Range thesis: everything except its numbers. */
abstract class Figure extends Item {
  Figure(String number, String title, String paragraph, Pace pace) {
    super("003/figure-" + number, "Figure " + number + ": " + title, paragraph, pace);
  }

  Figure(String number, String title, String paragraph) {
    this(number, title, paragraph, Pace.FAST);
  }
}
