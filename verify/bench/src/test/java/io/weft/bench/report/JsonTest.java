package io.weft.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void writesNestedValuesWithTheOuterBracketsOnTheirOwnLines() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("a\"\n", 1234567.0);
        map.put("b", null);
        assertThat(Json.write(List.of(map, "c", 0.125)))
                .isEqualTo(
                        """
                        [
                          {
                            "a\\"\\u000a": 1234570,
                            "b": null
                          },
                          "c",
                          0.125
                        ]
                        """);
    }

    @Test
    void writesNumbersThatJsonDoesNotHaveAsNull() {
        assertThat(Json.write(Double.NaN)).isEqualTo("null\n");
        assertThat(Json.write(Double.POSITIVE_INFINITY)).isEqualTo("null\n");
    }

    @Test
    void refusesTypesItDoesNotKnow() {
        assertThatIllegalArgumentException().isThrownBy(() -> Json.write(1));
    }
}
