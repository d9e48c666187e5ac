package io.weft.codec.stomp;

import static java.nio.charset.StandardCharsets.US_ASCII;

/// Commands of frames.
public enum StompCommand {
    CONNECT(true),
    /// CONNECT under another name, from 1.1 on.
    STOMP(true),
    SEND(true),
    SUBSCRIBE(true),
    UNSUBSCRIBE(true),
    ACK(true),
    /// From 1.1 on.
    NACK(true),
    BEGIN(true),
    COMMIT(true),
    ABORT(true),
    DISCONNECT(true),
    CONNECTED(false),
    MESSAGE(false),
    RECEIPT(false),
    ERROR(false);

    static final StompCommand[] ALL = values();

    private final boolean ofClient;

    @SuppressWarnings("ImmutableEnumChecker") // never changed
    final byte[] bytes;

    StompCommand(boolean ofClient) {
        this.ofClient = ofClient;
        bytes = name().getBytes(US_ASCII);
    }

    /// Tells if clients send it; servers send the others.
    public boolean isOfClient() {
        return ofClient;
    }

    /// Tells if frames of it may have a body.
    public boolean mayHaveBody() {
        return this == SEND || this == MESSAGE || this == ERROR;
    }

    /// Tells if headers are as they are, for the sake of 1.0.
    boolean isPlain() {
        return this == CONNECT || this == CONNECTED;
    }
}
