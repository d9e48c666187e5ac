package io.weft.codec.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weft.buffer.Buffer;
import io.weft.buffer.Ledger;
import io.weft.codec.dns.rdata.Soa;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
                                "a 1 CLASS32 TYPE731 \\# 6 abcd ( ef 01 ; x\n 23 45 )\n a TYPE1 \\# 4 0A000001\n a CLASS1 TYPE1 \\# 4 0A000001"
                                        .replace("\n a", "\na")))
                .containsExactly(
                        "a.example.com. 1 CLASS32 TYPE731 \\# 6 abcdef012345",
                        "a.example.com. 1 CLASS32 A \\# 4 0a000001",
                        "a.example.com. 1 IN A 10.0.0.1");
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
        List<DnsRecord> records = new ArrayList<>();
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
                        ZoneException.class, () -> ZoneDecoder.parse("$WHATEVER 1", DnsName.ROOT));
        assertThat(e)
                .hasMessage("line 1: $WHATEVER (expected: $ORIGIN, $TTL, $INCLUDE or $GENERATE)");
    }

    @Test
    void seriesOfRecordsAreMade() {
        String zone =
                """
                $TTL 1
                $GENERATE 0-1 h$ A 10.0.0.$
                $GENERATE 1-5/3 d${10,4}.x CNAME t${0,3,x}-$$-\\$
                $generate 254-256 p${0,3,X} 300 IN PTR ${-4}.o${0,5,o}.
                $GENERATE 17-17 ${0,7,n}.b PTR ${0,6,n}c
                $GENERATE 26-26 ${0,3,N}.c PTR ${0,0,n}.
                $GENERATE 1-1 m$ MX "10 host$" ; as one word
                $GENERATE 1-1 c$ CAA 0 issue "ca$.example"
                $GENERATE 1-1 t$ TXT ( "a $"
                                       "b \\$" )
                """;
        assertThat(lines(zone))
                .containsExactly(
                        "h0.example.com. 1 IN A 10.0.0.0",
                        "h1.example.com. 1 IN A 10.0.0.1",
                        "d0011.x.example.com. 1 IN CNAME t001-\\$-\\$.example.com.",
                        "d0014.x.example.com. 1 IN CNAME t004-\\$-\\$.example.com.",
                        "p0FE.example.com. 300 IN PTR 250.o00376.",
                        "p0FF.example.com. 300 IN PTR 251.o00377.",
                        "p100.example.com. 300 IN PTR 252.o00400.",
                        "1.1.0.0.b.example.com. 1 IN PTR 1.1.0.c.example.com.",
                        "A.1.c.example.com. 1 IN PTR a.1.",
                        "m1.example.com. 1 IN MX 10 host1.example.com.",
                        "c1.example.com. 1 IN CAA 0 issue \"ca1.example\"",
                        "t1.example.com. 1 IN TXT \"a 1\" \"b $\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 a$ A 10.0.0.$",
                "2-1 a$ A 10.0.0.$",
                "1-2/0 a$ A 10.0.0.$",
                "1-99999999999 a$ A 10.0.0.$",
                "0-2147483647 a$ A 10.0.0.1",
                "0-65536 a$ A 10.0.0.1",
                "1-2",
                "1-2 a$",
                "1-2 a${1,2,z} A 10.0.0.1",
                "1-2 a${ A 10.0.0.1",
                "1-2 a${-2} A 10.0.0.1",
                "1-2 a${2147483647} A 10.0.0.1",
                "1-2 a${0,256} A 10.0.0.1",
                "255-256 a$ A 10.0.0.$",
            })
    void brokenSeriesAreErrors(String series) {
        ZoneException e =
                catchThrowableOfType(
                        ZoneException.class, () -> lines("\n$TTL 1\n$GENERATE " + series));
        assertThat(e.line()).isEqualTo(3);
    }

    @Test
    void seriesOfAFileAreLimitedTogether() {
        String series = "$GENERATE 1-40000 a$ 1 A 10.0.0.1\n";
        assertThat(ZoneDecoder.parse(series, ORIGIN)).hasSize(40_000);
        ZoneException e =
                catchThrowableOfType(
                        ZoneException.class, () -> ZoneDecoder.parse(series + series, ORIGIN));
        assertThat(e.line()).isEqualTo(2);
    }

    /// 4 GiB of records, or of text that is read for nothing, from an entry of 64 KiB.
    @ParameterizedTest
    @ValueSource(strings = {"\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\" ", "${-1,0,d}${-1,0,d}${-1,0,d} "})
    void octetsOfSeriesAreLimitedTogether(String word) {
        String zone = "$GENERATE 1-65536 a$ 1 TXT " + word.repeat(2_000);
        AtomicInteger records = new AtomicInteger();
        try (ZoneDecoder decoder = new ZoneDecoder(ORIGIN);
                Buffer in = Corpus.buffer((zone + "\n").getBytes(StandardCharsets.US_ASCII))) {
            assertThatThrownBy(() -> decoder.decode(in, _ -> records.incrementAndGet()))
                    .isInstanceOf(ZoneException.class)
                    .hasMessage("line 1: $GENERATE: above 16777216 octets of text (expected: not)");
        }
        assertThat(records).hasValueBetween(200, 300);
    }

    /// 100 lines that include 100 lines each, and so on, are 100^8 files.
    @Test
    void includedFilesAreLimitedTogether() {
        AtomicInteger read = new AtomicInteger();
        byte[] empty = {};
        byte[] zone = "$INCLUDE a\n".repeat(100).getBytes(StandardCharsets.US_ASCII);
        byte[] a = "$INCLUDE b\n".repeat(100).getBytes(StandardCharsets.US_ASCII);
        try (ZoneDecoder decoder = new ZoneDecoder(ORIGIN)) {
            decoder.includes(
                    name -> {
                        read.incrementAndGet();
                        return name.equals("a") ? a : empty;
                    });
            assertThatThrownBy(() -> decoder.records(zone))
                    .isInstanceOf(ZoneException.class)
                    .hasMessageContaining("$INCLUDE: files (expected: at most 1024)");
        }
        assertThat(read).hasValue(1024);
    }

    @Test
    void octetsOfIncludedFilesAreLimitedTogether() {
        byte[] file = "$INCLUDE a\n".repeat(3).getBytes(StandardCharsets.US_ASCII);
        byte[] comment = ";2345678\n".getBytes(StandardCharsets.US_ASCII);
        for (int max : new int[] {26, 27}) {
            try (ZoneDecoder decoder = new ZoneDecoder(ORIGIN)) {
                decoder.includes(_ -> comment, 3, max);
                if (max == 27) {
                    assertThat(decoder.records(file)).isEmpty();
                } else {
                    assertThatThrownBy(() -> decoder.records(file))
                            .isInstanceOf(ZoneException.class)
                            .hasMessageStartingWith("line 3: ")
                            .hasMessageEndingWith(
                                    "$INCLUDE: 27 octets of files (expected: at most 26)");
                }
            }
        }
    }

    private static List<String> including(String zone, Map<String, String> files) {
        try (ZoneDecoder decoder = new ZoneDecoder(ORIGIN)) {
            decoder.includes(
                    name -> {
                        String file = files.get(name);
                        if (file == null) {
                            throw new NoSuchFileException(name);
                        }
                        return file.getBytes(StandardCharsets.UTF_8);
                    });
            return decoder.records(zone.getBytes(StandardCharsets.UTF_8)).stream()
                    .map(DnsRecord::text)
                    .toList();
        }
    }

    @Test
    void includedFilesAreReadAndLeaveTheOriginAsItWas() {
        String zone =
                """
                $TTL 1
                a A 10.0.0.1
                $INCLUDE hosts
                  AAAA 2001:db8::1
                $INCLUDE "with blank" sub ; relative to the origin
                b A 10.0.0.3
                """;
        assertThat(
                        including(
                                zone,
                                Map.of(
                                        "hosts",
                                        "  TXT x\n$ORIGIN other.\nc A 10.0.0.2",
                                        "with blank",
                                        "@ A 10.0.0.4\n$INCLUDE hosts sub.sub")))
                .containsExactly(
                        "a.example.com. 1 IN A 10.0.0.1",
                        "a.example.com. 1 IN TXT \"x\"",
                        "c.other. 1 IN A 10.0.0.2",
                        "a.example.com. 1 IN AAAA 2001:db8::1",
                        "sub.example.com. 1 IN A 10.0.0.4",
                        "sub.example.com. 1 IN TXT \"x\"",
                        "c.other. 1 IN A 10.0.0.2",
                        "b.example.com. 1 IN A 10.0.0.3");
    }

    private static final byte[] NESTED =
            "$TTL 1\n$INCLUDE a\nz A 10.0.0.9\n".getBytes(StandardCharsets.US_ASCII);

    private static ZoneDecoder nested() {
        String a = "$GENERATE 1-2 h$ A 10.0.0.$\n$INCLUDE b\n\n$GENERATE 3-3 h$ A 10.0.0.$";
        return new ZoneDecoder(ORIGIN)
                .includes(
                        name ->
                                (name.equals("a") ? a : "b A 10.0.0.5")
                                        .getBytes(StandardCharsets.US_ASCII));
    }

    private static List<String> firstLabels(List<DnsRecord> records) {
        return records.stream().map(r -> r.name().toString().replaceAll("\\..*", "")).toList();
    }

    @Test
    void consumerPausesAtEachRecordOfSeriesAndIncludes() {
        List<DnsRecord> records = new ArrayList<>();
        try (ZoneDecoder decoder = nested();
                Buffer in = Corpus.buffer(NESTED)) {
            for (int size = 1; size <= 5; size++) {
                decoder.decode(
                        in,
                        record -> {
                            records.add(record);
                            decoder.pause();
                        });
                assertThat(records).hasSize(size);
                decoder.resume();
            }
            decoder.decode(in, records::add);
            decoder.end(records::add);
        }
        assertThat(firstLabels(records)).containsExactly("h1", "h2", "b", "h3", "z");
    }

    @Test
    void exceptionsOfTheConsumerAreNoErrorsOfTheFile() {
        List<DnsRecord> records = new ArrayList<>();
        IllegalArgumentException own = new IllegalArgumentException("of the consumer");
        try (ZoneDecoder decoder = nested();
                Buffer in = Corpus.buffer(NESTED)) {
            for (int size = 1; size <= 5; size++) {
                assertThatThrownBy(
                                () ->
                                        decoder.decode(
                                                in,
                                                record -> {
                                                    records.add(record);
                                                    throw own;
                                                }))
                        .isSameAs(own);
            }
            decoder.decode(in, records::add);
            decoder.end(records::add);
        }
        assertThat(firstLabels(records)).containsExactly("h1", "h2", "b", "h3", "z");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2 A 10.0.0.2", "2 A x"})
    void includedFilesAreGivenUpAtAnErrorOrTheClose(String last) {
        Ledger.takeOpen();
        byte[] b = ("b 1 A 10.0.0.1\nb " + last).getBytes(StandardCharsets.US_ASCII);
        byte[] a = "$INCLUDE b\n".getBytes(StandardCharsets.US_ASCII);
        ZoneDecoder decoder = new ZoneDecoder(ORIGIN);
        decoder.includes(name -> name.equals("a") ? a : b);
        try (Buffer in = Corpus.buffer("$INCLUDE a\n".getBytes(StandardCharsets.US_ASCII))) {
            decoder.decode(in, _ -> decoder.pause());
            decoder.resume();
            if (last.endsWith("x")) {
                assertThatThrownBy(() -> decoder.decode(in, _ -> {}))
                        .hasMessageStartingWith("line 1: a: line 1: b: line 2: ");
            } else {
                decoder.close();
            }
        }
        assertThat(Ledger.takeOpen()).isEmpty();
        decoder.close();
    }

    @Test
    void endWithinAPausedSeriesIsAnError() {
        try (ZoneDecoder decoder = nested();
                Buffer in = Corpus.buffer("\n$INCLUDE a\n".getBytes(StandardCharsets.US_ASCII))) {
            decoder.includes(
                    _ -> "$GENERATE 1-2 h$ 1 A 10.0.0.$".getBytes(StandardCharsets.US_ASCII));
            decoder.decode(in, _ -> decoder.pause());
            assertThat(in.isReadable()).isFalse();
            assertThatThrownBy(() -> decoder.end(_ -> {}))
                    .isInstanceOf(ZoneException.class)
                    .hasMessageStartingWith("line 2: ");
        }
    }

    @Test
    void filesThatIncludeThemselvesAreAnError() {
        ZoneException e =
                catchThrowableOfType(
                        ZoneException.class,
                        () -> including("$INCLUDE a\n", Map.of("a", "\n$INCLUDE a\n")));
        assertThat(e.line()).isEqualTo(1);
        assertThat(e).hasMessageContaining("at most 8");
    }

    @Test
    void errorsOfIncludedFilesHaveBothLines() {
        assertThatThrownBy(() -> including("\n$INCLUDE a\n", Map.of("a", "\n\nb 1 A x")))
                .isInstanceOf(ZoneException.class)
                .hasMessageStartingWith("line 2: a: line 3: ");
        assertThatThrownBy(() -> including("$INCLUDE none\n", Map.of()))
                .isInstanceOf(ZoneException.class)
                .hasMessageStartingWith("line 1: none: ");
        assertThatThrownBy(() -> lines("$INCLUDE a\n")).isInstanceOf(ZoneException.class);
    }
}
