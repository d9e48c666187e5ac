package io.weft.resolver.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RdataFormat;
import io.weft.codec.dns.RecordType;
import org.junit.jupiter.api.Test;

/// Estimates of what records take, beside the least that their objects need.
class HeapSizeTest {
    private static int of(RecordType type, byte... octets) {
        return HeapSize.of(
                new DnsRecord(
                        DnsName.parse("a.example.com."),
                        60,
                        RdataFormat.decode(type, Octets.of(octets))));
    }

    @Test
    void emptyStringsOfTextCountAsTheObjectsThatTheyAre() {
        assertThat(of(RecordType.TXT, new byte[60_000])).isGreaterThan(60_000 * 44);
    }

    @Test
    void shortProtocolsOfAServiceCountAsTheObjectsThatTheyAre() {
        byte[] octets = new byte[3 + 4 + 60_000];
        octets[4] = 1; // alpn
        octets[5] = (byte) (60_000 >> 8);
        octets[6] = (byte) 60_000;
        for (int at = 7; at < octets.length; at += 2) {
            octets[at] = 1;
        }
        assertThat(of(RecordType.HTTPS, octets)).isGreaterThan(30_000 * 44);
    }

    @Test
    void dataOfOtherTypesCountsAtLeastItsOctets() {
        assertThat(of(RecordType.OPENPGPKEY, new byte[5_000])).isBetween(5_000, 20_000);
        assertThat(of(RecordType.A, new byte[4])).isBetween(100, 500);
    }
}
