package dev.bellows.web;

/** Something that runs the page's scripts. */
interface Engine extends AutoCloseable {
  /** Its name, for the log. */
  String name();

  /** What the planners of the page answer. */
  String answer(String tab, String inputs);

  /** What a script of the page returns, as text; the arguments are texts. */
  String call(String function, String... arguments);

  @Override
  void close();
}
