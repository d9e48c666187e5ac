package io.weft.handler.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.testkit.EventRecording;
import java.util.List;
import javax.net.ssl.SSLException;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;

class TlsHandshakeEventTest {
    private static final String HANDSHAKE = "io.weft.TlsHandshake";

    @Test
    void aHandshakeIsRecordedByBothSides() throws SSLException {
        try (var recording = EventRecording.of(HANDSHAKE)) {
            try (var pair =
                    TlsPair.of(
                            c -> c.applicationProtocols("h2"), s -> s.applicationProtocols("h2"))) {
                pair.carry();
            }
            List<RecordedEvent> events = recording.events(HANDSHAKE);
            assertThat(events)
                    .hasSize(2)
                    .allSatisfy(
                            event -> {
                                assertThat(event.getString("protocol")).isEqualTo("TLSv1.3");
                                assertThat(event.getString("cipherSuite")).startsWith("TLS_");
                                assertThat(event.getString("applicationProtocol")).isEqualTo("h2");
                                assertThat(event.getString("serverName")).isEqualTo("example.com");
                                assertThat(event.getString("failure")).isNull();
                                assertThat(event.getDuration()).isPositive();
                            });
            assertThat(events)
                    .extracting(event -> event.getBoolean("server"))
                    .containsExactlyInAnyOrder(true, false);
        }
    }

    @Test
    void aFailedHandshakeIsRecordedWithItsReason() throws SSLException {
        try (var recording = EventRecording.of(HANDSHAKE)) {
            try (var pair =
                    TlsPair.of(
                            c -> c.applicationProtocols("h2"),
                            s -> s.applicationProtocols("http/1.1"))) {
                pair.client.receive("no record of TLS at all");
            }
            assertThat(recording.events(HANDSHAKE))
                    .filteredOn(event -> !event.getBoolean("server"))
                    .singleElement()
                    .satisfies(
                            event -> {
                                assertThat(event.getString("failure")).contains("NotTls");
                                assertThat(event.getString("cipherSuite")).isNull();
                            });
        }
    }
}
