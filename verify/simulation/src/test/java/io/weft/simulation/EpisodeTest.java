package io.weft.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.Ledger;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ChannelInitializer;
import io.weft.transport.sim.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The short form of `dev/simulate.sh`, from committed seeds.
class EpisodeTest {
    private static final long SEED = Simulation.seed();
    private static final Logger LOGGER = Logger.getLogger("io.weft.channel");

    @BeforeAll
    static void quiet() {
        LOGGER.setLevel(Level.OFF);
    }

    @AfterAll
    static void loud() {
        LOGGER.setLevel(null);
    }

    @Test
    void whateverGoesWrongWhatMustHoldHolds() {
        long first = SEED;
        for (long seed = first; seed < first + 10; seed++) {
            Episode episode = new Episode(seed);
            List<String> broken = episode.run(Duration.ofHours(2)).broken();
            assertThat(broken).as("%s%n%s", episode, episode.trace()).isEmpty();
        }
    }

    @Test
    void theSameSeedGivesTheSameEpisode() {
        long seed = SEED;
        Episode one = new Episode(seed);
        Episode again = new Episode(seed);
        Tally _ = one.run(Duration.ofHours(1));
        Tally _ = again.run(Duration.ofHours(1));
        assertThat(again.events()).as("%s", one).isEqualTo(one.events());
        assertThat(again.hash()).as("%s", one).isEqualTo(one.hash());
    }

    private abstract static class Saboteur implements ChannelHandler {
        @Override
        public boolean isSharable() {
            return true;
        }
    }

    /// A handler before the server's.
    private static List<String> brokenBy(ChannelHandler handler) {
        ChannelInitializer saboteur = ch -> ch.pipeline().addFirst("saboteur", handler);
        return new Episode(SEED, saboteur).run(Duration.ofHours(2)).broken();
    }

    @Test
    void aServerThatLosesAByteIsFoundOut() {
        assertThat(
                        brokenBy(
                                new Saboteur() {
                                    @Override
                                    public void channelRead(
                                            ChannelHandlerContext ctx, Object message) {
                                        Buffer buffer = (Buffer) message;
                                        if (buffer.readableBytes() > 100) {
                                            buffer.setByte(buffer.readOffset() + 99, 0);
                                        }
                                        ctx.fireChannelRead(buffer);
                                    }
                                }))
                .isNotEmpty();
    }

    @Test
    void aServerThatForgetsABufferIsFoundOut() {
        assertThat(
                        brokenBy(
                                new Saboteur() {
                                    private int reads;

                                    @Override
                                    public void channelRead(
                                            ChannelHandlerContext ctx, Object message) {
                                        Buffer buffer = (Buffer) message;
                                        if (++reads == 10) {
                                            buffer.retain();
                                        }
                                        ctx.fireChannelRead(buffer);
                                    }
                                }))
                .contains("buffers are left open");
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @Test
    void aServerThatStopsAnsweringIsFoundOut() {
        assertThat(
                        brokenBy(
                                new Saboteur() {
                                    private int answers;

                                    @Override
                                    public void flush(ChannelHandlerContext ctx) {
                                        if (++answers == 1) {
                                            ctx.flush();
                                        }
                                    }
                                }))
                .anyMatch(broken -> broken.contains("no answers though nothing goes wrong"));
    }
}
