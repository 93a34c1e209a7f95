/** The operations as JMH runs them; the contender is a parameter. */
@org.jspecify.annotations.NullMarked
package dev.bellows.bench.operations;
