package io.weft.http.client;

import io.weft.eventloop.EventLoop;
import io.weft.http.client.HttpClientException.Stage;
import io.weft.http.client.liveness.MovingDeadline;
import java.time.Duration;

/// The deadline of what an exchange waits for. Waiting for something else moves it, so a piece of a
/// body costs no timer.
///
/// Thread: the loop.
final class ExchangeTimer {
    /// Is told of a deadline that was missed.
    interface Owner {
        void late(Stage stage, Duration most);
    }

    private final MovingDeadline deadline;
    private Stage stage = Stage.SEND;
    private Duration most = Duration.ZERO;

    ExchangeTimer(EventLoop loop, Owner owner) {
        deadline = new MovingDeadline(loop, () -> owner.late(stage, most));
    }

    /// From now on, `what` is waited for.
    void waitFor(Stage what, Duration atMost) {
        stage = what;
        most = atMost;
        deadline.set(atMost);
    }

    /// Nothing is waited for.
    void rest() {
        deadline.clear();
    }

    void end() {
        deadline.end();
    }
}
