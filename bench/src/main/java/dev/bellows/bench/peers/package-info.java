/**
 * The contenders: one file per library, and in it one class per role that the library can play.
 *
 * <p>A fork measures one contender in one role and loads no other class of that role, so that the
 * compiler sees one implementation behind each call and inlines it, for everybody alike.
 */
@org.jspecify.annotations.NullMarked
package dev.bellows.bench.peers;
