package io.weft.codec.haproxy;

import io.weft.buffer.Buffer;
import io.weft.codec.Encoder;
import io.weft.codec.Output;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;

/// Encodes headers. It has no state: one serves all connections.
///
/// A header is refused with an [IllegalArgumentException] when its block has more than 65,535
/// bytes, or two checksums.
public final class HaproxyEncoder implements Encoder<ProxyHeader> {
    private static final int FIXED = 16;

    public HaproxyEncoder() {}

    @Override
    public void encode(ProxyHeader header, Output out) {
        if (header.version() == ProxyVersion.V1) {
            TextHeader.write(header, out.buffer(TextHeader.MAX_LENGTH));
            return;
        }
        Buffer to = out.buffer(FIXED + header.transport().blockBytes());
        int start = to.writeOffset();
        try {
            binary(header, start, to);
        } catch (RuntimeException e) {
            to.writeOffset(start);
            throw e;
        }
    }

    private static void binary(ProxyHeader header, int start, Buffer to) {
        to.writeAscii(ProxyVersion.V2.signature())
                .writeByte(header.isLocal() ? 0x20 : 0x21)
                .writeByte(header.transport().code())
                .writeShort(0); // set below
        if (header.source() != null && header.destination() != null) {
            address(header.transport(), header.source(), to);
            address(header.transport(), header.destination(), to);
            port(header.source(), to);
            port(header.destination(), to);
        }
        int checksum = tlvs(header.tlvs(), to);
        int size = to.writeOffset() - start;
        if (size - FIXED > 0xFFFF) {
            throw new IllegalArgumentException(
                    "bytes of addresses and tlvs: "
                            + (size - FIXED)
                            + " (expected: at most 65535)");
        }
        to.setShort(start + 14, size - FIXED);
        if (checksum > 0) {
            byte[] bytes = new byte[size];
            to.getBytes(start, bytes, 0, size);
            to.setInt(checksum, BinaryHeader.sum(bytes, checksum - start));
        }
    }

    private static void address(Transport transport, ProxyAddress address, Buffer to) {
        switch (address) {
            case ProxyAddress.Inet(InetAddress ip, _) -> {
                if (transport.addressBytes() == 16 && !(ip instanceof Inet6Address)) {
                    to.writeLong(0).writeShort(0).writeShort(0xFFFF); // ::ffff:a.b.c.d
                }
                to.writeBytes(ip.getAddress());
            }
            case ProxyAddress.Unix(String path) -> {
                int written = to.writeUtf8(path);
                to.writeBytes(new byte[transport.addressBytes() - written]);
            }
        }
    }

    private static void port(ProxyAddress address, Buffer to) {
        if (address instanceof ProxyAddress.Inet(_, int port)) {
            to.writeShort(port);
        }
    }

    /// Returns where the checksum's value is; 0 where there is none.
    private static int tlvs(List<ProxyTlv> tlvs, Buffer to) {
        int checksum = 0;
        for (ProxyTlv tlv : tlvs) {
            int value = to.writeOffset() + 3;
            field(tlv, to);
            if (tlv.type() == 0x03) {
                if (checksum > 0 || to.writeOffset() - value != 4) {
                    throw new IllegalArgumentException(
                            "checksum: " + tlv + " (expected: one, of 4 bytes)");
                }
                checksum = value;
            }
        }
        return checksum;
    }

    private static void field(ProxyTlv tlv, Buffer to) {
        to.writeByte(tlv.type()).writeShort(0); // set below
        int at = to.writeOffset();
        value(tlv, to);
        int length = to.writeOffset() - at;
        if (length > 0xFFFF) {
            throw new IllegalArgumentException(
                    "bytes of the tlv: " + length + " (expected: at most 65535)");
        }
        to.setShort(at - 2, length);
    }

    private static void value(ProxyTlv tlv, Buffer to) {
        switch (tlv) {
            case ProxyTlv.Alpn(String protocol) -> to.writeUtf8(protocol);
            case ProxyTlv.Authority(String host) -> to.writeUtf8(host);
            case ProxyTlv.Checksum() -> to.writeInt(0);
            case ProxyTlv.Padding(int length) -> to.writeBytes(new byte[length]);
            case ProxyTlv.UniqueId(byte[] id) -> to.writeBytes(id);
            case ProxyTlv.SslText(_, String text) -> to.writeUtf8(text);
            case ProxyTlv.NetworkNamespace(String name) -> to.writeUtf8(name);
            case ProxyTlv.Raw(_, byte[] value) -> to.writeBytes(value);
            case ProxyTlv.Ssl(int client, int verify, List<ProxyTlv> nested) -> {
                to.writeByte(client).writeInt(verify);
                for (ProxyTlv inner : nested) {
                    field(inner, to);
                }
            }
        }
    }
}
