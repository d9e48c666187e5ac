package io.weft.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class OperationTest {
    private static final String CLASS = "io.weft.bench.buffer.ByteBufAllocatorBenchmark.";

    @Test
    void methodsOfOneOperationAreItsSidesAndNettyTakesTwo() {
        List<Operation> operations =
                Operation.of(List.of(CLASS + "nettyPooledSameThread", CLASS + "weftSameThread"));
        assertThat(operations)
                .singleElement()
                .satisfies(
                        operation -> {
                            assertThat(operation.name()).isEqualTo("ByteBufAllocator/SameThread");
                            assertThat(operation.sides())
                                    .extracting(Side::name)
                                    .containsExactly("nettyPooled", "nettyPooled+unsafe", "weft");
                        });
    }

    @Test
    void theLongestNameOfASideWins() {
        assertThat(Side.name("nettyAdaptiveAllocate")).isEqualTo("nettyAdaptive");
        assertThat(Side.name("nettyAllocate")).isEqualTo("netty");
        assertThat(Side.operation("nettyAdaptiveAllocate")).isEqualTo("Allocate");
    }

    /// A group with a method of nobody measures nothing.
    @Test
    void eachBenchmarkIsOfAKnownSide() {
        List<String> all = JmhGroup.benchmarks(".*");
        assertThat(all).hasSizeGreaterThan(300);
        assertThat(Operation.of(all)).isNotEmpty();
    }

    @Test
    void refusesMethodsOfNobody() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Side.name("nettle"))
                .withMessageContaining("nettle");
    }

    @Test
    void eachRoundBeginsWithAnotherSide() {
        Operation operation = Operation.of(List.of(CLASS + "nettyGet", CLASS + "weftGet")).get(0);
        assertThat(operation.sidesOf(0)).extracting(Side::name).startsWith("netty");
        assertThat(operation.sidesOf(1)).extracting(Side::name).startsWith("netty+unsafe");
        assertThat(operation.sidesOf(2)).extracting(Side::name).startsWith("weft");
    }

    @Test
    void aQuickRunMayTakeFewerSidesOrNone() {
        Operation operation = Operation.of(List.of(CLASS + "nettyGet", CLASS + "weftGet")).get(0);
        List<String> lines =
                List.of("x | .*/Get | quick | side=weft,netty", "x | .*/Set | quick | side=");
        Operation fewer = operation.only(Goals.parse("x", lines).subsets());
        assertThat(fewer.sides()).extracting(Side::name).containsExactly("netty", "weft");

        List<String> without = List.of("x | .*/Get | quick | side=");
        assertThat(operation.only(Goals.parse("x", without).subsets()).sides()).isEmpty();
    }

    @Test
    void theRegexOfASideFindsItsMethodAlone() {
        Operation operation = Operation.of(List.of(CLASS + "weftGet", CLASS + "weftGetAll")).get(0);
        String regex = operation.regex(operation.sides().get(0));
        assertThat(CLASS + "weftGet").containsPattern(regex);
        assertThat(CLASS + "weftGetAll").doesNotContainPattern(regex);
    }
}
