package io.weft.codec.memcache;

import io.weft.codec.DecoderException;

/// A message that breaks the protocol or a limit. A server answers it with [#textReply] or
/// [#binaryReply] and closes the connection.
public final class MemcacheException extends DecoderException {
    private static final long serialVersionUID = 1L;

    private final MemcacheFault fault;

    MemcacheException(MemcacheFault fault, String message) {
        super(message);
        this.fault = fault;
    }

    static MemcacheException beyond(MemcacheFault fault, String what, long value, long limit) {
        return new MemcacheException(
                fault, what + ": " + value + " (expected: at most " + limit + ")");
    }

    /// The rule that was broken.
    public MemcacheFault fault() {
        return fault;
    }

    /// The line that memcached answers with in this case.
    public TextMessage textReply() {
        return switch (fault) {
            case EMPTY -> TextMessage.of("ERROR");
            case LINE_LIMIT -> TextMessage.line("CLIENT_ERROR line too long");
            case VALUE_LIMIT -> TextMessage.line("SERVER_ERROR object too large for cache");
            case DATA_END, LENGTH -> TextMessage.line("CLIENT_ERROR bad data chunk");
            default -> TextMessage.line("CLIENT_ERROR bad command line format");
        };
    }

    /// The answer in the binary protocol.
    public BinaryMessage binaryReply() {
        BinaryStatus status =
                fault == MemcacheFault.VALUE_LIMIT ? BinaryStatus.TOO_LARGE : BinaryStatus.INVALID;
        return BinaryMessage.response(Opcode.NOOP.number(), status.number()).build();
    }
}
