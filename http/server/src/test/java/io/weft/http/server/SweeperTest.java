package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.EmbeddedChannel;
import io.weft.eventloop.EventLoop;
import io.weft.http.model.Response;
import io.weft.http.server.Deadlines.Wait;
import io.weft.http.server.exchange.Application;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// The deadlines of several connections of one loop.
class SweeperTest {
    private final List<String> swept = new ArrayList<>();

    private Deadlines named(String name, Sweeper sweeper) {
        Deadlines deadlines =
                new Deadlines(
                        new Deadlines.Owner() {
                            @Override
                            public long pendingBytes() {
                                return 0;
                            }

                            @Override
                            public void missed(Wait what) {}

                            @Override
                            public void stalled() {}

                            @Override
                            public void quiet() {}

                            @Override
                            public void swept(long now) {
                                swept.add(name);
                            }

                            @Override
                            public void giveUp(String what, Throwable cause) {
                                throw new AssertionError(what, cause);
                            }
                        },
                        new ServerLoop(
                                new Application.Direct(_ -> Response.text("none")),
                                HttpServerLimits.DEFAULT,
                                sweeper));
        deadlines.begin(0);
        return deadlines;
    }

    @Test
    void aConnectionThatEndsTwiceCutsNoOtherOutOfTheList() {
        try (EmbeddedChannel channel = new EmbeddedChannel()) {
            Sweeper sweeper = new Sweeper(channel.channel().eventLoop());
            Deadlines oldest = named("oldest", sweeper);
            Deadlines old = named("old", sweeper);
            Deadlines young = named("young", sweeper);
            Deadlines youngest = named("youngest", sweeper);
            young.end();
            young.end();
            old.end();
            swept.clear();
            channel.advance(Duration.ofMillis(500));
            assertThat(swept).containsExactly("youngest", "oldest");
            oldest.end();
            youngest.end();
            swept.clear();
            channel.advance(Duration.ofSeconds(1));
            assertThat(swept).isEmpty();
        }
    }

    @Test
    void manyConnectionsAreLookedAtOnceATickAndNotAllInOneTurn() {
        try (EmbeddedChannel channel = new EmbeddedChannel()) {
            EventLoop loop = channel.channel().eventLoop();
            Sweeper sweeper = new Sweeper(loop);
            List<Deadlines> all = new ArrayList<>();
            for (int i = 0; i < 2 * Sweeper.SLICE + 10; i++) {
                all.add(named(Integer.toString(i), sweeper));
            }
            swept.clear();
            List<Integer> between = new ArrayList<>();
            loop.schedule(
                    () -> loop.execute(() -> between.add(swept.size())),
                    500,
                    TimeUnit.MILLISECONDS);
            channel.advance(Duration.ofMillis(500));
            assertThat(swept).hasSize(all.size()).doesNotHaveDuplicates();
            assertThat(between).containsExactly(Sweeper.SLICE);
            all.forEach(Deadlines::end);
            swept.clear();
            channel.advance(Duration.ofSeconds(1));
            assertThat(swept).isEmpty();
        }
    }

    @Test
    void aConnectionThatEndsBetweenTwoTurnsIsNotLookedAt() {
        try (EmbeddedChannel channel = new EmbeddedChannel()) {
            EventLoop loop = channel.channel().eventLoop();
            Sweeper sweeper = new Sweeper(loop);
            Deadlines last = named("last", sweeper);
            Deadlines next = named("next", sweeper);
            for (int i = 0; i < Sweeper.SLICE; i++) {
                named(Integer.toString(i), sweeper);
            }
            swept.clear();
            loop.schedule(() -> loop.execute(next::end), 500, TimeUnit.MILLISECONDS);
            channel.advance(Duration.ofMillis(500));
            assertThat(swept).hasSize(Sweeper.SLICE + 1).endsWith("last").doesNotContain("next");
            last.end();
        }
    }
}
