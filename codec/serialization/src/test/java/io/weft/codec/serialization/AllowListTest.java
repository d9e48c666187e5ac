package io.weft.codec.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllowListTest {
    @Test
    void anEmptyListHasBoxesAndArraysOfPrimitives() {
        AllowList empty = AllowList.of();
        assertThat(
                        new String[] {
                            "java.lang.Integer", "java.lang.Number", "[[J", "[Ljava.lang.Object;"
                        })
                .allMatch(empty::allows);
        assertThat(new String[] {"java.util.ArrayList", "java.lang.Thread", "[", "[X", "", "J"})
                .noneMatch(empty::allows);
    }

    @Test
    void classesAreNamedExactly() {
        AllowList list = AllowList.of(ArrayList.class, Objects.Point.class);
        assertThat(list.allows("java.util.ArrayList")).isTrue();
        assertThat(list.allows("[[Ljava.util.ArrayList;")).isTrue();
        assertThat(list.allows(Objects.class.getName() + "$Point")).isTrue();
        assertThat(
                        new String[] {
                            "java.util.ArrayList2",
                            "java.util.ArrayList$Itr",
                            "java.util.Array",
                            "[Ljava.util.ArrayList",
                            "[java.util.ArrayList;",
                            Objects.class.getName()
                        })
                .noneMatch(list::allows);
    }

    @Test
    void packagesAreNamedWithOrWithoutThoseBelow() {
        AllowList list = AllowList.patterns("a.b.*", "c.d.**");
        assertThat(new String[] {"a.b.X", "c.d.X", "c.d.e.f.X", "[Lc.d.e.X;"})
                .allMatch(list::allows);
        assertThat(new String[] {"a.X", "a.b.c.X", "a.bX", "c.dd.X", "c.X", "X", "e.a.b.X"})
                .noneMatch(list::allows);
    }

    @Test
    void listsAreJoined() {
        AllowList both = AllowList.patterns("a.X").and(AllowList.patterns("b.c.**"));
        assertThat(both.allows("a.X") && both.allows("b.c.Y")).isTrue();
        assertThat(both.allows("a.Y")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "**",
                "",
                ".*",
                "com.**",
                "java.util.*",
                "java.**",
                "javax.naming.x.**",
                "com.sun.org.*",
                "a*",
                "a.*.b",
                "a b",
                "[La.X;",
                "!a.b",
                "a.b.***"
            })
    void aPatternThatIsTooWideOrOfAnotherShapeIsRefused(String pattern) {
        assertThatThrownBy(() -> AllowList.patterns(pattern))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(pattern);
    }
}
