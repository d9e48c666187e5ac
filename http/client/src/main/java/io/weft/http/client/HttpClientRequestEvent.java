package io.weft.http.client;

import io.weft.http.model.Request;
import java.util.concurrent.CompletableFuture;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

@Name("io.weft.HttpClientRequest")
@Label("HTTP Client Request")
@Category("Weft")
@Description(
        "A request that a client sent, from the call to the head of the last response,"
                + " redirects included")
@Threshold("20 ms") // weft.jfc takes all
@StackTrace(false)
final class HttpClientRequestEvent extends Event {
    @Label("Method")
    String method = "";

    @Label("Scheme")
    String scheme = "";

    @Label("Host")
    String host = "";

    @Label("Port")
    int port;

    @Label("Path")
    @Description("Without the query, which may have secrets")
    String path = "";

    @Label("Status")
    @Description("0 if there was no response")
    int status;

    @Label("Failure")
    @Description("Null if there was a response")
    @Nullable String failure;

    /// Records a call that begins now, if a recording takes it. To be called only if JFR runs: the
    /// first use of this class has JFR register it, which takes up to half a second.
    static void follow(CompletableFuture<StreamedResponse> call, Request request, Origin origin) {
        var event = new HttpClientRequestEvent();
        if (event.isEnabled()) {
            event.begin();
            var _ =
                    call.whenComplete(
                            (response, cause) -> event.ended(request, origin, response, cause));
        }
    }

    private void ended(
            Request request,
            Origin origin,
            @Nullable StreamedResponse response,
            @Nullable Throwable cause) {
        end();
        if (!shouldCommit()) {
            return;
        }
        method = request.method().name();
        scheme = origin.secure() ? "https" : "http";
        host = origin.host();
        port = origin.port();
        path = request.target().path();
        status = response == null ? 0 : response.status().code();
        failure = cause == null ? null : cause.toString();
        commit();
    }
}
