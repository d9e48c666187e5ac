package io.weft.codec.dns;

import io.weft.codec.dns.rdata.A;
import io.weft.codec.dns.rdata.Aaaa;
import io.weft.codec.dns.rdata.SvcParam;
import java.util.ArrayList;
import java.util.List;

/// Parameters of SVCB and HTTPS on the wire (RFC 9460, 2.2).
final class ServiceParams {
    private ServiceParams() {}

    static List<SvcParam> read(WireReader in) {
        if (in.left() == 0) {
            return List.of();
        }
        List<SvcParam> params = new ArrayList<>();
        int last = -1;
        while (in.left() > 0) {
            int key = in.u16();
            if (key <= last) {
                throw new IllegalArgumentException(
                        "parameter " + key + " behind " + last + " (expected: in ascending order)");
            }
            last = key;
            int before = in.limit(in.u16());
            params.add(param(in, key));
            in.unlimit(before);
        }
        return params;
    }

    private static SvcParam param(WireReader in, int key) {
        return switch (key) {
            case 0 -> mandatory(in);
            case 1 -> alpn(in);
            case 2 -> new SvcParam.NoDefaultAlpn();
            case 3 -> new SvcParam.Port(in.u16());
            case 4 -> hint4(in);
            case 5 -> new SvcParam.Ech(in.rest());
            case 6 -> hint6(in);
            case 7 -> new SvcParam.DohPath(in.rest());
            case 8 -> new SvcParam.Ohttp();
            default -> new SvcParam.Other(key, in.rest());
        };
    }

    private static SvcParam mandatory(WireReader in) {
        List<Integer> keys = new ArrayList<>();
        int last = 0;
        while (in.left() > 0) {
            int key = in.u16();
            if (key <= last) {
                throw new IllegalArgumentException(
                        "mandatory key: " + key + " (expected: above " + last + ")");
            }
            keys.add(key);
            last = key;
        }
        return new SvcParam.Mandatory(keys);
    }

    private static SvcParam alpn(WireReader in) {
        List<Octets> protocols = new ArrayList<>();
        while (in.left() > 0) {
            protocols.add(in.string());
        }
        return new SvcParam.Alpn(protocols);
    }

    private static SvcParam hint4(WireReader in) {
        List<A> addresses = new ArrayList<>();
        while (in.left() > 0) {
            addresses.add(new A(in.i32()));
        }
        return new SvcParam.Ipv4Hint(addresses);
    }

    private static SvcParam hint6(WireReader in) {
        List<Aaaa> addresses = new ArrayList<>();
        while (in.left() > 0) {
            addresses.add(new Aaaa(in.i64(), in.i64()));
        }
        return new SvcParam.Ipv6Hint(addresses);
    }

    static void write(WireWriter out, List<SvcParam> params) {
        for (SvcParam param : params) {
            out.u16(param.key());
            int length = out.reserve();
            switch (param) {
                case SvcParam.Mandatory p -> p.keys().forEach(out::u16);
                case SvcParam.Alpn p -> p.protocols().forEach(out::string);
                case SvcParam.NoDefaultAlpn _ -> {}
                case SvcParam.Port p -> out.u16(p.port());
                case SvcParam.Ipv4Hint p -> p.addresses().forEach(a -> out.i32(a.bits()));
                case SvcParam.Ech p -> out.octets(p.configurations());
                case SvcParam.Ipv6Hint p ->
                        p.addresses()
                                .forEach(
                                        a -> {
                                            out.i64(a.high());
                                            out.i64(a.low());
                                        });
                case SvcParam.DohPath p -> out.octets(p.template());
                case SvcParam.Ohttp _ -> {}
                case SvcParam.Other p -> out.octets(p.value());
            }
            out.lengthSince(length);
        }
    }
}
