package io.weft.bench.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RobustnessTest {
    private static final Row ROW =
            new Row("nio: resets", "none <left>", "Netty 3", "2 left", Row.Outcome.RED);

    @Test
    void theTextHasTheFigureBesideGoalAndAnchor() {
        assertThat(Robustness.text(ROW))
                .startsWith("RED      nio: resets")
                .contains("measured: 2 left", "goal: none <left>; others: Netty 3");
    }

    @Test
    void thePageColoursWhatMissesItsGoal() {
        assertThat(Robustness.section(List.of(ROW)))
                .startsWith("<section>\n<h2 id=\"robustness\">robustness</h2>")
                .contains("<td class=\"number red\">2 left</td>", "none &lt;left&gt;");
    }

    @Test
    void anEntryAsJsonHasTheNamesThatProgramsRead() {
        assertThat(ROW.fields())
                .containsEntry("name", "robustness/nio: resets")
                .containsEntry("verdict", "red");
    }
}
