package io.weft.handler.filter;

import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Lets at most so many connections of one address be open at a time; more are reset. One instance serves all channels of a
/// server. Peers behind one NAT share an address, and an IPv6 peer has more addresses than one.
public final class UniqueIpFilter implements ChannelHandler {
    private final int max;
    private final ConcurrentHashMap<InetAddress, Integer> open = new ConcurrentHashMap<>();
    private final Function<Channel, @Nullable SocketAddress> remote;

    /// One connection an address.
    public UniqueIpFilter() {
        this(1);
    }

    /// @param max connections of one address
    public UniqueIpFilter(int max) {
        this(max, Channel::remoteAddress);
    }

    UniqueIpFilter(int max, Function<Channel, @Nullable SocketAddress> remote) {
        if (max <= 0) {
            throw new IllegalArgumentException("max: " + max + " (expected: > 0)");
        }
        this.max = max;
        this.remote = remote;
    }

    @Override
    public boolean isSharable() {
        return true;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (!(remote.apply(ctx.channel()) instanceof InetSocketAddress peer)
                || peer.getAddress() == null) {
            ctx.channel().abort();
            return;
        }
        InetAddress address = peer.getAddress();
        boolean[] in = new boolean[1];
        open.compute(
                address,
                (_, count) -> {
                    int now = count == null ? 0 : count;
                    in[0] = now < max;
                    return in[0] ? Integer.valueOf(now + 1) : count;
                });
        if (!in[0]) {
            ctx.channel().abort();
            return;
        }
        ctx.channel().closeFuture().addListener(_ -> left(address));
        ctx.fireChannelActive();
    }

    private void left(InetAddress address) {
        open.computeIfPresent(
                address, (_, count) -> count == 1 ? null : Integer.valueOf(count - 1));
    }

    /// Addresses that have connections now. Any thread.
    public int addresses() {
        return open.size();
    }
}
