package dev.bellows.cli;

import dev.bellows.HashScheme;
import dev.bellows.plan.Layout;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What {@code build} was asked for; null is "not said".
 *
 * @param keys distinct keys to size for
 * @param fpp the highest rate of false positives
 * @param bits the exact size
 * @param hashes bits per key
 * @param capacity the exact size of a filter that will be folded later
 * @param counterBits bits per counter, for kinds that count
 * @param layout how keys choose bits
 * @param thresholds how an autoscaling filter is read
 * @param range what kind range adds
 * @param growth what kind partition adds
 * @param keyOptions how lines become keys
 * @param scheme how keys become hashes
 * @param note where remarks to the user go
 */
record BuildRequest(
    @Nullable Long keys,
    @Nullable Double fpp,
    @Nullable Long bits,
    @Nullable Integer hashes,
    @Nullable Long capacity,
    @Nullable Integer counterBits,
    @Nullable Layout layout,
    ThresholdOptions thresholds,
    RangeOptions range,
    GrowthOptions growth,
    KeyOptions keyOptions,
    HashScheme scheme,
    Consumer<String> note) {}
