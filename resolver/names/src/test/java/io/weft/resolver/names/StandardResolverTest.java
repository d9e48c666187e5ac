package io.weft.resolver.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.testkit.Warns;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.Test;

class StandardResolverTest {
    private static final NameResolver ONE = NameResolver.of((_, loop) -> loop.newPromise());
    private static final NameResolver OTHER = NameResolver.of((_, loop) -> loop.newPromise());

    private record Provider(int priority, NameResolver resolver) implements NameResolverProvider {
        @Override
        public NameResolver create() {
            return resolver;
        }
    }

    private static NameResolver best(NameResolverProvider... providers) {
        return StandardResolver.best(Arrays.asList(providers).iterator());
    }

    @Test
    void withoutAProviderItIsTheSystem() {
        assertThat(best()).isSameAs(NameResolver.system());
    }

    @Test
    void highestPriorityCounts() {
        assertThat(best(new Provider(0, ONE), new Provider(1, OTHER))).isSameAs(OTHER);
        assertThat(best(new Provider(1, ONE), new Provider(0, OTHER))).isSameAs(ONE);
        assertThat(best(new Provider(-5, ONE))).isSameAs(ONE);
    }

    @Test
    @Warns
    void providerThatThrowsIsPassedOver() {
        NameResolverProvider broken =
                new NameResolverProvider() {
                    @Override
                    public int priority() {
                        return 9;
                    }

                    @Override
                    public NameResolver create() {
                        throw new IllegalStateException("no hosts");
                    }
                };
        assertThat(best(broken)).isSameAs(NameResolver.system());
        assertThat(best(new Provider(0, ONE), broken)).isSameAs(ONE);
    }

    @Test
    @Warns
    void entryThatIsBrokenIsPassedOver() {
        Iterator<NameResolverProvider> good =
                List.<NameResolverProvider>of(new Provider(0, ONE)).iterator();
        boolean[] thrown = {false};
        Iterator<NameResolverProvider> found =
                new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return good.hasNext();
                    }

                    @Override
                    public NameResolverProvider next() {
                        if (!thrown[0]) {
                            thrown[0] = true;
                            throw new ServiceConfigurationError("broken");
                        }
                        return good.next();
                    }
                };
        assertThat(StandardResolver.best(found)).isSameAs(ONE);
    }
}
