import org.jspecify.annotations.NullMarked;

/// Floor 3: MQTT 3.1, 3.1.1 and 5.0, for clients and servers.
///
/// [io.weft.codec.mqtt.MqttDecoder] makes packets of bytes, [io.weft.codec.mqtt.MqttEncoder] bytes
/// of packets; both are pure machines, and so is [io.weft.codec.mqtt.session.MqttSession], which
/// keeps the promises of QoS 0, 1 and 2 on either side. A server's
/// [io.weft.codec.mqtt.session.SessionLifetime] tells when a will is due and a session over.
///
/// A server, behind its decoder:
///
/// ```java
/// switch (message) {
///     case Connect connect -> {
///         encoder.version(connect.version());
///         ctx.writeAndFlush(ConnAck.accepted(false));
///     }
///     case Publish publish -> {
///         try (publish) {
///             route(publish.topic(), publish.payload());
///         }
///     }
///     ...
/// }
/// ```
///
/// A [io.weft.codec.mqtt.MqttException] says by [io.weft.codec.mqtt.MqttException#reply()] what the
/// protocol wants answered before the connection is closed.
@NullMarked
module io.weft.codec.mqtt {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec;

    exports io.weft.codec.mqtt;
    exports io.weft.codec.mqtt.session;
}
