package io.weft.handler.proxy;

import io.weft.buffer.Buffer;
import io.weft.codec.Output;

/// The talk with one proxy until it has connected to its destination. A pure machine.
interface Negotiation {
    /// Appends the client's first message.
    ///
    /// @throws IllegalArgumentException when the destination cannot be said
    void begin(Output out);

    /// Takes what it can of the proxy's bytes, and appends what to answer. Bytes behind the
    /// negotiation stay unread.
    ///
    /// @return true when the way is open
    /// @throws ProxyException when it does not open
    /// @throws io.weft.codec.DecoderException when the answer is malformed
    boolean receive(Buffer in, Output out) throws ProxyException;

    /// The proxy will send nothing more, or is not waited for.
    ///
    /// @throws ProxyException when what it has sent of an answer is enough for a refusal
    default void end() throws ProxyException {}
}
