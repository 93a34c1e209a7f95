/** Structures to be compared with, not offered. */
package dev.bellows.bench.baseline;
