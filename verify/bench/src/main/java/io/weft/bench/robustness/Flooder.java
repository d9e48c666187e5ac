package io.weft.bench.robustness;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// One attacker, who floods a server over HTTP/2 as fast as a thread can, and connects again when
/// the server ends a connection.
final class Flooder {
    private static final int CHUNK = 4 << 10;
    private static final int AMPLIFICATION = 4;
    private static final int FREE = 256; // settings and GOAWAY of the server
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long MOST_AFTER_GOAWAY = TimeUnit.MILLISECONDS.toNanos(100);

    /// Octets of an attack, again and again until the server ends the connection.
    @FunctionalInterface
    interface Flood {
        /// Appends some.
        ///
        /// @param i how often it was asked before on this connection
        void next(int i, Http2Frames out);
    }

    private final Victim victim;
    private final Flood flood;
    private final PatientClient neighbour;
    private int cut;
    private int uncut;
    private long mostSent;
    private long longestAfterGoaway;
    private double amplification;

    /// @param neighbour is given a step between any two of this
    Flooder(Victim victim, Flood flood, PatientClient neighbour) {
        this.victim = victim;
        this.flood = flood;
        this.neighbour = neighbour;
    }

    /// Tells if each connection was ended in time, and its answers were short.
    boolean isCutOff() {
        return cut > 0
                && uncut == 0
                && longestAfterGoaway <= MOST_AFTER_GOAWAY
                && amplification <= AMPLIFICATION;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%,d cut off, after %,d octets at most and %d ms after GOAWAY, %d not; %.1f:1",
                cut,
                mostSent,
                TimeUnit.NANOSECONDS.toMillis(longestAfterGoaway),
                uncut,
                amplification);
    }

    /// Floods until the neighbour has all its answers.
    void run() throws IOException {
        while (!neighbour.isDone()) {
            try (SocketChannel channel = victim.connect()) {
                channel.configureBlocking(false);
                attack(new Connection(channel));
            }
        }
    }

    private void attack(Connection connection) throws IOException {
        Http2Frames frames = new Http2Frames().preface();
        ByteBuffer out = ByteBuffer.allocate(0);
        long begin = System.nanoTime();
        int i = 0;
        while (System.nanoTime() - begin < PATIENCE_NANOS) {
            if (neighbour.isDone()) {
                return;
            }
            while (!out.hasRemaining()) {
                while (frames.size() < CHUNK) {
                    flood.next(i++, frames);
                }
                out = ByteBuffer.wrap(frames.take());
            }
            try {
                connection.turn(out);
            } catch (IOException _) {
                cut++;
                note(connection);
                return;
            }
            neighbour.step();
        }
        uncut++;
    }

    private void note(Connection connection) {
        mostSent = Math.max(mostSent, connection.sent);
        if (connection.goaway != 0) {
            longestAfterGoaway =
                    Math.max(longestAfterGoaway, System.nanoTime() - connection.goaway);
        }
        double heard = Math.max(0, connection.received - FREE);
        amplification = Math.max(amplification, heard / connection.sent);
    }

    /// A connection, which looks for GOAWAY in what it reads.
    private static final class Connection {
        private static final int HEADER = 9;

        private final SocketChannel channel;
        private final ByteBuffer in = ByteBuffer.allocate(64 << 10);
        private final byte[] header = new byte[HEADER];
        private int headerLength;
        private int payload;
        private long sent;
        private long received;
        private long goaway;

        Connection(SocketChannel channel) {
            this.channel = channel;
        }

        /// Writes and reads once.
        ///
        /// @throws IOException when the server has ended the connection
        void turn(ByteBuffer out) throws IOException {
            int read = channel.read(in.clear());
            if (read < 0) {
                throw new IOException("closed by the server");
            }
            received += read;
            in.flip();
            while (in.hasRemaining()) {
                look();
            }
            int written = channel.write(out);
            sent += written;
            if (read == 0 && written == 0) {
                Thread.onSpinWait();
            }
        }

        private void look() {
            if (payload > 0) {
                int skipped = Math.min(payload, in.remaining());
                in.position(in.position() + skipped);
                payload -= skipped;
                return;
            }
            header[headerLength++] = in.get();
            if (headerLength < HEADER) {
                return;
            }
            headerLength = 0;
            payload = ((header[0] & 0xff) << 16) | ((header[1] & 0xff) << 8) | (header[2] & 0xff);
            if (header[3] == Http2Frames.GOAWAY && goaway == 0) {
                goaway = System.nanoTime();
            }
        }
    }
}
