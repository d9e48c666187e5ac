package io.weft.codec.haproxy;

import io.weft.buffer.Buffer;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;

/// Addresses and fields of a header of version 2, all of which has arrived.
final class BinaryHeader {
    private static final int FIXED = 16;
    private static final int TLV_HEADER = 3;
    private static final int CHECKSUM = 0x03;

    private final Buffer in;
    private final int start;
    private final int size;
    private final HaproxyLimits limits;
    private int fields;

    /// Offset of the checksum's value; 0 if there is none.
    private int checksum;

    private BinaryHeader(Buffer in, int size, HaproxyLimits limits) {
        this.in = in;
        this.start = in.readOffset();
        this.size = size;
        this.limits = limits;
    }

    static ProxyHeader parse(Buffer in, Transport transport, int block, HaproxyLimits limits) {
        return new BinaryHeader(in, FIXED + block, limits).parse(transport);
    }

    private ProxyHeader parse(Transport transport) {
        if (transport == Transport.UNSPECIFIED) {
            return unspecified();
        }
        int behind = FIXED + transport.blockBytes();
        try {
            List<ProxyTlv> tlvs = tlvs(behind, size, false);
            check();
            int bytes = transport.addressBytes();
            int ports = FIXED + 2 * bytes;
            return new ProxyHeader(
                    ProxyVersion.V2,
                    false,
                    transport,
                    address(transport, FIXED, ports),
                    address(transport, FIXED + bytes, ports + 2),
                    tlvs);
        } catch (IllegalArgumentException e) {
            throw new HaproxyException(Objects.toString(e.getMessage()));
        }
    }

    /// A family without a length of its addresses: if the block is not fields alone, it has
    /// addresses of a kind that is unknown here, and is skipped, as the receiver of such a header
    /// ignores addresses. A checksum is checked where it can be told from them.
    private ProxyHeader unspecified() {
        List<ProxyTlv> tlvs;
        try {
            tlvs = tlvs(FIXED, size, false);
        } catch (HaproxyException | IllegalArgumentException e) {
            tlvs = List.of();
            checksum = 0;
        }
        check();
        return new ProxyHeader(ProxyVersion.V2, false, Transport.UNSPECIFIED, null, null, tlvs);
    }

    private ProxyAddress address(Transport transport, int at, int port) {
        if (transport.isUnix()) {
            int end = at + transport.addressBytes();
            // The first byte of an abstract name is NUL.
            int length = octet(at) == 0 && octet(at + 1) != 0 ? 1 : 0;
            while (at + length < end && octet(at + length) != 0) {
                length++;
            }
            return new ProxyAddress.Unix(text(at, length));
        }
        try {
            return new ProxyAddress.Inet(
                    InetAddress.getByAddress(bytes(at, transport.addressBytes())), number(port));
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private int octet(int at) {
        return in.getUnsignedByte(start + at);
    }

    private int number(int at) {
        return in.getUnsignedShort(start + at);
    }

    /// Fields of [from, to). Those of SSL are read one level deep, and no deeper.
    private List<ProxyTlv> tlvs(int from, int to, boolean nested) {
        if (from == to) {
            return List.of();
        }
        List<ProxyTlv> tlvs = new ArrayList<>(4);
        int at = from;
        while (at < to) {
            if (++fields > limits.tlvs()) {
                throw new HaproxyException(
                        "tlvs: " + fields + " (expected: at most " + limits.tlvs() + ")");
            }
            int length = to - at < TLV_HEADER ? -1 : number(at + 1);
            if (length < 0 || length > to - at - TLV_HEADER) {
                throw new HaproxyException(
                        "tlv at byte "
                                + at
                                + ": cut short (expected: within "
                                + (to - at)
                                + " bytes)");
            }
            int type = octet(at);
            at += TLV_HEADER;
            tlvs.add(nested ? nested(type, at, length) : tlv(type, at, length));
            at += length;
        }
        return tlvs;
    }

    private ProxyTlv tlv(int type, int at, int length) {
        return switch (type) {
            case 0x01 -> new ProxyTlv.Alpn(text(at, length));
            case 0x02 -> new ProxyTlv.Authority(text(at, length));
            case CHECKSUM -> {
                if (length != 4 || checksum != 0) {
                    throw new HaproxyException(
                            "checksum: "
                                    + length
                                    + (checksum == 0 ? " bytes" : " bytes, again")
                                    + " (expected: 4, once)");
                }
                checksum = at;
                yield new ProxyTlv.Checksum();
            }
            case 0x04 -> new ProxyTlv.Padding(length);
            case 0x05 -> new ProxyTlv.UniqueId(bytes(at, length));
            case 0x20 -> {
                if (length < 5) {
                    throw new HaproxyException(
                            "bytes of ssl: " + length + " (expected: at least 5)");
                }
                int verify = number(at + 1) << 16 | number(at + 3);
                yield new ProxyTlv.Ssl(octet(at), verify, tlvs(at + 5, at + length, true));
            }
            case 0x30 -> new ProxyTlv.NetworkNamespace(text(at, length));
            default -> new ProxyTlv.Raw(type, bytes(at, length));
        };
    }

    private ProxyTlv nested(int type, int at, int length) {
        return type >= ProxyTlv.SslText.VERSION && type <= ProxyTlv.SslText.SIGNATURE_SCHEME
                ? new ProxyTlv.SslText(type, text(at, length))
                : new ProxyTlv.Raw(type, bytes(at, length));
    }

    private byte[] bytes(int at, int length) {
        byte[] bytes = new byte[length];
        in.getBytes(start + at, bytes, 0, length);
        return bytes;
    }

    private String text(int at, int length) {
        byte[] bytes = bytes(at, length);
        for (byte one : bytes) {
            if (one < 0) {
                return utf8(at, bytes);
            }
        }
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    private static String utf8(int at, byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new HaproxyException("text at byte " + at + ": malformed (expected: UTF-8)");
        }
    }

    /// The sum of the whole header, its own four bytes as zeros.
    private void check() {
        if (checksum == 0) {
            return;
        }
        int told = number(checksum) << 16 | number(checksum + 2);
        int sum = sum(bytes(0, size), checksum);
        if (told != sum) {
            throw new HaproxyException(
                    "checksum: 0x"
                            + Integer.toHexString(told)
                            + " (expected: 0x"
                            + Integer.toHexString(sum)
                            + ")");
        }
    }

    static int sum(byte[] header, int checksum) {
        CRC32C crc = new CRC32C();
        crc.update(header, 0, checksum);
        crc.update(new byte[4]);
        crc.update(header, checksum + 4, header.length - checksum - 4);
        return (int) crc.getValue();
    }
}
