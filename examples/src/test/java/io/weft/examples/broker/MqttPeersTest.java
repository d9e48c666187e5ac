package io.weft.examples.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.codec.mqtt.Connect;
import io.weft.codec.mqtt.MqttVersion;
import io.weft.codec.mqtt.QoS;
import io.weft.examples.Options;
import io.weft.examples.Ports;
import io.weft.examples.Served;
import io.weft.examples.Tls;
import java.io.BufferedReader;
import java.io.File;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// mosquitto and paho talk to our broker, and our client to mosquitto.
@Tag("peers")
public class MqttPeersTest {
    private static final int SKIP = 77;

    /// Above 20 messages of QoS 2 in flight, mosquitto 2.0.11 leaves the others lying when all have
    /// been completed.
    private static final int MOSQUITTO_IN_FLIGHT = 20;

    /// Publishes and receives a hundred messages of each QoS, by one client and by two.
    private static final String PAHO =
            """
            import ssl, sys, threading
            try:
                import paho.mqtt.client as mqtt
            except ImportError:
                sys.exit(%d)
            port, version, over = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
            got, all, ready = [], threading.Event(), threading.Event()
            def message(client, data, m):
                got.append((m.topic, m.payload.decode(), m.qos))
                if len(got) == 300:
                    all.set()
            def client(name):
                c = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, name, protocol=version,
                                transport='websockets' if over.startswith('ws') else 'tcp')
                if over in ('tls', 'wss'):
                    c.tls_set(cert_reqs=ssl.CERT_NONE)
                    c.tls_insecure_set(True)
                c.connect('127.0.0.1', port, 30)
                return c
            sub = client('sub')
            sub.on_message = message
            sub.on_subscribe = lambda *a: ready.set()
            sub.loop_start()
            sub.subscribe('p/#', 2)
            assert ready.wait(120)
            pub = client('pub')
            pub.loop_start()
            for qos in (0, 1, 2):
                for i in range(100):
                    info = pub.publish('p/%%d' %% qos, 'm%%d' %% i, qos)
                info.wait_for_publish(120)
                assert info.is_published()
            assert all.wait(120), len(got)
            for qos in (0, 1, 2):
                mine = [m for m in got if m[0] == 'p/%%d' %% qos]
                assert mine == [('p/%%d' %% qos, 'm%%d' %% i, qos) for i in range(100)], mine
            pub.disconnect()
            sub.disconnect()
            print('good')
            """
                    .formatted(SKIP);

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    /// Returns the path of a program, and skips the test without it.
    private static String found(String program) {
        String path = System.getenv("PATH") + ":/usr/sbin";
        String found =
                Arrays.stream(path.split(File.pathSeparator))
                        .map(directory -> Path.of(directory, program))
                        .filter(Files::isExecutable)
                        .map(Path::toString)
                        .findFirst()
                        .orElse("");
        Assumptions.assumeFalse(
                found.isEmpty(),
                program + " is not on the PATH (dev/install-peers.sh installs it)");
        return found;
    }

    public static Process start(String... command) throws Exception {
        List<String> all = new ArrayList<>(List.of(command));
        all.set(0, found(command[0]));
        return new ProcessBuilder(all).redirectErrorStream(true).start();
    }

    private static String port(Served broker) {
        return Integer.toString(broker.address().getPort());
    }

    private static void await(BufferedReader lines, String text) throws Exception {
        List<String> seen = new ArrayList<>();
        for (String line; (line = lines.readLine()) != null; ) {
            seen.add(line);
            if (line.contains(text)) {
                return;
            }
        }
        throw new AssertionError(seen + " (expected: " + text + ")");
    }

    @ParameterizedTest
    @CsvSource({
        "mqttv31, 1",
        "mqttv311, 0",
        "mqttv311, 1",
        "mqttv311, 2",
        "mqttv5, 0",
        "mqttv5, 2"
    })
    void mosquittosClientsTalkThroughOurBroker(String version, String qos) throws Exception {
        try (Served broker = Served.start(MqttBroker::start, "nio")) {
            Process sub =
                    start(
                            "stdbuf", // or what it says waits for the end
                            "-oL",
                            found("mosquitto_sub"),
                            "-d",
                            "-V",
                            version,
                            "-p",
                            port(broker),
                            "-t",
                            "a/#",
                            "-q",
                            qos,
                            "-C",
                            "3",
                            "-v");
            try (BufferedReader lines = sub.inputReader(UTF_8)) {
                await(lines, "Subscribed");
                for (int i = 0; i < 3; i++) {
                    Process pub =
                            start(
                                    "mosquitto_pub",
                                    "-V",
                                    version,
                                    "-p",
                                    port(broker),
                                    "-t",
                                    "a/b",
                                    "-q",
                                    qos,
                                    "-m",
                                    "wörd " + i);
                    String said = new String(pub.getInputStream().readAllBytes(), UTF_8);
                    assertThat(pub.waitFor()).as(said).isZero();
                    await(lines, "a/b wörd " + i);
                }
                // It ends by itself behind the third; a signal meanwhile may leave it hanging.
                assertThat(sub.waitFor(1, TimeUnit.MINUTES)).as("ends behind its count").isTrue();
                assertThat(sub.exitValue()).isZero();
            } finally {
                sub.destroyForcibly();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "3, tcp", "4, tcp", "5, tcp", "3, ws", "4, ws", "5, ws", "4, tls", "5, tls", "4, wss",
        "5, wss"
    })
    void pahoTalksToItselfThroughOurBroker(String version, String over) throws Exception {
        try (Served broker = Served.start(MqttBroker::start, "nio")) {
            Process paho = start("python3", "-c", PAHO, port(broker), version, over);
            String said = new String(paho.getInputStream().readAllBytes(), UTF_8);
            Assumptions.assumeTrue(
                    paho.waitFor() != SKIP,
                    "python3 has no paho-mqtt (dev/install-peers.sh installs it)");
            assertThat(said).isEqualTo("good\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mqttv311", "mqttv5"})
    void mosquittosClientsTalkOverTls(String version, @TempDir Path directory) throws Exception {
        try (Served broker = Served.start(MqttBroker::start, "nio")) {
            Path trusted = Tls.certificate(broker, directory);
            String[] common = {
                "-V", version, "-h", "127.0.0.1", "-p", port(broker), "--cafile", trusted.toString()
            };
            assertThat(run("mosquitto_pub", common, "-t", "a", "-m", "kept", "-q", "2", "-r"))
                    .isEmpty();
            assertThat(run("mosquitto_sub", common, "-t", "#", "-q", "2", "-C", "1", "-v"))
                    .isEqualTo("a kept\n");
        }
    }

    private static String run(String program, String[] common, String... more) throws Exception {
        List<String> all = new ArrayList<>(List.of(program));
        all.addAll(List.of(common));
        all.addAll(List.of(more));
        Process process = start(all.toArray(new String[0]));
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    @ParameterizedTest
    @ValueSource(strings = {"V3_1", "V3_1_1", "V5"})
    void ourClientTalksThroughMosquitto(MqttVersion version, @TempDir Path directory)
            throws Exception {
        int port = Ports.free();
        Path configuration =
                Files.writeString(
                        directory.resolve("mosquitto.conf"),
                        "listener " + port + " 127.0.0.1\nallow_anonymous true\n");
        Process mosquitto = start("mosquitto", "-c", configuration.toString());
        try (BufferedReader lines = mosquitto.inputReader(UTF_8)) {
            await(lines, "running");
            Options options = new Options(InetAddress.getLoopbackAddress(), port, "nio", 1);
            BlockingQueue<String> messages = new LinkedBlockingQueue<>();
            try (MqttClient sub =
                            MqttClient.connect(
                                    options,
                                    Connect.of(version, "sub"),
                                    (topic, text) -> messages.add(topic + " " + text));
                    MqttClient pub =
                            MqttClient.connect(
                                    options, Connect.of(version, "pub"), (topic, text) -> {})) {
                sub.subscribe("a/#", QoS.EXACTLY_ONCE).join();
                for (QoS qos : QoS.values()) {
                    for (int i = 0; i < MOSQUITTO_IN_FLIGHT; i++) {
                        var _ = pub.publish("a/" + qos.level(), "m" + i, qos);
                    }
                    for (int i = 0; i < MOSQUITTO_IN_FLIGHT; i++) {
                        assertThat(messages.poll(60, TimeUnit.SECONDS))
                                .isEqualTo("a/" + qos.level() + " m" + i);
                    }
                }
            }
        } finally {
            mosquitto.destroyForcibly();
        }
    }
}
