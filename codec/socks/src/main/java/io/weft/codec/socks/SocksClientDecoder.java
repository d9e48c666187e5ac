package io.weft.codec.socks;

import io.weft.buffer.Buffer;
import io.weft.codec.LimitExceededException;
import io.weft.codec.StepDecoder;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Decodes the messages of a server.
///
/// Behind the reply to the request nothing is decoded: those bytes are of the connection that was
/// asked for. The second reply to a BIND is decoded after [#expectReply].
///
/// A reply that refuses is one whatever its address is, as some servers send an invalid one: it has
/// [SocksAddress#UNSPECIFIED] then. Of servers that end the connection before the address there is
/// the [#refusal].
public final class SocksClientDecoder extends StepDecoder<SocksServerMessage> {
    private enum State {
        METHOD_CHOICE,
        PASSWORD,
        GSS,
        PRIVATE_METHOD,
        REPLY,
        OVER
    }

    private final SocksVersion version;
    private final SocksLimits limits;
    private State state;

    /// The code of a reply that refuses, before all of it has arrived; -1 otherwise.
    private int refusal = -1;

    public SocksClientDecoder(SocksVersion version) {
        this(version, SocksLimits.DEFAULT);
    }

    public SocksClientDecoder(SocksVersion version, SocksLimits limits) {
        this.version = version;
        this.limits = limits;
        this.state = version == SocksVersion.V4 ? State.REPLY : State.METHOD_CHOICE;
    }

    /// Has the reply follow: the messages of GSS-API, or of a private method, are over.
    ///
    /// @throws IllegalStateException when no such method is in use
    public void authenticated() {
        require(state == State.GSS || state == State.PRIVATE_METHOD, "authenticated");
        state = State.REPLY;
    }

    /// Has one more reply decoded, the second one to a BIND. To be called while the first is handed
    /// over, or before the next [#decode].
    ///
    /// @throws IllegalStateException before the first reply
    public void expectReply() {
        require(state == State.OVER, "expectReply");
        state = State.REPLY;
    }

    /// Returns the reply that has begun, if it refuses; its address has not arrived, and is
    /// [SocksAddress#UNSPECIFIED]. To be asked when the connection has ended, or time is up.
    ///
    /// @return null when no reply has begun, it does not refuse, or it was handed over
    public @Nullable SocksServerMessage refusal() {
        return state == State.REPLY && refusal >= 0 ? refusing() : null;
    }

    private void require(boolean right, String call) {
        if (!right) {
            throw new IllegalStateException(call + ": in state " + state);
        }
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super SocksServerMessage> out) {
        if (!in.isReadable()) {
            return false;
        }
        SocksServerMessage message =
                switch (state) {
                    case METHOD_CHOICE -> methodChoice(in);
                    case PASSWORD -> passwordReply(in);
                    case GSS -> Gss.read(in, limits, null);
                    case REPLY -> version == SocksVersion.V4 ? reply4(in) : reply5(in);
                    case PRIVATE_METHOD, OVER -> {
                        if (in.readableBytes() > limits.earlyBytes()) {
                            throw new LimitExceededException(
                                    "bytes that wait behind a message of SOCKS",
                                    limits.earlyBytes() + 1L,
                                    limits.earlyBytes());
                        }
                        yield null;
                    }
                };
        if (message == null) {
            return false;
        }
        out.accept(message);
        return true;
    }

    private @Nullable SocksServerMessage methodChoice(Buffer in) {
        first(in, 5, "version of the method's choice");
        if (in.readableBytes() < 2) {
            return null;
        }
        Socks5Method method = new Socks5Method(in.skipReadable(1).readUnsignedByte());
        state =
                switch (method.code()) {
                    case 0 -> State.REPLY;
                    case 1 -> State.GSS;
                    case 2 -> State.PASSWORD;
                    case 0xFF -> State.OVER;
                    default -> State.PRIVATE_METHOD;
                };
        return new Socks5MethodChoice(method);
    }

    private @Nullable SocksServerMessage passwordReply(Buffer in) {
        first(in, 1, "version of the password's reply");
        if (in.readableBytes() < 2) {
            return null;
        }
        int status = in.skipReadable(1).readUnsignedByte();
        state = status == 0 ? State.REPLY : State.OVER;
        return new Socks5PasswordReply(status);
    }

    private @Nullable SocksServerMessage reply4(Buffer in) {
        first(in, 0, "version of the reply");
        if (in.readableBytes() < 8) {
            refusal = otherThan(Socks4Status.GRANTED.code(), in);
            return null;
        }
        int status = in.skipReadable(1).readUnsignedByte();
        int port = in.readUnsignedShort();
        byte[] ip = new byte[4];
        in.readBytes(ip);
        state = State.OVER;
        return new Socks4Reply(
                new Socks4Status(status), new SocksAddress.Ip(SocksWire.ip(ip), port));
    }

    private @Nullable SocksServerMessage reply5(Buffer in) {
        int at = in.readOffset();
        first(in, 5, "version of the reply");
        refusal = otherThan(Socks5Status.SUCCEEDED.code(), in);
        if (refusal < 0 && in.readableBytes() >= 3 && in.getByte(at + 2) != 0) {
            throw new SocksException(
                    "reserved byte: " + (in.getByte(at + 2) & 0xFF) + " (expected: 0)", null);
        }
        if (in.readableBytes() < 4) {
            return null;
        }
        int length = SocksWire.length(in, at + 3);
        if (length == 0 && refusal >= 0) {
            in.skipReadable(4);
            state = State.OVER;
            return refusing();
        }
        if (length == 0) {
            throw new SocksException(
                    "address type: " + (in.getByte(at + 3) & 0xFF) + " (expected: 1, 3 or 4)",
                    null);
        }
        if (length < 0 || in.readableBytes() < 3 + length) {
            return null;
        }
        int status = in.skipReadable(1).readUnsignedByte();
        in.skipReadable(1);
        try {
            SocksAddress bound = SocksWire.read(in);
            state = State.OVER;
            return new Socks5Reply(new Socks5Status(status), bound);
        } catch (IllegalArgumentException e) {
            if (refusal >= 0) {
                state = State.OVER;
                return refusing();
            }
            throw new SocksException(Objects.toString(e.getMessage()), null);
        }
    }

    /// The code of a reply; -1 if it is `good`, or has not arrived.
    private static int otherThan(int good, Buffer in) {
        int code = in.readableBytes() < 2 ? good : in.getByte(in.readOffset() + 1) & 0xFF;
        return code == good ? -1 : code;
    }

    private SocksServerMessage refusing() {
        return version == SocksVersion.V4
                ? Socks4Reply.of(new Socks4Status(refusal))
                : Socks5Reply.of(new Socks5Status(refusal));
    }

    private static void first(Buffer in, int expected, String what) {
        int version = in.getByte(in.readOffset()) & 0xFF;
        if (version != expected) {
            throw new SocksException(what + ": " + version + " (expected: " + expected + ")", null);
        }
    }

    @Override
    protected void finish(int unread, Consumer<? super SocksServerMessage> out) {
        if (state != State.OVER) {
            super.finish(unread, out);
        }
    }
}
