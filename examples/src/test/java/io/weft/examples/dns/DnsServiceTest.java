package io.weft.examples.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.codec.Output;
import io.weft.codec.dns.DnsDecoder;
import io.weft.codec.dns.DnsEncoder;
import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsQuestion;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.RdataFormat;
import io.weft.codec.dns.RecordClass;
import io.weft.codec.dns.RecordType;
import io.weft.examples.Served;
import io.weft.resolver.dns.DnsServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Connections to dns-server: each sends octets, ends, and reads until the server ends it too.
class DnsServiceTest {
    private static final DnsName ZONE = DnsName.parse("example.com.");

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static Served server() {
        DnsZone zone = ZoneServer.zone(null, DnsName.ROOT);
        return Served.start(options -> ZoneServer.start(options, zone), "nio");
    }

    private static byte[] octets(DnsMessage... messages) {
        ByteArrayOutputStream octets = new ByteArrayOutputStream();
        try (Output out = new Output()) {
            for (DnsMessage message : messages) {
                DnsEncoder.stream().encode(message, out);
            }
            out.drain(
                    buffer -> {
                        try (buffer) {
                            byte[] part = new byte[buffer.readableBytes()];
                            buffer.readBytes(part);
                            octets.writeBytes(part);
                        }
                    });
        }
        return octets.toByteArray();
    }

    private static List<DnsMessage> answers(Served server, byte[] octets) throws IOException {
        List<DnsMessage> answers = new ArrayList<>();
        try (Socket socket = new Socket();
                DnsDecoder decoder = DnsDecoder.stream()) {
            socket.connect(server.address());
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(octets);
            socket.shutdownOutput();
            byte[] read = socket.getInputStream().readAllBytes();
            try (Buffer in = BufferAllocator.pooled().allocate(read.length + 1)) {
                in.writeBytes(read);
                decoder.decode(in, answers::add);
            }
        }
        return answers;
    }

    @ParameterizedTest
    @CsvSource({"IN, , NOERROR", "CH, , REFUSED", "ANY, , REFUSED", "IN, key, NOTAUTH"})
    void zoneIsTransferredInItsClassToWhoSignsNothing(String of, String key, String code)
            throws IOException {
        DnsQuestion question = new DnsQuestion(ZONE, RecordType.AXFR, RecordClass.parse(of));
        List<DnsRecord> signature = new ArrayList<>();
        if (key != null) {
            var data = RdataFormat.parse(RecordType.TSIG, "hmac-sha256. 1 300 2 AAA= 7 NOERROR 0");
            signature.add(new DnsRecord(DnsName.parse(key + "."), RecordClass.ANY, 0, data));
        }
        DnsMessage plain = DnsMessage.query(7, ZONE, RecordType.AXFR);
        DnsMessage query =
                new DnsMessage(
                        7,
                        plain.opcode(),
                        plain.flags(),
                        plain.code(),
                        List.of(question),
                        List.of(),
                        List.of(),
                        signature,
                        null);
        try (Served server = server()) {
            DnsMessage answer = answers(server, octets(query)).getFirst();
            assertThat(answer.code()).hasToString(code);
            assertThat(answer.answers().isEmpty()).isEqualTo(!code.equals("NOERROR"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "www.example.com., A, NOERROR",
        "example.org., A, REFUSED",
        "example.com., AXFR, REFUSED"
    })
    void forwarderSaysThatItAsksOthers(String name, String type, String code) throws IOException {
        DnsMessage query = DnsMessage.query(7, DnsName.parse(name), RecordType.parse(type));
        try (Served server = server();
                Served forwarder =
                        Served.start(
                                options ->
                                        DnsForwarder.start(options, DnsServer.of(server.address())),
                                "nio")) {
            DnsMessage answer = answers(forwarder, octets(query)).getFirst();
            assertThat(answer.code()).hasToString(code);
            assertThat(answer.flags().isRecursionAvailable()).isTrue();
        }
    }

    /// RFC 7766, 7: each query is answered for itself.
    @ParameterizedTest
    @CsvSource({"cut off, 30", "malformed, 31"})
    void queriesBeforeABadOneAreAnswered(String bad, int answers) throws IOException {
        DnsName name = DnsName.parse("www.example.com.");
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < 30; i++) {
            all.writeBytes(octets(DnsMessage.query(i, name, RecordType.A)));
        }
        byte[] last = octets(DnsMessage.query(30, name, RecordType.A));
        if (bad.equals("malformed")) {
            last[2 + 12] = (byte) 0xC0; // a name that points to itself
            last[2 + 13] = 12;
        }
        all.write(last, 0, bad.equals("cut off") ? last.length - 1 : last.length);
        try (Served server = server()) {
            assertThat(answers(server, all.toByteArray())).hasSize(answers);
        }
    }
}
