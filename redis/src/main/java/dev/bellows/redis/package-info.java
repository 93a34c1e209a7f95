/**
 * One filter for many services: its bits are ordinary strings in a Redis or Valkey server, where
 * any number of clients put, ask, fold, merge and let it grow.
 */
@NullMarked
package dev.bellows.redis;

import org.jspecify.annotations.NullMarked;
