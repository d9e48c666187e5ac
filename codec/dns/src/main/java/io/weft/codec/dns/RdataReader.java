package io.weft.codec.dns;

import io.weft.codec.dns.rdata.A;
import io.weft.codec.dns.rdata.Aaaa;
import io.weft.codec.dns.rdata.Caa;
import io.weft.codec.dns.rdata.Cdnskey;
import io.weft.codec.dns.rdata.Cds;
import io.weft.codec.dns.rdata.Cname;
import io.weft.codec.dns.rdata.Csync;
import io.weft.codec.dns.rdata.Dname;
import io.weft.codec.dns.rdata.Dnskey;
import io.weft.codec.dns.rdata.Ds;
import io.weft.codec.dns.rdata.Hinfo;
import io.weft.codec.dns.rdata.Https;
import io.weft.codec.dns.rdata.Loc;
import io.weft.codec.dns.rdata.Mx;
import io.weft.codec.dns.rdata.Naptr;
import io.weft.codec.dns.rdata.Ns;
import io.weft.codec.dns.rdata.Nsec;
import io.weft.codec.dns.rdata.Nsec3;
import io.weft.codec.dns.rdata.Nsec3param;
import io.weft.codec.dns.rdata.Openpgpkey;
import io.weft.codec.dns.rdata.Ptr;
import io.weft.codec.dns.rdata.Rdata;
import io.weft.codec.dns.rdata.Rrsig;
import io.weft.codec.dns.rdata.Smimea;
import io.weft.codec.dns.rdata.Soa;
import io.weft.codec.dns.rdata.Srv;
import io.weft.codec.dns.rdata.Sshfp;
import io.weft.codec.dns.rdata.Svcb;
import io.weft.codec.dns.rdata.Tkey;
import io.weft.codec.dns.rdata.Tlsa;
import io.weft.codec.dns.rdata.Tsig;
import io.weft.codec.dns.rdata.Txt;
import io.weft.codec.dns.rdata.TypeBitmap;
import io.weft.codec.dns.rdata.Unknown;
import io.weft.codec.dns.rdata.Uri;
import io.weft.codec.dns.rdata.Zonemd;
import java.util.ArrayList;
import java.util.List;

/// Reads the data of records, each type as its RFC has it.
final class RdataReader {
    private static final int IN = 1;

    private RdataReader() {}

    /// Tells if `type` has a record of its own, and RFCs define it for IN alone: A (RFC 1035, 3.4),
    /// AAAA (RFC 3596, 2.1), SRV (RFC 2782), SVCB and HTTPS (RFC 9460, 2.1). In other classes its
    /// data is unknown, and may be something else, as that of A in CH is (RFC 3597, 2).
    static boolean isInternetAlone(RecordType type) {
        return switch (type.number()) {
            case 1, 28, 33, 64, 65 -> true;
            default -> false;
        };
    }

    /// Tells if the form of data of `type` is known in a class. PX and KX have no record, but
    /// names.
    static boolean isKnown(RecordType type, int classNumber) {
        return classNumber == IN
                || !(isInternetAlone(type) || type.number() == 26 || type.number() == 36);
    }

    /// Reads data of `length` octets, all of them.
    ///
    /// @param classNumber class that the data is of, also where NONE or ANY stands for a zone's
    /// @param pointers whether names may be compressed, where the type allows it (RFC 3597, 4)
    static Rdata read(
            WireReader in, RecordType type, int classNumber, int length, boolean pointers) {
        int before = in.limit(length);
        Rdata data;
        try {
            data =
                    isKnown(type, classNumber)
                            ? typed(in, type, pointers)
                            : new Unknown(type, in.rest());
        } catch (IllegalArgumentException e) {
            throw in.fault(DnsFault.DATA, type + ": " + e.getMessage());
        }
        in.unlimit(before);
        return data;
    }

    private static Rdata typed(WireReader in, RecordType type, boolean pointers) {
        return switch (type.number()) {
            case 1 -> new A(in.i32());
            case 2 -> new Ns(in.name(pointers));
            case 5 -> new Cname(in.name(pointers));
            case 6 -> soa(in, pointers);
            case 12 -> new Ptr(in.name(pointers));
            case 13 -> new Hinfo(in.string(), in.string());
            case 15 -> new Mx(in.u16(), in.name(pointers));
            case 16 -> txt(in);
            case 28 -> new Aaaa(in.i64(), in.i64());
            case 29 -> loc(in);
            case 33 -> new Srv(in.u16(), in.u16(), in.u16(), in.name(pointers));
            case 35 -> naptr(in, pointers);
            case 39 -> new Dname(in.name(pointers));
            case 43 -> new Ds(in.u16(), in.u8(), in.u8(), in.rest());
            case 44 -> new Sshfp(in.u8(), in.u8(), in.rest());
            case 46 -> rrsig(in);
            case 47 -> new Nsec(in.name(pointers), types(in));
            case 48 -> new Dnskey(in.u16(), in.u8(), in.u8(), in.rest());
            case 50 -> nsec3(in);
            case 51 -> new Nsec3param(in.u8(), in.u8(), in.u16(), in.string());
            case 52 -> new Tlsa(in.u8(), in.u8(), in.u8(), in.rest());
            case 53 -> new Smimea(in.u8(), in.u8(), in.u8(), in.rest());
            case 59 -> new Cds(in.u16(), in.u8(), in.u8(), in.rest());
            case 60 -> new Cdnskey(in.u16(), in.u8(), in.u8(), in.rest());
            case 61 -> new Openpgpkey(in.rest());
            case 62 -> new Csync(in.u32(), in.u16(), types(in));
            case 63 -> new Zonemd(in.u32(), in.u8(), in.u8(), in.rest());
            case 64 -> new Svcb(in.u16(), in.name(false), ServiceParams.read(in));
            case 65 -> new Https(in.u16(), in.name(false), ServiceParams.read(in));
            case 249 -> tkey(in);
            case 250 -> tsig(in);
            case 256 -> new Uri(in.u16(), in.u16(), in.rest());
            case 257 -> caa(in);
            default -> new Unknown(type, expanded(in, type, pointers));
        };
    }

    private static Rdata soa(WireReader in, boolean pointers) {
        DnsName primary = in.name(pointers);
        DnsName mailbox = in.name(pointers);
        return new Soa(primary, mailbox, in.u32(), in.u32(), in.u32(), in.u32(), in.u32());
    }

    private static Rdata txt(WireReader in) {
        Octets first = in.string();
        if (in.left() == 0) {
            return new Txt(List.of(first));
        }
        List<Octets> strings = new ArrayList<>();
        strings.add(first);
        while (in.left() > 0) {
            strings.add(in.string());
        }
        return new Txt(strings);
    }

    private static Rdata loc(WireReader in) {
        int version = in.u8();
        if (version != 0) {
            throw new IllegalArgumentException("version: " + version + " (expected: 0)");
        }
        long size = precision(in.u8());
        long horizontal = precision(in.u8());
        long vertical = precision(in.u8());
        return new Loc(
                angle(in.u32()),
                angle(in.u32()),
                in.u32() + Loc.LOWEST,
                size,
                horizontal,
                vertical);
    }

    private static long precision(int octet) {
        int power = octet & 15;
        if (octet >> 4 > 9 || power > 9) {
            throw new IllegalArgumentException(
                    "precision: 0x" + Integer.toHexString(octet) + " (expected: two digits)");
        }
        long value = octet >> 4;
        for (int i = 0; i < power; i++) {
            value *= 10;
        }
        return value;
    }

    /// Counted from 2^31, which is the equator or Greenwich.
    private static int angle(long value) {
        return (int) (value - (1L << 31));
    }

    private static Rdata naptr(WireReader in, boolean pointers) {
        return new Naptr(
                in.u16(), in.u16(), in.string(), in.string(), in.string(), in.name(pointers));
    }

    private static TypeBitmap types(WireReader in) {
        return in.left() == 0 ? TypeBitmap.EMPTY : new TypeBitmap(in.rest());
    }

    private static Rdata rrsig(WireReader in) {
        return new Rrsig(
                RecordType.of(in.u16()),
                in.u8(),
                in.u8(),
                in.u32(),
                in.u32(),
                in.u32(),
                in.u16(),
                in.name(false),
                in.rest());
    }

    private static Rdata nsec3(WireReader in) {
        return new Nsec3(in.u8(), in.u8(), in.u16(), in.string(), in.string(), types(in));
    }

    private static Rdata tkey(WireReader in) {
        return new Tkey(
                in.name(false),
                in.u32(),
                in.u32(),
                in.u16(),
                ResponseCode.of(in.u16()),
                in.octets(in.u16()),
                in.octets(in.u16()));
    }

    private static Rdata tsig(WireReader in) {
        return new Tsig(
                in.name(false),
                (long) in.u16() << 32 | in.u32(),
                in.u16(),
                in.octets(in.u16()),
                in.u16(),
                ResponseCode.of(in.u16()),
                in.octets(in.u16()));
    }

    private static Rdata caa(WireReader in) {
        int flags = in.u8();
        String tag =
                new String(in.string().toArray(), java.nio.charset.StandardCharsets.ISO_8859_1);
        return new Caa(flags, tag, in.rest());
    }

    /// Data of a type without a record. Names in that of old types may be compressed: they are
    /// written out, or the data would mean nothing elsewhere.
    private static Octets expanded(WireReader in, RecordType type, boolean pointers) {
        return switch (type.number()) {
            case 3, 4, 7, 8, 9 -> expanded(in, 0, 1, false, pointers); // MD, MF, MB, MG, MR
            case 14, 17 -> expanded(in, 0, 2, false, pointers); // MINFO, RP
            case 18, 21, 36 -> expanded(in, 2, 1, false, pointers); // AFSDB, RT, KX
            case 24 -> expanded(in, 18, 1, true, pointers); // SIG
            case 26 -> expanded(in, 2, 2, false, pointers); // PX
            case 30 -> expanded(in, 0, 1, true, pointers); // NXT
            default -> in.rest();
        };
    }

    private static Octets expanded(
            WireReader in, int fixed, int names, boolean more, boolean pointers) {
        WireWriter out = new WireWriter();
        out.octets(in.octets(fixed));
        for (int i = 0; i < names; i++) {
            out.plainName(in.name(pointers));
        }
        if (more) {
            out.octets(in.rest());
        }
        return out.written();
    }
}
