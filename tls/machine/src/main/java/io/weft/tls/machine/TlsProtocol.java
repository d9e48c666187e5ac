package io.weft.tls.machine;

/// The versions of TLS there are here: nothing older than 1.2 (RFC 8996), and no SSL.
public enum TlsProtocol {
    /// RFC 5246.
    TLS_1_2("TLSv1.2", 0x0303),
    /// RFC 8446.
    TLS_1_3("TLSv1.3", 0x0304);

    private final String standardName;
    private final int number;

    TlsProtocol(String standardName, int number) {
        this.standardName = standardName;
        this.number = number;
    }

    /// As the JDK and OpenSSL spell it: `TLSv1.3`.
    public String standardName() {
        return standardName;
    }

    /// The number of the version on the wire.
    public int number() {
        return number;
    }

    /// @throws IllegalArgumentException for a version that is not one of these
    public static TlsProtocol of(String standardName) {
        for (TlsProtocol protocol : values()) {
            if (protocol.standardName.equals(standardName)) {
                return protocol;
            }
        }
        throw new IllegalArgumentException(
                "protocol: " + standardName + " (expected: TLSv1.2 or TLSv1.3)");
    }
}
