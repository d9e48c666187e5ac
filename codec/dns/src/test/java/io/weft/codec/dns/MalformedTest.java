package io.weft.codec.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.weft.buffer.Buffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MalformedTest {
    static List<Malformed.Vector> vectors() {
        return Malformed.vectors();
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void malformedMessagesHaveTheirFault(Malformed.Vector vector) {
        DnsException e =
                catchThrowableOfType(DnsException.class, () -> Corpus.decode(vector.wire()));
        assertThat(e).isNotNull();
        assertThat(e.fault()).as(e.getMessage()).isEqualTo(vector.fault());
        assertThat(e.getMessage()).contains("(expected: ");
        assertThat(e.getStackTrace()).isEmpty();
    }

    @Test
    void thereAreEnoughOfEveryFault() {
        assertThat(vectors()).hasSizeGreaterThan(150);
        assertThat(vectors()).extracting(Malformed.Vector::fault).contains(DnsFault.values());
    }

    @Test
    void repliesHaveTheIdOfTheirQuery() {
        DnsException e =
                catchThrowableOfType(
                        DnsException.class,
                        () ->
                                Corpus.decode(
                                        Corpus.hex(
                                                "1234 0110 0001 0000 0000 0000 c00c 0001 0001")));
        DnsMessage reply = Objects.requireNonNull(e.reply());
        assertThat(reply.id()).isEqualTo(0x1234);
        assertThat(reply.code()).isEqualTo(ResponseCode.FORMERR);
        assertThat(reply.flags().toString()).isEqualTo("qr rd");
        assertThat(Corpus.encode(reply, 512))
                .isEqualTo(Corpus.hex("1234 8101 0000 0000 0000 0000"));
    }

    @Test
    void repliesToOtherVersionsOfEdnsHaveEdns() {
        DnsException e =
                catchThrowableOfType(
                        DnsException.class,
                        () ->
                                Corpus.decode(
                                        Corpus.hex(
                                                "1234 0000 0000 0000 0000 0001 00 0029 1000 00010000 0000")));
        assertThat(e.code()).isEqualTo(ResponseCode.BADVERS);
        assertThat(Corpus.encode(Objects.requireNonNull(e.reply()), 512))
                .isEqualTo(Corpus.hex("1234 8000 0000 0000 0000 0001 00 0029 04d0 01000000 0000"));
    }

    /// Of messages whose format is not known, a header is.
    @ParameterizedTest
    @ValueSource(ints = {3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
    void repliesToOtherOpcodesAreHeaders(int opcode) {
        byte[] query = Corpus.hex("1234 0000 0001 0000 0000 0000 00 0001 0001");
        query[2] = (byte) (opcode << 3 | 1);
        DnsException e = catchThrowableOfType(DnsException.class, () -> Corpus.decode(query));
        DnsMessage reply = Objects.requireNonNull(e.reply());
        assertThat(reply.code()).isEqualTo(ResponseCode.NOTIMP);
        byte[] wire = Corpus.hex("1234 8004 0000 0000 0000 0000");
        wire[2] |= query[2];
        wire[3] = 4;
        assertThat(Corpus.encode(reply, 512)).isEqualTo(wire);
    }

    @Test
    void messagesOfOtherOpcodesAreNotMade() {
        DnsMessage query = DnsMessage.query(1, DnsName.ROOT, RecordType.NS);
        IllegalArgumentException e =
                catchThrowableOfType(
                        IllegalArgumentException.class,
                        () ->
                                new DnsMessage(
                                        1,
                                        Opcode.DSO,
                                        Flags.NONE.response(true),
                                        ResponseCode.NOTIMP,
                                        query.questions(),
                                        List.of(),
                                        List.of(),
                                        List.of(),
                                        null));
        assertThat(e).hasMessageContaining("four sections");
    }

    @Test
    void responsesAndPiecesOfHeadersGetNoReply() {
        for (String hex : List.of("", "1234", "1234 8100 0001 0000 0000 0000 c00c")) {
            DnsException e =
                    catchThrowableOfType(DnsException.class, () -> Corpus.decode(Corpus.hex(hex)));
            assertThat(e.reply()).isNull();
        }
    }

    @Test
    void messagesAboveTheLimitAreRefusedBeforeTheyAreRead() {
        DnsLimits limits = DnsLimits.DEFAULT.messageBytes(40);
        byte[] wire = Arrays.copyOf(Corpus.hex("1234 0000 0000 0000 0000 0000"), 41);
        try (Buffer in = Corpus.buffer(wire)) {
            DnsException e =
                    catchThrowableOfType(
                            DnsException.class, () -> DnsDecoder.datagrams(limits).message(in));
            assertThat(e.fault()).isEqualTo(DnsFault.LIMIT);
            assertThat(Objects.requireNonNull(e.reply()).id()).isEqualTo(0x1234);
        }
    }
}
