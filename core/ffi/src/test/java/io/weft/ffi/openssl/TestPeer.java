package io.weft.ffi.openssl;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weft.ffi.Memory;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/// One side of a connection in memory.
final class TestPeer implements SslEvents, AutoCloseable {
    final long ssl;
    final List<String> keyLog = new ArrayList<>();
    final List<Long> sessions = new ArrayList<>();
    int protocol = -2;
    byte @Nullable [] response;
    int verdict;
    @Nullable RuntimeException complaint;
    String[] offered = {};
    List<byte[]> shown = List.of();

    private final long source = SslBio.source();
    private final long incoming = SslBio.buffer(source);
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private byte[] unread = {};
    private List<SslErrors.Entry> errors = List.of();

    private TestPeer(boolean client, long context) {
        long sink = SslBio.sink();
        ssl = client ? Ssl.client(context, source, sink) : Ssl.server(context, source, sink);
    }

    static TestPeer client(long context) {
        return new TestPeer(true, context);
    }

    static TestPeer server(long context) {
        return new TestPeer(false, context);
    }

    /// Makes a call and returns 0 for success, else the `SSL_ERROR_`; what is written is [#sent].
    int call(IntSupplier function) {
        SslCall call = SslCall.enter(this);
        try {
            int result = function.getAsInt();
            int error = result > 0 ? 0 : Ssl.error(ssl, result);
            errors = error == Ssl.SSL_ERROR_SSL ? SslErrors.take() : List.of();
            if (call.thrown() instanceof RuntimeException thrown) {
                throw thrown;
            }
            return error;
        } finally {
            call.exit();
        }
    }

    byte[] takeSent() {
        byte[] records = sent.toByteArray();
        sent.reset();
        return records;
    }

    /// Has `function` run on an `SSL` that can read what it left unread before and these bytes.
    int given(byte[] records, LongToIntFunction function) {
        byte[] bytes = Arrays.copyOf(unread, unread.length + records.length);
        System.arraycopy(records, 0, bytes, unread.length, records.length);
        long copy = Memory.allocate(bytes.length, 8);
        try {
            Memory.copy(bytes, 0, copy, bytes.length);
            SslBio.set(incoming, copy, bytes.length);
            return call(() -> function.applyAsInt(ssl));
        } finally {
            int left = (int) SslBio.left(incoming);
            unread = Arrays.copyOfRange(bytes, bytes.length - left, bytes.length);
            SslBio.set(incoming, 0, 0);
            Memory.free(copy, bytes.length);
        }
    }

    /// Until both are done, or one has failed; what the server says after its handshake is not
    /// delivered yet.
    static int handshake(TestPeer client, TestPeer server) {
        client.call(() -> Ssl.handshake(client.ssl));
        for (int i = 0; i < 10; i++) {
            int error = server.given(client.takeSent(), Ssl::handshake);
            if (error == Ssl.SSL_ERROR_SSL
                    || (Ssl.handshakeFinished(client.ssl) && error == Ssl.SSL_ERROR_NONE)) {
                return error;
            }
            error = client.given(server.takeSent(), Ssl::handshake);
            if (error == Ssl.SSL_ERROR_SSL
                    || (Ssl.handshakeFinished(server.ssl) && error == Ssl.SSL_ERROR_NONE)) {
                return error;
            }
        }
        throw new AssertionError("no end");
    }

    void write(String text) {
        byte[] bytes = text.getBytes(US_ASCII);
        long copy = Memory.allocate(bytes.length, 8);
        Memory.copy(bytes, 0, copy, bytes.length);
        int error = call(() -> Ssl.write(ssl, copy, bytes.length));
        Memory.free(copy, bytes.length);
        if (error != 0) {
            throw new AssertionError("error " + error + ": " + errors);
        }
    }

    String read(byte[] records) {
        long room = Memory.allocate(1 << 14, 8);
        try {
            int[] length = new int[1];
            given(records, ssl -> length[0] = Ssl.read(ssl, room, 1 << 14));
            return length[0] <= 0 ? "" : CString.read(room, length[0]);
        } finally {
            Memory.free(room, 1 << 14);
        }
    }

    List<SslErrors.Entry> errors() {
        return errors;
    }

    // ---- events ----

    @Override
    public void written(long address, int length) {
        byte[] records = new byte[length];
        Memory.copy(address, records, 0, length);
        sent.writeBytes(records);
    }

    @Override
    public int selectProtocol(String[] offered) {
        this.offered = offered;
        return protocol;
    }

    @Override
    public void keyLog(String line) {
        keyLog.add(line);
    }

    @Override
    public boolean newSession(long session) {
        sessions.add(session);
        return true;
    }

    @Override
    public byte @Nullable [] ocspResponse() {
        return response;
    }

    @Override
    public int verify(long chain) {
        if (complaint != null) {
            throw complaint;
        }
        shown = X509.encodedStack(chain);
        return verdict;
    }

    @Override
    public void close() {
        sessions.forEach(Ssl::freeSession);
        Ssl.free(ssl);
    }
}
