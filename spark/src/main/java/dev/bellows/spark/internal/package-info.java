/** Not API: the expressions behind the SQL functions; public only where generated code calls. */
@NullMarked
package dev.bellows.spark.internal;

import org.jspecify.annotations.NullMarked;
