package dev.bellows.cli;

/** Answers whether a filter has the key that a line or an argument writes. */
@FunctionalInterface
interface Question {
  boolean ask(byte[] buffer, int from, int length);
}
