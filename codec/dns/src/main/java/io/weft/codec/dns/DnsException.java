package io.weft.codec.dns;

import io.weft.codec.DecoderException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A message that breaks the protocol or a limit. A server answers it with [#reply()].
public final class DnsException extends DecoderException {
    private static final long serialVersionUID = 1L;

    private final DnsFault fault;

    /// The first four octets of the message; -1 when they are not there.
    private final long header;

    DnsException(DnsFault fault, String message, long header) {
        super(message);
        this.fault = fault;
        this.header = header;
    }

    /// The rule that was broken.
    public DnsFault fault() {
        return fault;
    }

    /// Returns the response code that a server answers with.
    public ResponseCode code() {
        return fault.code();
    }

    /// An answer to the message without its question; null for what is no query, which nobody must
    /// answer.
    public @Nullable DnsMessage reply() {
        if (header < 0 || Flags.ofHeader((int) header).isResponse()) {
            return null;
        }
        Flags asked = Flags.ofHeader((int) header);
        return new DnsMessage(
                (int) (header >> 16),
                Opcode.of((int) header >> 11 & 15),
                Flags.NONE.response(true).recursionDesired(asked.isRecursionDesired()),
                code(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                code().number() > 15 ? Edns.DEFAULT : null);
    }
}
