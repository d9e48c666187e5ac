package io.weft.codec.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.dns.rdata.Rdata;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// dnspython reads what Weft writes, and the other way round: data of every type in text and on the
/// wire, and messages.
@Tag("peers")
class DnspythonPeersTest {
    /// Exit value of a command whose installation is not complete.
    private static final int SKIP = 77;

    private static final String IMPORT =
            """
            import sys
            try:
                import dns.message, dns.rdata, dns.rdatatype, dns.rdataclass, dns.name
            except ImportError:
                sys.exit(%d)
            """
                    .formatted(SKIP);

    /// Lines of type, octets and text become lines of the octets of the text, and of the text of
    /// the octets.
    private static final String RDATA =
            IMPORT
                    + """
                    for line in sys.stdin:
                        kind, octets, text = line.rstrip('\\n').split('\\t')
                        kind = dns.rdatatype.from_text(kind)
                        octets = bytes.fromhex(octets)
                        of_text = dns.rdata.from_text('IN', kind, text).to_wire()
                        of_octets = dns.rdata.from_wire('IN', kind, octets, 0, len(octets))
                        print(of_text.hex() + '\\t' + of_octets.to_text())
                    """;

    /// Messages are read and written again.
    private static final String MESSAGES =
            IMPORT
                    + """
                    for line in sys.stdin:
                        message = dns.message.from_wire(bytes.fromhex(line), keyring=False)
                        print(message.to_wire(max_size=65535).hex())
                    """;

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    private static List<String> python(String program, List<String> lines) throws Exception {
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(d -> Files.isExecutable(Path.of(d, "python3")));
        Assumptions.assumeTrue(
                there, "python3 is not on the PATH (dev/install-peers.sh installs it)");
        Process process =
                new ProcessBuilder("python3", "-c", program)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        byte[] input = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.US_ASCII);
        CompletableFuture<Void> writing =
                CompletableFuture.runAsync(
                        () -> {
                            try (var to = process.getOutputStream()) {
                                to.write(input);
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
        String output =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        int exit = process.waitFor();
        Assumptions.assumeTrue(
                exit != SKIP, "python3 has no dnspython (dev/install-peers.sh installs it)");
        assertThat(exit).isZero();
        writing.join();
        return output.lines().toList();
    }

    @Test
    void dataIsTheSameInTextAndOnTheWire() throws Exception {
        List<Corpus.Entry> entries = Corpus.entries();
        List<String> lines = new ArrayList<>();
        for (Corpus.Entry entry : entries) {
            Rdata data = RdataFormat.parse(entry.type(), entry.text());
            lines.add(
                    entry.type()
                            + "\t"
                            + RdataFormat.encode(data).hex()
                            + "\t"
                            + RdataFormat.text(data));
        }
        List<String> answers = python(RDATA, lines);
        assertThat(answers).hasSameSizeAs(entries);
        for (int i = 0; i < entries.size(); i++) {
            Corpus.Entry entry = entries.get(i);
            Rdata data = RdataFormat.parse(entry.type(), entry.text());
            String[] answer = answers.get(i).split("\t", -1);
            assertThat(answer[0]).as(entry.toString()).isEqualTo(RdataFormat.encode(data).hex());
            if (!entry.type().equals(RecordType.parse("EUI48"))) { // of which Weft has no text
                assertThat(RdataFormat.parse(entry.type(), answer[1])).isEqualTo(data);
            }
        }
    }

    @Test
    void randomDataIsTheSameInTextAndOnTheWire() throws Exception {
        List<RandomRdata.Entry> entries =
                new RandomRdata(Long.getLong("io.weft.test.seed", 1)).entries(20);
        List<String> lines = new ArrayList<>();
        for (RandomRdata.Entry entry : entries) {
            Octets octets = Octets.of(entry.octets());
            String text = RdataFormat.text(RdataFormat.decode(entry.type(), octets));
            lines.add(entry.type() + "\t" + octets.hex() + "\t" + text);
        }
        List<String> answers = python(RDATA, lines);
        assertThat(answers).hasSameSizeAs(entries);
        for (int i = 0; i < entries.size(); i++) {
            RandomRdata.Entry entry = entries.get(i);
            String[] answer = answers.get(i).split("\t", -1);
            String hex = Octets.of(entry.octets()).hex();
            if (!entry.type().equals(RecordType.LOC)) { // dnspython's numbers lose a centimetre
                assertThat(answer[0]).as(lines.get(i)).isEqualTo(hex);
            }
            assertThat(RdataFormat.encode(RdataFormat.parse(entry.type(), answer[1])).hex())
                    .as(answers.get(i))
                    .isEqualTo(hex);
        }
    }

    /// BIND's parser reads the same, of a few of each type, as each is a process.
    @Test
    void randomDataIsTheSameForBind() throws Exception {
        Path checker = Path.of("/usr/bin/named-rrchecker");
        Assumptions.assumeTrue(
                Files.isExecutable(checker),
                checker + " is missing (dev/install-peers.sh installs it)");
        for (RandomRdata.Entry entry :
                new RandomRdata(Long.getLong("io.weft.test.seed", 1)).entries(2)) {
            if (entry.type().equals(RecordType.NAPTR)) { // of which BIND wants regular expressions
                continue;
            }
            Octets octets = Octets.of(entry.octets());
            String text = RdataFormat.text(RdataFormat.decode(entry.type(), octets));
            Process process = new ProcessBuilder(checker.toString(), "-u").start();
            try (var to = process.getOutputStream()) {
                to.write(
                        ("IN " + entry.type() + " " + text + "\n")
                                .getBytes(StandardCharsets.US_ASCII));
            }
            String generic =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(process.waitFor()).as(entry.type() + " " + text).isZero();
            assertThat(generic.replaceAll(".*# \\d+|\\s", "").toLowerCase(java.util.Locale.ROOT))
                    .as(entry.type() + " " + text)
                    .isEqualTo(octets.hex());
        }
    }

    @Test
    void messagesAreTheSameOnTheWire() throws Exception {
        List<DnsMessage> messages = new ArrayList<>();
        DnsMessage query =
                DnsMessage.query(7, DnsName.parse("www.example.com."), RecordType.AAAA)
                        .edns(
                                new Edns(
                                        1232,
                                        true,
                                        List.of(
                                                new EdnsOption.ClientSubnet(
                                                        1, 20, 0, Octets.ofHex("c00010")),
                                                new EdnsOption.Cookie(
                                                        Octets.ofHex("0102030405060708"),
                                                        Octets.ofHex("1112131415161718")),
                                                new EdnsOption.Nsid(Octets.ofText("x")),
                                                new EdnsOption.ExtendedError(
                                                        18, Octets.ofText("prohibited")))));
        messages.add(query);
        messages.add(query.response(ResponseCode.BADCOOKIE, List.of()));
        for (Corpus.Entry entry : Corpus.entries()) {
            if (!entry.type().equals(RecordType.TSIG)) { // which dnspython takes off
                DnsRecord record = Corpus.record(entry);
                messages.add(query.response(ResponseCode.NOERROR, List.of(record, record)));
            }
        }
        List<String> lines = new ArrayList<>();
        for (DnsMessage message : messages) {
            lines.add(HexFormat.of().formatHex(Corpus.encode(message, 65_535)));
        }
        List<String> answers = python(MESSAGES, lines);
        assertThat(answers).hasSameSizeAs(messages);
        for (int i = 0; i < messages.size(); i++) {
            DnsMessage sent = messages.get(i);
            DnsMessage answer = Corpus.decode(Corpus.hex(answers.get(i)));
            // One set holds a record once.
            assertThat(answer.answers()).isSubsetOf(sent.answers());
            assertThat(answer.answers().isEmpty()).isEqualTo(sent.answers().isEmpty());
            assertThat(answer.sections(sent.answers(), List.of(), List.of())).isEqualTo(sent);
        }
    }
}
