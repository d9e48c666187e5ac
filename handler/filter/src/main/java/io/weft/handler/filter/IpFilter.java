package io.weft.handler.filter;

import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Lets peers in by their address. The first rule that matches decides, and if none does, the
/// default. A peer that is not let in is reset before a handler behind this one hears of it; so is
/// one whose address is not known.
public final class IpFilter implements ChannelHandler {
    /// The decision about the addresses of a block.
    public enum Action {
        ACCEPT,
        REJECT
    }

    /// One line of the list.
    public record Rule(Action action, Cidr block) {
        public static Rule accept(String block) {
            return new Rule(Action.ACCEPT, Cidr.parse(block));
        }

        public static Rule reject(String block) {
            return new Rule(Action.REJECT, Cidr.parse(block));
        }
    }

    private final List<Rule> rules;
    private final Action otherwise;
    private final Function<Channel, @Nullable SocketAddress> remote;
    private boolean judged;
    private boolean rejected;

    public IpFilter(Action otherwise, Rule... rules) {
        this(otherwise, List.of(rules), Channel::remoteAddress);
    }

    IpFilter(
            Action otherwise, List<Rule> rules, Function<Channel, @Nullable SocketAddress> remote) {
        this.otherwise = otherwise;
        this.rules = List.copyOf(rules);
        this.remote = remote;
    }

    /// Returns the decision about `address`.
    public Action decide(InetAddress address) {
        for (Rule rule : rules) {
            if (rule.block().contains(address)) {
                return rule.action();
            }
        }
        return otherwise;
    }

    /// The connection may stand already, and its `channelActive` be over: the peer is judged all
    /// the same.
    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        if (ctx.channel().isActive()) {
            // Also when the loop's queue is full: nobody gets in by that.
            ctx.eventLoop().executeUnbounded(() -> judgeLate(ctx));
        }
    }

    private void judgeLate(ChannelHandlerContext ctx) {
        if (!judged && !ctx.isRemoved()) {
            judged = true;
            if (!isIn(ctx)) {
                ctx.channel().abort(); // handlers behind this one know of it, and hear that it ends
            }
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        judged = true;
        if (isIn(ctx)) {
            ctx.fireChannelActive();
        } else {
            rejected = true;
            ctx.channel().abort();
        }
    }

    private boolean isIn(ChannelHandlerContext ctx) {
        return remote.apply(ctx.channel()) instanceof InetSocketAddress peer
                && peer.getAddress() != null
                && decide(peer.getAddress()) == Action.ACCEPT;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (!rejected) {
            ctx.fireChannelInactive();
        }
    }
}
