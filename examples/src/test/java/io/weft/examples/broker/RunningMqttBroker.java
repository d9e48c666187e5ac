package io.weft.examples.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.codec.mqtt.Connect;
import io.weft.codec.mqtt.MqttVersion;
import io.weft.examples.Served;
import java.net.Socket;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// A broker for each test, which leaves no buffer open.
final class RunningMqttBroker implements BeforeEachCallback, AfterEachCallback {
    private @Nullable Served served;

    @Override
    public void beforeEach(ExtensionContext test) {
        served = Served.start(MqttBroker::start, "nio");
    }

    @Override
    public void afterEach(ExtensionContext test) {
        served().close();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private Served served() {
        return Objects.requireNonNull(served);
    }

    /// Connects a client, and expects to be accepted.
    MqttPeer peer(Connect connect) throws Exception {
        return MqttPeer.accepted(served(), connect);
    }

    MqttPeer peer(String id) throws Exception {
        return peer(Connect.of(MqttVersion.V5, id));
    }

    /// A client that has not connected yet.
    MqttPeer stranger(Connect connect) throws Exception {
        return new MqttPeer(served(), connect);
    }

    Socket connect() throws Exception {
        return served().connect();
    }
}
