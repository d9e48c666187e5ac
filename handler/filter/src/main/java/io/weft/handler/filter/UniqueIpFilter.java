package io.weft.handler.filter;

import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Lets at most so many connections of one address be open at a time; more are reset. One instance
/// serves all channels of a server. Peers behind one NAT share an address, and an IPv6 peer has
/// more addresses than one.
public final class UniqueIpFilter implements ChannelHandler {
    private final int max;
    private final ConcurrentHashMap<InetAddress, Integer> open = new ConcurrentHashMap<>();

    /// Channels that count, and those that are being reset.
    private final Set<Channel> entered = ConcurrentHashMap.newKeySet();

    private final Set<Channel> rejected = ConcurrentHashMap.newKeySet();
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

    /// The connection may stand already, and its `channelActive` be over: it counts all the same.
    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        if (ctx.channel().isActive()) {
            // Also when the loop's queue is full: nobody gets in by that.
            ctx.eventLoop().executeUnbounded(() -> enterLate(ctx));
        }
    }

    private void enterLate(ChannelHandlerContext ctx) {
        Channel channel = ctx.channel();
        if (channel.isOpen() && !ctx.isRemoved() && !entered.contains(channel) && !enter(ctx)) {
            channel.abort(); // handlers behind this one know of it, and hear that it ends
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (enter(ctx)) {
            ctx.fireChannelActive();
        } else {
            rejected.add(ctx.channel());
            ctx.channel().abort();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (!rejected.remove(ctx.channel())) {
            ctx.fireChannelInactive();
        }
    }

    /// Takes a place for the channel, and tells if there was one.
    private boolean enter(ChannelHandlerContext ctx) {
        if (!(remote.apply(ctx.channel()) instanceof InetSocketAddress peer)
                || peer.getAddress() == null) {
            return false;
        }
        InetAddress address = Cidr.unmapped(peer.getAddress());
        boolean[] in = new boolean[1];
        open.compute(
                address,
                (_, count) -> {
                    int now = count == null ? 0 : count;
                    in[0] = now < max;
                    return in[0] ? Integer.valueOf(now + 1) : count;
                });
        if (in[0]) {
            entered.add(ctx.channel());
            ctx.channel().closeFuture().addListener(_ -> left(ctx.channel(), address));
        }
        return in[0];
    }

    private void left(Channel channel, InetAddress address) {
        entered.remove(channel);
        open.computeIfPresent(
                address, (_, count) -> count == 1 ? null : Integer.valueOf(count - 1));
    }

    /// Addresses that have connections now. Any thread.
    public int addresses() {
        return open.size();
    }
}
