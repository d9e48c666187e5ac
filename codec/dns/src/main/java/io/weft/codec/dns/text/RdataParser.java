package io.weft.codec.dns.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;
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
import io.weft.codec.dns.rdata.Uri;
import io.weft.codec.dns.rdata.Zonemd;
import java.util.ArrayList;
import java.util.List;

/// Reads the data of records as master files have it. Whatever is wrong is an
/// [IllegalArgumentException].
public final class RdataParser {
    private static final String GENERIC = "\\#";

    private RdataParser() {}

    /// A character for each octet of `text` in UTF-8.
    public static String octets(String text) {
        return new String(text.getBytes(UTF_8), ISO_8859_1);
    }

    /// Tells if the next word begins data of any type (RFC 3597, 5).
    public static boolean isGeneric(Tokens in) {
        return GENERIC.equals(in.peek()) && !in.isQuoted();
    }

    /// Takes `\#`, a length and that many octets in hexadecimal digits.
    public static Octets generic(Tokens in) {
        var _ = in.word(GENERIC);
        int length = in.u16("length");
        Octets octets = in.hasNext() ? in.hexRest("data") : Octets.EMPTY;
        if (octets.length() != length) {
            throw new IllegalArgumentException(
                    "data octets: " + octets.length() + " (expected: " + length + ")");
        }
        return octets;
    }

    /// Takes the words of the form that `type` has.
    public static Rdata parse(RecordType type, Tokens in) {
        return switch (type.number()) {
            case 1 -> A.of(in.word("address"));
            case 2 -> new Ns(in.name("server"));
            case 5 -> new Cname(in.name("target"));
            case 6 -> soa(in);
            case 12 -> new Ptr(in.name("target"));
            case 13 -> new Hinfo(in.string("cpu"), in.string("os"));
            case 15 -> new Mx(in.u16("preference"), in.name("exchange"));
            case 16 -> txt(in);
            case 28 -> Aaaa.of(in.word("address"));
            case 29 -> LocText.parse(in);
            case 33 ->
                    new Srv(
                            in.u16("priority"),
                            in.u16("weight"),
                            in.u16("port"),
                            in.name("target"));
            case 35 -> naptr(in);
            case 39 -> new Dname(in.name("target"));
            case 43 ->
                    new Ds(
                            in.u16("key tag"),
                            in.algorithm(),
                            in.u8("digest type"),
                            in.hexRest("digest"));
            case 44 ->
                    new Sshfp(
                            in.u8("algorithm"),
                            in.u8("fingerprint type"),
                            in.hexRest("fingerprint"));
            case 46 -> rrsig(in);
            case 47 -> new Nsec(in.name("next"), in.types());
            case 48 ->
                    new Dnskey(
                            in.u16("flags"),
                            in.u8("protocol"),
                            in.algorithm(),
                            in.base64Rest("key"));
            case 50 -> nsec3(in);
            case 51 ->
                    new Nsec3param(
                            in.u8("algorithm"), in.u8("flags"), in.u16("iterations"), in.salt());
            case 52 ->
                    new Tlsa(
                            in.u8("usage"),
                            in.u8("selector"),
                            in.u8("matching"),
                            in.hexRest("certificate"));
            case 53 ->
                    new Smimea(
                            in.u8("usage"),
                            in.u8("selector"),
                            in.u8("matching"),
                            in.hexRest("certificate"));
            case 59 ->
                    new Cds(
                            in.u16("key tag"),
                            in.algorithm(),
                            in.u8("digest type"),
                            in.hexRest("digest"));
            case 60 ->
                    new Cdnskey(
                            in.u16("flags"),
                            in.u8("protocol"),
                            in.algorithm(),
                            in.base64Rest("key"));
            case 61 -> new Openpgpkey(in.base64Rest("key"));
            case 62 -> new Csync(in.u32("serial"), in.u16("flags"), in.types());
            case 63 ->
                    new Zonemd(
                            in.u32("serial"),
                            in.u8("scheme"),
                            in.u8("algorithm"),
                            in.hexRest("digest"));
            case 64 -> new Svcb(in.u16("priority"), in.name("target"), SvcParamText.parse(in));
            case 65 -> new Https(in.u16("priority"), in.name("target"), SvcParamText.parse(in));
            case 249 -> tkey(in);
            case 250 -> tsig(in);
            case 256 -> new Uri(in.u16("priority"), in.u16("weight"), in.string("target"));
            case 257 -> new Caa(in.u8("flags"), in.word("tag"), in.string("value"));
            default ->
                    throw new IllegalArgumentException(
                            "data of type " + type + " (expected: \\#, a length and digits)");
        };
    }

    private static Rdata soa(Tokens in) {
        return new Soa(
                in.name("primary"),
                in.name("mailbox"),
                in.u32("serial"),
                Times.duration(in.word("refresh"), 0xFFFF_FFFFL),
                Times.duration(in.word("retry"), 0xFFFF_FFFFL),
                Times.duration(in.word("expire"), 0xFFFF_FFFFL),
                Times.duration(in.word("minimum"), 0xFFFF_FFFFL));
    }

    private static Rdata txt(Tokens in) {
        List<Octets> strings = new ArrayList<>();
        while (in.hasNext()) {
            strings.add(in.string("string"));
        }
        return new Txt(strings);
    }

    private static Rdata naptr(Tokens in) {
        return new Naptr(
                in.u16("order"),
                in.u16("preference"),
                in.string("flags"),
                in.string("services"),
                in.string("regexp"),
                in.name("replacement"));
    }

    private static Rdata rrsig(Tokens in) {
        return new Rrsig(
                in.type(),
                in.algorithm(),
                in.u8("labels"),
                in.u32("original TTL"),
                Times.seconds(in.word("expiration")),
                Times.seconds(in.word("inception")),
                in.u16("key tag"),
                in.name("signer"),
                in.base64Rest("signature"));
    }

    private static Rdata nsec3(Tokens in) {
        return new Nsec3(
                in.u8("algorithm"),
                in.u8("flags"),
                in.u16("iterations"),
                in.salt(),
                Base32.decode(in.word("next")),
                in.types());
    }

    private static Rdata tkey(Tokens in) {
        return new Tkey(
                in.name("algorithm"),
                Times.seconds(in.word("inception")),
                Times.seconds(in.word("expiration")),
                in.u16("mode"),
                in.responseCode(),
                in.base64("key"),
                in.hasNext() ? in.base64Rest("other") : Octets.EMPTY);
    }

    private static Rdata tsig(Tokens in) {
        DnsName algorithm = in.name("algorithm");
        long time = in.number("time", 0xFFFF_FFFF_FFFFL);
        int fudge = in.u16("fudge");
        int length = in.u16("MAC size");
        Octets mac = length == 0 && !isEmptyString(in) ? Octets.EMPTY : in.base64("MAC");
        requireLength("MAC", mac, length);
        int id = in.u16("original id");
        var error = in.responseCode();
        length = in.u16("other length");
        Octets other = length == 0 && !isEmptyString(in) ? Octets.EMPTY : in.base64Rest("other");
        requireLength("other", other, length);
        return new Tsig(algorithm, time, fudge, mac, id, error, other);
    }

    /// Some write nothing of no octets, others `""`.
    private static boolean isEmptyString(Tokens in) {
        return in.isQuoted() && "".equals(in.peek());
    }

    private static void requireLength(String what, Octets octets, int length) {
        if (octets.length() != length) {
            throw new IllegalArgumentException(
                    what + " octets: " + octets.length() + " (expected: " + length + ")");
        }
    }
}
