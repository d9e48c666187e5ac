package io.weft.codec.socks;

import io.weft.buffer.Buffer;
import io.weft.codec.Encoder;
import io.weft.codec.Output;
import java.nio.charset.StandardCharsets;

/// Encodes messages of both sides and both versions. It has no state: one serves all connections.
public final class SocksEncoder implements Encoder<SocksMessage> {
    private static final int VERSION_4 = 4;
    private static final int VERSION_5 = 5;
    private static final int SUBNEGOTIATION = 1;

    public SocksEncoder() {}

    @Override
    public void encode(SocksMessage message, Output out) {
        switch (message) {
            case Socks4Request request -> request4(request, out);
            case Socks4Reply(Socks4Status status, SocksAddress bound) ->
                    out.buffer(8)
                            .writeByte(0)
                            .writeByte(status.code())
                            .writeShort(bound.port())
                            .writeBytes(Socks4Reply.ipv4(bound));
            case Socks5Greeting(var methods) -> {
                Buffer to = out.buffer(2 + methods.size());
                to.writeByte(VERSION_5).writeByte(methods.size());
                methods.forEach(method -> to.writeByte(method.code()));
            }
            case Socks5MethodChoice(Socks5Method method) ->
                    out.buffer(2).writeByte(VERSION_5).writeByte(method.code());
            case Socks5PasswordRequest(String username, String password) -> {
                byte[] name = username.getBytes(StandardCharsets.UTF_8);
                byte[] secret = password.getBytes(StandardCharsets.UTF_8);
                out.buffer(3 + name.length + secret.length)
                        .writeByte(SUBNEGOTIATION)
                        .writeByte(name.length)
                        .writeBytes(name)
                        .writeByte(secret.length)
                        .writeBytes(secret);
            }
            case Socks5PasswordReply(int status) ->
                    out.buffer(2).writeByte(SUBNEGOTIATION).writeByte(status);
            case Socks5GssMessage(int type, byte[] token) -> {
                Buffer to = out.buffer(4 + token.length).writeByte(SUBNEGOTIATION).writeByte(type);
                if (type != Socks5GssMessage.ABORT) {
                    to.writeShort(token.length).writeBytes(token);
                }
            }
            case Socks5Request(SocksCommand command, SocksAddress destination) ->
                    message5(command.code(), destination, out);
            case Socks5Reply(Socks5Status status, SocksAddress bound) ->
                    message5(status.code(), bound, out);
        }
    }

    private static void request4(Socks4Request request, Output out) {
        Buffer to =
                out.buffer(64)
                        .writeByte(VERSION_4)
                        .writeByte(request.command().code())
                        .writeShort(request.destination().port());
        byte[] user = request.userId().getBytes(StandardCharsets.UTF_8);
        switch (request.destination()) {
            case SocksAddress.Ip(var ip, _) ->
                    to.writeBytes(ip.getAddress()).writeBytes(user).writeByte(0);
            case SocksAddress.Name(String host, _) ->
                    // 4a: 0.0.0.1, and the name behind the user.
                    to.writeInt(1).writeBytes(user).writeByte(0).writeAscii(host).writeByte(0);
        }
    }

    private static void message5(int code, SocksAddress address, Output out) {
        Buffer to = out.buffer(22).writeByte(VERSION_5).writeByte(code).writeByte(0);
        SocksWire.write(address, to);
    }
}
