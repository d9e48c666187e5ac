package io.weft.codec.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weft.buffer.Buffer;
import io.weft.codec.Output;
import io.weft.codec.redis.RespPart.AggregateEnd;
import io.weft.codec.redis.RespPart.AggregateStart;
import io.weft.codec.redis.RespPart.BulkChunk;
import io.weft.codec.redis.RespPart.BulkEnd;
import io.weft.codec.redis.RespPart.BulkStart;
import io.weft.codec.redis.RespValue.Array;
import io.weft.codec.redis.RespValue.Attributed;
import io.weft.codec.redis.RespValue.BigInt;
import io.weft.codec.redis.RespValue.Bool;
import io.weft.codec.redis.RespValue.Bulk;
import io.weft.codec.redis.RespValue.BulkError;
import io.weft.codec.redis.RespValue.Int;
import io.weft.codec.redis.RespValue.Null;
import io.weft.codec.redis.RespValue.Push;
import io.weft.codec.redis.RespValue.Real;
import io.weft.codec.redis.RespValue.SimpleError;
import io.weft.codec.redis.RespValue.SimpleString;
import io.weft.codec.redis.RespValue.Verbatim;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RespTest {
    private static String resp3(RespPart... parts) {
        return Shown.text(new RespEncoder(RespVersion.RESP3), parts);
    }

    private static String resp2(RespPart... parts) {
        return Shown.text(new RespEncoder(), parts);
    }

    @Test
    void valuesOfResp3AreReadAndWrittenTheSame() {
        List<String> wires =
                List.of(
                        "+OK\r\n",
                        "-ERR wrong\r\n",
                        ":-17\r\n",
                        ":123456789\r\n",
                        "$3\r\nfoo\r\n",
                        "$0\r\n\r\n",
                        "_\r\n",
                        "#t\r\n",
                        "#f\r\n",
                        ",1.5\r\n",
                        ",3\r\n",
                        ",inf\r\n",
                        ",-inf\r\n",
                        ",nan\r\n",
                        "(-12345678901234567890\r\n",
                        "!4\r\nERR!\r\n",
                        "=7\r\ntxt:abc\r\n",
                        "*2\r\n:1\r\n*1\r\n_\r\n",
                        "*0\r\n",
                        "%1\r\n+a\r\n%0\r\n",
                        "~2\r\n:1\r\n:2\r\n",
                        ">2\r\n+pubsub\r\n:1\r\n",
                        "|1\r\n+ttl\r\n:1\r\n$1\r\nv\r\n");
        for (String wire : wires) {
            List<String> again = new ArrayList<>();
            try (Buffer in = Shown.buffer(wire)) {
                new RespDecoder().decode(in, value -> again.add(resp3(value)));
            }
            assertThat(again).containsExactly(wire);
        }
    }

    @Test
    void valuesOfResp3BecomeThoseThatRedisSendsInResp2() {
        assertThat(resp2(new RespValue.Map(List.of(Bulk.of("a"), new Int(1)))))
                .isEqualTo("*2\r\n$1\r\na\r\n:1\r\n");
        assertThat(resp2(new RespValue.Set(List.of(new Int(1))))).isEqualTo("*1\r\n:1\r\n");
        assertThat(resp2(new Push(List.of(Bulk.of("message")))))
                .isEqualTo("*1\r\n$7\r\nmessage\r\n");
        assertThat(resp2(new Real(1.25), new Real(10))).isEqualTo("$4\r\n1.25\r\n$2\r\n10\r\n");
        assertThat(resp2(new BigInt(BigInteger.TEN))).isEqualTo("$2\r\n10\r\n");
        assertThat(resp2(Bool.TRUE, Bool.FALSE)).isEqualTo(":1\r\n:0\r\n");
        assertThat(resp2(Null.NULL, Null.BULK, Null.ARRAY)).isEqualTo("$-1\r\n$-1\r\n*-1\r\n");
        assertThat(resp2(new BulkError(Shown.buffer("ERR a\r\nb")))).isEqualTo("-ERR a  b\r\n");
        assertThat(resp2(new Verbatim("mkd", Shown.buffer("# a")))).isEqualTo("$3\r\n# a\r\n");
        assertThat(resp2(new Attributed(RespValue.Map.EMPTY, new Int(1)))).isEqualTo(":1\r\n");
        assertThat(resp2(new AggregateStart(RespType.MAP, 1), new Int(1), new Int(2)))
                .isEqualTo("*2\r\n:1\r\n:2\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                9,
                10,
                99,
                100,
                101,
                999,
                1000,
                9999,
                10_000,
                123_456,
                1_000_000,
                Integer.MAX_VALUE,
                1_000_000_000_000_000_000L,
                Long.MAX_VALUE,
                Long.MIN_VALUE,
                -1,
                -9,
                -10,
                -99,
                -100,
                -12_345
            })
    void integersAreWrittenAndRead(long value) {
        String wire = resp3(new Int(value));
        assertThat(wire).isEqualTo(":" + value + "\r\n");
        assertThat(Shown.decoded(new RespDecoder(), wire + "+OK\r\n").getFirst())
                .isEqualTo("Int[value=" + value + "]");
    }

    @Test
    void streamedFormsAreAggregated() {
        assertThat(
                        Shown.decoded(
                                new RespDecoder(),
                                "*?\r\n$?\r\n;2\r\nab\r\n;1\r\nc\r\n;0\r\n.\r\n"))
                .containsExactly("ARRAY[Bulk[abc]]");
    }

    @Test
    void contentOfBulksIsNotCopied() {
        try (Buffer in = Shown.buffer("$3\r\nfoo\r\n")) {
            long address = in.address();
            new RespDecoder()
                    .decode(
                            in,
                            value -> {
                                try (value) {
                                    Bulk bulk = (Bulk) value;
                                    assertThat(bulk.content().address()).isEqualTo(address + 4);
                                }
                            });
        }
    }

    @Test
    void largeContentTravelsAsItIs() {
        Buffer content = Shown.buffer("x".repeat(1000));
        try (Output out = new Output()) {
            new RespEncoder().encode(new Bulk(content), out);
            List<Buffer> buffers = new ArrayList<>();
            out.drain(buffers::add);
            assertThat(buffers).hasSize(3).contains(content);
            buffers.forEach(Buffer::release);
        }
    }

    @Test
    void partsOfUnknownLengthsAreWritten() {
        assertThat(
                        resp3(
                                new AggregateStart(RespType.ARRAY, RespPart.OPEN),
                                new BulkStart(RespType.BULK, RespPart.OPEN),
                                new BulkChunk(Shown.buffer("ab")),
                                new BulkChunk(Shown.buffer("")),
                                BulkEnd.END,
                                new BulkStart(RespType.BULK, 2),
                                new BulkChunk(Shown.buffer("c")),
                                new BulkChunk(Shown.buffer("d")),
                                BulkEnd.END,
                                AggregateEnd.END,
                                SimpleString.OK))
                .isEqualTo("*?\r\n$?\r\n;2\r\nab\r\n;0\r\n$2\r\ncd\r\n.\r\n+OK\r\n");
    }

    @Test
    void partsOutOfPlaceAreRefused() {
        List<Supplier<RespPart[]>> refused =
                List.of(
                        () -> new RespPart[] {AggregateEnd.END},
                        () -> new RespPart[] {BulkEnd.END},
                        () -> new RespPart[] {new BulkChunk(Shown.buffer("x"))},
                        () -> new RespPart[] {new BulkStart(RespType.BULK, 1), BulkEnd.END},
                        () -> new RespPart[] {new BulkStart(RespType.BULK, 1), new Int(1)},
                        () ->
                                new RespPart[] {
                                    new BulkStart(RespType.BULK, 1),
                                    new BulkChunk(Shown.buffer("ab"))
                                },
                        () ->
                                new RespPart[] {
                                    new AggregateStart(RespType.ARRAY, 1), AggregateEnd.END
                                },
                        () ->
                                new RespPart[] {
                                    new AggregateStart(RespType.ARRAY, 1), new Int(1), new Int(2)
                                },
                        () ->
                                new RespPart[] {
                                    new AggregateStart(RespType.MAP, RespPart.OPEN),
                                    new Int(1),
                                    AggregateEnd.END
                                },
                        () ->
                                new RespPart[] {
                                    new AggregateStart(RespType.ARRAY, 1), new Push(List.of())
                                });
        for (Supplier<RespPart[]> parts : refused) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> resp3(parts.get()))
                    .withMessageContaining("(expected: ");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> resp2(new AggregateStart(RespType.ARRAY, RespPart.OPEN)));
    }

    @Test
    void valuesThatWouldEndTheirLineAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new SimpleString("a\r\nb"));
        assertThatIllegalArgumentException().isThrownBy(() -> new SimpleError("a\nb"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RespValue.Map(List.of(Null.NULL)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AggregateStart(RespType.PUSH, RespPart.OPEN));
    }

    @Test
    void textsAndElementsAreFound() {
        assertThat(new SimpleError("MOVED 1 a:1").code()).isEqualTo("MOVED");
        assertThat(new Array(List.of(new Int(1))).elements()).hasSize(1);
        try (RespValue.Map map = new RespValue.Map(List.of(Bulk.of("proto"), new Int(3)))) {
            assertThat(map.get("proto")).isEqualTo(new Int(3));
            assertThat(map.get("other")).isNull();
        }
    }
}
