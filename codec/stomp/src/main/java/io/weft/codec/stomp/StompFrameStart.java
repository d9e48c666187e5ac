package io.weft.codec.stomp;

/// A frame without its body, which follows in [StompBodyPart]s.
public record StompFrameStart(StompCommand command, StompHeaders headers) implements StompMessage {}
