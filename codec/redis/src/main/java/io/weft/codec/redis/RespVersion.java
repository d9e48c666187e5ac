package io.weft.codec.redis;

/// Versions of the protocol, which a client chooses with HELLO.
public enum RespVersion {
    /// The first one, which every server speaks: strings, errors, integers, arrays and nulls.
    RESP2(2),
    /// Since Redis 6: also maps, sets, doubles, booleans, pushes and attributes.
    RESP3(3);

    private final int number;

    RespVersion(int number) {
        this.number = number;
    }

    /// The number that HELLO has for it.
    public int number() {
        return number;
    }
}
