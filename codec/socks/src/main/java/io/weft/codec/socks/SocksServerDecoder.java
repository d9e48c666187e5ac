package io.weft.codec.socks;

import static io.weft.codec.socks.SocksWire.utf8;

import io.weft.buffer.Buffer;
import io.weft.codec.LimitExceededException;
import io.weft.codec.StepDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Decodes the messages of a client, of the version that its first byte tells.
///
/// After a [Socks5Greeting] the decoder waits for [#method]; with GSS-API, or a method of private
/// use, the application ends the method's messages by [#authenticated]. Behind a [SocksRequest]
/// nothing is decoded: bytes of the connection that the client asked for stay unread, for whoever
/// comes next. [DecoderException][io.weft.codec.DecoderException]s are [SocksException]s with the
/// answer to send, or [LimitExceededException]s of the bytes that wait.
public final class SocksServerDecoder extends StepDecoder<SocksClientMessage> {
    private enum State {
        VERSION,
        GREETING,
        METHOD_CHOICE,
        PASSWORD,
        GSS,
        PRIVATE_METHOD,
        REQUEST_4,
        REQUEST_5,
        OVER
    }

    private final SocksLimits limits;
    private State state = State.VERSION;

    public SocksServerDecoder() {
        this(SocksLimits.DEFAULT);
    }

    public SocksServerDecoder(SocksLimits limits) {
        this.limits = limits;
    }

    /// Sets the method that the server has chosen, which says what follows the greeting. To be
    /// called while the greeting is handed over, or before the next [#decode].
    ///
    /// @throws IllegalStateException when no method is awaited
    public void method(Socks5Method method) {
        require(state == State.METHOD_CHOICE, "method");
        state =
                switch (method.code()) {
                    case 0 -> State.REQUEST_5;
                    case 1 -> State.GSS;
                    case 2 -> State.PASSWORD;
                    case 0xFF -> State.OVER;
                    default -> State.PRIVATE_METHOD;
                };
    }

    /// Has the request follow: the messages of GSS-API, or of a private method, are over. They are
    /// of a password when it was decoded.
    ///
    /// @throws IllegalStateException when no such method is in use
    public void authenticated() {
        require(state == State.GSS || state == State.PRIVATE_METHOD, "authenticated");
        state = State.REQUEST_5;
    }

    private void require(boolean right, String call) {
        if (!right) {
            throw new IllegalStateException(call + ": in state " + state);
        }
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super SocksClientMessage> out) {
        if (!in.isReadable()) {
            return false;
        }
        SocksClientMessage message =
                switch (state) {
                    case VERSION -> {
                        begin(in.getByte(in.readOffset()));
                        yield state == State.REQUEST_4 ? request4(in) : greeting(in);
                    }
                    case GREETING -> greeting(in);
                    case REQUEST_4 -> request4(in);
                    case PASSWORD -> password(in);
                    case GSS -> Gss.read(in, limits, new Socks5GssMessage(0xFF, new byte[0]));
                    case REQUEST_5 -> request5(in);
                    case METHOD_CHOICE, PRIVATE_METHOD, OVER -> {
                        bound(in);
                        yield null;
                    }
                };
        if (message == null) {
            return false;
        }
        out.accept(message);
        return true;
    }

    private void bound(Buffer in) {
        if (in.readableBytes() > limits.earlyBytes()) {
            throw new LimitExceededException(
                    "bytes that wait behind a message of SOCKS",
                    limits.earlyBytes() + 1L,
                    limits.earlyBytes());
        }
    }

    private void begin(byte version) {
        state =
                switch (version) {
                    case 4 -> State.REQUEST_4;
                    case 5 -> State.GREETING;
                    default ->
                            throw new SocksException(
                                    "version: " + (version & 0xFF) + " (expected: 4 or 5)", null);
                };
    }

    private @Nullable SocksClientMessage greeting(Buffer in) {
        int at = in.readOffset();
        if (in.readableBytes() < 2) {
            return null;
        }
        int count = in.getByte(at + 1) & 0xFF;
        if (count == 0) {
            throw new SocksException(
                    "methods: 0 (expected: 1 to 255)",
                    new Socks5MethodChoice(Socks5Method.NO_ACCEPTABLE));
        }
        if (in.readableBytes() < 2 + count) {
            return null;
        }
        List<Socks5Method> methods = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            methods.add(new Socks5Method(in.getByte(at + 2 + i) & 0xFF));
        }
        in.skipReadable(2 + count);
        state = State.METHOD_CHOICE;
        return new Socks5Greeting(methods);
    }

    /// RFC 1929, 2.
    private @Nullable SocksClientMessage password(Buffer in) {
        int at = in.readOffset();
        version(in, 1, "version of the password's message", Socks5PasswordReply.FAILURE);
        if (in.readableBytes() < 2) {
            return null;
        }
        int name = in.getByte(at + 1) & 0xFF;
        if (name == 0) {
            throw new SocksException(
                    "bytes of the user's name: 0 (expected: 1 to 255)",
                    Socks5PasswordReply.FAILURE);
        }
        if (in.readableBytes() < 3 + name) {
            return null;
        }
        int password = in.getByte(at + 2 + name) & 0xFF;
        if (in.readableBytes() < 3 + name + password) {
            return null;
        }
        String user = utf8(in, at + 2, name);
        String secret = utf8(in, at + 3 + name, password);
        if (user == null || secret == null) {
            throw new SocksException(
                    "name and password: malformed (expected: UTF-8)", Socks5PasswordReply.FAILURE);
        }
        in.skipReadable(3 + name + password);
        state = State.REQUEST_5;
        return new Socks5PasswordRequest(user, secret);
    }

    private @Nullable SocksClientMessage request5(Buffer in) {
        int at = in.readOffset();
        Socks5Reply failure = Socks5Reply.of(Socks5Status.GENERAL_FAILURE);
        version(in, 5, "version of the request", failure);
        if (in.readableBytes() >= 3 && in.getByte(at + 2) != 0) {
            throw new SocksException(
                    "reserved byte: " + (in.getByte(at + 2) & 0xFF) + " (expected: 0)", failure);
        }
        if (in.readableBytes() < 4) {
            return null;
        }
        int length = SocksWire.length(in, at + 3);
        if (length == 0) {
            throw new SocksException(
                    "address type: " + (in.getByte(at + 3) & 0xFF) + " (expected: 1, 3 or 4)",
                    Socks5Reply.of(Socks5Status.ADDRESS_TYPE_NOT_SUPPORTED));
        }
        if (length < 0 || in.readableBytes() < 3 + length) {
            return null;
        }
        SocksCommand command = new SocksCommand(in.getByte(at + 1) & 0xFF);
        in.skipReadable(3);
        try {
            SocksAddress destination = SocksWire.read(in);
            state = State.OVER;
            return new Socks5Request(command, destination);
        } catch (IllegalArgumentException e) {
            throw new SocksException(Objects.toString(e.getMessage()), failure);
        }
    }

    private @Nullable SocksClientMessage request4(Buffer in) {
        int at = in.readOffset();
        Socks4Reply failure = Socks4Reply.of(Socks4Status.REJECTED);
        if (in.readableBytes() < 9) {
            return null;
        }
        int user = string(in, at + 8, limits.userIdBytes(), "user", failure);
        if (user < 0) {
            return null;
        }
        byte[] ip = SocksWire.bytes(in, at + 4, 4);
        int port = ((in.getByte(at + 2) & 0xFF) << 8) | (in.getByte(at + 3) & 0xFF);
        int end = at + 8 + user + 1;
        try {
            String userId = SocksWire.utf8(in, at + 8, user);
            if (userId == null) {
                throw new SocksException("user: malformed (expected: UTF-8)", failure);
            }
            SocksText.requireNoControls("userId", userId);
            SocksAddress destination;
            // 4a: an address that no host has says that a name follows.
            if (ip[0] == 0 && ip[1] == 0 && ip[2] == 0 && ip[3] != 0) {
                int name = string(in, end, limits.nameBytes(), "name", failure);
                if (name < 0) {
                    return null;
                }
                String host =
                        new String(
                                SocksWire.bytes(in, end, name),
                                java.nio.charset.StandardCharsets.ISO_8859_1);
                destination = new SocksAddress.Name(host, port);
                end += name + 1;
            } else {
                destination = new SocksAddress.Ip(SocksWire.ip(ip), port);
            }
            SocksCommand command = new SocksCommand(in.getByte(at + 1) & 0xFF);
            Socks4Request request = new Socks4Request(command, destination, userId);
            in.readOffset(end);
            state = State.OVER;
            return request;
        } catch (IllegalArgumentException e) {
            throw new SocksException(Objects.toString(e.getMessage()), failure);
        }
    }

    /// Length of the string at `at`, without its NUL; -1 if that has not arrived.
    private static int string(Buffer in, int at, int limit, String what, Socks4Reply failure) {
        int last = Math.min(in.writeOffset(), at + limit + 1);
        for (int i = at; i < last; i++) {
            if (in.getByte(i) == 0) {
                return i - at;
            }
        }
        if (last == at + limit + 1) {
            throw new SocksException(
                    "bytes of the " + what + ": more (expected: at most " + limit + ")", failure);
        }
        return -1;
    }

    private static void version(Buffer in, int expected, String what, SocksServerMessage failure) {
        int version = in.getByte(in.readOffset()) & 0xFF;
        if (version != expected) {
            throw new SocksException(
                    what + ": " + version + " (expected: " + expected + ")", failure);
        }
    }

    @Override
    protected void finish(int unread, Consumer<? super SocksClientMessage> out) {
        if (state != State.OVER) {
            super.finish(unread, out);
        }
    }
}
