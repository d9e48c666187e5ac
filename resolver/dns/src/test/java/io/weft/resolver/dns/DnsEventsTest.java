package io.weft.resolver.dns;

import static io.weft.resolver.dns.SimWorld.zone;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.dns.RecordType;
import io.weft.testkit.EventRecording;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;

class DnsEventsTest {
    @Test
    void queriesAndTheirAnswerAreRecorded() {
        try (var recording = EventRecording.of("io.weft.DnsQuery", "io.weft.DnsAnswer");
                var world = new SimWorld()) {
            SimServer server =
                    SimServer.of(
                            world.sim,
                            world.host("server"),
                            query ->
                                    zone(
                                            query,
                                            "a.example.com. 60 CNAME b.example.com.",
                                            "b.example.com. 60 A 192.0.2.1"));
            world.await(world.resolver(server).resolveAll("a.example.com", RecordType.A));
            List<RecordedEvent> queries = recording.events("io.weft.DnsQuery");
            assertThat(queries)
                    .extracting(query -> query.getString("name"))
                    .containsExactly("a.example.com.", "b.example.com.");
            assertThat(queries)
                    .allSatisfy(
                            query -> {
                                assertThat(query.getString("type")).isEqualTo("A");
                                assertThat(query.getString("code")).isEqualTo("NOERROR");
                                assertThat(query.getString("failure")).isNull();
                                assertThat(query.getString("server"))
                                        .isEqualTo(server.server().toString());
                                assertThat(query.getDuration("took")).isPositive();
                            });
            assertThat(recording.events("io.weft.DnsAnswer"))
                    .singleElement()
                    .satisfies(
                            answer -> {
                                assertThat(answer.getString("canonicalName"))
                                        .isEqualTo("b.example.com.");
                                assertThat(answer.getInt("records")).isEqualTo(1);
                            });
        }
    }

    @Test
    void aServerThatIsSilentIsRecorded() {
        try (var recording = EventRecording.of("io.weft.DnsQuery");
                var world = new SimWorld()) {
            SimServer silent =
                    new SimServer(world.sim, world.host("silent"), (_, _, _) -> {}, _ -> List.of());
            world.failure(world.resolver(silent).resolveAll("example.com", RecordType.A));
            assertThat(recording.events("io.weft.DnsQuery"))
                    .isNotEmpty()
                    .allSatisfy(
                            query -> {
                                assertThat(query.getString("code")).isNull();
                                assertThat(query.getString("failure")).isNotEmpty();
                            });
        }
    }
}
