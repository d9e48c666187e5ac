package io.weft.examples.proxy;

import io.weft.buffer.Buffer;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import io.weft.http.model.Request;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Fields in which a client tells its way here, or what it has asked for before: Forwarded, the
/// X-Forwarded family, and those that servers read in their place. A server that believes a proxy
/// believes all of them, so those of strangers go no further, behind the body neither.
final class Claims {
    private static final Set<HeaderName> NAMES =
            Set.of(
                    HeaderName.FORWARDED,
                    HeaderName.of("x-real-ip"),
                    HeaderName.of("x-client-ip"),
                    HeaderName.of("x-cluster-client-ip"),
                    HeaderName.of("true-client-ip"),
                    HeaderName.of("x-original-host"),
                    HeaderName.of("x-original-url"),
                    HeaderName.of("x-rewrite-url"));

    private Claims() {}

    /// Tells if a field is one of them.
    static boolean has(HeaderName name) {
        return NAMES.contains(name) || name.toString().startsWith("x-forwarded");
    }

    /// Returns the fields without them.
    static HeadersBuilder without(Headers fields) {
        HeadersBuilder kept = fields.toBuilder();
        for (int i = 0; i < fields.size(); i++) {
            HeaderName name = fields.name(i);
            if (has(name)) {
                kept.remove(name);
            }
        }
        return kept;
    }

    /// Returns the request without those behind its body.
    static Request withoutTrailing(Request request) {
        if (!(request.body() instanceof Body.Stream stream)) {
            return request;
        }
        BodySource source = new Unclaimed(stream.source());
        return request.withBody(
                stream.length() < 0 ? Body.of(source) : Body.of(source, stream.length()));
    }

    /// A body whose trailers have none of them, nor any that could be taken for one.
    private record Unclaimed(BodySource source) implements BodySource {
        @Override
        public Step read(Buffer out) throws IOException {
            return source.read(out);
        }

        @Override
        public @Nullable Buffer take(int most) throws IOException {
            return source.take(most);
        }

        @Override
        public void onWake(Runnable wake) {
            source.onWake(wake);
        }

        @Override
        public boolean mayWait() {
            return source.mayWait();
        }

        @Override
        public Headers trailers() {
            Headers all = source.trailers();
            return all.isEmpty() ? all : without(Forwarding.endToEnd(all).build()).build();
        }

        @Override
        public void close() {
            source.close();
        }
    }
}
