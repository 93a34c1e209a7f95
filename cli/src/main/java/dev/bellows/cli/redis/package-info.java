/** {@code bellows redis}: filters in a Redis or Valkey server. */
@NullMarked
package dev.bellows.cli.redis;

import org.jspecify.annotations.NullMarked;
