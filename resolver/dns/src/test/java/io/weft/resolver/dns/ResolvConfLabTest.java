package io.weft.resolver.dns;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.codec.DecoderException;
import io.weft.codec.PrematureEndException;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.io.ByteArrayOutputStream;
import java.util.List;

/// Has the lab feed `resolv.conf`, mutated: whatever it holds, it is read. A zero ends a file here,
/// as half a file is a file too, which means something else.
class ResolvConfLabTest implements CodecLab {
    @Override
    public List<Subject> subjects() {
        // The JDK's tables for other scripts, and the classes that it makes for texts of records,
        // are
        // not the text's cost.
        var _ =
                ResolvConf.parse("search b\u00fccher.example a\nnameserver fe80::1%lo\n")
                        .toString();
        return List.of(
                Subject.named("resolv-conf")
                        .decoder(ResolvConfLabTest::machine, DecoderException.class)
                        .sample(
                                """
                                ; a comment
                                # another
                                nameserver 192.0.2.1
                                nameserver 2001:db8::1
                                nameserver fe80::1%lo
                                search example.com b\u00fccher.example .
                                options ndots:2 timeout:3 attempts:4 rotate edns0
                                options single-request-reopen trust-ad use-vc
                                \0""")
                        .sample(
                                "domain example.com\nport 5353\ntimeout 2\nnameserver 127.0.0.1\n\0")
                        .sample("search a.example \\000.example a\\.b\r\noptions -edns0\r\n\0")
                        .endless(n -> "nameserver 192.0.2.1\n".repeat(n / 21).getBytes(ISO_8859_1))
                        .endless(n -> ("search" + " a".repeat(n / 2)).getBytes(ISO_8859_1)));
    }

    private static Machine machine() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        return Machine.of(
                (in, _) -> {
                    byte[] some = new byte[in.readableBytes()];
                    in.readBytes(some);
                    all.writeBytes(some);
                },
                out -> {
                    String text = all.toString(ISO_8859_1);
                    if (!text.endsWith("\0")) {
                        throw new PrematureEndException("a file");
                    }
                    out.accept(ResolvConf.parse(text).toString());
                },
                () -> {});
    }
}
