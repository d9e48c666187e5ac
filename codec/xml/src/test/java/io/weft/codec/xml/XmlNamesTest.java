package io.weft.codec.xml;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class XmlNamesTest {
    private static final int MANY = 1000;

    private final XmlNames names = new XmlNames(XmlLimits.DEFAULT);
    private final XmlNames.Tag tag = names.tag("b       ".getBytes(US_ASCII), 0, 1);
    private final Counting searches = new Counting();

    /// Counts the searches.
    private static final class Counting extends HashMap<String, XmlNames.Bound> {
        private static final long serialVersionUID = 1L;
        private int count;

        @Override
        public XmlNames.@Nullable Bound get(Object key) {
            count++;
            return super.get(key);
        }
    }

    /// As long as allowed, and different only at the end.
    private static String uri(int number) {
        return String.format("%01024d", number);
    }

    private List<XmlNames.Bound> bindToMany() {
        List<XmlNames.Bound> bounds = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            bounds.add(names.bound(tag, uri(i)));
        }
        searches.putAll(known());
        tag.bounds = searches;
        return bounds;
    }

    private Map<String, XmlNames.Bound> known() {
        Map<String, XmlNames.Bound> known = tag.bounds;
        return known == null ? Map.of() : known;
    }

    @Test
    void nameStaysInOneOfManyNamespacesWithoutSearch() {
        List<XmlNames.Bound> bounds = bindToMany();
        assertThat(names.bound(tag, uri(0))).isSameAs(bounds.getFirst());
        for (int i = 0; i < MANY; i++) {
            assertThat(names.bound(tag, uri(0))).isSameAs(bounds.getFirst());
        }
        assertThat(searches.count).isEqualTo(1);
    }

    @Test
    void nameThatChangesItsNamespaceIsFoundByOneSearch() {
        List<XmlNames.Bound> bounds = bindToMany();
        for (int i = 0; i < MANY; i++) {
            assertThat(names.bound(tag, uri(i))).isSameAs(bounds.get(i));
        }
        assertThat(searches.count).isEqualTo(MANY);
        assertThat(known()).hasSize(MANY);
    }
}
