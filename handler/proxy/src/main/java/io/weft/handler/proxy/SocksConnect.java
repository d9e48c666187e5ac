package io.weft.handler.proxy;

import io.weft.buffer.Buffer;
import io.weft.codec.Output;
import io.weft.codec.socks.Socks4Reply;
import io.weft.codec.socks.Socks4Request;
import io.weft.codec.socks.Socks5Greeting;
import io.weft.codec.socks.Socks5GssMessage;
import io.weft.codec.socks.Socks5Method;
import io.weft.codec.socks.Socks5MethodChoice;
import io.weft.codec.socks.Socks5PasswordReply;
import io.weft.codec.socks.Socks5PasswordRequest;
import io.weft.codec.socks.Socks5Reply;
import io.weft.codec.socks.Socks5Request;
import io.weft.codec.socks.SocksAddress;
import io.weft.codec.socks.SocksClientDecoder;
import io.weft.codec.socks.SocksCommand;
import io.weft.codec.socks.SocksEncoder;
import io.weft.codec.socks.SocksMessage;
import io.weft.codec.socks.SocksServerMessage;
import io.weft.codec.socks.SocksVersion;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// CONNECT of SOCKS 4, 4a or 5.
final class SocksConnect implements Negotiation {
    private static final SocksEncoder ENCODER = new SocksEncoder();

    private final ProxyServer proxy;
    private final SocksAddress destination;
    private final SocksClientDecoder decoder;
    private final ArrayDeque<SocksServerMessage> messages = new ArrayDeque<>(2);
    private final ProxyServer.@Nullable Login login;

    /// @param destination an address, if the proxy resolves no names
    SocksConnect(ProxyServer proxy, SocksAddress destination) {
        this.proxy = proxy;
        this.destination = destination;
        this.login = proxy instanceof ProxyServer.Socks5 five ? five.login() : null;
        this.decoder =
                new SocksClientDecoder(
                        proxy instanceof ProxyServer.Socks4 ? SocksVersion.V4 : SocksVersion.V5);
    }

    @Override
    public void begin(Output out) {
        SocksMessage first =
                switch (proxy) {
                    case ProxyServer.Socks4 four ->
                            new Socks4Request(SocksCommand.CONNECT, destination, four.userId());
                    default ->
                            login == null
                                    ? new Socks5Greeting(Socks5Method.NO_AUTHENTICATION)
                                    : new Socks5Greeting(
                                            Socks5Method.NO_AUTHENTICATION, Socks5Method.PASSWORD);
                };
        ENCODER.encode(first, out);
    }

    @Override
    public boolean receive(Buffer in, Output out) throws ProxyException {
        decoder.decode(in, messages::add);
        boolean open = false;
        for (SocksServerMessage next; (next = messages.poll()) != null; ) {
            open = take(next, out);
        }
        return open;
    }

    @Override
    public void end() throws ProxyException {
        SocksServerMessage refusal = decoder.refusal();
        if (refusal != null) {
            try (Output none = new Output()) {
                var _ = take(refusal, none);
            }
        }
    }

    private boolean take(SocksServerMessage message, Output out) throws ProxyException {
        switch (message) {
            case Socks5MethodChoice(Socks5Method method) -> method(method, out);
            case Socks5PasswordReply reply when reply.isSuccess() -> request(out);
            case Socks5PasswordReply reply ->
                    throw new ProxyException.AuthenticationFailed(
                            proxy, "status " + reply.status());
            case Socks5Reply reply when !reply.status().isSucceeded() ->
                    throw new ProxyException.Refused(
                            proxy, reply.status().code(), reply.status().toString());
            case Socks4Reply reply when !reply.status().isGranted() ->
                    throw new ProxyException.Refused(
                            proxy, reply.status().code(), reply.status().toString());
            case Socks5Reply _, Socks4Reply _ -> {
                return true;
            }
            case Socks5GssMessage _ -> throw new IllegalStateException("GSS-API was not offered");
        }
        return false;
    }

    private void method(Socks5Method method, Output out) throws ProxyException {
        if (method.equals(Socks5Method.NO_AUTHENTICATION)) {
            request(out);
        } else if (method.equals(Socks5Method.PASSWORD) && login != null) {
            ENCODER.encode(new Socks5PasswordRequest(login.user(), login.password()), out);
        } else {
            throw new ProxyException.AuthenticationFailed(proxy, method.toString());
        }
    }

    private void request(Output out) {
        ENCODER.encode(new Socks5Request(SocksCommand.CONNECT, destination), out);
    }
}
