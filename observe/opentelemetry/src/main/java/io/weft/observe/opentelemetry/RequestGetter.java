package io.weft.observe.opentelemetry;

import io.opentelemetry.context.propagation.TextMapGetter;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads a caller's context from the fields of its request.
enum RequestGetter implements TextMapGetter<Request> {
    INSTANCE;

    @Override
    public Iterable<String> keys(Request request) {
        List<String> names = new ArrayList<>();
        for (Headers.Field field : request.headers()) {
            names.add(field.name().toString());
        }
        return names;
    }

    @Override
    public @Nullable String get(@Nullable Request request, String name) {
        return request == null ? null : request.headers().first(name);
    }
}
