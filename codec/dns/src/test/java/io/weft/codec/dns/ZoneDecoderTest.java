package io.weft.codec.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weft.codec.dns.rdata.Soa;
import java.util.List;
import org.junit.jupiter.api.Test;

class ZoneDecoderTest {
    private static final DnsName ORIGIN = DnsName.parse("example.com.");

    private static List<String> lines(String zone) {
        return ZoneDecoder.parse(zone, ORIGIN).stream().map(DnsRecord::text).toList();
    }

    /// RFC 1035, 5.3, with a TTL.
    @Test
    void exampleOfRfc1035IsRead() {
        String zone =
                """
                $TTL 86400
                @   IN  SOA     VENERA      Action\\.domains (
                                                 20     ; SERIAL
                                                 7200   ; REFRESH
                                                 600    ; RETRY
                                                 3600000; EXPIRE
                                                 60)    ; MINIMUM

                        NS      A.ISI.EDU.
                        NS      VENERA
                        MX      10      VENERA
                        MX      20      VAXA

                A       A       26.3.0.103

                VENERA  A       10.1.0.52
                        A       128.9.0.32
                """;
        assertThat(lines(zone))
                .containsExactly(
                        "example.com. 86400 IN SOA VENERA.example.com. Action\\.domains.example.com."
                                + " 20 7200 600 3600000 60",
                        "example.com. 86400 IN NS A.ISI.EDU.",
                        "example.com. 86400 IN NS VENERA.example.com.",
                        "example.com. 86400 IN MX 10 VENERA.example.com.",
                        "example.com. 86400 IN MX 20 VAXA.example.com.",
                        "A.example.com. 86400 IN A 26.3.0.103",
                        "VENERA.example.com. 86400 IN A 10.1.0.52",
                        "VENERA.example.com. 86400 IN A 128.9.0.32");
    }

    @Test
    void timesToLiveComeFromTheRecordTheDirectiveOrTheOneBefore() {
        assertThat(lines("a 5 A 192.0.2.1\nb A 192.0.2.2\n$TTL 7\nc A 192.0.2.3\nd 1m A 192.0.2.4"))
                .containsExactly(
                        "a.example.com. 5 IN A 192.0.2.1",
                        "b.example.com. 5 IN A 192.0.2.2",
                        "c.example.com. 7 IN A 192.0.2.3",
                        "d.example.com. 60 IN A 192.0.2.4");
        List<DnsRecord> soa = ZoneDecoder.parse("@ SOA . . 1 2 3 4 5\n", ORIGIN);
        assertThat(soa.getFirst().ttl()).isEqualTo(5);
        assertThat(((Soa) soa.getFirst().data()).expire()).isEqualTo(4);
    }

    @Test
    void originChangesWhatNamesGoOnWith() {
        assertThat(lines("$ORIGIN sub\na 1 CNAME b\n$ORIGIN org.\na 1 CNAME @"))
                .containsExactly(
                        "a.sub.example.com. 1 IN CNAME b.sub.example.com.",
                        "a.org. 1 IN CNAME org.");
    }

    @Test
    void unknownTypesAndClassesAreRead() {
        assertThat(
                        lines(
                                "a 1 CLASS32 TYPE731 \\# 6 abcd ( ef 01 ; x\n 23 45 )\n a TYPE1 \\# 4 0A000001"
                                        .replace("\n a", "\na")))
                .containsExactly(
                        "a.example.com. 1 CLASS32 TYPE731 \\# 6 abcdef012345",
                        "a.example.com. 1 CLASS32 A 10.0.0.1");
    }

    @Test
    void octetsAboveAsciiAreOctetsOfTheirUtf8() {
        assertThat(lines("a 1 TXT \"é\""))
                .containsExactly("a.example.com. 1 IN TXT \"\\195\\169\"");
    }

    @Test
    void errorsHaveTheLineOfTheirEntry() {
        ZoneException e =
                catchThrowableOfType(
                        ZoneException.class,
                        () -> lines("; one\na 1 TXT (\n\"x\" )\nb 1 A nonsense\n"));
        assertThat(e.line()).isEqualTo(4);
        assertThat(e).hasMessageStartingWith("line 4: ");
    }

    @Test
    void recordsBeforeAnErrorStayValid() {
        List<DnsRecord> records = new java.util.ArrayList<>();
        byte[] zone =
                "a 1 A 192.0.2.1\nb 1 A x\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        try (ZoneDecoder decoder = new ZoneDecoder(ORIGIN);
                var in = Corpus.buffer(zone)) {
            assertThat(
                            catchThrowableOfType(
                                    ZoneException.class, () -> decoder.decode(in, records::add)))
                    .isNotNull();
        }
        assertThat(records).hasSize(1);
    }

    @Test
    void directivesThatAreNotKnownAreTold() {
        ZoneException e =
                catchThrowableOfType(
                        ZoneException.class,
                        () -> ZoneDecoder.parse("$GENERATE 1-9 a$ A 192.0.2.$", DnsName.ROOT));
        assertThat(e).hasMessage("line 1: $GENERATE (expected: $ORIGIN or $TTL)");
    }
}
