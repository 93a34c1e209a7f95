package dev.bellows.papers;

import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import java.util.Locale;

/**
 * One table, figure or claim of a document, and how to recompute it. A subclass describes it in its
 * constructor; its {@link #fill} adds numbers, rows of data and pictures.
 */
public abstract class Item {
  /** How long it takes to compute an item. */
  public enum Pace {
    /** Seconds: every build recomputes it and compares. */
    FAST,
    /** Minutes. */
    SLOW,
    /** Measures time or heap usage, so it runs alone and its results vary between runs. */
    ALONE
  }

  private final String id;
  private final String title;
  private final String paragraph;
  private final Pace pace;
  private Outcome outcome = new Outcome();

  /**
   * Returns an item.
   *
   * @param id the document's number and the name of the item in it: {@code 003/table-4-1}
   * @param title a line for the table of contents: {@code Table 4-1: rate by divide and hashes}
   * @param paragraph what the document shows, what was recomputed, and the outcome; line breaks
   *     become spaces
   * @param pace how long it takes to compute
   */
  protected Item(String id, String title, String paragraph, Pace pace) {
    this.id = id;
    this.title = title;
    this.paragraph = paragraph.strip().replace('\n', ' ');
    this.pace = pace;
  }

  /** Returns an item that is computed in seconds. */
  protected Item(String id, String title, String paragraph) {
    this(id, title, paragraph, Pace.FAST);
  }

  /** Computes the item. Results are deterministic except for {@link #timed} items. */
  public final Outcome compute() {
    outcome = new Outcome();
    fill();
    return outcome;
  }

  /** Adds its numbers, its data and its pictures. */
  protected abstract void fill();

  /** Adds a number to the outcome; its id is the item's id followed by the place. */
  protected final Result.Builder number(String place, String what) {
    return outcome.number(place.isEmpty() ? id : id + "/" + place, what);
  }

  /** Sets the names of the columns; a string may hold several, separated by commas. */
  protected final void columns(String... names) {
    outcome.columns(names);
  }

  /** Adds a row of data: numbers, words, and measured values with both ends of their intervals. */
  protected final void row(Object... values) {
    outcome.row(values);
  }

  /** Adds a picture: an SVG and its text alternative. */
  protected final void picture(String words, String svg) {
    outcome.picture(words, () -> svg);
  }

  /** Adds an empty chart and its text alternative; it is drawn when the item is complete. */
  protected final Chart chart(String words, String title, Axis x, Axis y) {
    Chart chart = Chart.of(title, x, y);
    outcome.picture(words, chart::toSvg);
    return chart;
  }

  /** Returns the document's number and the name of the item in it. */
  public final String id() {
    return id;
  }

  /** Returns a line for the table of contents. */
  public final String title() {
    return title;
  }

  /** Returns what the document shows, what was recomputed, and the outcome. */
  public final String paragraph() {
    return paragraph;
  }

  /** Returns whether it takes only seconds, so that every build recomputes and compares it. */
  public final boolean fast() {
    return pace == Pace.FAST;
  }

  /** Returns whether it measures time or heap usage, so that it runs alone and results vary. */
  public final boolean timed() {
    return pace == Pace.ALONE;
  }

  /** Returns the name of its files: the id with a hyphen for the slash. */
  public final String stem() {
    return id.replace('/', '-');
  }

  /** Returns its section of the page of its document, e.g. {@code 003.md#table-4-1-rate}. */
  public final String section() {
    String words = title.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "");
    return id.substring(0, 3) + ".md#" + words.replace(' ', '-');
  }

  /** Returns the id, which identifies the item in test reports. */
  @Override
  public final String toString() {
    return id;
  }
}
