package io.weft.transport.udt;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.engine.ChannelHandle;
import io.weft.engine.DatagramBatch;
import io.weft.engine.DatagramHandle;
import io.weft.transport.udt.machine.PacketSink;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The way out of a port, over a socket that takes datagrams only while a test lets it.
class OutletTest {
    private static final int MANY = 10_000;

    private boolean full;
    private @Nullable IOException failure;
    private int taken;

    private final DatagramHandle socket =
            new QuietSocket() {
                @Override
                public int send(DatagramBatch datagrams) throws IOException {
                    IOException thrown = failure;
                    if (thrown != null) {
                        failure = null;
                        throw thrown;
                    }
                    if (full) {
                        return ChannelHandle.PENDING;
                    }
                    taken += datagrams.count();
                    return datagrams.count();
                }
            };

    private final Outlet outlet = new Outlet(false, 2048);

    OutletTest() {
        outlet.sendsBy(socket);
    }

    @AfterEach
    void nothingIsLeft() {
        outlet.close();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private void answer(int peers) {
        for (int i = 0; i < peers; i++) {
            InetSocketAddress peer =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 1 + i % 60_000);
            PacketSink sink = outlet.sink(peer);
            sink.packet(64).writeAscii("x".repeat(64));
        }
    }

    /// Handshakes with forged addresses are answered, too.
    @Test
    void answersThatTheSocketDoesNotTakeAreBounded() {
        full = true;
        answer(MANY);
        outlet.flush();
        assertThat(outlet.count()).isLessThanOrEqualTo(256);
        full = false;
        outlet.sent(0);
        assertThat(outlet.count()).isZero();
        assertThat(taken).isPositive();
        assertThat(outlet.isReady()).isTrue();
    }

    /// Returns the datagrams in which two packets to one peer go, after one that failed.
    private int datagramsAfter(IOException cause) {
        PacketSink sink = outlet.sink(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
        for (@Nullable IOException thrown : new @Nullable IOException[] {cause, null}) {
            taken = 0;
            failure = thrown;
            sink.packet(600).writeAscii("x".repeat(600));
            sink.packet(600).writeAscii("x".repeat(600));
            outlet.flush();
        }
        return taken;
    }

    @Test
    void segmentsGoAloneOnceTheDeviceRefusedThem() {
        assertThat(datagramsAfter(new PortUnreachableException("send: refused"))).isEqualTo(1);
        assertThat(datagramsAfter(new IOException("send: EIO"))).isEqualTo(2);
    }

    @Test
    void noAnswerOfABatchIsLostWhileTheSocketTakesThem() {
        answer(MANY);
        outlet.flush();
        assertThat(taken).isEqualTo(MANY);
    }
}
