package io.weft.codec.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.dns.rdata.Rdata;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Data of every type, with octets changed at random: whatever is still data has one text and one
/// wire form, which lead to each other.
class RdataRoundTripTest {
    private record Wire(RecordType type, Octets octets) {}

    private final Random random = new Random(Long.getLong("io.weft.test.seed", 1));

    private byte[] changed(byte[] octets) {
        int at = random.nextInt(octets.length + 1);
        byte octet = (byte) random.nextInt(256);
        int kind = at == octets.length ? 0 : random.nextInt(3);
        byte[] changed = new byte[octets.length + (kind == 0 ? 1 : kind == 1 ? -1 : 0)];
        System.arraycopy(octets, 0, changed, 0, at);
        int rest = kind == 0 ? at : at + 1;
        int to = kind == 1 ? at : at + 1;
        System.arraycopy(octets, rest, changed, to, octets.length - rest);
        if (kind != 1) {
            changed[at] = octet;
        }
        return changed;
    }

    @Test
    void changedDataOfEveryTypeIsTheSameBehindItsTextAndItsWire() {
        List<Wire> pool = new ArrayList<>();
        Corpus.entries().forEach(e -> pool.add(new Wire(e.type(), Octets.ofHex(e.wire()))));
        int accepted = 0;
        for (int i = 0; i < 20_000; i++) {
            Wire wire = pool.get(random.nextInt(pool.size()));
            byte[] octets = wire.octets.toArray();
            for (int n = random.nextInt(3); n >= 0; n--) {
                octets = changed(octets);
            }
            Rdata data;
            try {
                data = RdataFormat.decode(wire.type, Octets.of(octets));
            } catch (DnsException _) {
                continue;
            }
            accepted++;
            pool.add(new Wire(wire.type, Octets.of(octets)));
            String what = wire.type + " " + HexFormat.of().formatHex(octets);
            String text = RdataFormat.text(data);
            Rdata read = RdataFormat.parse(wire.type, text);
            assertThat(read).as(what).isEqualTo(data);
            assertThat(RdataFormat.text(read)).as(what).isEqualTo(text);
            Octets written = RdataFormat.encode(data);
            assertThat(RdataFormat.encode(read)).as(what).isEqualTo(written);
            assertThat(RdataFormat.decode(wire.type, written)).as(what).isEqualTo(data);
        }
        assertThat(accepted).isGreaterThan(5_000);
    }
}
