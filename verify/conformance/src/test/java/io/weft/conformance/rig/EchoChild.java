package io.weft.conformance.rig;

import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.eventloop.EventLoopGroup;
import java.net.InetSocketAddress;

/// An echo server in a process of its own, until its standard input ends. Prints the transport it
/// runs on and its port.
public final class EchoChild {
    private EchoChild() {}

    public static void main(String[] args) throws Exception {
        try (EventLoopGroup group = EventLoopGroup.create(args[0], 1)) {
            ServerChannel server =
                    new ServerBootstrap(group)
                            .childHandler(ch -> ch.pipeline().addLast(new Echo()))
                            .bind(Rig.ANY_PORT)
                            .join();
            System.out.println(group.transport());
            System.out.println(((InetSocketAddress) server.localAddress()).getPort());
            while (System.in.read() >= 0) {
                // until the parent closes it, or is gone
            }
        }
        System.out.println("done");
    }
}
