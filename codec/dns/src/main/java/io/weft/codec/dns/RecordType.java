package io.weft.codec.dns;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The type of a record or a question: any number of 16 bits, those that are assigned with a
/// mnemonic.
public record RecordType(int number) {
    private static final int CACHED = 320;
    private static final RecordType[] CACHE = new RecordType[CACHED];
    private static final @Nullable String[] NAMES = new @Nullable String[CACHED];
    private static final Map<String, RecordType> BY_NAME = new HashMap<>();

    /// Of the registry of IANA: a number, and the mnemonics of it and of those behind it; `-` is
    /// one without.
    private static final String ASSIGNED =
            """
            1 A NS MD MF CNAME SOA MB MG MR NULL WKS PTR HINFO MINFO MX TXT RP AFSDB X25 ISDN
            21 RT NSAP NSAP-PTR SIG KEY PX GPOS AAAA LOC NXT EID NIMLOC SRV ATMA NAPTR KX CERT A6 DNAME SINK
            41 OPT APL DS SSHFP IPSECKEY RRSIG NSEC DNSKEY DHCID NSEC3 NSEC3PARAM TLSA SMIMEA - HIP NINFO RKEY
            58 TALINK CDS CDNSKEY OPENPGPKEY CSYNC ZONEMD SVCB HTTPS DSYNC HHIT BRID
            99 SPF UINFO UID GID UNSPEC NID L32 L64 LP EUI48 EUI64
            128 NXNAME
            249 TKEY TSIG IXFR AXFR MAILB MAILA ANY URI CAA AVC DOA AMTRELAY RESINFO WALLET CLA IPN
            """;

    static {
        for (int i = 0; i < CACHED; i++) {
            CACHE[i] = new RecordType(i);
        }
        ASSIGNED.lines()
                .forEach(
                        line -> {
                            String[] words = line.split(" ", -1);
                            int first = Integer.parseInt(words[0]);
                            for (int i = 1; i < words.length; i++) {
                                if (!words[i].equals("-")) {
                                    NAMES[first + i - 1] = words[i];
                                    BY_NAME.put(words[i], CACHE[first + i - 1]);
                                }
                            }
                        });
        BY_NAME.put("TA", new RecordType(32768));
        BY_NAME.put("DLV", new RecordType(32769));
    }

    public static final RecordType A = of(1);
    public static final RecordType NS = of(2);
    public static final RecordType CNAME = of(5);
    public static final RecordType SOA = of(6);
    public static final RecordType PTR = of(12);
    public static final RecordType HINFO = of(13);
    public static final RecordType MX = of(15);
    public static final RecordType TXT = of(16);
    public static final RecordType AAAA = of(28);
    public static final RecordType LOC = of(29);
    public static final RecordType SRV = of(33);
    public static final RecordType NAPTR = of(35);
    public static final RecordType DNAME = of(39);

    /// The pseudo-record that is a message's [Edns].
    public static final RecordType OPT = of(41);

    public static final RecordType DS = of(43);
    public static final RecordType SSHFP = of(44);
    public static final RecordType RRSIG = of(46);
    public static final RecordType NSEC = of(47);
    public static final RecordType DNSKEY = of(48);
    public static final RecordType NSEC3 = of(50);
    public static final RecordType NSEC3PARAM = of(51);
    public static final RecordType TLSA = of(52);
    public static final RecordType SMIMEA = of(53);
    public static final RecordType CDS = of(59);
    public static final RecordType CDNSKEY = of(60);
    public static final RecordType OPENPGPKEY = of(61);
    public static final RecordType CSYNC = of(62);
    public static final RecordType ZONEMD = of(63);
    public static final RecordType SVCB = of(64);
    public static final RecordType HTTPS = of(65);
    public static final RecordType TKEY = of(249);
    public static final RecordType TSIG = of(250);

    /// Of questions: what changed in a zone.
    public static final RecordType IXFR = of(251);

    /// Of questions: a whole zone.
    public static final RecordType AXFR = of(252);

    /// Of questions and updates: any type.
    public static final RecordType ANY = of(255);

    public static final RecordType URI = of(256);
    public static final RecordType CAA = of(257);

    /// @throws IllegalArgumentException unless 0 to 65535
    public RecordType {
        if (number < 0 || number > 0xFFFF) {
            throw new IllegalArgumentException("type: " + number + " (expected: 0 to 65535)");
        }
    }

    /// @throws IllegalArgumentException unless 0 to 65535
    public static RecordType of(int number) {
        return number >= 0 && number < CACHED ? CACHE[number] : new RecordType(number);
    }

    /// Reads a mnemonic in any case, or `TYPE` and a number (RFC 3597, 5).
    ///
    /// @throws IllegalArgumentException unless it is a type
    public static RecordType parse(String text) {
        RecordType known = BY_NAME.get(text.toUpperCase(Locale.ROOT));
        return known != null ? known : of(number("TYPE", text));
    }

    static int number(String prefix, String text) {
        int digits = text.length() - prefix.length();
        if (text.regionMatches(true, 0, prefix, 0, prefix.length()) && digits > 0 && digits < 6) {
            int number = 0;
            for (int i = prefix.length(); i < text.length(); i++) {
                int digit = text.charAt(i) - '0';
                number = digit < 0 || digit > 9 ? 1 << 20 : number * 10 + digit;
            }
            if (number <= 0xFFFF) {
                return number;
            }
        }
        throw new IllegalArgumentException(
                prefix.toLowerCase(Locale.ROOT)
                        + ": "
                        + (text.length() > 40 ? text.substring(0, 40) + "..." : text)
                        + " (expected: a mnemonic, or "
                        + prefix
                        + " and a number of 16 bits)");
    }

    /// Tells if the type is for questions alone, or a part of the protocol: no record has it.
    public boolean isMeta() {
        return number == 41 || (number >= 251 && number <= 255);
    }

    /// The mnemonic, or `TYPE` and the number.
    @Override
    public String toString() {
        String name = number < CACHED ? NAMES[number] : null;
        return name != null
                ? name
                : number == 32768 ? "TA" : number == 32769 ? "DLV" : "TYPE" + number;
    }
}
