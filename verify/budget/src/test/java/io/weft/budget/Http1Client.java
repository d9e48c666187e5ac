package io.weft.budget;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/// Sends one small request after the other on a connection, and takes the answers, which are all as
/// long as the first.
final class Http1Client implements RequestClient {
    private static final byte[] REQUEST =
            "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII);

    private final OutputStream out;
    private final InputStream in;
    private final int length;

    Http1Client(Socket socket) throws IOException {
        out = socket.getOutputStream();
        in = socket.getInputStream();
        out.write(REQUEST);
        StringBuilder response = new StringBuilder();
        while (!response.toString().endsWith("hello")) {
            response.append((char) in.read());
        }
        length = response.length();
    }

    @Override
    public void request() throws IOException {
        out.write(REQUEST);
        in.skipNBytes(length);
    }
}
