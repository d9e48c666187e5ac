package io.weft.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.http.client.HttpClientException.Rejected;
import io.weft.http.client.HttpClientException.TimedOut;
import io.weft.http.client.HttpClientException.Unsendable;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Request;
import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.resolver.names.NameResolver;
import io.weft.resolver.names.ServiceBinding;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Sources of bodies whose requests come to no exchange: they are closed, once.
class UnsentBodyTest {
    private static final class Source implements BodySource {
        int closed;

        @Override
        public Step read(Buffer out) {
            throw new AssertionError("read");
        }

        @Override
        public void close() {
            closed++;
        }
    }

    /// A resolver that searches for records of type HTTPS until the test says what they are.
    private final class Searching implements NameResolver {
        @Override
        public Future<Void> resolve(
                String host, int port, EventExecutor executor, Answers answers) {
            return NameResolver.standard().resolve(host, port, executor, answers);
        }

        @Override
        public Future<ServiceBinding> serviceBinding(
                String host, int port, EventExecutor executor) {
            Promise<ServiceBinding> begun = executor.newPromise();
            search = begun;
            return begun;
        }

        @Override
        public boolean knowsServiceBindings() {
            return true;
        }
    }

    private final Source source = new Source();
    private @Nullable Promise<ServiceBinding> search;
    private @Nullable SimulatedWeb web;

    @AfterEach
    void end() {
        if (web != null) {
            web.close();
        }
    }

    private SimulatedWeb web(UnaryOperator<HttpClient.Builder> change) {
        SimulatedWeb made =
                new SimulatedWeb(
                        HttpClientLimits.DEFAULT.withTotalTimeout(Duration.ofMinutes(1)), change);
        web = made;
        return made;
    }

    private SimulatedWeb searching() {
        return web(builder -> builder.bootstrap(b -> b.resolver(new Searching())));
    }

    private CompletableFuture<StreamedResponse> post(SimulatedWeb from) {
        return from.client().openAsync(Request.post("http://example.com/", Body.of(source)));
    }

    @Test
    void callThatIsCancelledInTheSearchForRecords() {
        SimulatedWeb searching = searching();
        CompletableFuture<StreamedResponse> call = post(searching);
        call.cancel(true);
        assertThatThrownBy(() -> searching.await(call)).isInstanceOf(CancellationException.class);
        searching.run(Duration.ofSeconds(1));
        assertThat(source.closed).isOne();
    }

    @Test
    void callWhoseTimeEndsInTheSearchForRecords() {
        SimulatedWeb searching = searching();
        CompletableFuture<StreamedResponse> call = post(searching);
        assertThatThrownBy(() -> searching.await(call)).isInstanceOf(TimedOut.class);
        searching.run(Duration.ofSeconds(1));
        assertThat(source.closed).isOne();
    }

    @Test
    void callWhoseProxyCannotBeChosen() {
        ProxyChoice failing =
                _ -> {
                    throw new IllegalStateException("on purpose");
                };
        SimulatedWeb proxied = web(builder -> builder.proxy(failing));
        assertThatThrownBy(() -> post(proxied)).hasMessageContaining("on purpose");
        assertThat(source.closed).isOne();
    }

    @Test
    void callWhoseProxyCannotBeChosenBehindTheSearch() {
        boolean[] asked = {false};
        ProxyChoice failing =
                _ -> {
                    if (asked[0]) {
                        throw new IllegalStateException("on purpose");
                    }
                    asked[0] = true;
                    return null;
                };
        SimulatedWeb proxied =
                web(builder -> builder.proxy(failing).bootstrap(b -> b.resolver(new Searching())));
        CompletableFuture<StreamedResponse> call = post(proxied);
        Promise<ServiceBinding> begun = search;
        assertThat(begun).isNotNull();
        if (begun != null) {
            begun.tryFailure(new IllegalStateException("no records"));
        }
        assertThatThrownBy(() -> proxied.await(call)).isInstanceOf(Unsendable.class);
        assertThat(source.closed).isOne();
    }

    @Test
    void callOfAClientThatIsClosed() {
        SimulatedWeb closed = web(builder -> builder);
        closed.client().close();
        closed.run(Duration.ofMinutes(1));
        CompletableFuture<StreamedResponse> call = post(closed);
        assertThatThrownBy(() -> closed.await(call)).isInstanceOf(Rejected.class);
        assertThat(source.closed).isOne();
    }
}
