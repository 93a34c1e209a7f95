package dev.bellows.cli.console;

/** The order of the groups of options in help, after the options without a group. */
public final class OptionGroups {
  public static final int SIZE = 10;
  public static final int HASHING = 20;
  public static final int KEYS = 30;
  public static final int COUNTING = 40;
  public static final int ELASTIC = 45;
  public static final int FINGERPRINT = 48;
  public static final int WINDOW = 49;
  public static final int TIMES = 50;
  public static final int PARTITION = 52;
  public static final int RANGE = 60;
  public static final int AUTOSCALE = 70;
  public static final int FOREIGN = 80;

  private OptionGroups() {}
}
