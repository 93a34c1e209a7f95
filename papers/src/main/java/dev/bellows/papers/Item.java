package dev.bellows.papers;

import dev.bellows.papers.draw.Chart;

/**
 * One table, figure or claim of a document, and how to compute it again. A subclass says what it is
 * in its constructor; its {@link #fill} adds numbers, rows of data and pictures.
 */
public abstract class Item {
  /** What computing an item takes. */
  public enum Pace {
    /** Seconds: every build recomputes it and compares. */
    FAST,
    /** Minutes. */
    SLOW,
    /** It measures time or heap, and so runs alone and differs from run to run. */
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
   * @param paragraph what the document shows, what was recomputed, what came of it; line breaks are
   *     spaces
   * @param pace what computing it takes
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

  /** Computes it; the same every time, but for {@link #timed} items. */
  public final Outcome compute() {
    outcome = new Outcome();
    fill();
    return outcome;
  }

  /** Adds its numbers, its data and its pictures. */
  protected abstract void fill();

  /** Begins a number, which is part of the outcome from now on; its place is below the id. */
  protected final Result.Builder number(String place, String what) {
    return outcome.number(place.isEmpty() ? id : id + "/" + place, what);
  }

  /** Names the columns of the data, each alone or several with commas between. */
  protected final void columns(String... names) {
    outcome.columns(names);
  }

  /** Adds a row of data: numbers, words, and measured values with both ends of their intervals. */
  protected final void row(Object... values) {
    outcome.row(values);
  }

  /** Adds a picture: an SVG and what it shows, in words, for those who do not see it. */
  protected final void picture(String words, String svg) {
    outcome.picture(words, svg);
  }

  /** Adds a chart and what it shows. */
  protected final void picture(String words, Chart chart) {
    outcome.picture(words, chart.toSvg());
  }

  /** Shows the data as a table on the page, next to the file. */
  protected final void showData() {
    outcome.showData();
  }

  /** Returns the document's number and the name of the item in it. */
  public final String id() {
    return id;
  }

  /** Returns a line for the table of contents. */
  public final String title() {
    return title;
  }

  /** Returns what the document shows, what was recomputed, what came of it. */
  public final String paragraph() {
    return paragraph;
  }

  /** Returns whether it takes but seconds, so that every build recomputes it and compares. */
  public final boolean fast() {
    return pace == Pace.FAST;
  }

  /** Returns whether it measures time or heap, and so runs alone and differs from run to run. */
  public final boolean timed() {
    return pace == Pace.ALONE;
  }

  /** Returns the name of its files: the id with a hyphen for the slash. */
  public final String stem() {
    return id.replace('/', '-');
  }

  /** Returns the id, which names it in reports of tests. */
  @Override
  public final String toString() {
    return id;
  }
}
