package io.weft.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.transport.sim.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The short form of `dev/simulate.sh --udt`, from committed seeds.
class UdtEpisodeTest {
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
        for (long seed = SEED; seed < SEED + 3; seed++) {
            Episode episode = Episode.overUdt(seed);
            List<String> broken = episode.run(Duration.ofMinutes(20)).broken();
            assertThat(broken).as("%s%n%s", episode, episode.trace()).isEmpty();
        }
    }

    @Test
    void theSameSeedGivesTheSameEpisode() {
        Episode one = Episode.overUdt(SEED);
        Episode again = Episode.overUdt(SEED);
        Tally _ = one.run(Duration.ofMinutes(5));
        Tally _ = again.run(Duration.ofMinutes(5));
        assertThat(again.events()).as("%s", one).isEqualTo(one.events());
        assertThat(again.hash()).as("%s", one).isEqualTo(one.hash());
    }
}
