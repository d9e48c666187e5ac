package io.weft.budget;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.HexFormat;

/// Sends one small request after the other on a connection of HTTP/2, and takes the answers.
final class Http2Client implements RequestClient {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int WINDOW_UPDATE = 8;
    private static final int ACK = 1;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int FRAME_HEADER = 9;

    /// `GET http:/`, and `:authority` for the dynamic table.
    private static final String FIRST = "828684" + "4109" + "6c6f63616c686f7374";

    /// The same, from the tables.
    private static final String NEXT = "828684" + "be";

    private final DataOutputStream out;
    private final DataInputStream in;
    private final byte[] frame;
    private int stream = 1;

    Http2Client(Socket socket) throws IOException {
        out = new DataOutputStream(socket.getOutputStream());
        in = new DataInputStream(socket.getInputStream());
        out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
        out.write(frame(SETTINGS, 0, 0, ""));
        out.write(frame(WINDOW_UPDATE, 0, 0, "7fff0000")); // for all answers at once
        out.write(frame(HEADERS, END_STREAM | END_HEADERS, stream, FIRST));
        answer();
        frame = frame(HEADERS, END_STREAM | END_HEADERS, 0, NEXT);
    }

    private static byte[] frame(int type, int flags, int stream, String payload) {
        return HexFormat.of()
                .parseHex(
                        "%06x%02x%02x%08x%s"
                                .formatted(payload.length() / 2, type, flags, stream, payload));
    }

    @Override
    public void request() throws IOException {
        stream += 2;
        for (int i = 0; i < Integer.BYTES; i++) {
            frame[FRAME_HEADER - 1 - i] = (byte) (stream >>> (Byte.SIZE * i));
        }
        out.write(frame);
        answer();
    }

    /// Takes frames up to the end of a stream.
    private void answer() throws IOException {
        boolean ends;
        do {
            int lengthAndType = in.readInt();
            int flags = in.readByte();
            int id = in.readInt();
            int type = lengthAndType & 0xFF;
            in.skipNBytes(lengthAndType >>> Byte.SIZE);
            if (type == SETTINGS && flags != ACK) {
                out.write(frame(SETTINGS, ACK, 0, ""));
            }
            ends = (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
            if (ends && id != stream) {
                throw new IOException("stream " + id + " (expected: " + stream + ")");
            }
        } while (!ends);
    }
}
