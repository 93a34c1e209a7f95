/** How the lines of an input become keys, and keys the 64 bits by which a filter knows them. */
@NullMarked
package dev.bellows.cli.keys;

import org.jspecify.annotations.NullMarked;
