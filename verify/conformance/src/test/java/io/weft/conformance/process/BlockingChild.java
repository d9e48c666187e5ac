package io.weft.conformance.process;

import io.weft.blocking.Listener;
import io.weft.conformance.rig.Rig;
import io.weft.eventloop.EventLoopGroup;
import java.net.InetSocketAddress;

/// As [EchoChild], with a virtual thread a connection.
final class BlockingChild {
    private BlockingChild() {}

    public static void main(String[] args) throws Exception {
        try (EventLoopGroup group = EventLoopGroup.create(args[0], 1);
                var listener = Listener.bind(group, Rig.ANY_PORT, BlockingTest.LINES)) {
            Thread.ofVirtual()
                    .start(
                            () -> {
                                try {
                                    listener.serve(BlockingTest::echo);
                                } catch (InterruptedException e) {
                                    throw new AssertionError(e);
                                }
                            });
            System.out.println(group.transport());
            System.out.println(((InetSocketAddress) listener.localAddress()).getPort());
            while (System.in.read() >= 0) {
                // until the parent closes it, or is gone
            }
        }
        System.out.println("done");
    }
}
