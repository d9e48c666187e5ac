package io.weft.codec.haproxy;

import io.weft.codec.Encoder;
import io.weft.codec.Output;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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
        } else {
            byte[] bytes = binary(header);
            out.buffer(bytes.length).writeBytes(bytes);
        }
    }

    private static byte[] binary(ProxyHeader header) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeBytes(ProxyVersion.V2.signature());
            out.writeByte(header.isLocal() ? 0x20 : 0x21);
            out.writeByte(header.transport().code());
            out.writeShort(0); // set below
            if (header.source() != null && header.destination() != null) {
                address(header.transport(), header.source(), out);
                address(header.transport(), header.destination(), out);
                port(header.source(), out);
                port(header.destination(), out);
            }
            int checksum = tlvs(header.tlvs(), out);
            return finished(bytes.toByteArray(), checksum);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] finished(byte[] bytes, int checksum) {
        int block = bytes.length - FIXED;
        if (block > 0xFFFF) {
            throw new IllegalArgumentException(
                    "bytes of addresses and tlvs: " + block + " (expected: at most 65535)");
        }
        ByteBuffer view = ByteBuffer.wrap(bytes).putShort(14, (short) block);
        if (checksum > 0) {
            view.putInt(checksum, BinaryHeader.sum(bytes, bytes.length, checksum));
        }
        return bytes;
    }

    private static void address(Transport transport, ProxyAddress address, DataOutputStream out)
            throws IOException {
        switch (address) {
            case ProxyAddress.Inet(InetAddress ip, _) -> {
                if (transport.addressBytes() == 16 && !(ip instanceof Inet6Address)) {
                    out.write(new byte[10]); // ::ffff:a.b.c.d
                    out.writeShort(0xFFFF);
                }
                out.write(ip.getAddress());
            }
            case ProxyAddress.Unix(String path) -> {
                byte[] name = path.getBytes(StandardCharsets.UTF_8);
                out.write(name);
                out.write(new byte[transport.addressBytes() - name.length]);
            }
        }
    }

    private static void port(ProxyAddress address, DataOutputStream out) throws IOException {
        if (address instanceof ProxyAddress.Inet(_, int port)) {
            out.writeShort(port);
        }
    }

    /// Returns where the checksum's value is; 0 where there is none.
    private static int tlvs(List<ProxyTlv> tlvs, DataOutputStream out) throws IOException {
        int checksum = 0;
        for (ProxyTlv tlv : tlvs) {
            byte[] value = value(tlv);
            if (tlv.type() == 0x03) {
                if (checksum > 0 || value.length != 4) {
                    throw new IllegalArgumentException(
                            "checksum: " + tlv + " (expected: one, of 4 bytes)");
                }
                checksum = out.size() + 3;
            }
            field(tlv.type(), value, out);
        }
        return checksum;
    }

    private static void field(int type, byte[] value, DataOutputStream out) throws IOException {
        if (value.length > 0xFFFF) {
            throw new IllegalArgumentException(
                    "bytes of the tlv: " + value.length + " (expected: at most 65535)");
        }
        out.writeByte(type);
        out.writeShort(value.length);
        out.write(value);
    }

    private static byte[] value(ProxyTlv tlv) throws IOException {
        return switch (tlv) {
            case ProxyTlv.Alpn(String protocol) -> utf8(protocol);
            case ProxyTlv.Authority(String host) -> utf8(host);
            case ProxyTlv.Checksum() -> new byte[4];
            case ProxyTlv.Padding(int length) -> new byte[length];
            case ProxyTlv.UniqueId(byte[] id) -> id;
            case ProxyTlv.SslText(_, String text) -> utf8(text);
            case ProxyTlv.NetworkNamespace(String name) -> utf8(name);
            case ProxyTlv.Raw(_, byte[] value) -> value;
            case ProxyTlv.Ssl(int client, int verify, List<ProxyTlv> nested) -> {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
                try (DataOutputStream out = new DataOutputStream(bytes)) {
                    out.writeByte(client);
                    out.writeInt(verify);
                    for (ProxyTlv inner : nested) {
                        field(inner.type(), value(inner), out);
                    }
                }
                yield bytes.toByteArray();
            }
        };
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
