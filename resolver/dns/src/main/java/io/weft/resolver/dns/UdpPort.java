package io.weft.resolver.dns;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.MessageHandler;
import io.weft.engine.Datagram;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A socket at a random port, connected to a server: the kernel keeps away what comes from
/// elsewhere. It gives each message to the query that has its id; see [UdpPorts]. Loop only.
final class UdpPort implements MessageHandler<Datagram> {
    /// Queries that wait for responses here at a time. No two have the same id, or question.
    static final int MAX_PENDING = 16;

    private final UdpPorts ports;
    private final long expiry;
    private int uses;
    private final List<UdpQuery> pending = new ArrayList<>(2);
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

    /// Tells if a query may begin here one day, if not now.
    boolean isOfUse(long now) {
        return uses > 0 && !spent && expiry - now > 0;
    }

    boolean isFull() {
        return pending.size() == MAX_PENDING;
    }

    boolean isIdle() {
        return pending.isEmpty();
    }

    /// Has `query` wait for its response here, unless another one has its id.
    boolean add(UdpQuery query) {
        if (find(query.id()) != null) {
            return false;
        }
        uses--;
        pending.add(query);
        query.at(this);
        if (channel != null) {
            query.begin(this);
        }
        return true;
    }

    private @Nullable UdpQuery find(int id) {
        for (int i = 0; i < pending.size(); i++) {
            if (pending.get(i).id() == id) {
                return pending.get(i);
            }
        }
        return null;
    }

    void opened(Channel made) {
        channel = made;
        List.copyOf(pending).forEach(query -> query.begin(this));
    }

    /// It cannot be opened.
    ///
    /// @return the queries that would have begun here
    List<UdpQuery> fail() {
        spent = true;
        closed = true;
        List<UdpQuery> all = List.copyOf(pending);
        pending.clear();
        return all;
    }

    /// A query is over.
    ///
    /// @param answered whether its response has come, and nothing else
    void remove(UdpQuery query, boolean answered) {
        spent |= !answered;
        pending.remove(query);
    }

    void send(Buffer message) {
        Objects.requireNonNull(channel).writeAndFlush(new Datagram(message, null));
    }

    void close() {
        closed = true;
        if (channel != null) {
            var _ = channel.close();
        }
    }

    boolean isClosed() {
        return closed;
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
        Buffer content = datagram.content();
        boolean cut = content.readableBytes() < 2;
        UdpQuery query = cut ? null : find(content.getUnsignedShort(content.readOffset()));
        if (query != null) {
            query.received(datagram);
            return;
        }
        // Late, or of somebody who has found the port.
        spent = true;
        List.copyOf(pending).forEach(each -> each.misfit(cut ? Misfit.MALFORMED : Misfit.ID));
        ports.ended(this);
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

    private void broken(Throwable cause) {
        spent = true;
        List.copyOf(pending).forEach(query -> query.broken(cause));
        ports.ended(this);
    }
}
