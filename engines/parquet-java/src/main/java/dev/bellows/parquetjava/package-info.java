/**
 * What needs parquet-java and Hadoop, found as services by {@code dev.bellows.parquet}.
 *
 * <ul>
 *   <li>{@link dev.bellows.parquetjava.ParquetJavaReader} reads values, for {@link
 *       dev.bellows.parquet.ParquetFilterAdder}.
 *   <li>{@link dev.bellows.parquetjava.HadoopOpener} opens remote files, for {@link
 *       dev.bellows.parquet.RemoteStore}. A store of Hadoop becomes a {@link
 *       java.nio.file.FileSystem} ({@code RemoteFileSystem}, with {@code RemotePath}, {@code
 *       RemoteProvider} and {@code RemoteChannel}), so that the rest of the library sees paths and
 *       channels and no store.
 * </ul>
 *
 * <p>Several jars of parquet-java share packages, which Java modules do not allow, so this module
 * works on the class path only.
 */
@NullMarked
package dev.bellows.parquetjava;

import org.jspecify.annotations.NullMarked;
