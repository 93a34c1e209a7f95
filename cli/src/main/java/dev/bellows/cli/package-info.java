/**
 * The {@code bellows} command. {@link dev.bellows.cli.Main} knows the verbs and starts one of them.
 *
 * <pre>
 *   cli                               Main, help and completion
 *    |
 *   verbs   plan   parquet   redis    one class per verb
 *    |______|________|_________|
 *            |
 *          kinds                      what verbs need to know about each kind of filter
 *            |
 *          keys                       how a line becomes a key and a key its hash
 *            |
 *         console                     streams, files, tables, JSON, and the values of options
 * </pre>
 */
@NullMarked
package dev.bellows.cli;

import org.jspecify.annotations.NullMarked;
