package io.weft.codec.dns;

import java.util.ArrayList;
import java.util.List;

/// The OPT record on the wire (RFC 6891, 6.1).
final class EdnsWire {
    private static final int DNSSEC_OK = 0x8000;

    private EdnsWire() {}

    /// Reads what is behind the type of an OPT record. The response code's upper bits are the first
    /// octet of its TTL.
    static Edns read(WireReader in, int payloadSize, int ttl) {
        int version = ttl >> 16 & 0xFF;
        if (version != 0) {
            throw in.fault(DnsFault.EDNS_VERSION, "EDNS version: " + version + " (expected: 0)");
        }
        int length = in.u16();
        List<EdnsOption> options = List.of();
        if (length > 0) {
            options = new ArrayList<>(2);
            int before = in.limit(length);
            while (in.left() > 0) {
                options.add(option(in));
            }
            in.unlimit(before);
        }
        return new Edns(payloadSize, (ttl & DNSSEC_OK) != 0, options);
    }

    private static EdnsOption option(WireReader in) {
        int code = in.u16();
        int length = in.u16();
        int before = in.limit(length);
        EdnsOption option;
        try {
            option = option(in, code, length);
        } catch (IllegalArgumentException e) {
            throw in.fault(DnsFault.DATA, "EDNS option " + code + ": " + e.getMessage());
        }
        in.unlimit(before);
        return option;
    }

    private static EdnsOption option(WireReader in, int code, int length) {
        return switch (code) {
            case 3 -> new EdnsOption.Nsid(in.rest());
            case 8 -> new EdnsOption.ClientSubnet(in.u16(), in.u8(), in.u8(), in.rest());
            case 10 -> new EdnsOption.Cookie(in.octets(8), in.rest());
            case 11 -> new EdnsOption.TcpKeepalive(length == 0 ? -1 : in.u16());
            case 12 -> {
                var _ = in.rest();
                yield new EdnsOption.Padding(length);
            }
            case 15 -> new EdnsOption.ExtendedError(in.u16(), in.rest());
            default -> new EdnsOption.Other(code, in.rest());
        };
    }

    static void write(WireWriter out, Edns edns, int code) {
        out.u8(0); // the root
        out.u16(RecordType.OPT.number());
        out.u16(edns.payloadSize());
        out.i32((code >> 4) << 24 | (edns.dnssecOk() ? DNSSEC_OK : 0));
        int length = out.reserve();
        for (EdnsOption option : edns.options()) {
            out.u16(option.code());
            out.u16(option.length());
            write(out, option);
        }
        out.lengthSince(length);
    }

    private static void write(WireWriter out, EdnsOption option) {
        switch (option) {
            case EdnsOption.Nsid o -> out.octets(o.id());
            case EdnsOption.ClientSubnet o -> {
                out.u16(o.family());
                out.u8(o.source());
                out.u8(o.scope());
                out.octets(o.address());
            }
            case EdnsOption.Cookie o -> {
                out.octets(o.client());
                out.octets(o.server());
            }
            case EdnsOption.TcpKeepalive o -> {
                if (o.timeout() >= 0) {
                    out.u16(o.timeout());
                }
            }
            case EdnsOption.Padding o -> out.zeros(o.length());
            case EdnsOption.ExtendedError o -> {
                out.u16(o.infoCode());
                out.octets(o.extra());
            }
            case EdnsOption.Other o -> out.octets(o.data());
        }
    }
}
