package io.weft.codec.dns;

/// The flags of a message's header (RFC 1035, 4.1.1; RFC 4035, 3).
///
/// @param bits where the header has them; only those of QR, AA, TC, RD, RA, AD and CD
public record Flags(int bits) {
    private static final int QR = 0x8000;
    private static final int AA = 0x0400;
    private static final int TC = 0x0200;
    private static final int RD = 0x0100;
    private static final int RA = 0x0080;
    private static final int AD = 0x0020;
    private static final int CD = 0x0010;
    private static final int ALL = QR | AA | TC | RD | RA | AD | CD;
    private static final Flags[] CACHE = new Flags[256];

    static {
        for (int i = 0; i < CACHE.length; i++) {
            CACHE[i] = new Flags(((i & 0x80) << 8 | (i & 0x7F) << 4) & ALL);
        }
    }

    /// No flag: a query without recursion.
    public static final Flags NONE = ofHeader(0);

    /// @throws IllegalArgumentException when other bits are set
    public Flags {
        if ((bits & ~ALL) != 0) {
            throw new IllegalArgumentException(
                    "flags: 0x" + Integer.toHexString(bits) + " (expected: within 0x87b0)");
        }
    }

    /// Those of the second word of a header; its other bits are ignored.
    static Flags ofHeader(int word) {
        return CACHE[(word >> 8 & 0x80) | (word >> 4 & 0x7F)];
    }

    private boolean has(int bit) {
        return (bits & bit) != 0;
    }

    private Flags with(int bit, boolean on) {
        return ofHeader(on ? bits | bit : bits & ~bit);
    }

    /// QR.
    public boolean isResponse() {
        return has(QR);
    }

    /// AA: the responding server is an authority for the name.
    public boolean isAuthoritative() {
        return has(AA);
    }

    /// TC: the message was cut off.
    public boolean isTruncated() {
        return has(TC);
    }

    /// RD.
    public boolean isRecursionDesired() {
        return has(RD);
    }

    /// RA.
    public boolean isRecursionAvailable() {
        return has(RA);
    }

    /// AD: the data was authenticated.
    public boolean isAuthentic() {
        return has(AD);
    }

    /// CD: checking of signatures is left to the client.
    public boolean isCheckingDisabled() {
        return has(CD);
    }

    public Flags response(boolean on) {
        return with(QR, on);
    }

    public Flags authoritative(boolean on) {
        return with(AA, on);
    }

    public Flags truncated(boolean on) {
        return with(TC, on);
    }

    public Flags recursionDesired(boolean on) {
        return with(RD, on);
    }

    public Flags recursionAvailable(boolean on) {
        return with(RA, on);
    }

    public Flags authentic(boolean on) {
        return with(AD, on);
    }

    public Flags checkingDisabled(boolean on) {
        return with(CD, on);
    }

    /// The mnemonics of those that are set, as `qr rd ra`.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        add(QR, " qr", text);
        add(AA, " aa", text);
        add(TC, " tc", text);
        add(RD, " rd", text);
        add(RA, " ra", text);
        add(AD, " ad", text);
        add(CD, " cd", text);
        return text.isEmpty() ? "" : text.substring(1);
    }

    private void add(int bit, String mnemonic, StringBuilder text) {
        if (has(bit)) {
            text.append(mnemonic);
        }
    }
}
