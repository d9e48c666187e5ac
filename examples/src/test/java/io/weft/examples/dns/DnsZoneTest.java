package io.weft.examples.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.RdataFormat;
import io.weft.codec.dns.RecordClass;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ResponseCode;
import io.weft.codec.dns.ZoneDecoder;
import io.weft.codec.dns.rdata.Cname;
import io.weft.codec.dns.rdata.Rdata;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Answers of the authority of a zone (RFC 1034, 4.3.2; RFC 4592).
class DnsZoneTest {
    private static final DnsZone ZONE =
            new DnsZone(
                    ZoneDecoder.parse(
                            """
                            $ORIGIN example.com.
                            $TTL 300
                            @ SOA ns h 1 3600 600 86400 60
                              NS ns
                            ns A 192.0.2.53
                            www A 192.0.2.1
                            web CNAME www
                            out CNAME www.example.net.
                            circle CNAME circle
                            a.b TXT x
                            sub NS ns.sub
                            ns.sub A 192.0.2.54
                            old DNAME new
                            x.new A 192.0.2.9
                            *.wild A 192.0.2.7
                            here.wild TXT x
                            x.*.empty TXT x
                            mx MX 5 www
                            """,
                            DnsName.ROOT));

    private static DnsMessage ask(String name, String type) {
        return ZONE.answer(DnsMessage.query(1, DnsName.parse(name), RecordType.parse(type)));
    }

    @ParameterizedTest
    @CsvSource({
        "web.example.com.,    ANY,   web.example.com. 300 IN CNAME www.example.com.",
        "circle.example.com., ANY,   circle.example.com. 300 IN CNAME circle.example.com.",
        "circle.example.com., A,     circle.example.com. 300 IN CNAME circle.example.com.",
        "no.old.example.com., CNAME, no.old.example.com. 300 IN CNAME no.new.example.com.",
        "no.old.example.com., ANY,   no.old.example.com. 300 IN CNAME no.new.example.com.",
    })
    void aliasIsAnAnswerToWhoAsksForIt(String name, String type, String last) {
        DnsMessage response = ask(name, type);
        assertThat(response.code()).isEqualTo(ResponseCode.NOERROR);
        assertThat(response.answers().getLast()).hasToString(last);
        assertThat(response.answers().stream().filter(r -> r.data() instanceof Cname)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "OPT, FORMERR",
        "NXNAME, FORMERR",
        "TKEY, FORMERR",
        "TSIG, FORMERR",
        "MAILA, NOTIMP",
        "MAILB, NOTIMP",
        "IXFR, REFUSED",
        "AXFR, REFUSED",
        "TYPE0, NOERROR",
        "TYPE65535, NOERROR",
    })
    void typesThatNoRecordHasAreRefused(String type, String code) {
        assertThat(ask("www.example.com.", type).code()).hasToString(code);
    }

    @ParameterizedTest
    @CsvSource({
        "a CNAME b | a A 192.0.2.1,     'zone: a.: CNAME and other data (expected: CNAME alone)'",
        "a A 192.0.2.1 | a CNAME b,     'zone: a.: CNAME and other data (expected: CNAME alone)'",
        "a CNAME b | a CNAME c,         'zone: a.: CNAME and other data (expected: CNAME alone)'",
        "a CH A \\# 4 C0000201,         'zone: a.: class CH (expected: IN)'",
    })
    void zoneThatContradictsItselfIsRefused(String entries, String message) {
        String text = "@ 300 SOA ns h 1 3600 600 86400 60\n" + entries.replace(" | ", "\n") + "\n";
        List<DnsRecord> records = ZoneDecoder.parse(text, DnsName.ROOT);
        assertThatThrownBy(() -> new DnsZone(records)).hasMessage(message);
    }

    @Test
    void signedQueryIsToldThatItsKeyIsUnknown() {
        Rdata signature =
                RdataFormat.parse(
                        RecordType.TSIG, "hmac-sha256. 1700000000 300 2 AAA= 7 NOERROR 0");
        DnsName key = DnsName.parse("key.");
        DnsMessage query = DnsMessage.query(7, DnsName.parse("www.example.com."), RecordType.A);
        DnsRecord tsig = new DnsRecord(key, RecordClass.ANY, 0, signature);
        DnsMessage response = ZONE.answer(query.sections(List.of(), List.of(), List.of(tsig)));
        assertThat(response.code()).isEqualTo(ResponseCode.NOTAUTH);
        assertThat(response.answers()).isEmpty();
        assertThat(response.additionals())
                .singleElement()
                .hasToString("key. 0 ANY TSIG hmac-sha256. 1700000000 300 0 7 BADKEY 0");
    }

    @ParameterizedTest
    @CsvSource({
        "0,          true",
        "1,          false",
        "2,          false", // newer than what is here
        "2147483648, false",
        "2147483650, true", // older, as serials go round
        "4294967295, true",
    })
    void differencesAreTheWholeZoneOrNothing(long serial, boolean whole) {
        DnsMessage query = DnsMessage.query(1, DnsName.parse("example.com."), RecordType.IXFR);
        String soa = "example.com. 0 SOA a. b. " + serial + " 1 1 1 1\n";
        DnsRecord theirs = ZoneDecoder.parse(soa, DnsName.ROOT).getFirst();
        List<DnsMessage> messages =
                ZONE.transfer(query.sections(List.of(), List.of(theirs), List.of()));
        assertThat(messages)
                .singleElement()
                .satisfies(m -> assertThat(m.flags().isAuthoritative()).isTrue());
        assertThat(messages.getFirst().answers()).hasSize(whole ? ZONE.size() + 1 : 1);
    }

    @Test
    void recordThatIsThereTwiceIsAnsweredOnce() {
        String text = "@ 300 SOA ns h 1 3600 600 86400 60\na A 192.0.2.1\na 5 A 192.0.2.1\n";
        DnsZone zone = new DnsZone(ZoneDecoder.parse(text, DnsName.ROOT));
        DnsMessage query = DnsMessage.query(1, DnsName.parse("a."), RecordType.A);
        assertThat(zone.answer(query).answers()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "www.example.com.,      A,    NOERROR,  www.example.com. 300 IN A 192.0.2.1",
        "WWW.example.COM.,      A,    NOERROR,  WWW.example.COM. 300 IN A 192.0.2.1",
        "web.example.com.,      CNAME, NOERROR, web.example.com. 300 IN CNAME www.example.com.",
        "q.wild.example.com.,   A,    NOERROR,  q.wild.example.com. 300 IN A 192.0.2.7",
        "q.r.wild.example.com., A,    NOERROR,  q.r.wild.example.com. 300 IN A 192.0.2.7",
        "*.wild.example.com.,   A,    NOERROR,  *.wild.example.com. 300 IN A 192.0.2.7",
    })
    void answersWithOneRecord(String name, String type, String code, String record) {
        DnsMessage response = ask(name, type);
        assertThat(response.code()).hasToString(code);
        assertThat(response.flags().isAuthoritative()).isTrue();
        assertThat(response.answers()).singleElement().hasToString(record);
    }

    @ParameterizedTest
    @CsvSource({
        "nothing.example.com.,    A,   NXDOMAIN",
        "www.example.com.,        TXT, NOERROR",
        "b.example.com.,          A,   NOERROR", // between names that exist
        "wild.example.com.,       A,   NOERROR",
        "here.wild.example.com.,  A,   NOERROR", // no wildcard for what exists
        "q.here.wild.example.com., A,  NXDOMAIN", // nor below it
        "*.empty.example.com.,    TXT, NOERROR",
        "q.empty.example.com.,    TXT, NOERROR", // of a wildcard that has no records
        "q.*.empty.example.com.,  TXT, NXDOMAIN",
    })
    void tellsThatThereIsNothing(String name, String type, String code) {
        DnsMessage response = ask(name, type);
        assertThat(response.code()).hasToString(code);
        assertThat(response.answers()).isEmpty();
        assertThat(response.authorities())
                .singleElement()
                .returns(60, DnsRecord::ttl)
                .returns(RecordType.SOA, DnsRecord::type);
    }

    @ParameterizedTest
    @CsvSource({"www.example.org., A", "example.com., AXFR", ". , NS"})
    void refusesWhatIsNotItsOwn(String name, String type) {
        assertThat(ask(name, type).code()).hasToString("REFUSED");
    }

    @Test
    void aliasesAreFollowedWithinTheZone() {
        assertThat(ask("web.example.com.", "A").answers()).hasSize(2);
        assertThat(ask("out.example.com.", "A").answers()).hasSize(1);
        assertThat(ask("circle.example.com.", "A").answers()).hasSizeLessThan(20);
    }

    @Test
    void dnameRenamesWhatIsBelowIt() {
        assertThat(ask("x.old.example.com.", "A").answers())
                .extracting(DnsRecord::toString)
                .containsExactly(
                        "old.example.com. 300 IN DNAME new.example.com.",
                        "x.old.example.com. 300 IN CNAME x.new.example.com.",
                        "x.new.example.com. 300 IN A 192.0.2.9");
        assertThat(ask("old.example.com.", "DNAME").answers()).hasSize(1);
    }

    @Test
    void delegationRefersToItsServers() {
        DnsMessage response = ask("www.sub.example.com.", "A");
        assertThat(response.flags().isAuthoritative()).isFalse();
        assertThat(response.answers()).isEmpty();
        assertThat(response.authorities())
                .singleElement()
                .hasToString("sub.example.com. 300 IN NS ns.sub.example.com.");
        assertThat(response.additionals())
                .singleElement()
                .hasToString("ns.sub.example.com. 300 IN A 192.0.2.54");
    }

    @Test
    void addressesOfMailServersComeWithThem() {
        assertThat(ask("mx.example.com.", "MX").additionals())
                .singleElement()
                .hasToString("www.example.com. 300 IN A 192.0.2.1");
    }

    @Test
    void transferBeginsAndEndsWithTheSoaRecord() {
        List<DnsMessage> messages =
                ZONE.transfer(DnsMessage.query(1, ZONE.origin(), RecordType.AXFR));
        List<DnsRecord> all = messages.stream().flatMap(m -> m.answers().stream()).toList();
        assertThat(all).hasSize(ZONE.size() + 1);
        assertThat(all.getFirst()).isEqualTo(all.getLast());
        assertThat(all.getFirst().type()).isEqualTo(RecordType.SOA);
    }

    @Test
    void zoneNeedsOneSoaRecordAndNamesWithinIt() {
        assertThatThrownBy(() -> new DnsZone(ZoneDecoder.parse("a. 1 A 192.0.2.1", DnsName.ROOT)))
                .hasMessageContaining("SOA");
        assertThatThrownBy(
                        () ->
                                new DnsZone(
                                        ZoneDecoder.parse(
                                                "a. 1 SOA b. c. 1 1 1 1 1\nb. 1 A 192.0.2.1\n",
                                                DnsName.ROOT)))
                .hasMessageContaining("within a.");
    }
}
