package io.weft.codec.haproxy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A field of type, length and value behind the addresses of version 2.
public sealed interface ProxyTlv {
    /// The protocol above, as of ALPN.
    record Alpn(String protocol) implements ProxyTlv {
        @Override
        public int type() {
            return 0x01;
        }
    }

    /// The host that the client asked for, as of SNI.
    record Authority(String host) implements ProxyTlv {
        @Override
        public int type() {
            return 0x02;
        }
    }

    /// A CRC32c of the whole header: checked by the decoder, computed by the encoder.
    record Checksum() implements ProxyTlv {
        @Override
        public int type() {
            return 0x03;
        }
    }

    /// Bytes to ignore.
    ///
    /// @param length number of them, 0 to 65,535
    record Padding(int length) implements ProxyTlv {
        /// @throws IllegalArgumentException when the length is out of range
        public Padding {
            if (length < 0 || length > 0xFFFF) {
                throw new IllegalArgumentException("length: " + length + " (expected: 0 to 65535)");
            }
        }

        @Override
        public int type() {
            return 0x04;
        }
    }

    /// An opaque identifier of the connection.
    ///
    /// @param id up to 128 bytes
    @SuppressWarnings("ArrayRecordComponent") // equals and hashCode compare contents
    record UniqueId(byte[] id) implements ProxyTlv {
        /// @throws IllegalArgumentException when it is longer
        public UniqueId {
            if (id.length > 128) {
                throw new IllegalArgumentException(
                        "bytes of the id: " + id.length + " (expected: at most 128)");
            }
        }

        @Override
        public int type() {
            return 0x05;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof UniqueId(byte[] bytes) && Arrays.equals(bytes, id);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(id);
        }

        @Override
        public String toString() {
            return "UniqueId[" + HexFormat.of().formatHex(id) + "]";
        }
    }

    /// TLS of the client's connection.
    ///
    /// @param client bits: [#CLIENT_SSL], [#CLIENT_CERT_CONN], [#CLIENT_CERT_SESS]
    /// @param verify 0 when the client presented a certificate that was verified; else a code, as
    ///     an unsigned number of 32 bits
    /// @param nested [SslText]s and [Raw] ones
    record Ssl(int client, int verify, List<ProxyTlv> nested) implements ProxyTlv {
        /// The client connected over TLS.
        public static final int CLIENT_SSL = 1;

        /// It presented a certificate on this connection.
        public static final int CLIENT_CERT_CONN = 2;

        /// It presented a certificate in this session of TLS.
        public static final int CLIENT_CERT_SESS = 4;

        /// @throws IllegalArgumentException when `nested` holds another kind
        public Ssl {
            nested = List.copyOf(nested);
            for (ProxyTlv tlv : nested) {
                if (!(tlv instanceof SslText || tlv instanceof Raw)) {
                    throw new IllegalArgumentException(
                            "nested: " + tlv + " (expected: SslText or Raw)");
                }
            }
        }

        @Override
        public int type() {
            return 0x20;
        }

        /// Tells if the client presented a certificate, now or in this session, and it is valid.
        public boolean isVerified() {
            return (client & (CLIENT_CERT_CONN | CLIENT_CERT_SESS)) != 0 && verify == 0;
        }

        /// The text of a nested type, such as [SslText#COMMON_NAME]; null where there is none.
        public @Nullable String text(int type) {
            for (ProxyTlv tlv : nested) {
                if (tlv instanceof SslText(int t, String text) && t == type) {
                    return text;
                }
            }
            return null;
        }
    }

    /// A text of [Ssl].
    ///
    /// @param type one of the constants
    record SslText(int type, String text) implements ProxyTlv {
        /// The version of TLS, such as `TLSv1.3`.
        public static final int VERSION = 0x21;

        /// The common name of the client's certificate.
        public static final int COMMON_NAME = 0x22;

        public static final int CIPHER = 0x23;
        public static final int SIGNATURE_ALGORITHM = 0x24;
        public static final int KEY_ALGORITHM = 0x25;
        public static final int KEY_GROUP = 0x26;
        public static final int SIGNATURE_SCHEME = 0x27;

        /// @throws IllegalArgumentException when the type is another
        public SslText {
            if (type < VERSION || type > SIGNATURE_SCHEME) {
                throw new IllegalArgumentException(
                        "type: " + type + " (expected: " + VERSION + " to " + 0x27 + ")");
            }
        }
    }

    /// The namespace of the client's network.
    record NetworkNamespace(String name) implements ProxyTlv {
        @Override
        public int type() {
            return 0x30;
        }
    }

    /// A field of another type: 0xE0 to 0xEF are for applications, 0xF0 to 0xF7 for experiments,
    /// and nested ones such as 0x28, the client's certificate.
    ///
    /// @param type 0 to 255
    @SuppressWarnings("ArrayRecordComponent") // equals and hashCode compare contents
    record Raw(int type, byte[] value) implements ProxyTlv {
        /// @throws IllegalArgumentException when the type is out of range
        public Raw {
            if (type < 0 || type > 255) {
                throw new IllegalArgumentException("type: " + type + " (expected: 0 to 255)");
            }
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Raw(int t, byte[] bytes)
                    && t == type
                    && Arrays.equals(bytes, value);
        }

        @Override
        public int hashCode() {
            return 31 * type + Arrays.hashCode(value);
        }

        @Override
        public String toString() {
            return "Raw[type=" + type + ", value=" + HexFormat.of().formatHex(value) + "]";
        }
    }

    /// The type's number on the wire.
    int type();
}
