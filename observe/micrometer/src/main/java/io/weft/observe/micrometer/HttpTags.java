package io.weft.observe.micrometer;

import io.weft.http.model.Method;
import io.weft.http.model.Status;
import io.weft.http.model.Version;
import java.util.Set;

/// Values of tags, of which there are few whatever peers send.
final class HttpTags {
    static final String NONE = "none";

    private static final Set<String> METHODS =
            Set.of(
                    "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH",
                    "QUERY");

    private HttpTags() {}

    static String method(Method method) {
        return METHODS.contains(method.name()) ? method.name() : "_OTHER";
    }

    static String status(Status status) {
        return Integer.toString(status.code());
    }

    /// Returns `1.1` or `2`, as the conventions have it.
    static String version(Version version) {
        String number = version.toString().replaceFirst("^HTTP/", "");
        return number.equals("2.0") ? "2" : number;
    }
}
