package io.weft.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.http.client.HttpClientException.Cancelled;
import io.weft.http.model.Request;
import org.junit.jupiter.api.Test;

/// The wait for a call that is interrupted.
class CallFutureTest {
    private static final Request REQUEST = Request.get("http://example.com/");

    private int cancelled;
    private final CallFuture<String> future = new CallFuture<>(() -> cancelled++);

    @Test
    void responseThatHasComeMeanwhileIsReturned() throws Exception {
        future.complete("response");
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
        future.completeExceptionally(new IllegalStateException("failed"));
        assertThatThrownBy(() -> CallFuture.unlessCancelled(future, REQUEST))
                .isInstanceOf(Cancelled.class);
    }
}
