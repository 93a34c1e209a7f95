/** {@code bellows plan}: sizes and rates, without any filter. */
@NullMarked
package dev.bellows.cli.plan;

import org.jspecify.annotations.NullMarked;
