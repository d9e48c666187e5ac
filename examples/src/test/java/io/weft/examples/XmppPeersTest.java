package io.weft.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Decoder;
import io.weft.codec.Output;
import io.weft.codec.xml.XmlAttribute;
import io.weft.codec.xml.XmlDecoder;
import io.weft.codec.xml.XmlEncoder;
import io.weft.codec.xml.XmlEvent;
import io.weft.codec.xml.XmlEvent.EndElement;
import io.weft.codec.xml.XmlEvent.StartElement;
import io.weft.codec.xml.XmlName;
import io.weft.codec.xml.XmlNamespace;
import io.weft.codec.xml.XmlStream;
import io.weft.codec.xml.XmlStreamDecoder;
import io.weft.examples.broker.MqttPeersTest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// Streams of XMPP (RFC 6120): slixmpp at our server, and our codec at Prosody.
@Tag("peers")
@EnabledIfSystemProperty(named = "peers", matches = "true")
@Timeout(300)
class XmppPeersTest {
    private static final int SKIP = 77;
    private static final String STREAMS = "http://etherx.jabber.org/streams";
    private static final String SASL = "urn:ietf:params:xml:ns:xmpp-sasl";
    private static final String BIND = "urn:ietf:params:xml:ns:xmpp-bind";
    private static final String HARD = "1 < 2 & \"wörd\" ]]> 'x'\n\t😀";

    @SuppressWarnings("InlineFormatString") // a file
    private static final String SETTINGS =
            """
            run_as_root = true
            pidfile = "%1$s/pid"
            data_path = "%1$s"
            modules_enabled = { "saslauth", "ping" }
            modules_disabled = { "s2s", "tls", "offline", "posix" }
            c2s_require_encryption = false
            interfaces = { "127.0.0.1" }
            c2s_ports = { %2$d }
            c2s_direct_tls_ports = {}
            http_ports = {}
            https_ports = {}
            log = { info = "*console" }
            VirtualHost "localhost"
                authentication = "anonymous"
            """;

    @TempDir private Path directory;

    @Test
    void slixmppTalksThroughOurServer() throws Exception {
        Path script = directory.resolve("xmpp_peer.py");
        try (InputStream in =
                Objects.requireNonNull(XmppPeersTest.class.getResourceAsStream("xmpp_peer.py"))) {
            Files.write(script, in.readAllBytes());
        }
        try (Served server = Served.start(XmlStreamServer::start, "nio")) {
            Process python =
                    MqttPeersTest.start(
                            "python3",
                            script.toString(),
                            Integer.toString(server.address().getPort()));
            try {
                String said = new String(python.getInputStream().readAllBytes(), UTF_8);
                Assumptions.assumeTrue(
                        python.waitFor() != SKIP,
                        "python3 has no slixmpp (dev/install-peers.sh installs it)");
                assertThat(said).isEqualTo("good\n");
            } finally {
                python.destroyForcibly().waitFor();
            }
        }
    }

    @Test
    void ourCodecLogsInAtProsodyAndTalks() throws Exception {
        int port = Ports.free();
        Path settings = directory.resolve("prosody.cfg.lua");
        Files.writeString(settings, SETTINGS.formatted(directory, port));
        Process prosody = MqttPeersTest.start("prosody", "-F", "--config", settings.toString());
        try {
            listening(prosody);
            try (Session one = new Session(port);
                    Session other = new Session(port)) {
                String to = other.login();
                String from = one.login();
                for (int i = 0; i < 100; i++) {
                    one.say(to, HARD + i);
                    XmlStream.Stanza message = other.stanza();
                    assertThat(message.element().name().is("jabber:client", "message")).isTrue();
                    assertThat(message.element().attribute("from")).isEqualTo(from);
                    assertThat(message.childText("body")).isEqualTo(HARD + i);
                }
            }
        } finally {
            prosody.destroy();
            if (!prosody.waitFor(60, TimeUnit.SECONDS)) {
                prosody.destroyForcibly().waitFor();
            }
        }
    }

    private static void listening(Process prosody) throws IOException {
        StringBuilder said = new StringBuilder();
        BufferedReader lines = prosody.inputReader();
        for (String line; (line = lines.readLine()) != null; said.append(line).append('\n')) {
            if (line.contains("Activated service 'c2s' on [")) {
                return;
            }
        }
        throw new AssertionError(said + "(expected: the service c2s)");
    }

    /// A client's connection, read in pieces of as many bytes as come.
    private static final class Session implements AutoCloseable {
        private final Socket socket;
        private final ArrayDeque<XmlStream> parts = new ArrayDeque<>();
        private Decoder<XmlStream> decoder = decoder();

        Session(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(60_000);
        }

        private static Decoder<XmlStream> decoder() {
            return new XmlDecoder().then(new XmlStreamDecoder());
        }

        /// Returns the name that the server gives us.
        String login() throws IOException {
            assertThat(open().events()).anySatisfy(e -> assertThat(e).isEqualTo(text("ANONYMOUS")));
            StartElement auth =
                    new StartElement(
                            XmlName.of(SASL, "auth"),
                            List.of(XmlAttribute.of("mechanism", "ANONYMOUS")),
                            List.of(new XmlNamespace("", SASL)));
            send(auth, new EndElement(auth.name()));
            assertThat(stanza().element().name().is(SASL, "success")).isTrue();
            decoder.close(); // RFC 6120, 6.3.2: a new stream begins
            decoder = decoder();
            assertThat(open().childText("bind")).isNotNull();
            StartElement iq =
                    StartElement.of(
                            XmlName.of("iq"),
                            XmlAttribute.of("type", "set"),
                            XmlAttribute.of("id", "1"));
            StartElement bind =
                    new StartElement(
                            XmlName.of(BIND, "bind"),
                            List.of(),
                            List.of(new XmlNamespace("", BIND)));
            send(iq, bind, new EndElement(bind.name()), new EndElement(iq.name()));
            XmlStream.Stanza bound = stanza();
            assertThat(bound.element().attribute("type")).isEqualTo("result");
            return bound.events().stream()
                    .filter(XmlEvent.Text.class::isInstance)
                    .map(event -> ((XmlEvent.Text) event).text())
                    .findFirst()
                    .orElseThrow();
        }

        private static XmlEvent text(String text) {
            return new XmlEvent.Text(text);
        }

        /// Opens a stream and returns the server's features.
        private XmlStream.Stanza open() throws IOException {
            send(
                    new XmlEvent.Declaration("1.0", null),
                    new StartElement(
                            new XmlName(STREAMS, "stream", "stream"),
                            List.of(
                                    XmlAttribute.of("to", "localhost"),
                                    XmlAttribute.of("version", "1.0")),
                            List.of(
                                    new XmlNamespace("", "jabber:client"),
                                    new XmlNamespace("stream", STREAMS))));
            assertThat(next()).isInstanceOf(XmlStream.Opened.class);
            XmlStream.Stanza features = stanza();
            assertThat(features.element().name().is(STREAMS, "features")).isTrue();
            return features;
        }

        void say(String to, String text) throws IOException {
            StartElement message =
                    StartElement.of(
                            XmlName.of("message"),
                            XmlAttribute.of("to", to),
                            XmlAttribute.of("type", "chat"));
            StartElement body = StartElement.of(XmlName.of("body"));
            send(
                    message,
                    body,
                    text(text),
                    new EndElement(body.name()),
                    new EndElement(message.name()));
        }

        private void send(XmlEvent... events) throws IOException {
            try (Output out = new Output()) {
                for (XmlEvent event : events) {
                    new XmlEncoder().encode(event, out);
                }
                for (Buffer next; (next = out.next()) != null; ) {
                    byte[] part = new byte[next.readableBytes()];
                    next.readBytes(part).release();
                    socket.getOutputStream().write(part);
                }
            }
        }

        XmlStream.Stanza stanza() throws IOException {
            XmlStream part = next();
            assertThat(part).isInstanceOf(XmlStream.Stanza.class);
            return (XmlStream.Stanza) part;
        }

        private XmlStream next() throws IOException {
            byte[] bytes = new byte[4096];
            while (parts.isEmpty()) {
                int count = socket.getInputStream().read(bytes);
                assertThat(count).isPositive();
                try (Buffer in = BufferAllocator.pooled().allocate(count)) {
                    in.writeBytes(bytes, 0, count);
                    decoder.decode(in, parts::add);
                }
            }
            return parts.remove();
        }

        @Override
        public void close() throws IOException {
            decoder.close();
            socket.close();
        }
    }
}
