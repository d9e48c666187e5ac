package io.weft.http.server.exchange;

import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import org.jspecify.annotations.Nullable;

/// Ends of bodies: nothing that a source throws keeps a response from ending.
final class AnswerBodies {
    private static final System.Logger LOGGER = System.getLogger("io.weft.http.server");

    private AnswerBodies() {}

    /// Closes the body of an answer that is not sent.
    static void discard(@Nullable Response response) {
        if (response != null && response.body() instanceof Body.Stream stream) {
            close(stream.source());
        }
    }

    /// Closes `source`. If that throws, it is logged, and the response ends all the same.
    static void close(BodySource source) {
        try {
            source.close();
        } catch (Throwable t) {
            LOGGER.log(System.Logger.Level.WARNING, "the source of a body failed to close", t);
        }
    }

    /// Returns the bytes of a body in memory that are sent with the head of `answer`.
    static long lengthInMemory(Request request, Response answer) {
        boolean silent = request.method() == Method.HEAD || answer.status().isWithoutContent();
        return answer.body() instanceof Body.Bytes bytes && !silent ? bytes.length() : 0;
    }
}
