package io.weft.codec.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.codec.Output;
import io.weft.codec.dns.rdata.A;
import io.weft.codec.dns.rdata.Aaaa;
import io.weft.codec.dns.rdata.Cname;
import io.weft.codec.dns.rdata.Empty;
import io.weft.codec.dns.rdata.Mx;
import io.weft.codec.dns.rdata.Ns;
import io.weft.codec.dns.rdata.Rdata;
import io.weft.codec.dns.rdata.Srv;
import io.weft.codec.dns.rdata.Tsig;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class DnsMessageTest {
    private static final DnsName EXAMPLE = DnsName.parse("example.com.");

    private static DnsMessage response(DnsMessage query, DnsRecord... answers) {
        return query.response(ResponseCode.NOERROR, List.of(answers));
    }

    private static DnsMessage plain(DnsMessage query) {
        return query.edns(null);
    }

    private static DnsRecord a(String name, int n) {
        return new DnsRecord(DnsName.parse(name), 300, new A(n));
    }

    @Test
    void queryIsEncodedAsRfc1035HasIt() {
        DnsMessage query = plain(DnsMessage.query(0x1234, EXAMPLE, RecordType.A));
        byte[] wire =
                Corpus.hex(
                        "1234 0100 0001 0000 0000 0000 07 6578616d706c65 03 636f6d 00 0001 0001");
        assertThat(Corpus.encode(query, 512)).isEqualTo(wire);
        assertThat(Corpus.decode(wire)).isEqualTo(query);
    }

    @Test
    void responseUsesPointersWhereRfc3597AllowsThem() {
        DnsMessage message =
                response(
                        plain(DnsMessage.query(1, EXAMPLE, RecordType.MX)),
                        new DnsRecord(EXAMPLE, 5, new Mx(10, DnsName.parse("mail.example.com."))),
                        new DnsRecord(
                                DnsName.parse("x.mail.example.com."),
                                5,
                                new Srv(1, 2, 3, DnsName.parse("mail.example.com."))));
        byte[] wire = Corpus.encode(message, 512);
        assertThat(wire)
                .isEqualTo(
                        Corpus.hex(
                                "0001 8100 0001 0002 0000 0000 07 6578616d706c65 03 636f6d 00 000f 0001"
                                        + "c00c 000f 0001 00000005 0009 000a 04 6d61696c c00c"
                                        + "0178 c02b 0021 0001 00000005 0018 0001 0002 0003"
                                        + "04 6d61696c 07 6578616d706c65 03 636f6d 00"));
        assertThat(Corpus.decode(wire)).isEqualTo(message);
    }

    /// RFC 1035, 4.1.4: F.ISI.ARPA, FOO.F.ISI.ARPA, ARPA and the root.
    @Test
    void namesOfTheExampleInRfc1035AreRead() {
        byte[] wire =
                Corpus.hex(
                        "0000 8000 0000 0004 0000 0000"
                                + "01 46 03 495349 04 41525041 00 0001 0001 00000000 0004 01020304"
                                + "03 464f4f c00c 0001 0001 00000000 0004 01020304"
                                + "c012 0001 0001 00000000 0004 01020304"
                                + "00 0001 0001 00000000 0004 01020304");
        assertThat(Corpus.decode(wire).answers())
                .extracting(r -> r.name().toString())
                .containsExactly("F.ISI.ARPA.", "FOO.F.ISI.ARPA.", "ARPA.", ".");
    }

    @Test
    void namesBehindOnePointerAreOneObject() {
        DnsMessage message =
                response(
                        DnsMessage.query(1, EXAMPLE, RecordType.A),
                        a("example.com.", 1),
                        a("example.com.", 2));
        DnsMessage decoded = Corpus.decode(Corpus.encode(message, 512));
        assertThat(decoded.answers().get(1).name()).isSameAs(decoded.questions().getFirst().name());
    }

    @Test
    void lettersKeepTheirCaseThroughCompression() {
        DnsName mixed = DnsName.parse("eXaMpLe.CoM.");
        DnsMessage message =
                response(DnsMessage.query(1, mixed, RecordType.A), a("example.com.", 1));
        DnsMessage decoded = Corpus.decode(Corpus.encode(message, 512));
        assertThat(decoded.questions().getFirst().name().equalsExactly(mixed)).isTrue();
        assertThat(decoded.answers().getFirst().name().equalsExactly(EXAMPLE)).isTrue();
    }

    @Test
    void everyOptionGoesThroughMessages() throws Exception {
        List<EdnsOption> options =
                List.of(
                        new EdnsOption.Nsid(Octets.ofText("server")),
                        EdnsOption.ClientSubnet.of(InetAddress.getByName("192.0.2.255"), 23),
                        EdnsOption.ClientSubnet.of(InetAddress.getByName("2001:db8::1"), 56),
                        new EdnsOption.ClientSubnet(0, 0, 0, Octets.EMPTY),
                        new EdnsOption.Cookie(Octets.ofHex("0011223344556677"), Octets.EMPTY),
                        new EdnsOption.Cookie(
                                Octets.ofHex("0011223344556677"), Octets.ofHex("8899aabbccddeeff")),
                        new EdnsOption.TcpKeepalive(-1),
                        new EdnsOption.TcpKeepalive(600),
                        new EdnsOption.ExtendedError(22, Octets.ofText("no reachable authority")),
                        new EdnsOption.Other(65_001, Octets.of((byte) 1)),
                        new EdnsOption.Padding(100));
        Edns edns = new Edns(4096, true, options);
        DnsMessage message = DnsMessage.query(1, EXAMPLE, RecordType.A).edns(edns);
        assertThat(Corpus.decode(Corpus.encode(message, 1232))).isEqualTo(message);
        assertThat(((EdnsOption.ClientSubnet) options.get(1)).inetAddress())
                .isEqualTo(InetAddress.getByName("192.0.2.0"));
    }

    @Test
    void responseCodesBeyondFifteenTravelInEdns() {
        DnsMessage message =
                DnsMessage.query(1, EXAMPLE, RecordType.A)
                        .response(ResponseCode.BADCOOKIE, List.of());
        assertThat(Corpus.decode(Corpus.encode(message, 512)).code())
                .isEqualTo(ResponseCode.BADCOOKIE);
        assertThatThrownBy(() -> message.edns(null)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void everyFlagOpcodeAndCodeGoesThrough() {
        for (int bits = 0; bits < 0x10000; bits += 0x10) {
            Flags flags = Flags.ofHeader(bits);
            assertThat(flags.bits()).isEqualTo(bits & 0x87B0);
        }
        for (Opcode opcode : List.of(Opcode.QUERY, Opcode.IQUERY, Opcode.STATUS, Opcode.NOTIFY)) {
            for (int code = 0; code < 16; code++) {
                DnsMessage message =
                        new DnsMessage(
                                7,
                                opcode,
                                Flags.NONE.response(true).authoritative(true).authentic(true),
                                ResponseCode.of(code),
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(),
                                null);
                assertThat(Corpus.decode(Corpus.encode(message, 512))).isEqualTo(message);
            }
        }
    }

    /// RFC 2136, 2.4 and 2.5.
    @Test
    void updatesHaveRecordsWithoutData() {
        DnsMessage update =
                new DnsMessage(
                        9,
                        Opcode.UPDATE,
                        Flags.NONE,
                        ResponseCode.NOERROR,
                        List.of(new DnsQuestion(EXAMPLE, RecordType.SOA)),
                        List.of(
                                new DnsRecord(EXAMPLE, RecordClass.ANY, 0, new Empty(RecordType.A)),
                                new DnsRecord(
                                        EXAMPLE, RecordClass.NONE, 0, new Empty(RecordType.ANY))),
                        List.of(
                                new DnsRecord(
                                        EXAMPLE, RecordClass.ANY, 0, new Empty(RecordType.MX)),
                                new DnsRecord(EXAMPLE, RecordClass.NONE, 0, new A(1)),
                                a("new.example.com.", 2)),
                        List.of(),
                        null);
        assertThat(Corpus.decode(Corpus.encode(update, 512))).isEqualTo(update);
        assertThatThrownBy(
                        () ->
                                plain(DnsMessage.query(1, EXAMPLE, RecordType.A))
                                        .sections(update.answers(), List.of(), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void timesToLiveWithTheHighestBitAreZero() {
        byte[] wire =
                Corpus.hex("0001 8000 0000 0001 0000 0000 00 0001 0001 ffffffff 0004 01020304");
        assertThat(Corpus.decode(wire).answers().getFirst().ttl()).isZero();
    }

    private static DnsMessage large(int a, int aaaa) {
        List<DnsRecord> answers = new ArrayList<>();
        for (int i = 0; i < a; i++) {
            answers.add(a("example.com.", i));
        }
        for (int i = 0; i < aaaa; i++) {
            answers.add(new DnsRecord(EXAMPLE, 300, new Aaaa(1, i)));
        }
        return DnsMessage.query(1, EXAMPLE, RecordType.ANY).response(ResponseCode.NOERROR, answers);
    }

    @Test
    void longResponsesLoseWholeSetsAndHaveTc() {
        DnsMessage message = large(20, 20);
        byte[] wire = Corpus.encode(message, 512);
        DnsMessage decoded = Corpus.decode(wire);
        assertThat(wire.length).isLessThanOrEqualTo(512);
        assertThat(decoded.flags().isTruncated()).isTrue();
        assertThat(decoded.answers()).isEqualTo(message.answers().subList(0, 20));
        assertThat(decoded.edns()).isEqualTo(message.edns());
        assertThat(Corpus.decode(Corpus.encode(large(100, 0), 512)).answers()).isEmpty();
        assertThat(Corpus.decode(Corpus.encode(message, 4096))).isEqualTo(message);
    }

    /// RFC 2181, 9 and RFC 9471.
    @Test
    void additionalRecordsAreLeftOutWithTcOnlyWhenTheyAreGlue() {
        List<DnsRecord> addresses = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            addresses.add(a("ns.sub.example.com.", i));
        }
        DnsRecord ns =
                new DnsRecord(
                        DnsName.parse("sub.example.com."),
                        300,
                        new Ns(DnsName.parse("ns.sub.example.com.")));
        DnsMessage query = DnsMessage.query(1, EXAMPLE, RecordType.A);
        DnsMessage referral = response(query).sections(List.of(), List.of(ns), addresses);
        DnsMessage answer =
                response(query).sections(List.of(a("example.com.", 1)), List.of(ns), addresses);
        assertThat(Corpus.decode(Corpus.encode(referral, 512)).flags().isTruncated()).isTrue();
        DnsMessage decoded = Corpus.decode(Corpus.encode(answer, 512));
        assertThat(decoded.flags().isTruncated()).isFalse();
        assertThat(decoded.additionals()).isEmpty();
        assertThat(decoded.authorities()).containsExactly(ns);
    }

    @Test
    void whatCannotBeCutOffIsRefusedAndLeavesNothing() {
        DnsMessage query =
                DnsMessage.query(1, EXAMPLE, RecordType.A)
                        .edns(Edns.DEFAULT.options(new EdnsOption.Padding(600)));
        Tsig tsig =
                new Tsig(
                        EXAMPLE,
                        0,
                        300,
                        Octets.of(new byte[32]),
                        1,
                        ResponseCode.NOERROR,
                        Octets.EMPTY);
        DnsRecord signature = new DnsRecord(EXAMPLE, RecordClass.ANY, 0, tsig);
        DnsMessage large = large(40, 0);
        DnsMessage signed = large.sections(large.answers(), List.of(), List.of(signature));
        DnsEncoder encoder = DnsEncoder.datagrams(512);
        try (Output out = new Output()) {
            for (DnsMessage message : List.of(query, signed)) {
                assertThatThrownBy(() -> encoder.encode(message, out))
                        .isInstanceOf(IllegalArgumentException.class);
            }
            assertThat(out.size()).isZero();
        }
        DnsMessage small = plain(DnsMessage.query(3, EXAMPLE, RecordType.A));
        assertThat(Corpus.decode(Corpus.encode(encoder, small))).isEqualTo(small);
        assertThat(Corpus.decode(Corpus.encode(signed, 4096))).isEqualTo(signed);
    }

    @Test
    void signaturesAreLastOrRefused() {
        Tsig tsig = new Tsig(EXAMPLE, 0, 300, Octets.EMPTY, 1, ResponseCode.NOERROR, Octets.EMPTY);
        DnsRecord signature = new DnsRecord(EXAMPLE, RecordClass.ANY, 0, tsig);
        DnsMessage query = DnsMessage.query(1, EXAMPLE, RecordType.A);
        assertThatThrownBy(
                        () -> query.sections(List.of(), List.of(), List.of(signature, a("a.", 1))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> query.sections(List.of(signature), List.of(), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new DnsRecord(EXAMPLE, 0, tsig))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /// Offsets beyond 14 bits are no targets, the table is full at some time, and one encoder
    /// serves many messages.
    @Test
    void largeMessagesWithManyNamesGoThrough() {
        List<DnsRecord> answers = new ArrayList<>();
        for (int i = 0; i < 1500; i++) {
            Rdata data = new Cname(DnsName.parse("target-" + i + ".example.com."));
            answers.add(new DnsRecord(DnsName.parse("host-" + i + ".sub.example.com."), 60, data));
        }
        DnsMessage message =
                response(DnsMessage.query(1, EXAMPLE, RecordType.CNAME))
                        .sections(answers, List.of(), List.of());
        DnsEncoder encoder = DnsEncoder.datagrams(65_535);
        for (int i = 0; i < 3; i++) {
            byte[] wire = Corpus.encode(encoder, message);
            assertThat(wire.length).isGreaterThan(0x4000);
            assertThat(Corpus.decode(wire)).isEqualTo(message);
        }
        assertThat(Objects.requireNonNull(message.edns()).payloadSize()).isEqualTo(1232);
    }

    @Test
    void encoderIsUsedForManyMessages() {
        DnsEncoder encoder = DnsEncoder.datagrams(512);
        for (int i = 0; i < 70_000; i++) {
            DnsMessage query = plain(DnsMessage.query(i & 0xFFFF, EXAMPLE, RecordType.A));
            try (Output out = new Output()) {
                encoder.encode(query, out);
                assertThat(out.size()).isEqualTo(29);
            }
        }
    }
}
