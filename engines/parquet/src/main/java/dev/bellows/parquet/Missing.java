package dev.bellows.parquet;

/** What to do with a named column that has no filter to change, or already has the new one. */
public enum Missing {
  /** Throw an exception. */
  REFUSE,
  /** Leave the column unchanged, e.g. in a repeated run over many files. */
  SKIP
}
