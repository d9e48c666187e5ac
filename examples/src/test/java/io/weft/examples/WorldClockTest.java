package io.weft.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.weft.buffer.Ledger;
import java.net.Socket;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorldClockTest {
    private static final Clock NOON =
            Clock.fixed(Instant.parse("2026-01-02T12:00:00Z"), ZoneOffset.UTC);

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static Struct ask(Socket socket, String... zones) throws Exception {
        ListValue.Builder question = ListValue.newBuilder();
        for (String zone : zones) {
            question.addValues(Value.newBuilder().setStringValue(zone));
        }
        question.build().writeDelimitedTo(socket.getOutputStream());
        return Struct.parseDelimitedFrom(socket.getInputStream());
    }

    @Test
    void timesOfZonesAreTold() throws Exception {
        try (Served server = Served.start(o -> WorldClock.start(o, NOON), "nio");
                Socket socket = server.connect()) {
            Struct times = ask(socket, "Asia/Tokyo", "America/New_York", "Nowhere/None", "");
            assertThat(times.getFieldsOrThrow("Asia/Tokyo").getStringValue())
                    .isEqualTo("2026-01-02T21:00+09:00");
            assertThat(times.getFieldsOrThrow("America/New_York").getStringValue())
                    .isEqualTo("2026-01-02T07:00-05:00");
            assertThat(times.getFieldsOrThrow("Nowhere/None").hasNullValue()).isTrue();
            assertThat(times.getFieldsOrThrow("").hasNullValue()).isTrue();
            assertThat(ask(socket).getFieldsMap()).isEmpty();
        }
    }
}
