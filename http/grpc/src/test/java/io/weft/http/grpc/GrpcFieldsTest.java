package io.weft.http.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// The fields of gRPC: status, message, time-out and binary metadata.
class GrpcFieldsTest {
    private static Headers written(GrpcCode code, String message) {
        HeadersBuilder fields = Headers.builder();
        new GrpcStatus(code, message).writeTo(fields);
        return fields.build();
    }

    @Test
    void messagesArePercentEncoded() {
        String special = "\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP 😈\t\n";
        Headers fields = written(GrpcCode.UNKNOWN, special);
        assertThat(fields.first("grpc-status")).isEqualTo("2");
        assertThat(fields.first("grpc-message"))
                .isEqualTo(
                        "%09%0Atest with whitespace%0D%0Aand Unicode BMP %E2%98%BA and non-BMP"
                                + " %F0%9F%98%88%09%0A");
        assertThat(GrpcStatus.of(fields)).isEqualTo(new GrpcStatus(GrpcCode.UNKNOWN, special));
    }

    @Test
    void everyMessageComesBack() {
        for (String message : new String[] {"", "100 % ~", " blanks ", "%41", "a\u0000b", "é"}) {
            assertThat(GrpcStatus.of(written(GrpcCode.ABORTED, message)))
                    .isEqualTo(new GrpcStatus(GrpcCode.ABORTED, message));
        }
    }

    @Test
    void malformedMessagesStayReadable() {
        assertThat(StatusMessage.decode("50%")).isEqualTo("50%");
        assertThat(StatusMessage.decode("50%4")).isEqualTo("50%4");
        assertThat(StatusMessage.decode("%zz%41")).isEqualTo("%zzA");
        assertThat(StatusMessage.decode("%F0%9F")).isEqualTo("\uFFFD");
    }

    @Test
    void longMessagesAreCutBetweenCharacters() {
        String sent = StatusMessage.encode("x" + "☺".repeat(1000));
        assertThat(StatusMessage.decode(sent)).isEqualTo("x" + "☺".repeat(682));
    }

    @Test
    void longMessagesMayBeCutBehindABlank() {
        for (String rest : new String[] {" is no name", " ", " ☺", "  x"}) {
            for (int length = 2043; length <= 2049; length++) {
                String text = "a".repeat(length) + rest;
                GrpcStatus sent = GrpcStatus.of(written(GrpcCode.ABORTED, text));
                assertThat(sent).isNotNull();
                assertThat(text).startsWith(sent.message());
                assertThat(sent.message()).hasSizeGreaterThanOrEqualTo(2044);
            }
        }
    }

    @Test
    void unknownCodesAreUnknown() {
        for (String number : new String[] {"17", "-1", "x", "", "99999999999"}) {
            GrpcStatus status = GrpcStatus.of(Headers.of("grpc-status", number));
            assertThat(status).isEqualTo(new GrpcStatus(GrpcCode.UNKNOWN, ""));
        }
        assertThat(GrpcStatus.of(Headers.EMPTY)).isNull();
        assertThat(GrpcCode.of(16)).isEqualTo(GrpcCode.UNAUTHENTICATED);
    }

    @Test
    void timesAreInTheSmallestUnitWithRoom() {
        assertThat(GrpcTimeout.encode(Duration.ofNanos(99_999_999))).isEqualTo("99999999n");
        assertThat(GrpcTimeout.encode(Duration.ofNanos(100_000_001))).isEqualTo("100001u");
        assertThat(GrpcTimeout.encode(Duration.ofSeconds(1))).isEqualTo("1000000u");
        assertThat(GrpcTimeout.encode(Duration.ofDays(1))).isEqualTo("86400000m");
        assertThat(GrpcTimeout.encode(Duration.ofDays(73_000))).isEqualTo("38430717M");
        assertThat(GrpcTimeout.encode(Duration.ZERO)).isEqualTo("0n");
        assertThat(GrpcTimeout.encode(Duration.ofSeconds(-5))).isEqualTo("0n");
    }

    @Test
    void timesAreUpToEightDigitsAndAUnit() {
        assertThat(GrpcTimeout.decode("1S")).isEqualTo(TimeUnit.SECONDS.toNanos(1));
        assertThat(GrpcTimeout.decode("00000005m")).isEqualTo(TimeUnit.MILLISECONDS.toNanos(5));
        assertThat(GrpcTimeout.decode("7M")).isEqualTo(TimeUnit.MINUTES.toNanos(7));
        assertThat(GrpcTimeout.decode("99999999H")).isEqualTo(GrpcTimeout.MOST_NANOS);
        for (String malformed : new String[] {"", "1", "S", "123456789S", "-1S", "1 S", "1s"}) {
            assertThat(GrpcTimeout.decode(malformed)).as(malformed).isNull();
        }
    }

    @Test
    void binaryMetadataIsBase64WithOrWithoutPadding() {
        byte[] value = {(byte) 0xAB, (byte) 0xCD, 0, 1};
        Headers sent = BinaryMetadata.add(Headers.builder(), "trace-bin", value).build();
        assertThat(sent.first("trace-bin")).isEqualTo("q80AAQ");
        assertThat(BinaryMetadata.all(sent, "trace-bin")).containsExactly(value);
        Headers list = Headers.of("trace-bin", "q80AAQ==,q80AAQ,");
        assertThat(BinaryMetadata.all(list, "trace-bin"))
                .containsExactly(value, value, new byte[0]);
        assertThatThrownBy(() -> BinaryMetadata.all(sent, "trace"))
                .hasMessageContaining("(expected: one with -bin)");
    }

    @Test
    void pathsAreServiceAndMethod() {
        for (String path : new String[] {"", "/", "/a", "a/b", "/a/", "//b", "/a/b?c", "/a b/c"}) {
            assertThatThrownBy(() -> new GrpcMethod<>(path, Marshaller.BYTES, Marshaller.BYTES))
                    .as(path)
                    .hasMessageContaining("(expected: /package.Service/Method)");
        }
    }
}
