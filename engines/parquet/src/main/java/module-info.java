/** The Bloom filters inside Parquet files: read, folded, dropped, added and indexed. */
module dev.bellows.parquet {
  requires transitive dev.bellows;
  requires static transitive org.jspecify;

  exports dev.bellows.parquet;

  uses dev.bellows.parquet.ColumnValues.Reader;
  uses dev.bellows.parquet.RemoteStore.Opener;
}
