package io.weft.codec.redis;

import io.weft.codec.DecoderException;

/// A message that breaks the protocol or a limit. A server answers it with [#reply()] and closes
/// the connection.
public final class RespException extends DecoderException {
    private static final long serialVersionUID = 1L;

    private final RespFault fault;

    RespException(RespFault fault, String message) {
        super(message);
        this.fault = fault;
    }

    static RespException beyond(RespFault fault, String what, long value, long limit) {
        return new RespException(fault, what + ": " + value + " (expected: at most " + limit + ")");
    }

    /// The rule that was broken.
    public RespFault fault() {
        return fault;
    }

    /// The error that Redis answers with in this case.
    public RespValue.SimpleError reply() {
        return new RespValue.SimpleError(
                "ERR Protocol error: "
                        + switch (fault) {
                            case QUOTES -> "unbalanced quotes in request";
                            case LINE_LIMIT -> "too big inline request";
                            case ELEMENTS_LIMIT -> "invalid multibulk length";
                            case BULK_LIMIT, MESSAGE_LIMIT, LENGTH, INTEGER ->
                                    "invalid bulk length";
                            default -> getMessage();
                        });
    }
}
