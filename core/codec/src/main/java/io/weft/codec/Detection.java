package io.weft.codec;

/// Result of looking at the first bytes of a connection for its protocol, for servers that speak
/// several on one port.
///
/// @param <P> protocols
public sealed interface Detection<P> {
    /// Too few bytes to say.
    record NeedsMore<P>() implements Detection<P> {}

    /// None of the protocols looked for.
    record Unknown<P>() implements Detection<P> {}

    /// It is this one.
    record Found<P>(P protocol) implements Detection<P> {}

    static <P> Detection<P> needsMore() {
        return new NeedsMore<>();
    }

    static <P> Detection<P> unknown() {
        return new Unknown<>();
    }

    static <P> Detection<P> found(P protocol) {
        return new Found<>(protocol);
    }
}
