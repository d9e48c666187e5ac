package io.weft.http.model;

/// A few header names that a reader of headers looks for together; see [Headers#mayContain].
public final class NameSet {
    final long bits;

    private NameSet(long bits) {
        this.bits = bits;
    }

    public static NameSet of(HeaderName... names) {
        long bits = 0;
        for (HeaderName name : names) {
            bits |= name.bit();
        }
        return new NameSet(bits);
    }
}
