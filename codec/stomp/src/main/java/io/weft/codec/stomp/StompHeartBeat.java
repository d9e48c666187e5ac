package io.weft.codec.stomp;

/// An end of line between frames: a sign of life, which peers send behind frames too.
public record StompHeartBeat() implements StompMessage {
    public static final StompHeartBeat INSTANCE = new StompHeartBeat();
}
