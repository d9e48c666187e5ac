package io.weft.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.http.client.HttpClientException.Cancelled;
import io.weft.http.model.Request;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/// The wait for a call that is interrupted, and calls whose result nobody waits for any more.
class CallFutureTest {
    private static final Request REQUEST = Request.get("http://example.com/");

    private int cancelled;
    private final CallFuture<String> future = new CallFuture<>(() -> cancelled++);
    private final CallFuture<String> other = new CallFuture<>(() -> cancelled++);

    @Test
    void responseThatHasComeMeanwhileIsReturned() throws Exception {
        future.answered("response");
        assertThat(CallFuture.unlessCancelled(future, REQUEST)).isEqualTo("response");
        assertThat(cancelled).isZero();
    }

    @Test
    void callThatIsUnderWayIsCancelled() {
        assertThatThrownBy(() -> CallFuture.unlessCancelled(future, REQUEST))
                .isInstanceOf(Cancelled.class);
        assertThat(cancelled).isOne();
    }

    @Test
    void callThatHasFailedMeanwhileIsCancelled() {
        future.failed(new IllegalStateException("failed"));
        assertThatThrownBy(() -> CallFuture.unlessCancelled(future, REQUEST))
                .isInstanceOf(Cancelled.class);
    }

    /// As `orTimeout` and `completeOnTimeout` do.
    @Test
    void callWhoseResultTheApplicationCompletesIsCancelled() {
        assertThat(future.completeExceptionally(new TimeoutException())).isTrue();
        assertThat(cancelled).isOne();
        assertThat(future.complete("too late")).isFalse();
        assertThat(cancelled).isOne();

        assertThat(other.complete("in its place")).isTrue();
        assertThat(other.answered("response")).isFalse();
        assertThat(cancelled).isEqualTo(2);
    }
}
