/** What every verb uses: its streams and files, tables and JSON, and how values are written. */
@NullMarked
package dev.bellows.cli.console;

import org.jspecify.annotations.NullMarked;
