package io.weft.examples.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ChannelInitializer;
import io.weft.channel.MessageHandler;
import io.weft.codec.mqtt.Binary;
import io.weft.codec.mqtt.Connect;
import io.weft.codec.mqtt.MqttDecoder;
import io.weft.codec.mqtt.MqttEncoder;
import io.weft.codec.mqtt.MqttMessage;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.MqttVersion;
import io.weft.codec.mqtt.PingReq;
import io.weft.codec.mqtt.Publish;
import io.weft.codec.mqtt.QoS;
import io.weft.codec.mqtt.Subscribe;
import io.weft.codec.mqtt.Subscription;
import io.weft.codec.mqtt.Topic;
import io.weft.codec.mqtt.TopicFilter;
import io.weft.codec.stomp.StompHeaders;
import io.weft.codec.websocket.CloseStatus;
import io.weft.eventloop.EventLoopGroup;
import io.weft.examples.ClientOptions;
import io.weft.examples.Options;
import io.weft.examples.Served;
import io.weft.examples.Tls;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.codec.EncoderHandler;
import io.weft.handler.tls.TlsHandler;
import io.weft.http.websocket.WebSocket;
import io.weft.http.websocket.WebSocketClient;
import io.weft.http.websocket.WebSocketHandshakeException;
import io.weft.http.websocket.WebSocketListener;
import io.weft.http.websocket.WebSocketSettings;
import io.weft.http.websocket.WebSocketStream;
import io.weft.tls.machine.TlsContext;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The brokers over WebSocket and TLS, on the port that also serves TCP.
@Timeout(300)
class WebSocketBrokersTest {
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static WebSocketClient client(EventLoopGroup group, boolean secure, String... names)
            throws Exception {
        WebSocketClient client =
                WebSocketClient.of(group).settings(WebSocketSettings.DEFAULT.subprotocols(names));
        if (!secure) {
            return client;
        }
        TlsContext trusting = Tls.context();
        return client.tls(c -> c.pipeline().addLast(TlsHandler.client(trusting, "localhost", 443)));
    }

    private static URI uri(Served served, boolean secure) {
        return URI.create((secure ? "wss" : "ws") + "://127.0.0.1:" + served.address().getPort());
    }

    private String next() throws InterruptedException {
        return heard.poll(120, TimeUnit.SECONDS);
    }

    /// Hears packets by their type, and messages by their text.
    private final class Packets implements MessageHandler<MqttMessage> {
        @Override
        public Class<MqttMessage> messageType() {
            return MqttMessage.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, MqttMessage message) {
            heard.add(
                    message instanceof Publish publish
                            ? publish.payload().readString(UTF_8)
                            : message.getClass().getSimpleName());
        }
    }

    private ChannelInitializer mqtt() {
        return channel ->
                channel.pipeline()
                        .addLast(
                                new DecoderHandler<>(
                                        MqttDecoder.client(MqttVersion.V5, MqttBroker.LIMITS)))
                        .addLast(new EncoderHandler<>(MqttMessage.class, new MqttEncoder()))
                        .addLast(new Packets());
    }

    private static Buffer bytes(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return BufferAllocator.pooled().allocate(Math.max(1, bytes.length)).writeBytes(bytes);
    }

    @ParameterizedTest
    @CsvSource({"false, nio", "true, nio", "false, epoll", "false, io_uring"})
    void mqttIsSpokenOverWebSocket(boolean secure, String transport) throws Exception {
        try (Served broker = Served.start(MqttBroker::start, transport);
                EventLoopGroup group = EventLoopGroup.create("nio", 1)) {
            WebSocket socket =
                    client(group, secure, "mqtt")
                            .connect(uri(broker, secure), WebSocketStream.binary(mqtt()))
                            .join();
            assertThat(socket.subprotocol()).isEqualTo("mqtt");
            Channel channel = socket.channel();
            channel.writeAndFlush(Connect.of(MqttVersion.V5, "w"));
            assertThat(next()).isEqualTo("ConnAck");
            Subscription all = Subscription.of(TopicFilter.of("a/#"), QoS.AT_MOST_ONCE);
            channel.writeAndFlush(new Subscribe(1, MqttProperties.NONE, List.of(all)));
            assertThat(next()).isEqualTo("SubAck");
            String large = "x".repeat(200_000); // more than a frame of WebSocket may have
            for (String text : List.of("one", "", large)) {
                channel.writeAndFlush(Publish.of(Topic.of("a/b"), bytes(text), QoS.AT_MOST_ONCE));
                assertThat(next().equals(text)).as("the same text").isTrue();
            }
            // Messages of QoS 0 are dropped while much waits for a subscriber, as the large one may
            // still do for the loop of the broker when it is here.
            channel.writeAndFlush(PingReq.INSTANCE);
            assertThat(next()).isEqualTo("PingResp");
            try (MqttClient plain =
                    MqttClient.connect(
                            new Options(
                                    broker.address().getAddress(),
                                    broker.address().getPort(),
                                    "nio",
                                    1),
                            Connect.of(MqttVersion.V5, "p"),
                            (topic, text) -> {})) {
                plain.publish("a/c", "over TCP", QoS.AT_LEAST_ONCE).join();
            }
            assertThat(next()).isEqualTo("over TCP");
        }
    }

    @Test
    void mqttNeedsItsSubprotocol() throws Exception {
        try (Served broker = Served.start(MqttBroker::start, "nio");
                EventLoopGroup group = EventLoopGroup.create("nio", 1)) {
            for (WebSocketClient client :
                    List.of(client(group, false), client(group, false, "other"))) {
                assertThatThrownBy(
                                () ->
                                        client.connect(
                                                        uri(broker, false),
                                                        new WebSocketListener() {})
                                                .join())
                        .hasRootCauseInstanceOf(WebSocketHandshakeException.class);
            }
        }
    }

    @Test
    void textIsNoMqtt() throws Exception {
        WebSocketListener listener =
                new WebSocketListener() {
                    @Override
                    public void onClose(WebSocket socket, CloseStatus status) {
                        heard.add(String.valueOf(status.code()));
                    }
                };
        try (Served broker = Served.start(MqttBroker::start, "nio");
                EventLoopGroup group = EventLoopGroup.create("nio", 1)) {
            client(group, false, "mqtt").connect(uri(broker, false), listener).join().sendText("?");
            assertThat(next()).isEqualTo("1003");
        }
    }

    @ParameterizedTest
    @CsvSource({"1.0, v10.stomp", "1.1, v11.stomp", "1.2, v12.stomp"})
    void stompIsSpokenInTexts(String version, String subprotocol) throws Exception {
        WebSocketListener listener =
                new WebSocketListener() {
                    @Override
                    public void onText(WebSocket socket, String text) {
                        heard.add(text);
                    }
                };
        try (Served server = Served.start(StompServer::start, "nio");
                EventLoopGroup group = EventLoopGroup.create("nio", 1)) {
            WebSocket socket =
                    client(group, false, subprotocol).connect(uri(server, false), listener).join();
            assertThat(socket.subprotocol()).isEqualTo(subprotocol);
            socket.sendText("CONNECT\naccept-version:" + version + "\nhost:h\n\n\0");
            assertThat(next()).startsWith("CONNECTED\nversion:" + version + "\n").endsWith("\n\0");
            socket.sendText("SUBSCRIBE\nid:1\ndestination:q\nreceipt:r\n\n\0");
            assertThat(next()).isEqualTo("RECEIPT\nreceipt-id:r\n\n\0");
            socket.sendText("SEND\ndestination:q\n\nwörd\0");
            assertThat(next())
                    .isEqualTo(
                            "MESSAGE\ndestination:q\nmessage-id:1\nsubscription:1\n"
                                    + "content-length:5\n\nwörd\0");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void brokersSpeakTls(boolean stomp) throws Exception {
        String request =
                stomp
                        ? "CONNECT\naccept-version:1.2\n\n\0"
                        : "\u0010\f\0\u0004MQTT\u0004\2\0\0\0\0";
        int first = stomp ? 'C' : 0x20;
        try (Served server = Served.start(stomp ? StompServer::start : MqttBroker::start, "nio");
                Socket socket = Tls.over(server.connect())) {
            socket.getOutputStream().write(request.getBytes(UTF_8));
            assertThat(socket.getInputStream().read()).isEqualTo(first);
        }
    }

    private static BrokerDial dial(Served served, boolean webSocket, boolean secure)
            throws Exception {
        Options options =
                new Options(served.address().getAddress(), served.address().getPort(), "nio", 1);
        return new BrokerDial(ClientOptions.of(options), webSocket, secure ? Tls.context() : null);
    }

    @ParameterizedTest
    @CsvSource({"false, true", "true, false", "true, true"})
    void ourMqttClientTakesEachWay(boolean webSocket, boolean secure) throws Exception {
        try (Served broker = Served.start(MqttBroker::start, "nio");
                MqttClient client =
                        MqttClient.connect(
                                dial(broker, webSocket, secure),
                                Connect.of(MqttVersion.V5, "w"),
                                (topic, text) -> heard.add(topic + " " + text))) {
            client.subscribe("a/#", QoS.EXACTLY_ONCE).join();
            client.publish("a/b", "wörd", QoS.EXACTLY_ONCE).join();
            assertThat(next()).isEqualTo("a/b wörd");
            String large = "x".repeat(200_000);
            client.publish("a/b", large, QoS.AT_LEAST_ONCE).join();
            assertThat(next().equals("a/b " + large)).as("the same text").isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"false, true", "true, false", "true, true"})
    void ourStompClientTakesEachWay(boolean webSocket, boolean secure) throws Exception {
        try (Served server = Served.start(StompServer::start, "nio");
                StompClient client =
                        StompClient.connect(
                                dial(server, webSocket, secure),
                                (from, text) -> heard.add(from + " " + text))) {
            client.subscribe("/queue/a").join();
            client.send("/queue/a", "wörd").join();
            assertThat(next()).isEqualTo("/queue/a wörd");
        }
    }

    @Test
    void optionsOfClientsNameTheWay() {
        BrokerDial dial =
                BrokerDial.parse(1883, Set.of(), List.of("--ws", "--port", "8083", "--tls"));
        assertThat(dial.webSocket()).isTrue();
        assertThat(dial.tls()).isNotNull();
        assertThat(dial.options().port()).isEqualTo(8083);
        assertThat(BrokerDial.parse(1883, Set.of(), List.of()).webSocket()).isFalse();
    }

    @Test
    void optionsOfClientsAreToldInTheirConnect() {
        Set<String> own = Set.of("--id", "--mqtt", "--vhost");
        List<String> args = List.of("--user", "u", "--pass", "p", "--mqtt", "4", "--vhost", "/v");
        BrokerDial dial = BrokerDial.parse(1883, own, args);
        Connect connect = MqttClient.connect(dial.given());
        assertThat(connect.version()).isEqualTo(MqttVersion.V3_1_1);
        assertThat(connect.userName()).isEqualTo("u");
        assertThat(connect.password()).isEqualTo(Binary.of("p"));
        StompHeaders headers = StompClient.connect(dial.given());
        assertThat(headers.get("login")).isEqualTo("u");
        assertThat(headers.get("passcode")).isEqualTo("p");
        assertThat(headers.get("host")).isEqualTo("/v");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BrokerDial.parse(1883, own, List.of("word")));
    }
}
