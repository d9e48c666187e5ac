package io.weft.http.server.exchange;

import io.weft.http.model.Request;
import io.weft.http.model.Response;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

@Name("io.weft.HttpServerRequest")
@Label("HTTP Server Request")
@Category("Weft")
@Description("A request that a server answered, from its head to the end of the answer")
@Threshold("20 ms") // requests that waited for nothing would fill the disk; weft.jfc takes all
@StackTrace(false)
final class HttpServerRequestEvent extends Event {
    @Label("Method")
    String method = "";

    @Label("Route")
    @Description("The path of the route, as the routes have it; null without one")
    @Nullable String route;

    @Label("Path")
    @Description("Without the query, which may have secrets")
    String path = "";

    @Label("Version")
    String version = "";

    @Label("Status")
    @Description("0 if the connection was gone before there was an answer")
    int status;

    @Label("Sent")
    @Description("Of the answer's body, before any coding for the transfer")
    @DataAmount
    long sent;

    @Label("Whole")
    @Description("Cleared if the answer was cut off")
    boolean whole;

    /// Begins a request. To be called only if JFR runs: the first use of this class has JFR
    /// register it, which takes up to half a second.
    ///
    /// @return null unless a recording takes it
    static @Nullable HttpServerRequestEvent begun() {
        var event = new HttpServerRequestEvent();
        if (!event.isEnabled()) {
            return null;
        }
        event.begin();
        return event;
    }

    void answer(Response answer) {
        status = answer.status().code();
    }

    /// The exchange is over.
    ///
    /// @param of null where no route was found
    void finish(Request request, @Nullable String of, boolean complete) {
        end();
        if (shouldCommit()) {
            method = request.method().name();
            route = of;
            path = request.target().path();
            version = request.version().toString();
            whole = complete;
            commit();
        }
    }
}
