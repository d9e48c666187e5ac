package io.weft.observe.micrometer;

import io.weft.http.model.Method;
import io.weft.http.model.Status;

/// Values of tags, of which there are few whatever peers send.
final class HttpTags {
    static final String NONE = "none";

    private HttpTags() {}

    static String method(Method method) {
        return method.isRegistered() ? method.name() : "_OTHER";
    }

    static String status(Status status) {
        return Integer.toString(status.code());
    }
}
