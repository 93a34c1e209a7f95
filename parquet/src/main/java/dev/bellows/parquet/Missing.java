package dev.bellows.parquet;

/** What to do where nothing is left to do for a column that is named. */
public enum Missing {
  /** It is an error. */
  REFUSE,
  /** The column is left as it is, as in a run over many files that is repeated. */
  SKIP
}
