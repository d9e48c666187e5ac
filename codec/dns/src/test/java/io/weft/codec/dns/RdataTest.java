package io.weft.codec.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.codec.dns.rdata.A;
import io.weft.codec.dns.rdata.Aaaa;
import io.weft.codec.dns.rdata.Cname;
import io.weft.codec.dns.rdata.Dnskey;
import io.weft.codec.dns.rdata.Ds;
import io.weft.codec.dns.rdata.Https;
import io.weft.codec.dns.rdata.Loc;
import io.weft.codec.dns.rdata.Mx;
import io.weft.codec.dns.rdata.Rdata;
import io.weft.codec.dns.rdata.SvcParam;
import io.weft.codec.dns.rdata.Txt;
import io.weft.codec.dns.rdata.TypeBitmap;
import io.weft.codec.dns.rdata.Unknown;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RdataTest {
    static List<Corpus.Entry> entries() {
        return Corpus.entries();
    }

    @ParameterizedTest
    @MethodSource("entries")
    void textBecomesTheOctetsThatDnspythonMakes(Corpus.Entry entry) {
        Rdata data = RdataFormat.parse(entry.type(), entry.text());
        assertThat(RdataFormat.encode(data).hex()).isEqualTo(entry.wire());
        assertThat(data.type()).isEqualTo(entry.type());
    }

    @ParameterizedTest
    @MethodSource("entries")
    void octetsBecomeTheSameDataAsText(Corpus.Entry entry) {
        Rdata data = RdataFormat.decode(entry.type(), Octets.ofHex(entry.wire()));
        assertThat(data).isEqualTo(RdataFormat.parse(entry.type(), entry.text()));
        assertThat(data.hashCode())
                .isEqualTo(RdataFormat.parse(entry.type(), entry.text()).hashCode());
        assertThat(RdataFormat.encode(data).hex()).isEqualTo(entry.wire());
    }

    @ParameterizedTest
    @MethodSource("entries")
    void printedTextIsReadBack(Corpus.Entry entry) {
        Rdata data = RdataFormat.decode(entry.type(), Octets.ofHex(entry.wire()));
        assertThat(RdataFormat.parse(entry.type(), RdataFormat.text(data))).isEqualTo(data);
    }

    @ParameterizedTest
    @MethodSource("entries")
    void genericTextIsReadAsItsType(Corpus.Entry entry) {
        Octets octets = Octets.ofHex(entry.wire());
        String generic = "\\# " + octets.length() + " " + octets.hex();
        assertThat(RdataFormat.parse(entry.type(), generic))
                .isEqualTo(RdataFormat.decode(entry.type(), octets));
    }

    @ParameterizedTest
    @MethodSource("entries")
    void everyTypeGoesThroughMessages(Corpus.Entry entry) {
        DnsRecord record = Corpus.record(entry);
        DnsMessage message =
                DnsMessage.query(1, DnsName.parse("example.com"), entry.type())
                        .flags(Flags.NONE.response(true))
                        .sections(List.of(), List.of(), List.of(record));
        byte[] wire = Corpus.encode(message, 65_535);
        assertThat(Corpus.decode(wire)).isEqualTo(message);
    }

    /// Data that is cut off anywhere is refused, or is shorter data of the type.
    @ParameterizedTest
    @MethodSource("entries")
    void dataCutOffAnywhereIsRefusedOrIsWhatItSays(Corpus.Entry entry) {
        Octets whole = Octets.ofHex(entry.wire());
        for (int length = 0; length < whole.length(); length++) {
            Octets part = whole.slice(0, length);
            try {
                assertThat(RdataFormat.encode(RdataFormat.decode(entry.type(), part)))
                        .isEqualTo(part);
            } catch (DnsException e) {
                assertThat(e.code()).isEqualTo(ResponseCode.FORMERR);
            }
        }
    }

    @Test
    void corpusHasEveryTypeOfRdata() {
        Set<Class<?>> there =
                Corpus.entries().stream()
                        .map(e -> RdataFormat.parse(e.type(), e.text()).getClass())
                        .collect(Collectors.toSet());
        Set<Class<?>> all = Set.of(Rdata.class.getPermittedSubclasses());
        assertThat(all)
                .filteredOn(c -> !c.equals(io.weft.codec.dns.rdata.Empty.class))
                .containsExactlyInAnyOrderElementsOf(there);
    }

    @Test
    void addressesAreThoseOfTheJdk() throws Exception {
        assertThat(A.of("192.0.2.1").inetAddress())
                .isEqualTo(InetAddress.getByName("192.0.2.1"))
                .isInstanceOf(Inet4Address.class);
        Inet6Address mapped = Aaaa.of("::ffff:192.0.2.1").inetAddress();
        assertThat(mapped.getAddress()).hasSize(16);
        assertThat(Aaaa.of(mapped)).isEqualTo(Aaaa.of("::ffff:c000:201"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "1.2.3",
                "1.2.3.4.5",
                "256.1.1.1",
                "01.2.3.4",
                "1.2.3.",
                ".1.2.3",
                "1..2.3",
                "a.b.c.d",
                "1.2.3.-4"
            })
    void badAddressesOfIpv4AreRefused(String text) {
        assertThatThrownBy(() -> A.of(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                ":::",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "::1::",
                "12345::",
                "g::",
                "1:2:3:4:5:6:7::8",
                "::1.2.3",
                "1.2.3.4::",
                "fe80::1%eth0",
                "1:2:3:4:5:6:7:1.2.3.4"
            })
    void badAddressesOfIpv6AreRefused(String text) {
        assertThatThrownBy(() -> Aaaa.of(text)).isInstanceOf(IllegalArgumentException.class);
    }

    /// RFC 5952, 4.
    @Test
    void addressesOfIpv6AreWrittenInOneWay() {
        assertThat(Aaaa.of("2001:0DB8:0:0:0:0:2:1")).hasToString("2001:db8::2:1");
        assertThat(Aaaa.of("2001:db8:0:1:1:1:1:1")).hasToString("2001:db8:0:1:1:1:1:1");
        assertThat(Aaaa.of("2001:0:0:1:0:0:0:1")).hasToString("2001:0:0:1::1");
        assertThat(Aaaa.of("2001:db8:0:0:1:0:0:1")).hasToString("2001:db8::1:0:0:1");
        assertThat(Aaaa.of("1::")).hasToString("1::");
        assertThat(Aaaa.of("0:0:0:0:0:0:0:0")).hasToString("::");
    }

    /// RFC 4034, 5.4.
    @Test
    void keyTagIsThatOfTheExample() {
        Dnskey key =
                (Dnskey)
                        RdataFormat.parse(
                                RecordType.DNSKEY,
                                """
                                256 3 5 ( AQOeiiR0GOMYkDshWoSKz9Xz fwJr1AYtsmx3TGkJaNXVbfi/
                                2pHm822aJ5iI9BMzNXxeYCmZ DRD99WYwYqUSdjMmmAphXdvx
                                egXd/M5+X7OrzKBaMbCVdFLU Uh6DhweJBjEVv5f2wwjM9Xzc
                                nOf+EPbtG9DMBmADjFDc2w/r ljwvFw== )
                                """
                                        .replaceFirst("\n$", ""));
        assertThat(key.keyTag()).isEqualTo(60485);
    }

    @Test
    void keyTagOfTheOldestAlgorithmIsInItsKey() {
        assertThat(new Dnskey(256, 3, 1, Octets.ofHex("0102030405")).keyTag()).isEqualTo(0x0304);
        assertThat(new Dnskey(256, 3, 1, Octets.ofHex("0102")).keyTag()).isZero();
    }

    @Test
    void typesOfABitmapAreInOrder() {
        TypeBitmap types = TypeBitmap.of(RecordType.of(1234), RecordType.MX, RecordType.A);
        assertThat(types.types()).containsExactly(RecordType.A, RecordType.MX, RecordType.of(1234));
        assertThat(types.contains(RecordType.MX)).isTrue();
        assertThat(types.contains(RecordType.NS)).isFalse();
        assertThat(types.contains(RecordType.CAA)).isFalse();
        assertThat(TypeBitmap.of().isEmpty()).isTrue();
    }

    @Test
    void dataThatCouldNotBeSentIsNotMade() {
        Octets one = Octets.of((byte) 1);
        List<Runnable> bad =
                List.of(
                        () -> new Mx(65_536, DnsName.ROOT),
                        () -> new Mx(-1, DnsName.ROOT),
                        () -> new Txt(List.of()),
                        () -> new Txt(List.of(Octets.of(new byte[256]))),
                        () -> new Ds(1, 8, 2, one),
                        () -> new Unknown(RecordType.NS, one),
                        () -> new Unknown(RecordType.OPT, one),
                        () -> new Unknown(RecordType.ANY, one),
                        () -> new Unknown(RecordType.of(65_280), Octets.of(new byte[65_536])),
                        () -> new Loc(0, 0, 0, 11, 0, 0),
                        () -> new Loc(Integer.MAX_VALUE, 0, 0, 1, 0, 0),
                        () -> new SvcParam.Other(3, one),
                        () -> new SvcParam.Alpn(List.of(Octets.EMPTY)),
                        () ->
                                new Https(
                                        1,
                                        DnsName.ROOT,
                                        List.of(new SvcParam.Port(1), new SvcParam.Port(2))),
                        () ->
                                new Https(
                                        1,
                                        DnsName.ROOT,
                                        List.of(new SvcParam.Mandatory(List.of(3)))));
        assertThat(bad)
                .allSatisfy(
                        make ->
                                assertThatThrownBy(make::run)
                                        .isInstanceOf(IllegalArgumentException.class));
    }

    /// As many parameters as a message has room for, each of which `mandatory` names.
    @Test
    void mandatoryMayNameTenThousandParameters() {
        List<SvcParam> others =
                IntStream.range(9, 10_909)
                        .<SvcParam>mapToObj(key -> new SvcParam.Other(key, Octets.EMPTY))
                        .toList();
        var mandatory = new SvcParam.Mandatory(others.stream().map(SvcParam::key).toList());
        List<SvcParam> all = new ArrayList<>(others);
        all.add(mandatory);
        Https https = new Https(1, DnsName.ROOT, all);
        assertThat(https.parameters())
                .hasSize(10_901)
                .startsWith(mandatory)
                .endsWith(others.getLast());
        for (int missing : new int[] {0, 1, 5_000, 10_898, 10_899}) {
            List<SvcParam> most = new ArrayList<>(all);
            most.remove(missing);
            assertThatThrownBy(() -> new Https(1, DnsName.ROOT, most))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("parameter " + (missing + 9) + ": missing");
        }
    }

    @Test
    void namesInOldTypesAreWrittenOut() {
        // RP with both names compressed, behind the question example.com.
        byte[] wire =
                Corpus.hex(
                        "0001 8400 0001 0001 0000 0000 07 6578616d706c65 03 636f6d 00 0011 0001"
                                + "c00c 0011 0001 0000 0001 0006 01 61 c00c c00c");
        DnsRecord record = Corpus.decode(wire).answers().getFirst();
        assertThat(record.data())
                .isEqualTo(
                        new Unknown(
                                RecordType.parse("RP"),
                                Octets.ofHex(
                                        "0161076578616d706c6503636f6d00076578616d706c6503636f6d00")));
    }

    /// RFC 3597, 2: A in CH is a name and an address of Chaosnet, and HS has no address of its own.
    @ParameterizedTest
    @CsvSource({
        "A, 01 61 00 0102",
        "A, c0000201",
        "AAAA, 00",
        "SRV, 0000",
        "SVCB, ''",
        "HTTPS, 00"
    })
    void dataOfTypesOfInternetIsUnknownInOtherClasses(String type, String hex) {
        Octets octets = Octets.ofHex(hex.replace(" ", ""));
        RecordType of = RecordType.parse(type);
        for (RecordClass recordClass : List.of(RecordClass.CH, RecordClass.HS, RecordClass.of(7))) {
            DnsRecord record = new DnsRecord(DnsName.ROOT, recordClass, 5, new Unknown(of, octets));
            DnsMessage message =
                    new DnsMessage(
                            1,
                            Opcode.QUERY,
                            Flags.NONE.response(true),
                            ResponseCode.NOERROR,
                            List.of(new DnsQuestion(DnsName.ROOT, of, recordClass)),
                            List.of(record),
                            List.of(),
                            List.of(),
                            null);
            assertThat(Corpus.decode(Corpus.encode(message, 512))).isEqualTo(message);
            String text = "\\# " + octets.length() + (hex.isEmpty() ? "" : " " + octets.hex());
            assertThat(record.text()).isEqualTo(". 5 " + recordClass + " " + type + " " + text);
            assertThat(ZoneDecoder.parse(record.text(), DnsName.ROOT)).containsExactly(record);
        }
    }

    @Test
    void dataIsOfTheClassOfItsRecord() {
        Rdata unknown = new Unknown(RecordType.A, Octets.of(new byte[4]));
        assertThatThrownBy(() -> new DnsRecord(DnsName.ROOT, RecordClass.CH, 0, new A(1)))
                .hasMessage("A in class CH: data of IN (expected: Unknown)");
        assertThatThrownBy(() -> new DnsRecord(DnsName.ROOT, 0, unknown))
                .hasMessage("A in class IN: unknown data (expected: data of IN)");
        assertThatThrownBy(() -> ZoneDecoder.parse("a. 5 CH A 192.0.2.1", DnsName.ROOT))
                .hasMessageContaining("data of type A in class CH (expected: \\#,");
    }

    /// RFC 1035, 3.3, and those that say nothing of a class.
    @ParameterizedTest
    @MethodSource("entries")
    void typesOfAllClassesKeepTheirRecords(Corpus.Entry entry) {
        Rdata data = RdataFormat.parse(entry.type(), entry.text());
        if (Set.of("A", "AAAA", "SRV", "SVCB", "HTTPS", "TSIG").contains(entry.type().toString())) {
            return;
        }
        DnsRecord record = new DnsRecord(DnsName.ROOT, RecordClass.CH, 5, data);
        DnsMessage message =
                DnsMessage.query(1, DnsName.parse("example.com"), entry.type())
                        .flags(Flags.NONE.response(true))
                        .sections(List.of(record), List.of(), List.of());
        assertThat(Corpus.decode(Corpus.encode(message, 65_535))).isEqualTo(message);
    }

    /// RFC 2136, 2.4 and 2.5: data of NONE is of the zone's class.
    @Test
    void dataOfUpdatesIsOfTheClassOfTheZone() {
        for (RecordClass zone : List.of(RecordClass.IN, RecordClass.CH)) {
            Rdata data =
                    zone.equals(RecordClass.IN)
                            ? new A(1)
                            : new Unknown(RecordType.A, Octets.ofHex("0161000102"));
            DnsMessage update =
                    new DnsMessage(
                            9,
                            Opcode.UPDATE,
                            Flags.NONE,
                            ResponseCode.NOERROR,
                            List.of(new DnsQuestion(DnsName.ROOT, RecordType.SOA, zone)),
                            List.of(),
                            List.of(new DnsRecord(DnsName.ROOT, RecordClass.NONE, 0, data)),
                            List.of(),
                            null);
            assertThat(Corpus.decode(Corpus.encode(update, 512))).isEqualTo(update);
        }
    }

    @Test
    void namesWithoutADotAreWholeToo() {
        assertThat(RdataFormat.parse(RecordType.CNAME, "a.example"))
                .isEqualTo(new Cname(DnsName.parse("a.example.")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "x a.",
                "1 a. b.",
                "1 \"a",
                "1 (a.",
                "1 a.)",
                "65536 a.",
                "-1 a.",
                "1 a..b.",
                "\\# 3 0102",
                "\\# 3 010200 ff",
                "\\# 99999 00",
                "\\#",
                "1 \\",
                "1 a\\25.",
                "1 a\\256."
            })
    void badTextIsRefused(String text) {
        assertThatThrownBy(() -> RdataFormat.parse(RecordType.MX, text))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /// Reserved as "Invalid key" (RFC 9460, 14.3.2), which does not make the record malformed.
    @Test
    void lastKeyOfServicesIsReadAsOthersAre() {
        String wire = "000100ffff000161";
        Rdata data = RdataFormat.decode(RecordType.SVCB, Octets.ofHex(wire));
        assertThat(RdataFormat.text(data)).isEqualTo("1 . key65535=\"a\"");
        assertThat(
                        RdataFormat.encode(
                                        RdataFormat.parse(RecordType.SVCB, RdataFormat.text(data)))
                                .hex())
                .isEqualTo(wire);
    }

    @ParameterizedTest
    @CsvSource({
        "'',       0 octets left (expected: at least 1)",
        "0561,     2 octets left (expected: at least 7)",
        "0161,     2 octets left (expected: at least 3)",
        "0161c0,   3 octets left (expected: at least 4)",
    })
    void nameThatIsCutOffIsToldWithWhatItLacks(String octets, String message) {
        assertThatThrownBy(() -> RdataFormat.decode(RecordType.NS, Octets.ofHex(octets)))
                .isInstanceOf(DnsException.class)
                .hasMessage("data at 0: " + message);
    }

    /// As BIND and dnspython read them.
    @ParameterizedTest
    @CsvSource({
        "key1=\\002h2,                    alpn=h2",
        "key1=\\002h2 key2,               alpn=h2 no-default-alpn",
        "key3=\\000\\053,                  port=53",
        "key0=\\000\\003 port=1,           mandatory=port port=1",
        "key4=\\001\\002\\003\\004,         ipv4hint=1.2.3.4",
        "key7=/q,                         dohpath=/q",
        "key8,                            ohttp",
    })
    void knownParameterBehindItsNumberIsAsOnTheWire(String numbered, String named) {
        assertThat(RdataFormat.parse(RecordType.SVCB, "1 . " + numbered))
                .isEqualTo(RdataFormat.parse(RecordType.SVCB, "1 . " + named));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"key1=h2", "key1", "key3=53x", "key3=\\000", "key0=a", "key0", "key2=x"})
    void knownParameterBehindItsNumberIsChecked(String parameter) {
        assertThatThrownBy(() -> RdataFormat.parse(RecordType.SVCB, "1 . alpn=h3 " + parameter))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /// As dnspython writes it.
    @Test
    void emptyMacMayBeAnEmptyString() {
        assertThat(RdataFormat.parse(RecordType.TSIG, "a. 1 300 0 \"\" 7 BADTIME 1 AA=="))
                .isEqualTo(RdataFormat.parse(RecordType.TSIG, "a. 1 300 0 7 BADTIME 1 AA=="));
        assertThat(RdataFormat.parse(RecordType.TSIG, "a. 1 300 0 \"\" 7 NOERROR 0 \"\""))
                .isEqualTo(RdataFormat.parse(RecordType.TSIG, "a. 1 300 0 7 NOERROR 0"));
    }
}
