package io.weft.codec.dns.text;

import io.weft.codec.dns.Octets;
import io.weft.codec.dns.ResponseCode;
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
import io.weft.codec.dns.rdata.TypeBitmap;
import io.weft.codec.dns.rdata.Unknown;
import io.weft.codec.dns.rdata.Uri;
import io.weft.codec.dns.rdata.Zonemd;

/// Writes the data of records as master files have it, on one line and in ASCII.
public final class RdataPrinter {
    private RdataPrinter() {}

    public static String print(Rdata data) {
        return switch (data) {
            case A d -> d.toString();
            case Aaaa d -> d.toString();
            case Ns d -> d.server().toString();
            case Cname d -> d.target().toString();
            case Dname d -> d.target().toString();
            case Ptr d -> d.target().toString();
            case Soa d ->
                    words(
                            d.primary(),
                            d.mailbox(),
                            d.serial(),
                            d.refresh(),
                            d.retry(),
                            d.expire(),
                            d.minimum());
            case Mx d -> words(d.preference(), d.exchange());
            case Txt d -> strings(d.strings().toArray(new Octets[0]));
            case Srv d -> words(d.priority(), d.weight(), d.port(), d.target());
            case Naptr d ->
                    words(
                            d.order(),
                            d.preference(),
                            strings(d.flags(), d.services(), d.regexp()),
                            d.replacement());
            case Caa d -> words(d.flags(), d.tag(), strings(d.value()));
            case Tlsa d -> words(d.usage(), d.selector(), d.matching(), d.certificate().hex());
            case Smimea d -> words(d.usage(), d.selector(), d.matching(), d.certificate().hex());
            case Sshfp d -> words(d.algorithm(), d.fingerprintType(), d.fingerprint().hex());
            case Openpgpkey d -> d.key().base64();
            case Hinfo d -> strings(d.cpu(), d.os());
            case Loc d -> LocText.print(d);
            case Uri d -> words(d.priority(), d.weight(), strings(d.target()));
            case Svcb d -> {
                StringBuilder text = new StringBuilder(words(d.priority(), d.target()));
                SvcParamText.print(d.parameters(), text);
                yield text.toString();
            }
            case Https d -> {
                StringBuilder text = new StringBuilder(words(d.priority(), d.target()));
                SvcParamText.print(d.parameters(), text);
                yield text.toString();
            }
            case Ds d -> words(d.keyTag(), d.algorithm(), d.digestType(), d.digest().hex());
            case Cds d -> words(d.keyTag(), d.algorithm(), d.digestType(), d.digest().hex());
            case Dnskey d -> words(d.flags(), d.protocol(), d.algorithm(), d.key().base64());
            case Cdnskey d -> words(d.flags(), d.protocol(), d.algorithm(), d.key().base64());
            case Rrsig d ->
                    words(
                            d.covered(),
                            d.algorithm(),
                            d.labels(),
                            d.originalTtl(),
                            Times.print(d.expiration()),
                            Times.print(d.inception()),
                            d.keyTag(),
                            d.signer(),
                            d.signature().base64());
            case Nsec d -> words(d.next(), d.types());
            case Nsec3 d ->
                    words(
                                    d.algorithm(),
                                    d.flags(),
                                    d.iterations(),
                                    salt(d.salt()),
                                    Base32.encode(d.next()))
                            + types(d.types());
            case Nsec3param d -> words(d.algorithm(), d.flags(), d.iterations(), salt(d.salt()));
            case Csync d -> words(d.serial(), d.flags()) + types(d.types());
            case Zonemd d -> words(d.serial(), d.scheme(), d.algorithm(), d.digest().hex());
            case Tkey d ->
                    words(
                                    d.algorithm(),
                                    d.inception(),
                                    d.expiration(),
                                    d.mode(),
                                    d.error().number(),
                                    d.key().length() == 0 ? "\"\"" : d.key().base64())
                            + behind(d.other());
            case Tsig d -> tsig(d);
            case Unknown d -> generic(d.data());
            case Empty _ -> "";
        };
    }

    private static String words(Object... words) {
        StringBuilder text = new StringBuilder();
        for (Object word : words) {
            text.append(text.isEmpty() ? "" : " ").append(word);
        }
        return text.toString();
    }

    private static String behind(Octets octets) {
        return octets.length() == 0 ? "" : " " + octets.base64();
    }

    private static String types(TypeBitmap types) {
        return types.isEmpty() ? "" : " " + types;
    }

    private static String salt(Octets salt) {
        return salt.length() == 0 ? "-" : salt.hex();
    }

    private static String tsig(Tsig d) {
        String error = d.error().equals(ResponseCode.BADSIG) ? "BADSIG" : d.error().toString();
        return words(d.algorithm(), d.time(), d.fudge(), d.mac().length())
                + behind(d.mac())
                + " "
                + words(
                        d.originalId(),
                        error.startsWith("RCODE") ? d.error().number() : error,
                        d.other().length())
                + behind(d.other());
    }

    /// As RFC 3597, 5 has it.
    private static String generic(Octets data) {
        return "\\# " + data.length() + (data.length() == 0 ? "" : " " + data.hex());
    }

    private static String strings(Octets... strings) {
        StringBuilder text = new StringBuilder();
        for (Octets string : strings) {
            text.append(text.isEmpty() ? "" : " ");
            quoted(string, text);
        }
        return text.toString();
    }

    static void quoted(Octets string, StringBuilder text) {
        text.append('"');
        for (int i = 0; i < string.length(); i++) {
            int octet = string.get(i);
            if (octet < ' ' || octet > '~') {
                text.append('\\')
                        .append((char) ('0' + octet / 100))
                        .append((char) ('0' + octet / 10 % 10))
                        .append((char) ('0' + octet % 10));
            } else {
                text.append(octet == '"' || octet == '\\' ? "\\" : "").append((char) octet);
            }
        }
        text.append('"');
    }
}
