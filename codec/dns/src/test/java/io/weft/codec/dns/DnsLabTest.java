package io.weft.codec.dns;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.codec.Decoder;
import io.weft.codec.DecoderException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.dns.rdata.A;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.function.Supplier;

class DnsLabTest implements CodecLab {
    private static final DnsName EXAMPLE = DnsName.parse("example.com.");
    private static final DnsLimits LIMITS = DnsLimits.DEFAULT.messageBytes(4000).records(200);

    private static Subject subject(String name, Supplier<? extends Decoder<?>> decoder) {
        return Subject.named(name)
                .decoder(
                        () -> {
                            Decoder<?> d = decoder.get();
                            return Machine.of(d::decode, d::end, d::close);
                        },
                        DecoderException.class);
    }

    @Override
    public List<Subject> subjects() {
        return List.of(stream(), zone());
    }

    private static byte[] framed(byte[] message) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(message.length >> 8);
        out.write(message.length);
        out.writeBytes(message);
        return out.toByteArray();
    }

    private static Subject stream() {
        DnsMessage query = DnsMessage.query(0x1234, EXAMPLE, RecordType.A);
        DnsMessage response =
                query.response(
                        ResponseCode.NOERROR,
                        List.of(
                                new DnsRecord(EXAMPLE, 300, new A(1)),
                                new DnsRecord(EXAMPLE, 300, new A(2))));
        Subject subject = subject("dns-stream", () -> DnsDecoder.stream(LIMITS));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (Corpus.Entry entry : Corpus.entries()) {
            DnsMessage one =
                    query.edns(null)
                            .flags(Flags.NONE.response(true))
                            .sections(List.of(), List.of(), List.of(Corpus.record(entry)));
            all.writeBytes(framed(Corpus.encode(one, 65_535)));
            if (all.size() > 400) {
                subject.sample(all.toByteArray());
                all.reset();
            }
        }
        subject.sample(all.toByteArray());
        for (Malformed.Vector vector : Malformed.vectors()) {
            if (vector.wire().length < 3000) {
                subject.refuses(vector.toString(), framed(vector.wire()), DnsException.class);
            }
        }
        return subject.refuses("too long", Corpus.hex("0fa1"), DnsException.class)
                .refuses("too short", Corpus.hex("000b"), DnsException.class)
                .refuses("half a length", Corpus.hex("00"), PrematureEndException.class)
                .refuses("no message", Corpus.hex("000c"), PrematureEndException.class)
                .roundTrip(
                        () -> Corpus.encode(DnsEncoder.stream(), query, response),
                        query.toString(),
                        response.toString())
                .roundTrip(
                        () -> framed(Corpus.encode(DnsEncoder.datagrams(512), response)),
                        response.toString())
                .endless(DnsLabTest::names)
                .endless(n -> new byte[n]);
    }

    /// Messages of which each name is behind a chain of pointers.
    private static byte[] names(int n) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        int count = 30;
        message.writeBytes(Corpus.hex("0001 8000 0000"));
        message.write(0);
        message.write(count);
        message.writeBytes(Corpus.hex("0000 0000"));
        for (int i = 0; i < count; i++) {
            int before = i == 0 ? -1 : 12 + (i == 1 ? 0 : 13 + (i - 2) * 14);
            message.writeBytes(Corpus.hex("0161"));
            if (before < 0) {
                message.write(0);
            } else {
                message.write(0xC0 | before >> 8);
                message.write(before);
            }
            message.writeBytes(Corpus.hex("fde8 0001 00000000 0000"));
        }
        byte[] one = framed(message.toByteArray());
        while (out.size() < n) {
            out.write(one, 0, Math.min(one.length, n - out.size()));
        }
        return out.toByteArray();
    }

    private static Subject zone() {
        StringBuilder all = new StringBuilder("$TTL 1h\n$ORIGIN example.com.\n");
        Subject subject = subject("dns-zone", () -> new ZoneDecoder(EXAMPLE, 2000));
        for (Corpus.Entry entry : Corpus.entries()) {
            if (entry.type().equals(RecordType.TSIG) || entry.type().equals(RecordType.TKEY)) {
                continue;
            }
            all.append("owner IN ")
                    .append(entry.type())
                    .append(' ')
                    .append(entry.text())
                    .append('\n');
            if (all.length() > 500) {
                subject.sample(all.toString());
                all = new StringBuilder("$TTL 300\n");
            }
        }
        return subject.sample(all.toString())
                .sample(
                        """
                        ; a comment (with "things" in it
                        $TTL 1d2h
                        @ SOA ns hostmaster ( 1 ; serial
                            7200 3600
                            1w 5m ) ; minimum
                          NS ns
                        ns 60 IN A 192.0.2.1
                           IN 60 AAAA 2001:db8::1

                        $ORIGIN sub
                        a TXT "semi;colon" "par(en" ( "x"
                          "y" )
                        """)
                .refuses("too long", "; " + "x".repeat(2000), ZoneException.class)
                .refuses("include", "$INCLUDE /etc/passwd\n", ZoneException.class)
                .refuses("generate", "$GENERATE 1-9 a$ A 192.0.2.$\n", ZoneException.class)
                .refuses("no owner", " 60 A 192.0.2.1\n", ZoneException.class)
                .refuses("no TTL", "a A 192.0.2.1\n", ZoneException.class)
                .refuses("no type", "a 60 IN\n", ZoneException.class)
                .refuses("unknown type", "a 60 IN WHAT x\n", ZoneException.class)
                .refuses("no data", "a 60 A\n", ZoneException.class)
                .refuses("more data", "a 60 A 192.0.2.1 x\n", ZoneException.class)
                .refuses("( alone", "a 60 A ( 192.0.2.1\n", ZoneException.class)
                .refuses(") alone", "a 60 A ) 192.0.2.1\n", ZoneException.class)
                .refuses("quote alone", "a 60 TXT \"x\n", ZoneException.class)
                .refuses("two TTLs", "a 60 60 A 192.0.2.1\n", ZoneException.class)
                .refuses("TTL", "a 2147483648 A 192.0.2.1\n", ZoneException.class)
                .refuses("no end of line", "a 60 A 192.0.2.1", ZoneException.class)
                .roundTrip(
                        () -> "example.com. 300 IN A 192.0.2.1\n".getBytes(ISO_8859_1),
                        "example.com. 300 IN A 192.0.2.1")
                .endless(n -> "(\n".repeat(n / 2).getBytes(ISO_8859_1))
                .endless(n -> "a 1 A 192.0.2.1\n".repeat(n / 16).getBytes(ISO_8859_1))
                .endless(n -> ("a 1 TXT (" + " x".repeat(n / 2)).getBytes(ISO_8859_1));
    }
}
