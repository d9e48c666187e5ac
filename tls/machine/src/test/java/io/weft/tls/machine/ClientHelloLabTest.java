package io.weft.tls.machine;

import io.weft.codec.CorruptedFrameException;
import io.weft.codec.DecoderException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import io.weft.testkit.ClientHellos;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.util.Arrays;
import java.util.List;

class ClientHelloLabTest implements CodecLab {
    private static byte[] named(String name) {
        return ClientHellos.records(ClientHellos.hello(name));
    }

    private static byte[] with(byte[] extension) {
        return ClientHellos.records(ClientHellos.hello(null, extension));
    }

    private static byte[] body(int... bytes) {
        return ClientHellos.records(ClientHellos.message(ClientHellos.bytes(bytes)));
    }

    /// Hello upon hello of the longest message, in records of a byte.
    private static byte[] endless(int n) {
        byte[] message = new byte[n / 6 + 5];
        message[0] = 1;
        message[2] = (byte) (message.length >> 8);
        message[3] = (byte) message.length;
        return Arrays.copyOf(ClientHellos.records(message, 1), n);
    }

    @Override
    public List<Subject> subjects() {
        byte[] full =
                ClientHellos.hello(
                        "www.Example.com",
                        ClientHellos.alpn("h2", "http/1.1"),
                        ClientHellos.extension(43, ClientHellos.bytes(4, 3, 4, 3, 3)),
                        ClientHellos.extension(0xff01, ClientHellos.bytes(0)));
        byte[] nameTwice = ClientHellos.extension(0, ClientHellos.serverName("a.example"));
        return List.of(
                Subject.named("client-hello")
                        .decoder(
                                () -> {
                                    ClientHelloDecoder d = new ClientHelloDecoder(4096);
                                    return Machine.of(d::decode, d::end, d::close);
                                },
                                DecoderException.class)
                        .describe(
                                message -> {
                                    ClientHello hello = (ClientHello) message;
                                    int bytes = hello.record().readableBytes();
                                    hello.record().release();
                                    return hello + " of " + bytes;
                                })
                        .sample(ClientHellos.records(full))
                        .sample(ClientHellos.records(full, 1))
                        .sample(ClientHellos.records(full, 50))
                        .sample(named("a"))
                        .refuses("cut off", new byte[] {22, 3, 1}, PrematureEndException.class)
                        .refuses(
                                "another protocol", "GET / HTTP/1.1", CorruptedFrameException.class)
                        .refuses(
                                "an alert",
                                ClientHellos.bytes(21, 3, 1, 0, 2, 2, 40),
                                CorruptedFrameException.class)
                        .refuses(
                                "another message",
                                ClientHellos.bytes(22, 3, 1, 0, 4, 2, 0, 0, 0),
                                CorruptedFrameException.class)
                        .refuses(
                                "a claim of 16 MiB",
                                ClientHellos.bytes(22, 3, 1, 0, 4, 1, 255, 255, 255),
                                LimitExceededException.class)
                        .refuses(
                                "a record above the limit",
                                ClientHellos.bytes(22, 3, 1, 0x20, 0),
                                LimitExceededException.class)
                        .refuses(
                                "two messages in a record",
                                ClientHellos.records(ClientHellos.cat(full, ClientHellos.bytes(1))),
                                CorruptedFrameException.class)
                        .refuses("an empty body", body(), CorruptedFrameException.class)
                        .refuses("a body of its version", body(3, 3), CorruptedFrameException.class)
                        .refuses("a name twice", with2(nameTwice), CorruptedFrameException.class)
                        .refuses("an empty name", named(""), CorruptedFrameException.class)
                        .refuses(
                                "NUL in a name",
                                named("a\0.example"),
                                CorruptedFrameException.class)
                        .refuses(
                                "a trailing dot",
                                named("a.example."),
                                CorruptedFrameException.class)
                        .refuses("an address", named("127.0.0.1"), CorruptedFrameException.class)
                        .refuses("a line break", named("a\r\nb"), CorruptedFrameException.class)
                        .refuses(
                                "a name of another type",
                                with(
                                        ClientHellos.extension(
                                                0, ClientHellos.bytes(0, 4, 1, 0, 1, 'a'))),
                                CorruptedFrameException.class)
                        .refuses(
                                "a length that is not exact",
                                with(
                                        ClientHellos.extension(
                                                0, ClientHellos.bytes(0, 4, 0, 0, 1, 'a', 0))),
                                CorruptedFrameException.class)
                        .refuses(
                                "an empty protocol",
                                with(ClientHellos.alpn("")),
                                CorruptedFrameException.class)
                        .endless(n -> endless(Math.min(n, 4096 * 5))));
    }

    private static byte[] with2(byte[] extension) {
        return ClientHellos.records(ClientHellos.hello("b.example", extension));
    }
}
