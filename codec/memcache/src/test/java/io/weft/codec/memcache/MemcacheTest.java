package io.weft.codec.memcache;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weft.buffer.AllocationTap;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import io.weft.testkit.Gathered;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MemcacheTest {
    private static List<String> decoded(MemcacheDecoder decoder, String wire) {
        List<String> shown = new ArrayList<>();
        byte[] bytes = wire.getBytes(ISO_8859_1);
        try (Buffer in = BufferAllocator.pooled().allocate(bytes.length + 1).writeBytes(bytes)) {
            decoder.decode(in, part -> shown.add(MemcacheLabTest.shown(part)));
        }
        return shown;
    }

    static Stream<Malformed.Vector> requests() {
        return Malformed.requests().stream();
    }

    static Stream<Malformed.Vector> textReplies() {
        return Malformed.textReplies().stream();
    }

    static Stream<Malformed.Vector> binaryReplies() {
        return Malformed.binaryReplies().stream();
    }

    private static void refused(MemcacheDecoder decoder, Malformed.Vector vector) {
        MemcacheException e =
                catchThrowableOfType(
                        MemcacheException.class, () -> decoded(decoder, vector.wire()));
        assertThat(e).isNotNull();
        assertThat(e.fault()).as(e.getMessage()).isEqualTo(vector.fault());
        assertThat(e.getMessage()).contains("(expected: ");
        try (TextMessage text = e.textReply();
                BinaryMessage binary = e.binaryReply()) {
            assertThat(text.word(0)).contains("ERROR");
            assertThat(binary.status()).isNotZero();
        }
    }

    @ParameterizedTest
    @MethodSource
    void requests(Malformed.Vector vector) {
        refused(MemcacheDecoder.requests(MemcacheLabTest.LIMITS), vector);
    }

    @ParameterizedTest
    @MethodSource
    void textReplies(Malformed.Vector vector) {
        refused(MemcacheDecoder.textReplies(MemcacheLabTest.LIMITS), vector);
    }

    @ParameterizedTest
    @MethodSource
    void binaryReplies(Malformed.Vector vector) {
        refused(MemcacheDecoder.binaryReplies(MemcacheLabTest.LIMITS), vector);
    }

    @Test
    void binaryMessagesAreOnTheWireAsTheSpecificationShows() {
        // protocol_binary.txt: the request that adds "Hello" = "World".
        byte[] wire =
                MemcacheLabTest.encoded(
                        () ->
                                BinaryMessage.request(Opcode.ADD)
                                        .extras(0xDEADBEEF, 0xE10)
                                        .key("Hello")
                                        .value("World".getBytes(UTF_8))
                                        .build());
        assertThat(HexFormat.of().formatHex(wire))
                .isEqualTo(
                        "800200050800000000000012000000000000000000000000"
                                + "deadbeef00000e10"
                                + "48656c6c6f576f726c64");
    }

    @Test
    void extrasAreReadWhereTheyAre() {
        try (BinaryMessage set =
                BinaryMessage.request(Opcode.SET).extras(1, 2).key("k").vbucket(9).build()) {
            assertThat(set.extra(0)).isEqualTo(1);
            assertThat(set.extra(4)).isEqualTo(2);
            assertThat(set.extraLong(0)).isEqualTo(1L << 32 | 2);
            assertThat(set.status()).isEqualTo(9);
            assertThat(set.isWellFormed()).isTrue();
        }
        try (BinaryMessage bad = BinaryMessage.request(Opcode.GET).extras(1).key("k").build()) {
            assertThat(bad.isWellFormed()).isFalse();
        }
        assertThat(Opcode.GETKQ.isQuiet()).isTrue();
        assertThat(Opcode.of(0x7F)).isNull();
        assertThat(BinaryStatus.of(0x81)).isEqualTo(BinaryStatus.UNKNOWN_COMMAND);
    }

    @Test
    void wordsAndNumbersAreRead() {
        try (TextMessage incr = TextMessage.line("incr key 18446744073709551615")) {
            assertThat(incr.size()).isEqualTo(3);
            assertThat(incr.is(0, "incr")).isTrue();
            assertThat(incr.number(2)).isEqualTo(-1);
            assertThatIllegalArgumentException().isThrownBy(() -> incr.number(1));
        }
    }

    @Test
    void linesThatWouldBeReadAsOthersAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> TextMessage.of());
        assertThatIllegalArgumentException().isThrownBy(() -> TextMessage.of("get", "a b"));
        assertThatIllegalArgumentException().isThrownBy(() -> TextMessage.of("get", ""));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TextMessage.of("set", "a", "0", "0", "3"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TextMessage.of(new byte[2], "set", "a", "0", "0", "3"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TextMessage.of(new byte[2], "get", "a"));
    }

    @Test
    void partsOutOfPlaceAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MemcacheLabTest.encoded(() -> MemcachePart.ValueEnd.END));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MemcacheLabTest.encoded(() -> MemcacheLabTest.chunk("x")));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                MemcacheLabTest.encoded(
                                        () -> TextMessage.streamed(1, "ms", "a", "1"),
                                        () -> MemcacheLabTest.chunk("xy")));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                MemcacheLabTest.encoded(
                                        () -> TextMessage.streamed(1, "ms", "a", "1"),
                                        () -> TextMessage.of("mn")));
    }

    @Test
    void theFirstByteTellsTheProtocol() {
        MemcacheDecoder decoder = MemcacheDecoder.requests();
        assertThat(decoded(decoder, "version\r\n")).containsExactly("version");
        assertThat(decoder.isBinary()).isFalse();
    }

    @Test
    void largeValueIsSentFromItsBufferUncopied() {
        int[] allocated = new int[1];
        try (Buffer value = BufferAllocator.pooled().allocate(65_536);
                Output out = new Output()) {
            value.writeBytes(new byte[65_536]);
            AllocationTap.set(capacity -> allocated[0] += capacity);
            try {
                new MemcacheEncoder()
                        .encode(
                                BinaryMessage.request(Opcode.SET)
                                        .extras(1, 2)
                                        .key("key")
                                        .value(value.retain())
                                        .build(),
                                out);
            } finally {
                AllocationTap.set(null);
            }
            assertThat(allocated[0]).isLessThanOrEqualTo(512);
            assertThat(out.size()).isEqualTo(24 + 8 + 3 + 65_536);
            try (Buffer head = requireNonNull(out.next());
                    Buffer body = requireNonNull(out.next())) {
                assertThat(head.getInt(8)).isEqualTo(8 + 3 + 65_536);
                value.setByte(0, 'v'); // the same memory
                assertThat(body.getByte(body.readOffset())).isEqualTo((byte) 'v');
            }
        }
    }

    @Test
    void messageWithAValueApartIsReadLikeAnyOther() {
        for (int length : new int[] {0, 1, 512, 513, 5_000}) {
            byte[] bytes = "v".repeat(length).getBytes(UTF_8);
            List<String> copied =
                    roundTrip(BinaryMessage.request(Opcode.SET).key("k").value(bytes).build());
            Buffer apart = BufferAllocator.pooled().allocate(length + 1).writeBytes(bytes);
            BinaryMessage message = BinaryMessage.request(Opcode.SET).key("k").value(apart).build();
            assertThat(message.isStreamed()).isFalse();
            assertThat(message.valueLength()).isEqualTo(length);
            try (Buffer value = message.value()) {
                assertThat(value.readableBytes()).isEqualTo(length);
            }
            assertThat(roundTrip(message)).isEqualTo(copied);
        }
    }

    private static List<String> roundTrip(BinaryMessage message) {
        try (Output out = new Output()) {
            new MemcacheEncoder().encode(message, out);
            return decoded(
                    MemcacheDecoder.requests(), new String(Gathered.bytes(out::drain), ISO_8859_1));
        }
    }
}
