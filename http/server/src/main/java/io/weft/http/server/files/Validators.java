package io.weft.http.server.files;

import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HttpDate;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Status;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The validators of a representation, and what a request makes depend on them (RFC 9110, 8.8 and
/// 13).
///
/// @param etag strong, with its quotes
/// @param modified to the second
public record Validators(String etag, Instant modified) {
    /// Of a file: the tag is of its size and the nanosecond of its last change.
    public static Validators of(BasicFileAttributes file) {
        String tag =
                Long.toHexString(file.lastModifiedTime().to(TimeUnit.NANOSECONDS))
                        + "-"
                        + Long.toHexString(file.size());
        Instant modified = file.lastModifiedTime().toInstant().truncatedTo(ChronoUnit.SECONDS);
        return new Validators('"' + tag + '"', modified);
    }

    /// Evaluates the conditions of a request in the order of RFC 9110, 13.2.2.
    ///
    /// @return 304 or 412; null to go on
    public @Nullable Status precondition(Request request) {
        Headers headers = request.headers();
        if (headers.contains(HeaderName.IF_MATCH)) {
            if (!matches(headers.all(HeaderName.IF_MATCH), false)) {
                return Status.PRECONDITION_FAILED;
            }
        } else {
            Instant unmodified = date(headers, HeaderName.IF_UNMODIFIED_SINCE);
            if (unmodified != null && modified.isAfter(unmodified)) {
                return Status.PRECONDITION_FAILED;
            }
        }
        boolean reads = request.method() == Method.GET || request.method() == Method.HEAD;
        if (headers.contains(HeaderName.IF_NONE_MATCH)) {
            if (matches(headers.all(HeaderName.IF_NONE_MATCH), true)) {
                return reads ? Status.NOT_MODIFIED : Status.PRECONDITION_FAILED;
            }
        } else if (reads) {
            Instant since = date(headers, HeaderName.IF_MODIFIED_SINCE);
            if (since != null && !modified.isAfter(since)) {
                return Status.NOT_MODIFIED;
            }
        }
        return null;
    }

    /// Tells if a Range field counts: there is no If-Range, or it names what there is. A date does
    /// so only once its second is over: until then, another change may have the same date (RFC
    /// 9110, 8.8.2.2 and 13.1.5).
    ///
    /// @param now the time of the response
    public boolean allowsRange(Request request, Instant now) {
        String condition = request.headers().first(HeaderName.IF_RANGE);
        if (condition == null) {
            return true;
        }
        if (condition.startsWith("\"") || condition.startsWith("W/")) {
            return condition.equals(etag);
        }
        boolean strong = !now.isBefore(modified.plusSeconds(1));
        return strong && modified.equals(HttpDate.parse(condition, now));
    }

    /// Tells if a list of tags has this one. A weak tag matches only where that is enough.
    private boolean matches(List<String> fields, boolean weakly) {
        for (String field : fields) {
            for (String tag : field.split(",", -1)) {
                String one = tag.strip();
                if (weakly && one.startsWith("W/")) {
                    one = one.substring(2);
                }
                if (one.equals("*") || one.equals(etag)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static @Nullable Instant date(Headers headers, HeaderName name) {
        String value = headers.first(name);
        return value == null ? null : HttpDate.parse(value, Instant.now());
    }
}
