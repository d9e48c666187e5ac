package io.weft.codec.dns;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import io.weft.testkit.Gathered;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/// Data of every type in text and on the wire, as dnspython 2.9.2 has it, and messages as bytes.
final class Corpus {
    /// @param text one that means `wire`
    /// @param printed what dnspython makes of `wire`
    record Entry(RecordType type, String text, String wire, String printed) {
        @Override
        public String toString() {
            return type + " " + text;
        }
    }

    private Corpus() {}

    static List<Entry> entries() {
        try (InputStream in = Corpus.class.getResourceAsStream("/corpus/rdata.tsv")) {
            String all =
                    new String(
                            Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII);
            return all.lines()
                    .map(line -> line.split("\t", -1))
                    .map(f -> new Entry(RecordType.parse(f[0]), f[1], f[2], f[3]))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
    }

    static Buffer buffer(byte[] bytes) {
        return BufferAllocator.pooled().allocate(Math.max(1, bytes.length)).writeBytes(bytes);
    }

    static DnsMessage decode(byte[] wire) {
        try (Buffer in = buffer(wire)) {
            return DnsDecoder.datagrams().message(in);
        }
    }

    static byte[] encode(DnsMessage message, int limit) {
        return encode(DnsEncoder.datagrams(limit), message);
    }

    static byte[] encode(DnsEncoder encoder, DnsMessage... messages) {
        try (Output out = new Output()) {
            for (DnsMessage message : messages) {
                encoder.encode(message, out);
            }
            return Gathered.bytes(out::drain);
        }
    }

    static DnsRecord record(Entry entry) {
        RecordType type = entry.type();
        boolean any = type.equals(RecordType.TSIG) || type.equals(RecordType.TKEY);
        return new DnsRecord(
                DnsName.parse("owner.example.com."),
                any ? RecordClass.ANY : RecordClass.IN,
                any ? 0 : 300,
                RdataFormat.decode(type, Octets.ofHex(entry.wire())));
    }
}
