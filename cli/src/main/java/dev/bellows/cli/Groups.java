package dev.bellows.cli;

/** The order of the groups of options in help, after the options that stand in no group. */
final class Groups {
  static final int SIZE = 10;
  static final int HASHING = 20;
  static final int KEYS = 30;
  static final int COUNTING = 40;
  static final int ELASTIC = 45;
  static final int FINGERPRINT = 48;
  static final int PARTITION = 50;
  static final int RANGE = 60;
  static final int AUTOSCALE = 70;
  static final int FOREIGN = 80;

  private Groups() {}
}
