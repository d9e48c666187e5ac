package io.weft.resolver.dns;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.MessageHandler;
import io.weft.engine.Datagram;
import io.weft.loop.Promise;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A socket at a random port, connected to a server: the kernel keeps away what comes from
/// elsewhere. One query has it at a time; see [UdpPorts]. Loop only.
final class UdpPort implements MessageHandler<Datagram> {
    private final UdpPorts ports;
    private final long expiry;
    private int uses;
    private @Nullable UdpQuery query;
    private @Nullable Channel channel;

    /// It takes no more queries: something came that did not fit, as if it was found, or a response
    /// may still come that nobody waits for.
    private boolean spent;

    private boolean closed;

    /// @param expiry time of the loop's clock from which on no query begins here
    /// @param uses queries that may begin here
    UdpPort(UdpPorts ports, long expiry, int uses) {
        this.ports = ports;
        this.expiry = expiry;
        this.uses = uses;
    }

    /// Tells if another query may begin here.
    boolean isOfUse(long now) {
        return uses > 0 && !spent && expiry - now > 0;
    }

    /// Has `next` wait for its response here.
    void begin(UdpQuery next) {
        uses--;
        query = next;
        next.at(this);
        if (channel != null) {
            next.begin(this);
        }
    }

    /// It is open.
    void opened(Channel made) {
        channel = made;
        UdpQuery first = query;
        if (closed) {
            var _ = made.close();
        } else if (first != null) {
            first.begin(this);
        }
    }

    /// The query is over.
    ///
    /// @param answered whether its response has come, and nothing else
    void end(boolean answered) {
        spent |= !answered;
        query = null;
    }

    void send(Buffer message) {
        Channel open = Objects.requireNonNull(channel);
        UdpQuery sender = query;
        Promise<Void> sent = open.newPromise();
        sent.addListener(
                outcome -> {
                    Throwable cause = outcome.cause();
                    if (cause != null && sender != null && query == sender) {
                        broken(cause); // no response will come
                    }
                });
        open.writeAndFlush(new Datagram(message, null), sent);
    }

    void close() {
        closed = true;
        if (channel != null) {
            var _ = channel.close();
        }
    }

    @Override
    public boolean isSharable() {
        return true; // of a socket that failed to bind, and the next
    }

    @Override
    public Class<Datagram> messageType() {
        return Datagram.class;
    }

    @Override
    public void messageRead(ChannelHandlerContext ctx, Datagram datagram) {
        UdpQuery current = query;
        if (current != null) {
            current.received(datagram);
            return;
        }
        spent = true; // late, or of somebody who has found the port
        ports.drop(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        broken(cause);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (!closed) {
            broken(new ClosedChannelException());
        }
    }

    /// The socket has failed.
    ///
    /// @param cause null where the loop did not open it
    void broken(@Nullable Throwable cause) {
        spent = true;
        UdpQuery current = query;
        if (current == null) {
            ports.drop(this);
        } else {
            current.broken(cause);
        }
    }
}
