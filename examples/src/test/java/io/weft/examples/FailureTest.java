package io.weft.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class FailureTest {
    @Test
    void wrongArgumentsEndWithTwo() {
        String line = "--port: x (expected: a number)";
        var wrong = new IllegalArgumentException(line);
        assertThat(Failure.of(wrong)).isEqualTo(new Failure(line, 2));
        assertThat(Failure.of(new CompletionException(wrong)).exitCode()).isEqualTo(2);
    }

    @Test
    void otherFailuresEndWithOneAndTheMessageOfTheirCause() {
        var refused = new ConnectException("connect: ECONNREFUSED");
        assertThat(Failure.of(new CompletionException(new ExecutionException(refused))))
                .isEqualTo(new Failure("connect: ECONNREFUSED", 1));
    }

    @Test
    void filesAreNamedWithTheirTrouble() {
        assertThat(Failure.of(new NoSuchFileException("ca.pem")).line())
                .isEqualTo("ca.pem: no such file");
        assertThat(Failure.of(new AccessDeniedException("ca.pem")).line())
                .isEqualTo("ca.pem: permission denied");
    }

    @Test
    void exceptionWithoutMessageIsNamed() {
        assertThat(Failure.of(new ClosedChannelException()).line())
                .isEqualTo("ClosedChannelException");
    }
}
