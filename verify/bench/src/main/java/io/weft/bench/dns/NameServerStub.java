package io.weft.bench.dns;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;

/// A name server on the loopback interface that gives every name one address, over UDP, with as
/// little work as that takes.
final class NameServerStub implements AutoCloseable {
    private static final int HEADER = 12;
    private static final int BUFFER = 4 << 20;

    /// The name of the question, A, IN, 60 s, 192.0.2.1.
    private static final byte[] ANSWER =
            HexFormat.of().parseHex("c00c000100010000003c0004c0000201");

    private final DatagramSocket socket;

    NameServerStub() {
        try {
            socket =
                    new DatagramSocket(
                            new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
            socket.setReceiveBufferSize(BUFFER); // as large as the system lets it be
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofPlatform().daemon().name("name-server").start(this::serve);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    private void serve() {
        byte[] octets = new byte[2048];
        DatagramPacket packet = new DatagramPacket(octets, octets.length);
        try {
            while (true) {
                packet.setLength(octets.length);
                socket.receive(packet);
                packet.setLength(answer(octets));
                socket.send(packet);
            }
        } catch (IOException _) {
            // closed
        }
    }

    /// Makes the response of a query in its place, without its EDNS.
    private static int answer(byte[] octets) {
        int end = HEADER;
        while (octets[end] != 0) {
            end += octets[end] + 1;
        }
        end += 5;
        octets[2] |= (byte) 0x80; // QR
        octets[3] = (byte) 0x80; // RA, NOERROR
        octets[7] = 1;
        octets[11] = 0;
        System.arraycopy(ANSWER, 0, octets, end, ANSWER.length);
        return end + ANSWER.length;
    }

    @Override
    public void close() {
        socket.close();
    }
}
