package io.weft.bench.transport.machine;

import com.sun.nio.sctp.MessageInfo;
import com.sun.nio.sctp.SctpChannel;
import com.sun.nio.sctp.SctpServerChannel;
import com.sun.nio.sctp.SctpStandardSocketOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/// An echo over the JDK's channels: a thread for each association.
final class JdkSctpEcho implements SctpRates.Server {
    private final SctpServerChannel server;

    JdkSctpEcho(InetSocketAddress any) throws IOException {
        server = SctpServerChannel.open().bind(any);
        Thread.ofPlatform().daemon().start(this::accept);
    }

    private void accept() {
        try {
            for (; ; ) {
                SctpChannel association = server.accept();
                association.setOption(SctpStandardSocketOptions.SCTP_NODELAY, true);
                Thread.ofPlatform().daemon().start(() -> echo(association));
            }
        } catch (IOException e) {
            // The end.
        }
    }

    private static void echo(SctpChannel association) {
        ByteBuffer room = ByteBuffer.allocateDirect(65_536);
        try (association) {
            for (; ; ) {
                MessageInfo info = association.receive(room.clear(), null, null);
                if (info == null || info.bytes() < 0) {
                    return;
                }
                association.send(room.flip(), MessageInfo.createOutgoing(null, 0));
            }
        } catch (IOException e) {
            // The end.
        }
    }

    @Override
    public InetSocketAddress address() {
        try {
            return (InetSocketAddress) server.getAllLocalAddresses().iterator().next();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
