package io.weft.codec.mqtt;

import io.weft.codec.DecoderException;
import org.jspecify.annotations.Nullable;

/// A packet that breaks the protocol or a limit. The connection is answered with [#reply()], if
/// there is one, and closed.
public final class MqttException extends DecoderException {
    private static final long serialVersionUID = 1L;

    private final ReasonCode reason;
    private final MqttVersion version;
    private final transient @Nullable MqttPacket reply;

    /// Creates an exception.
    ///
    /// @param reply to send before closing, or null
    public MqttException(
            ReasonCode reason, String message, MqttVersion version, @Nullable MqttPacket reply) {
        super(message);
        this.reason = reason;
        this.version = version;
        this.reply = reply;
    }

    /// The kind of the fault, also where the version has no reason codes.
    public ReasonCode reason() {
        return reason;
    }

    /// The version that the reply is to be encoded in: [MqttEncoder#version(MqttVersion)].
    public MqttVersion version() {
        return version;
    }

    /// The packet to answer with before closing: a CONNACK where a CONNECT failed, otherwise a
    /// DISCONNECT of 5.0. Null where the version wants the connection closed without a word.
    public @Nullable MqttPacket reply() {
        return reply;
    }
}
