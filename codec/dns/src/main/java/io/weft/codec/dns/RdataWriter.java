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
import io.weft.codec.dns.rdata.Empty;
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
import io.weft.codec.dns.rdata.Unknown;
import io.weft.codec.dns.rdata.Uri;
import io.weft.codec.dns.rdata.Zonemd;

/// Writes the data of records. Names are compressed in the types of RFC 1035 alone (RFC 3597, 4).
final class RdataWriter {
    private RdataWriter() {}

    static void write(WireWriter out, Rdata data) {
        switch (data) {
            case A d -> out.i32(d.bits());
            case Aaaa d -> {
                out.i64(d.high());
                out.i64(d.low());
            }
            case Cname d -> out.name(d.target());
            case Ns d -> out.name(d.server());
            case Mx d -> {
                out.u16(d.preference());
                out.name(d.exchange());
            }
            case Txt d -> d.strings().forEach(out::string);
            case Soa d -> soa(out, d);
            case Ptr d -> out.name(d.target());
            case Srv d -> {
                numbers(out, d.priority(), d.weight(), d.port());
                out.plainName(d.target());
            }
            case Https d -> {
                out.u16(d.priority());
                out.plainName(d.target());
                ServiceParams.write(out, d.parameters());
            }
            case Svcb d -> {
                out.u16(d.priority());
                out.plainName(d.target());
                ServiceParams.write(out, d.parameters());
            }
            case Rrsig d -> rrsig(out, d);
            case Dname d -> out.plainName(d.target());
            case Naptr d -> naptr(out, d);
            case Caa d -> caa(out, d);
            case Hinfo d -> {
                out.string(d.cpu());
                out.string(d.os());
            }
            case Tlsa d -> small(out, d.usage(), d.selector(), d.matching(), d.certificate());
            case Smimea d -> small(out, d.usage(), d.selector(), d.matching(), d.certificate());
            case Sshfp d -> {
                out.u8(d.algorithm());
                out.u8(d.fingerprintType());
                out.octets(d.fingerprint());
            }
            case Openpgpkey d -> out.octets(d.key());
            case Loc d -> loc(out, d);
            case Uri d -> {
                numbers(out, d.priority(), d.weight());
                out.octets(d.target());
            }
            case Ds d -> numbered(out, d.keyTag(), d.algorithm(), d.digestType(), d.digest());
            case Cds d -> numbered(out, d.keyTag(), d.algorithm(), d.digestType(), d.digest());
            case Dnskey d -> numbered(out, d.flags(), d.protocol(), d.algorithm(), d.key());
            case Cdnskey d -> numbered(out, d.flags(), d.protocol(), d.algorithm(), d.key());
            case Nsec d -> {
                out.plainName(d.next());
                out.octets(d.types().octets());
            }
            case Nsec3 d -> {
                hashing(out, d.algorithm(), d.flags(), d.iterations(), d.salt());
                out.string(d.next());
                out.octets(d.types().octets());
            }
            case Nsec3param d -> hashing(out, d.algorithm(), d.flags(), d.iterations(), d.salt());
            case Csync d -> {
                out.i32((int) d.serial());
                out.u16(d.flags());
                out.octets(d.types().octets());
            }
            case Zonemd d -> {
                out.i32((int) d.serial());
                out.u8(d.scheme());
                out.u8(d.algorithm());
                out.octets(d.digest());
            }
            case Tkey d -> tkey(out, d);
            case Tsig d -> tsig(out, d);
            case Unknown d -> out.octets(d.data());
            case Empty _ -> {}
        }
    }

    private static void numbers(WireWriter out, int... values) {
        for (int value : values) {
            out.u16(value);
        }
    }

    private static void small(WireWriter out, int a, int b, int c, Octets rest) {
        out.u8(a);
        out.u8(b);
        out.u8(c);
        out.octets(rest);
    }

    private static void numbered(WireWriter out, int number, int a, int b, Octets rest) {
        out.u16(number);
        out.u8(a);
        out.u8(b);
        out.octets(rest);
    }

    private static void hashing(
            WireWriter out, int algorithm, int flags, int iterations, Octets salt) {
        out.u8(algorithm);
        out.u8(flags);
        out.u16(iterations);
        out.string(salt);
    }

    private static void soa(WireWriter out, Soa d) {
        out.name(d.primary());
        out.name(d.mailbox());
        out.i32((int) d.serial());
        out.i32((int) d.refresh());
        out.i32((int) d.retry());
        out.i32((int) d.expire());
        out.i32((int) d.minimum());
    }

    private static void naptr(WireWriter out, Naptr d) {
        numbers(out, d.order(), d.preference());
        out.string(d.flags());
        out.string(d.services());
        out.string(d.regexp());
        out.plainName(d.replacement());
    }

    private static void caa(WireWriter out, Caa d) {
        out.u8(d.flags());
        out.string(Octets.ofText(d.tag()));
        out.octets(d.value());
    }

    private static void loc(WireWriter out, Loc d) {
        out.u8(0);
        out.u8(precision(d.size()));
        out.u8(precision(d.horizontalPrecision()));
        out.u8(precision(d.verticalPrecision()));
        out.i32((int) (d.latitude() + (1L << 31)));
        out.i32((int) (d.longitude() + (1L << 31)));
        out.i32((int) (d.altitude() - Loc.LOWEST));
    }

    /// A digit and a power of ten.
    private static int precision(long centimetres) {
        int power = 0;
        long digit = centimetres;
        while (digit > 9) {
            digit /= 10;
            power++;
        }
        return (int) digit << 4 | power;
    }

    private static void rrsig(WireWriter out, Rrsig d) {
        out.u16(d.covered().number());
        out.u8(d.algorithm());
        out.u8(d.labels());
        out.i32((int) d.originalTtl());
        out.i32((int) d.expiration());
        out.i32((int) d.inception());
        out.u16(d.keyTag());
        out.plainName(d.signer());
        out.octets(d.signature());
    }

    private static void tkey(WireWriter out, Tkey d) {
        out.plainName(d.algorithm());
        out.i32((int) d.inception());
        out.i32((int) d.expiration());
        numbers(out, d.mode(), d.error().number());
        out.counted(d.key());
        out.counted(d.other());
    }

    private static void tsig(WireWriter out, Tsig d) {
        out.plainName(d.algorithm());
        out.u16((int) (d.time() >> 32));
        out.i32((int) d.time());
        out.u16(d.fudge());
        out.counted(d.mac());
        numbers(out, d.originalId(), d.error().number());
        out.counted(d.other());
    }
}
