/** What the verbs need to know about each kind of filter: how it is built, read and merged. */
@NullMarked
package dev.bellows.cli.kinds;

import org.jspecify.annotations.NullMarked;
