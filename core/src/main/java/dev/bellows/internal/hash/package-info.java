/**
 * Hash functions that core implements itself because its libraries do not: {@link
 * dev.bellows.internal.hash.SipHash24} for keys that others may choose. All other hashing goes
 * through hash4j, behind {@code dev.bellows.HashScheme}.
 */
@NullMarked
package dev.bellows.internal.hash;

import org.jspecify.annotations.NullMarked;
