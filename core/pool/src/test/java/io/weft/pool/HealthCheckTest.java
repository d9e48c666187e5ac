package io.weft.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.Channel;
import io.weft.channel.EmbeddedChannel;
import io.weft.loop.Future;
import io.weft.loop.ManualExecutor;
import io.weft.loop.Promise;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Acquisitions that end while their channel is being checked. In virtual time.
class HealthCheckTest {
    private final ManualExecutor executor = new ManualExecutor();
    private final List<EmbeddedChannel> made = new ArrayList<>();
    private final ArrayDeque<Promise<Channel>> connects = new ArrayDeque<>();
    private final ArrayDeque<Promise<Boolean>> checks = new ArrayDeque<>();
    private final ChannelPool pool =
            ChannelPool.builder(
                            executor,
                            () -> {
                                connects.add(executor.newPromise());
                                return connects.getLast();
                            })
                    .healthCheck(
                            _ -> {
                                checks.add(executor.newPromise());
                                return checks.getLast();
                            })
                    .maxChannels(2)
                    .build();

    @AfterEach
    void close() {
        pool.close();
        run();
        made.forEach(EmbeddedChannel::close);
    }

    private void run() {
        executor.runPending();
        made.forEach(EmbeddedChannel::runPending);
        executor.runPending();
    }

    private Channel acquireNew() {
        Future<Channel> acquired = pool.acquire();
        made.add(new EmbeddedChannel());
        connects.remove().setSuccess(made.getLast().channel());
        run();
        return Objects.requireNonNull(acquired.now());
    }

    private void failCheck() {
        checks.remove().setSuccess(false);
        run();
    }

    @Test
    void cancelledAcquisitionConnectsNothing() {
        pool.release(acquireNew());
        Future<Channel> cancelled = pool.acquire();
        assertThat(cancelled.cancel()).isTrue();
        failCheck();
        assertThat(connects).isEmpty();
        assertThat(pool.lent()).isZero();
    }

    @Test
    void cancelledAcquisitionDoesNotWait() {
        Channel idle = acquireNew();
        acquireNew();
        pool.release(idle);
        Future<Channel> cancelled = pool.acquire();
        Future<Channel> next = pool.acquire();
        assertThat(pool.waiting()).isEqualTo(1);
        assertThat(cancelled.cancel()).isTrue();
        failCheck();
        assertThat(pool.waiting()).isZero();
        assertThat(connects).hasSize(1); // the next has the room
        assertThat(next.isDone()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void timeOutClosesAChannelWhoseCheckHangs(boolean cancelled) {
        Channel idle = acquireNew();
        pool.release(idle);
        Future<Channel> hangs = pool.acquire();
        if (cancelled) {
            assertThat(hangs.cancel()).isTrue();
        }
        executor.advance(Duration.ofSeconds(10));
        run();
        assertThat(hangs.isDone()).isTrue();
        assertThat(idle.isOpen()).isFalse();
        assertThat(pool.lent()).isZero();
        checks.remove().setSuccess(true);
        run();
        assertThat(pool.idle()).isZero();
        assertThat(connects).isEmpty();
    }
}
