package io.weft.codec.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.codec.Decoder;
import io.weft.codec.DecoderException;
import io.weft.codec.PrematureEndException;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.util.List;
import java.util.function.Supplier;

class RedisLabTest implements CodecLab {
    static final String EVERYTHING =
            String.join(
                    "",
                    "+OK\r\n",
                    "+PONG\r\n",
                    "+QUEUED\r\n",
                    "+\r\n",
                    "+some text\r\n",
                    "-ERR wrong\r\n",
                    ":0\r\n",
                    ":-1\r\n",
                    ":+7\r\n",
                    ":9223372036854775807\r\n",
                    ":-9223372036854775808\r\n",
                    ":123456\r\n",
                    ":1234567\r\n",
                    "$3\r\n",
                    "foo\r\n",
                    "$0\r\n\r\n",
                    "$-1\r\n",
                    "*-1\r\n",
                    "_\r\n",
                    "#t\r\n",
                    "#f\r\n",
                    ",1.5\r\n",
                    ",inf\r\n",
                    ",-inf\r\n",
                    ",nan\r\n",
                    ",1e300\r\n",
                    ",-.5E-3\r\n",
                    "(12345678901234567890123\r\n",
                    "(-1\r\n",
                    "!9\r\n",
                    "ERR\r\n",
                    "bad!\r\n",
                    "=7\r\n",
                    "txt:a\r\n\r\n",
                    "=4\r\n",
                    "mkd:\r\n",
                    "*0\r\n",
                    "*3\r\n",
                    ":1\r\n",
                    "$1\r\n",
                    "a\r\n",
                    "*1\r\n",
                    "_\r\n",
                    "%0\r\n",
                    "%1\r\n",
                    "+a\r\n",
                    "*0\r\n",
                    "~2\r\n",
                    ":1\r\n",
                    ":2\r\n",
                    "~0\r\n",
                    ">2\r\n",
                    "+message\r\n",
                    "$1\r\n",
                    "x\r\n",
                    ">0\r\n",
                    "|1\r\n",
                    "+ttl\r\n",
                    ":3600\r\n",
                    "$1\r\n",
                    "v\r\n",
                    "*2\r\n",
                    "|0\r\n",
                    ":1\r\n",
                    "|1\r\n",
                    "+a\r\n",
                    "|0\r\n",
                    "+b\r\n",
                    ":2\r\n",
                    "$?\r\n",
                    ";4\r\n",
                    "Hell\r\n",
                    ";5\r\n",
                    "o wor\r\n",
                    ";1\r\n",
                    "d\r\n",
                    ";0\r\n",
                    "$?\r\n",
                    ";0\r\n",
                    "*?\r\n",
                    ":1\r\n",
                    "*?\r\n",
                    ".\r\n",
                    "%?\r\n",
                    "+a\r\n",
                    ":2\r\n",
                    ".\r\n",
                    "~?\r\n",
                    "$?\r\n",
                    ";1\r\n",
                    "x\r\n",
                    ";0\r\n",
                    ".\r\n",
                    ".\r\n");

    private static Subject subject(String name, Supplier<? extends Decoder<?>> decoder) {
        return Subject.named(name)
                .decoder(
                        () -> {
                            Decoder<?> d = decoder.get();
                            return Machine.of(d::decode, d::end, d::close);
                        },
                        DecoderException.class)
                .describe(Shown::of);
    }

    @Override
    public List<Subject> subjects() {
        return List.of(values(), parts(), commands());
    }

    private static Subject refusing(Subject subject, List<Malformed.Vector> vectors) {
        vectors.stream()
                .filter(vector -> vector.wire().length() < 2000)
                .forEach(v -> subject.refuses(v.toString(), v.wire(), RespException.class));
        return subject;
    }

    private static byte[] latin1(String text) {
        return text.getBytes(ISO_8859_1);
    }

    private static Subject values() {
        Subject subject =
                subject("resp", () -> new RespDecoder(Malformed.LIMITS.elements(5000).depth(20)));
        refusing(
                subject,
                Malformed.values().stream()
                        .filter(
                                v ->
                                        v.fault() != RespFault.ELEMENTS_LIMIT
                                                && v.fault() != RespFault.DEPTH_LIMIT)
                        .toList());
        return subject.sample(EVERYTHING)
                .sample("*40\r\n" + "$1\r\na\r\n".repeat(40))
                .sample("$4000\r\n" + "x".repeat(4000) + "\r\n")
                .sample("*?\r\n" + "$?\r\n;1\r\na\r\n;0\r\n".repeat(30) + ".\r\n")
                .refuses("cut", "*1\r\n", PrematureEndException.class)
                .refuses("deep", "*1\r\n".repeat(21), RespException.class)
                .refuses("many", "*5001\r\n", RespException.class)
                .roundTrip(
                        () ->
                                Shown.encoded(
                                        new RespEncoder(RespVersion.RESP3),
                                        () -> RespValue.SimpleString.OK,
                                        () -> new RespValue.Int(-12),
                                        () -> RespValue.Bulk.of("foo")),
                        "SimpleString[text=OK]",
                        "Int[value=-12]",
                        "Bulk[foo]")
                .roundTrip(
                        () ->
                                Shown.encoded(
                                        new RespEncoder(RespVersion.RESP2),
                                        () -> RespValue.Bulk.of("x".repeat(2000))),
                        "Bulk[" + "x".repeat(2000) + "]")
                .injection(
                        text -> Shown.encoded(new RespEncoder(), new RespValue.SimpleString(text)))
                .injection(
                        text -> Shown.encoded(new RespEncoder(), new RespValue.SimpleError(text)))
                .injection(
                        text ->
                                Shown.encoded(
                                        new RespEncoder(),
                                        new RespValue.BulkError(RespValue.Bulk.of(text).content())))
                .endless(n -> latin1("*5000\r\n" + "$1\r\na\r\n".repeat(n / 7)))
                .endless(n -> latin1("*5000\r\n" + "_\r\n".repeat(n / 3)))
                .endless(n -> latin1("*?\r\n" + "*1\r\n:1\r\n".repeat(n / 8)))
                .endless(n -> latin1("$?\r\n" + ";1\r\na\r\n".repeat(n / 7)))
                .endless(n -> latin1("$4000\r\n" + "a".repeat(n)))
                .endless(n -> latin1("+" + "a".repeat(n)));
    }

    private static Subject parts() {
        Subject subject =
                subject(
                        "resp-parts",
                        () -> new RespPartDecoder(Malformed.LIMITS.elements(5000), 4));
        refusing(
                subject,
                Malformed.values().stream()
                        .filter(v -> v.fault() != RespFault.ELEMENTS_LIMIT)
                        .toList());
        return subject.sample(EVERYTHING)
                .sample("*2\r\n$4000\r\n" + "x".repeat(4000) + "\r\n$5\r\nabcde\r\n")
                .refuses("cut in a bulk", "$5\r\nabcde", PrematureEndException.class)
                .refuses("cut in an array", "*1\r\n", PrematureEndException.class)
                .refuses("cut behind attributes", "|0\r\n", PrematureEndException.class)
                .roundTrip(
                        () ->
                                Shown.encoded(
                                        new RespEncoder(RespVersion.RESP3),
                                        () -> new RespPart.AggregateStart(RespType.MAP, 1),
                                        () -> RespValue.Bulk.of("key"),
                                        () -> new RespPart.BulkStart(RespType.BULK, RespPart.OPEN),
                                        () -> new RespPart.BulkChunk(Shown.buffer("Hello ")),
                                        () -> new RespPart.BulkChunk(Shown.buffer("world")),
                                        () -> RespPart.BulkEnd.END,
                                        () -> RespPart.AggregateEnd.END),
                        "AggregateStart[type=MAP, size=1]",
                        "Bulk[key]",
                        "BulkStart[type=BULK, length=-1]",
                        "piece Hello world",
                        "BulkEnd[]",
                        "AggregateEnd[]")
                .endless(n -> latin1("$4000\r\n" + "a".repeat(n)))
                .endless(n -> latin1("$?\r\n" + ";1\r\na\r\n".repeat(n / 7)))
                .endless(n -> latin1("*?\r\n" + "*1\r\n:1\r\n".repeat(n / 8)));
    }

    private static Subject commands() {
        Subject subject = subject("redis-command", () -> new CommandDecoder(Malformed.LIMITS));
        refusing(subject, Malformed.commands());
        return subject.sample(
                        "*1\r\n$4\r\nPING\r\n*3\r\n$3\r\nSET\r\n$1\r\na\r\n$0\r\n\r\n*0\r\n*-1\r\n")
                .sample("*40\r\n" + "$1\r\na\r\n".repeat(40))
                .sample("*2\r\n$3\r\nGET\r\n$4000\r\n" + "x".repeat(4000) + "\r\n")
                .sample(
                        String.join(
                                "",
                                "PING\r\n\r\nping\n  set  \"a\\x00\\n\\\"\" 'it\\'s'  \r\n\t\n",
                                "get \"\" \u00E9\r\n"))
                .refuses("cut", "*1\r\n$4\r\nPI", PrematureEndException.class)
                .refuses("cut line", "PING", PrematureEndException.class)
                .roundTrip(
                        () ->
                                Shown.encoded(
                                        new CommandEncoder(),
                                        () -> Command.of("SET", "k", "line\r\nbreak"),
                                        () -> Command.of("GET", "x".repeat(3000))),
                        "command [SET, k, line\r\nbreak]",
                        "command [GET, " + "x".repeat(3000) + "]")
                .endless(n -> latin1("*50\r\n$4000\r\n" + "a".repeat(n)))
                .endless(n -> latin1(("*20\r\n" + "$1\r\na\r\n".repeat(20)).repeat(n / 145 + 1)))
                .endless(n -> latin1("a b c\n".repeat(n / 6)));
    }
}
